//===- MemoryFormat.cpp - Formats of loads and stores, and atomic operations -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemoryFormat.h. Floating-point atomics round to nearest even and keep denormals; where the
// memory system of a chip flushes some, results differ there.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"

using namespace ckemu;

llvm::ArrayRef<MemoryFormat> ckemu::getLoadFormats() {
  static constexpr MemoryFormat formats[] = {
      {"dword", 4, Extend::Zero},          {"dwordx2", 8, Extend::Zero},
      {"dwordx3", 12, Extend::Zero},       {"dwordx4", 16, Extend::Zero},
      {"ubyte", 1, Extend::Zero},          {"ushort", 2, Extend::Zero},
      {"sbyte", 1, Extend::Sign},          {"sshort", 2, Extend::Sign},
      {"ubyte_d16", 1, Extend::Low16},     {"ubyte_d16_hi", 1, Extend::High16},
      {"sbyte_d16", 1, Extend::Low16Sign}, {"sbyte_d16_hi", 1, Extend::High16Sign},
      {"short_d16", 2, Extend::Low16},     {"short_d16_hi", 2, Extend::High16},
  };
  return formats;
}

llvm::ArrayRef<MemoryFormat> ckemu::getStoreFormats() {
  static constexpr MemoryFormat formats[] = {
      {"dword", 4, Extend::Zero},         {"dwordx2", 8, Extend::Zero},
      {"dwordx3", 12, Extend::Zero},      {"dwordx4", 16, Extend::Zero},
      {"byte", 1, Extend::Zero},          {"short", 2, Extend::Zero},
      {"byte_d16_hi", 1, Extend::High16}, {"short_d16_hi", 2, Extend::High16},
  };
  return formats;
}

static uint32_t extend(uint32_t value, const MemoryFormat &format) {
  const uint32_t wide =
      format.size == 1 ? uint32_t(int32_t(int8_t(value))) : uint32_t(int32_t(int16_t(value)));
  switch (format.extend) {
  case Extend::Zero:
  case Extend::Low16:
  case Extend::KeepLow16:
    return value;
  case Extend::Sign:
    return wide;
  case Extend::Low16Sign:
  case Extend::KeepLow16Sign:
    return wide & 0xffff;
  case Extend::High16:
  case Extend::KeepHigh16:
    return value << 16;
  case Extend::High16Sign:
  case Extend::KeepHigh16Sign:
    return wide << 16;
  }
  return value;
}

void ckemu::writeLoaded(Wave &wave, const Operand &op, const MemoryFormat &format, Lanes &value,
                        LaneMask lanes) {
  Lanes &destination = wave.vectorRegister(op);
  const uint32_t kept = format.extend < Extend::KeepLow16    ? 0
                        : format.extend < Extend::KeepHigh16 ? 0xffff0000
                                                             : 0x0000ffff;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    value[lane] = extend(value[lane], format) | (destination[lane] & kept);
  Wave::commitMasked(destination, value, lanes);
}

StoreRows::StoreRows(Wave &wave, const Operand &op, const MemoryFormat &format) {
  for (unsigned i = 0; i < 4; ++i)
    rows[i] = &wave.vectorRegister(op, i * 4 < format.size ? i : 0);
  if (format.extend != Extend::High16)
    return;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    shifted[lane] = (*rows[0])[lane] >> 16;
  rows[0] = &shifted;
}

template <typename T>
static T exchange(T, T data) {
  return data;
}
/// Minimum or maximum in the order of the type T.
template <typename T, bool takesLarger, typename Bits>
static Bits choose(Bits memory, Bits data) {
  return (T(memory) < T(data)) == takesLarger ? data : memory;
}
/// Counts up to `data` and wraps to 0.
template <typename T>
static T increment(T memory, T data) {
  return memory >= data ? 0 : memory + 1;
}
/// Counts down to 0 and wraps to `data`.
template <typename T>
static T decrement(T memory, T data) {
  return memory == 0 || memory > data ? data : memory - 1;
}
/// Subtracts and stops at 0.
static uint32_t subtractClamped(uint32_t memory, uint32_t data) {
  return memory < data ? 0 : memory - data;
}
/// Subtracts where the result is not negative.
static uint32_t subtractConditionally(uint32_t memory, uint32_t data) {
  return memory < data ? memory : memory - data;
}
static uint32_t addFloat(uint32_t memory, uint32_t data) {
  return bitsOf(floatOf(memory) + floatOf(data));
}
static uint32_t addFloatFlushed(uint32_t memory, uint32_t data) {
  return bitsOf(flushDenormal(flushDenormal(floatOf(memory)) + flushDenormal(floatOf(data))));
}
static uint64_t addDouble(uint64_t memory, uint64_t data) {
  return bitsOf(doubleOf(memory) + doubleOf(data));
}
static uint32_t addHalves(uint32_t memory, uint32_t data) {
  auto sum = [&](unsigned shift) -> uint32_t {
    return bitsOf(
        static_cast<half>(halfOf(uint16_t(memory >> shift)) + halfOf(uint16_t(data >> shift))));
  };
  return sum(0) | sum(16) << 16;
}
static uint32_t addBfloats(uint32_t memory, uint32_t data) {
  auto sum = [&](unsigned shift) -> uint32_t {
    return floatToBfloat(bfloatToFloat(uint16_t(memory >> shift)) +
                         bfloatToFloat(uint16_t(data >> shift)));
  };
  return sum(0) | sum(16) << 16;
}
static uint32_t minimumFloat(uint32_t memory, uint32_t data) {
  return bitsOf(minimum<float, true>(floatOf(memory), floatOf(data)));
}
static uint32_t maximumFloat(uint32_t memory, uint32_t data) {
  return bitsOf(maximum<float, true>(floatOf(memory), floatOf(data)));
}
static uint64_t minimumDouble(uint64_t memory, uint64_t data) {
  return bitsOf(minimum<double, true>(doubleOf(memory), doubleOf(data)));
}
static uint64_t maximumDouble(uint64_t memory, uint64_t data) {
  return bitsOf(maximum<double, true>(doubleOf(memory), doubleOf(data)));
}

using U32 = uint32_t;
using U64 = uint64_t;

llvm::ArrayRef<AtomicOperation> ckemu::getGlobalAtomics() {
  static constexpr AtomicOperation operations[] = {
      {"swap", exchange<U32>, nullptr},
      {"add", add<U32>, nullptr},
      {"sub", subtract<U32>, nullptr},
      {"smin", choose<int32_t, false, U32>, nullptr},
      {"umin", choose<U32, false, U32>, nullptr},
      {"smax", choose<int32_t, true, U32>, nullptr},
      {"umax", choose<U32, true, U32>, nullptr},
      {"and", bitAnd<U32>, nullptr},
      {"or", bitOr<U32>, nullptr},
      {"xor", bitXor<U32>, nullptr},
      {"inc", increment<U32>, nullptr},
      {"dec", decrement<U32>, nullptr},
      {"add_f32", addFloat, nullptr, true},
      {"min_f32", minimumFloat, nullptr, true},
      {"max_f32", maximumFloat, nullptr, true},
      {"csub_u32", subtractClamped, nullptr},
      {"sub_clamp_u32", subtractClamped, nullptr},
      {"cond_sub_u32", subtractConditionally, nullptr},
      {"pk_add_f16", addHalves, nullptr, true},
      {"pk_add_bf16", addBfloats, nullptr, true},
      {"swap_x2", nullptr, exchange<U64>},
      {"add_x2", nullptr, add<U64>},
      {"sub_x2", nullptr, subtract<U64>},
      {"smin_x2", nullptr, choose<int64_t, false, U64>},
      {"umin_x2", nullptr, choose<U64, false, U64>},
      {"smax_x2", nullptr, choose<int64_t, true, U64>},
      {"umax_x2", nullptr, choose<U64, true, U64>},
      {"and_x2", nullptr, bitAnd<U64>},
      {"or_x2", nullptr, bitOr<U64>},
      {"xor_x2", nullptr, bitXor<U64>},
      {"inc_x2", nullptr, increment<U64>},
      {"dec_x2", nullptr, decrement<U64>},
      {"add_f64", nullptr, addDouble, true},
      {"min_f64", nullptr, minimumDouble, true},
      {"max_f64", nullptr, maximumDouble, true},
  };
  return operations;
}

const AtomicOperation *ckemu::getGlobalAtomic(const AtomicOperation *operation, Isa isa) {
  static constexpr AtomicOperation flushing = {"add_f32", addFloatFlushed, nullptr, true};
  const bool flushes = isa == Isa::Gfx90a || isa == Isa::Gfx11;
  return flushes && operation->update32 == addFloat ? &flushing : operation;
}

llvm::ArrayRef<AtomicOperation> ckemu::getLdsAtomics() {
  static constexpr AtomicOperation operations[] = {
      {"wrxchg_rtn_b32", exchange<U32>, nullptr},
      {"add_u32", add<U32>, nullptr},
      {"sub_u32", subtract<U32>, nullptr},
      {"rsub_u32", subtractReversed<U32>, nullptr},
      {"min_i32", choose<int32_t, false, U32>, nullptr},
      {"min_u32", choose<U32, false, U32>, nullptr},
      {"max_i32", choose<int32_t, true, U32>, nullptr},
      {"max_u32", choose<U32, true, U32>, nullptr},
      {"and_b32", bitAnd<U32>, nullptr},
      {"or_b32", bitOr<U32>, nullptr},
      {"xor_b32", bitXor<U32>, nullptr},
      {"inc_u32", increment<U32>, nullptr},
      {"dec_u32", decrement<U32>, nullptr},
      {"add_f32", addFloat, nullptr, true},
      {"min_f32", minimumFloat, nullptr, true},
      {"max_f32", maximumFloat, nullptr, true},
      {"sub_clamp_u32", subtractClamped, nullptr},
      {"cond_sub_u32", subtractConditionally, nullptr},
      {"pk_add_f16", addHalves, nullptr, true},
      {"pk_add_bf16", addBfloats, nullptr, true},
      {"wrxchg_rtn_b64", nullptr, exchange<U64>},
      {"add_u64", nullptr, add<U64>},
      {"sub_u64", nullptr, subtract<U64>},
      {"rsub_u64", nullptr, subtractReversed<U64>},
      {"min_i64", nullptr, choose<int64_t, false, U64>},
      {"min_u64", nullptr, choose<U64, false, U64>},
      {"max_i64", nullptr, choose<int64_t, true, U64>},
      {"max_u64", nullptr, choose<U64, true, U64>},
      {"and_b64", nullptr, bitAnd<U64>},
      {"or_b64", nullptr, bitOr<U64>},
      {"xor_b64", nullptr, bitXor<U64>},
      {"inc_u64", nullptr, increment<U64>},
      {"dec_u64", nullptr, decrement<U64>},
      {"add_f64", nullptr, addDouble, true},
      {"min_f64", nullptr, minimumDouble, true},
      {"max_f64", nullptr, maximumDouble, true},
  };
  return operations;
}
