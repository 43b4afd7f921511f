//===- Compare.cpp - Scalar comparisons -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons that set SCC, with two operands (SOPC) or with an immediate (s_cmpk of SOPK).
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

template <typename T>
static bool equal(T a, T b) {
  return a == b;
}
template <typename T>
static bool notEqual(T a, T b) {
  return a != b;
}
template <typename T>
static bool greater(T a, T b) {
  return a > b;
}
template <typename T>
static bool greaterEqual(T a, T b) {
  return a >= b;
}
template <typename T>
static bool less(T a, T b) {
  return a < b;
}
template <typename T>
static bool lessEqual(T a, T b) {
  return a <= b;
}
static bool bitIs0(uint32_t a, uint32_t n) { return !(a >> (n & 31) & 1); }
static bool bitIs1(uint32_t a, uint32_t n) { return a >> (n & 31) & 1; }
static bool wideBitIs0(uint64_t a, uint64_t n) { return !(a >> (n & 63) & 1); }
static bool wideBitIs1(uint64_t a, uint64_t n) { return a >> (n & 63) & 1; }

template <typename T, bool (*fn)(T, T)>
static const Instruction *execute(Wave &wave, const Instruction *inst) {
  wave.setScc(fn(T(wave.scalar32(inst->op(0))), T(wave.scalar32(inst->op(1)))));
  return inst + 1;
}
template <bool (*fn)(uint64_t, uint64_t)>
static const Instruction *executeWide(Wave &wave, const Instruction *inst) {
  wave.setScc(fn(wave.scalar64(inst->op(0)), wave.scalar64(inst->op(1))));
  return inst + 1;
}
template <bool (*fn)(uint64_t, uint64_t)>
static const Instruction *executeBitTest(Wave &wave, const Instruction *inst) {
  wave.setScc(fn(wave.scalar64(inst->op(0)), wave.scalar32(inst->op(1))));
  return inst + 1;
}
/// The immediate is sign extended for signed comparisons and zero extended for unsigned ones.
template <typename T, bool (*fn)(T, T)>
static const Instruction *executeImmediate(Wave &wave, const Instruction *inst) {
  const T immediate = std::is_signed_v<T> ? T(inst->simm16()) : T(uint16_t(inst->simm16()));
  wave.setScc(fn(T(wave.scalar32(inst->op(0))), immediate));
  return inst + 1;
}

void ckemu::addComparison(InstructionTable &table, const std::string &name, Handler handler,
                          SourceType type) {
  OpcodeInfo info{handler, InstructionClass::Salu, 0, type, 2};
  info.facts.comparesScalars = true;
  table.add(name, info);
}

template <typename T, bool (*fn)(T, T)>
static void addPair(InstructionTable &table, const std::string &predicate, const char *type) {
  addComparison(table, "s_cmp_" + predicate + type, execute<T, fn>, SourceType::B32);
  addComparison(table, "s_cmpk_" + predicate + type, executeImmediate<T, fn>, SourceType::B32);
}

template <typename T>
static void addType(InstructionTable &table, const char *type) {
  addPair<T, equal<T>>(table, "eq", type);
  addPair<T, notEqual<T>>(table, "lg", type);
  addPair<T, greater<T>>(table, "gt", type);
  addPair<T, greaterEqual<T>>(table, "ge", type);
  addPair<T, less<T>>(table, "lt", type);
  addPair<T, lessEqual<T>>(table, "le", type);
}

void ckemu::registerScalarCompare(InstructionTable &table) {
  addType<int32_t>(table, "_i32");
  addType<uint32_t>(table, "_u32");
  auto add = [&](const char *name, Handler handler, SourceType type) {
    addComparison(table, name, handler, type);
  };
  add("s_cmp_eq_u64", executeWide<equal<uint64_t>>, SourceType::B64);
  add("s_cmp_lg_u64", executeWide<notEqual<uint64_t>>, SourceType::B64);
  add("s_bitcmp0_b32", execute<uint32_t, bitIs0>, SourceType::B32);
  add("s_bitcmp1_b32", execute<uint32_t, bitIs1>, SourceType::B32);
  add("s_bitcmp0_b64", executeBitTest<wideBitIs0>, SourceType::B64);
  add("s_bitcmp1_b64", executeBitTest<wideBitIs1>, SourceType::B64);
}
