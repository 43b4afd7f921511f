//===- Compare.cpp - Comparisons -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of all types and the class test, writing one bit per lane to VCC or an SGPR pair; the
// v_cmpx forms write EXEC too. Bits of inactive lanes become 0. The rows are generated: types times
// predicates.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"
#include <deque>
#include <string>
#include <vector>

using namespace ckemu;

template <typename T>
static bool never(T, T) {
  return false;
}
template <typename T>
static bool always(T, T) {
  return true;
}
template <typename T>
static bool less(T a, T b) {
  return a < b;
}
template <typename T>
static bool equal(T a, T b) {
  return a == b;
}
template <typename T>
static bool lessEqual(T a, T b) {
  return a <= b;
}
template <typename T>
static bool greater(T a, T b) {
  return a > b;
}
template <typename T>
static bool notEqual(T a, T b) {
  return a != b;
}
template <typename T>
static bool greaterEqual(T a, T b) {
  return a >= b;
}
// Floating point only: false for unordered operands, or true for their negations.
template <typename T>
static bool lessGreater(T a, T b) {
  return a < b || a > b;
}
template <typename T>
static bool ordered(T a, T b) {
  return !__builtin_isunordered(a, b);
}
template <typename T>
static bool unordered(T a, T b) {
  return __builtin_isunordered(a, b);
}
template <typename T>
static bool notGreaterEqual(T a, T b) {
  return !(a >= b);
}
template <typename T>
static bool notLessGreater(T a, T b) {
  return !(a < b || a > b);
}
template <typename T>
static bool notGreater(T a, T b) {
  return !(a > b);
}
template <typename T>
static bool notLessEqual(T a, T b) {
  return !(a <= b);
}
template <typename T>
static bool notLess(T a, T b) {
  return !(a < b);
}

/// Tests `a` against a set of classes: bit 0 signalling NaN, 1 quiet NaN, 2 -infinity, 3 -normal,
/// 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +infinity.
template <typename T, typename Mask>
static bool isClass(T a, Mask classes) {
  const bool negative = bitsOf(a) & signBit<T>;
  unsigned bit;
  if (isNan(a))
    bit = isSignalling(a) ? 0 : 1;
  else if (isInf(a))
    bit = negative ? 2 : 9;
  else if (isZero(a))
    bit = negative ? 5 : 6;
  else if (isDenormal(a))
    bit = negative ? 4 : 7;
  else
    bit = negative ? 3 : 8;
  return classes >> bit & 1;
}

namespace {
/// Collects rows; names live as long as the rows.
struct ComparisonRows {
  std::deque<std::string> names;
  std::vector<VectorRow> rows;

  uint16_t cmpxFlag; ///< what v_cmpx does with EXEC

  template <auto fn>
  void add(const std::string &predicate, const char *type, uint16_t flags = 0) {
    names.push_back("v_cmp_" + predicate + "_" + type);
    rows.push_back(vectorRow<fn>(names.back().c_str(), flags));
    names.push_back("v_cmpx_" + predicate + "_" + type);
    rows.push_back(vectorRow<fn>(names.back().c_str(), uint16_t(flags | cmpxFlag)));
  }
  template <typename T>
  void addOrder(const char *type) {
    add<less<T>>("lt", type);
    add<equal<T>>("eq", type);
    add<lessEqual<T>>("le", type);
    add<greater<T>>("gt", type);
    add<greaterEqual<T>>("ge", type);
  }
  template <typename T>
  void addIntegers(const char *type) {
    addOrder<T>(type);
    add<never<T>>("f", type);
    add<notEqual<T>>("ne", type);
    add<always<T>>("t", type);
  }
  template <typename T, typename Mask>
  void addFloats(const char *type) {
    addOrder<T>(type);
    add<never<T>>("f", type);
    add<lessGreater<T>>("lg", type);
    add<ordered<T>>("o", type);
    add<unordered<T>>("u", type);
    add<notGreaterEqual<T>>("nge", type);
    add<notLessGreater<T>>("nlg", type);
    add<notGreater<T>>("ngt", type);
    add<notLessEqual<T>>("nle", type);
    add<notEqual<T>>("neq", type);
    add<notLess<T>>("nlt", type);
    add<always<T>>("tru", type);
    add<always<T>>("t", type); // the name of gfx11
    add<isClass<T, Mask>>("class", type, RawBits);
  }
  explicit ComparisonRows(VectorFlags cmpxFlag) : cmpxFlag(cmpxFlag) {
    addIntegers<int16_t>("i16");
    addIntegers<uint16_t>("u16");
    addIntegers<int32_t>("i32");
    addIntegers<uint32_t>("u32");
    addIntegers<int64_t>("i64");
    addIntegers<uint64_t>("u64");
    addFloats<half, uint16_t>("f16");
    addFloats<float, uint32_t>("f32");
    addFloats<double, uint32_t>("f64");
  }
};
} // namespace

void ckemu::registerVectorCompare(InstructionTable &table) {
  // v_cmpx of gfx11 and gfx12 writes EXEC instead of another destination, not besides it.
  static const ComparisonRows cdna(SetsExec), rdna(ExecOnly);
  addVectorRows(table, isCdna(table.getIsa()) ? cdna.rows : rdna.rows);
}
