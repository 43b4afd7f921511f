//===- Bits.cpp - One-operand scalar instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves, bit counting, EXEC updates, indirect jumps and relative register moves of the scalar unit.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

using U32 = uint32_t;
using U64 = uint64_t;

namespace {
/// Whether an operation sets SCC to "result is not zero".
enum class Scc { Keep, NonZero };
} // namespace

/// R = fn(A) with 32- or 64-bit types.
template <typename R, typename A, R (*fn)(A), Scc scc>
static const Instruction *execute(Wave &wave, const Instruction *inst) {
  A a;
  if constexpr (sizeof(A) == 8)
    a = wave.scalar64(inst->op(1));
  else
    a = wave.scalar32(inst->op(1));
  const R result = fn(a);
  if constexpr (sizeof(R) == 8)
    wave.setScalar64(inst->op(0), result);
  else
    wave.setScalar32(inst->op(0), result);
  if (scc == Scc::NonZero)
    wave.setScc(result != 0);
  return inst + 1;
}

template <typename T>
static T move(T a) {
  return a;
}
template <typename T>
static T bitNot(T a) {
  return ~a;
}
/// Each group of four bits becomes all ones when one of them is set.
template <typename T>
static T wholeQuads(T a) {
  T any = a | a >> 1;
  any |= any >> 2;
  any &= static_cast<T>(0x1111111111111111ull);
  return any * 15;
}
/// One bit per group of four: set when one of them is.
template <typename T>
static T quadMask(T a) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); i += 4)
    result |= static_cast<T>((a >> i & 15) != 0) << (i / 4);
  return result;
}
static U32 reverse32(U32 a) { return __builtin_bitreverse32(a); }
static U64 reverse64(U64 a) { return __builtin_bitreverse64(a); }
template <typename T>
static U32 countZeros(T a) {
  return U32(__builtin_popcountll(T(~a)));
}
template <typename T>
static U32 countOnes(T a) {
  return U32(__builtin_popcountll(a));
}
template <typename T>
static U32 findOne(T a) {
  return a ? U32(__builtin_ctzll(a)) : ~0u;
}
template <typename T>
static U32 findZero(T a) {
  return findOne<T>(T(~a));
}
template <typename T>
static U32 leadingZeros(T a) {
  return a ? U32(__builtin_clzll(a)) - (64 - 8 * unsigned(sizeof(T))) : ~0u;
}
template <typename T>
static U32 leadingSigns(T a) {
  using Signed = std::make_signed_t<T>;
  return leadingZeros<T>(a ^ T(Signed(a) >> (8 * sizeof(T) - 1)));
}
static U32 extend8(U32 a) { return U32(int32_t(int8_t(a))); }
static U32 extend16(U32 a) { return U32(int32_t(int16_t(a))); }
static U32 absolute(U32 a) { return int32_t(a) < 0 ? 0u - a : a; }
static U64 replicateBits(U32 a) {
  U64 result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= U64(a >> i & 1) * 3 << (2 * i);
  return result;
}

template <bool wide>
static const Instruction *executeConditionalMove(Wave &wave, const Instruction *inst) {
  if (wave.scc()) {
    if (wide)
      wave.setScalar64(inst->op(0), wave.scalar64(inst->op(1)));
    else
      wave.setScalar32(inst->op(0), wave.scalar32(inst->op(1)));
  }
  return inst + 1;
}

template <bool wide, bool value>
static const Instruction *executeBitSet(Wave &wave, const Instruction *inst) {
  const U64 bit = U64(1) << (wave.scalar32(inst->op(1)) & (wide ? 63 : 31));
  const U64 old = wide ? wave.scalar64(inst->op(0)) : wave.scalar32(inst->op(0));
  const U64 result = value ? old | bit : old & ~bit;
  if (wide)
    wave.setScalar64(inst->op(0), result);
  else
    wave.setScalar32(inst->op(0), U32(result));
  return inst + 1;
}

namespace {
struct BitsRow {
  const char *name;
  Handler handler;
  SourceType type = SourceType::B32;
};
} // namespace

static constexpr BitsRow kMoves[] = {
    {"s_mov_b32", execute<U32, U32, move<U32>, Scc::Keep>},
    {"s_mov_b64", execute<U64, U64, move<U64>, Scc::Keep>, SourceType::B64},
};

/// What changes its destination, or does so under a condition.
static constexpr BitsRow kUpdates[] = {
    {"s_cmov_b32", executeConditionalMove<false>},
    {"s_cmov_b64", executeConditionalMove<true>, SourceType::B64},
    {"s_bitset0_b32", executeBitSet<false, false>},
    {"s_bitset1_b32", executeBitSet<false, true>},
    {"s_bitset0_b64", executeBitSet<true, false>, SourceType::B64},
    {"s_bitset1_b64", executeBitSet<true, true>, SourceType::B64},
};

static constexpr BitsRow kFunctions[] = {
    {"s_not_b32", execute<U32, U32, bitNot<U32>, Scc::NonZero>},
    {"s_not_b64", execute<U64, U64, bitNot<U64>, Scc::NonZero>, SourceType::B64},
    {"s_wqm_b32", execute<U32, U32, wholeQuads<U32>, Scc::NonZero>},
    {"s_wqm_b64", execute<U64, U64, wholeQuads<U64>, Scc::NonZero>, SourceType::B64},
    {"s_quadmask_b32", execute<U32, U32, quadMask<U32>, Scc::NonZero>},
    {"s_quadmask_b64", execute<U64, U64, quadMask<U64>, Scc::NonZero>, SourceType::B64},
    {"s_brev_b32", execute<U32, U32, reverse32, Scc::Keep>},
    {"s_brev_b64", execute<U64, U64, reverse64, Scc::Keep>, SourceType::B64},
    {"s_bcnt0_i32_b32", execute<U32, U32, countZeros<U32>, Scc::NonZero>},
    {"s_bcnt0_i32_b64", execute<U32, U64, countZeros<U64>, Scc::NonZero>, SourceType::B64},
    {"s_bcnt1_i32_b32", execute<U32, U32, countOnes<U32>, Scc::NonZero>},
    {"s_bcnt1_i32_b64", execute<U32, U64, countOnes<U64>, Scc::NonZero>, SourceType::B64},
    {"s_ff0_i32_b32", execute<U32, U32, findZero<U32>, Scc::Keep>},
    {"s_ff0_i32_b64", execute<U32, U64, findZero<U64>, Scc::Keep>, SourceType::B64},
    {"s_ff1_i32_b32", execute<U32, U32, findOne<U32>, Scc::Keep>},
    {"s_ff1_i32_b64", execute<U32, U64, findOne<U64>, Scc::Keep>, SourceType::B64},
    {"s_flbit_i32_b32", execute<U32, U32, leadingZeros<U32>, Scc::Keep>},
    {"s_flbit_i32_b64", execute<U32, U64, leadingZeros<U64>, Scc::Keep>, SourceType::B64},
    {"s_flbit_i32", execute<U32, U32, leadingSigns<U32>, Scc::Keep>},
    {"s_flbit_i32_i64", execute<U32, U64, leadingSigns<U64>, Scc::Keep>, SourceType::B64},
    {"s_sext_i32_i8", execute<U32, U32, extend8, Scc::Keep>},
    {"s_sext_i32_i16", execute<U32, U32, extend16, Scc::Keep>},
    {"s_abs_i32", execute<U32, U32, absolute, Scc::NonZero>},
    {"s_bitreplicate_b64_b32", execute<U64, U32, replicateBits, Scc::Keep>, SourceType::B64},
};

static void addRows(InstructionTable &table, llvm::ArrayRef<BitsRow> rows,
                    const InstructionFacts &facts) {
  for (const BitsRow &row : rows)
    table.add(row.name, {row.handler, InstructionClass::Salu, 0, row.type, 2, nullptr, nullptr,
                         Effect::Unknown, facts});
}

void ckemu::registerScalarBits(InstructionTable &table) {
  addRows(table, kMoves, describeReplacement(MaskOperation::Move));
  addRows(table, kFunctions, describeReplacement());
  addRows(table, kUpdates, {});
}
