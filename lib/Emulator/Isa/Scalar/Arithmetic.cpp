//===- Arithmetic.cpp - Two-operand scalar instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer arithmetic, logic, shifts and bit fields of the scalar unit, of 32 and 64 bits. Each
// operation returns its result and says what becomes of SCC.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

using U32 = uint32_t;
using U64 = uint64_t;
using I32 = int32_t;
using I64 = int64_t;

/// Operations get SCC by reference: its old value in, its new value out.
using Operation32 = U32 (*)(U32, U32, bool &);
using Operation64 = U64 (*)(U64, U64, bool &);

template <Operation32 fn>
static const Instruction *execute32(Wave &wave, const Instruction *inst) {
  bool scc = wave.scc();
  wave.setScalar32(inst->op(0), fn(wave.scalar32(inst->op(1)), wave.scalar32(inst->op(2)), scc));
  wave.setScc(scc);
  return inst + 1;
}
template <Operation64 fn>
static const Instruction *execute64(Wave &wave, const Instruction *inst) {
  bool scc = wave.scc();
  wave.setScalar64(inst->op(0), fn(wave.scalar64(inst->op(1)), wave.scalar64(inst->op(2)), scc));
  wave.setScc(scc);
  return inst + 1;
}
/// 64-bit value, 32-bit shift amount or field description.
template <Operation64 fn>
static const Instruction *execute64By32(Wave &wave, const Instruction *inst) {
  bool scc = wave.scc();
  wave.setScalar64(inst->op(0), fn(wave.scalar64(inst->op(1)), wave.scalar32(inst->op(2)), scc));
  wave.setScc(scc);
  return inst + 1;
}
/// 32-bit operands, 64-bit result.
template <Operation64 fn>
static const Instruction *execute64From32(Wave &wave, const Instruction *inst) {
  bool scc = wave.scc();
  wave.setScalar64(inst->op(0), fn(wave.scalar32(inst->op(1)), wave.scalar32(inst->op(2)), scc));
  wave.setScc(scc);
  return inst + 1;
}

static U32 addCarry(U32 a, U32 b, bool &scc) {
  scc = (U64(a) + b) >> 32;
  return a + b;
}
static U32 subtractBorrow(U32 a, U32 b, bool &scc) {
  scc = b > a;
  return a - b;
}
static U32 addOverflow(U32 a, U32 b, bool &scc) {
  I32 result;
  scc = __builtin_add_overflow(I32(a), I32(b), &result);
  return U32(result);
}
static U32 subtractOverflow(U32 a, U32 b, bool &scc) {
  I32 result;
  scc = __builtin_sub_overflow(I32(a), I32(b), &result);
  return U32(result);
}
static U32 addWithCarry(U32 a, U32 b, bool &scc) {
  const U64 sum = U64(a) + b + scc;
  scc = sum >> 32;
  return U32(sum);
}
static U32 subtractWithBorrow(U32 a, U32 b, bool &scc) {
  const U64 difference = U64(a) - b - scc;
  scc = difference >> 63;
  return U32(difference);
}
template <typename T, bool takesLarger>
static U32 choose(U32 a, U32 b, bool &scc) {
  scc = takesLarger ? T(a) >= T(b) : T(a) < T(b);
  return scc ? a : b;
}
template <typename T>
static T select(T a, T b, bool &scc) {
  return scc ? a : b;
}

template <typename T>
static T nonZero(T value, bool &scc) {
  scc = value != 0;
  return value;
}
template <typename T>
static T bitAnd(T a, T b, bool &scc) {
  return nonZero<T>(a & b, scc);
}
template <typename T>
static T bitOr(T a, T b, bool &scc) {
  return nonZero<T>(a | b, scc);
}
template <typename T>
static T bitXor(T a, T b, bool &scc) {
  return nonZero<T>(a ^ b, scc);
}
template <typename T>
static T andNot(T a, T b, bool &scc) {
  return nonZero<T>(a & ~b, scc);
}
template <typename T>
static T orNot(T a, T b, bool &scc) {
  return nonZero<T>(a | ~b, scc);
}
template <typename T>
static T notAnd(T a, T b, bool &scc) {
  return nonZero<T>(~(a & b), scc);
}
template <typename T>
static T notOr(T a, T b, bool &scc) {
  return nonZero<T>(~(a | b), scc);
}
template <typename T>
static T notXor(T a, T b, bool &scc) {
  return nonZero<T>(~(a ^ b), scc);
}
template <typename T>
static T shiftLeft(T a, T n, bool &scc) {
  return nonZero<T>(a << (n & (8 * sizeof(T) - 1)), scc);
}
template <typename T>
static T shiftRight(T a, T n, bool &scc) {
  return nonZero<T>(a >> (n & (8 * sizeof(T) - 1)), scc);
}
static U32 shiftRightSigned32(U32 a, U32 n, bool &scc) {
  return nonZero<U32>(U32(I32(a) >> (n & 31)), scc);
}
static U64 shiftRightSigned64(U64 a, U64 n, bool &scc) {
  return nonZero<U64>(U64(I64(a) >> (n & 63)), scc);
}

/// The field description has the offset in its low bits and the width in bits 16 to 22.
template <typename T, bool isSigned>
static T extractField(T a, T field, bool &scc) {
  constexpr unsigned bits = 8 * sizeof(T);
  const unsigned offset = field & (bits - 1);
  unsigned width = unsigned(field >> 16 & 0x7f);
  if (width == 0)
    return nonZero<T>(0, scc);
  using Signed = std::make_signed_t<T>;
  const T shifted = isSigned ? T(Signed(a) >> offset) : T(a >> offset);
  if (width >= bits)
    return nonZero<T>(shifted, scc);
  const T value = shifted & ((T(1) << width) - 1);
  const T sign = T(1) << (width - 1);
  return nonZero<T>(isSigned ? T((value ^ sign) - sign) : value, scc);
}
static U32 fieldMask32(U32 width, U32 offset, bool &) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
static U64 fieldMask64(U64 width, U64 offset, bool &) {
  return ((U64(1) << (width & 63)) - 1) << (offset & 63);
}
static U32 multiply(U32 a, U32 b, bool &) { return a * b; }
static U32 multiplyHigh(U32 a, U32 b, bool &) { return U32(U64(a) * b >> 32); }
static U32 multiplyHighSigned(U32 a, U32 b, bool &) { return U32(I64(I32(a)) * I32(b) >> 32); }
static U32 absoluteDifference(U32 a, U32 b, bool &scc) {
  return nonZero<U32>(I32(a) > I32(b) ? a - b : b - a, scc);
}
template <unsigned n>
static U32 shiftAdd(U32 a, U32 b, bool &scc) {
  const U64 sum = (U64(a) << n) + b;
  scc = sum >> 32;
  return U32(sum);
}
static U32 packLowLow(U32 a, U32 b, bool &) { return (a & 0xffff) | b << 16; }
static U32 packLowHigh(U32 a, U32 b, bool &) { return (a & 0xffff) | (b & 0xffff0000); }
static U32 packHighLow(U32 a, U32 b, bool &) { return a >> 16 | b << 16; }
static U32 packHighHigh(U32 a, U32 b, bool &) { return a >> 16 | (b & 0xffff0000); }

// 64-bit arithmetic of gfx12 leaves SCC alone.
static U64 addWide(U64 a, U64 b, bool &) { return a + b; }
static U64 subtractWide(U64 a, U64 b, bool &) { return a - b; }
static U64 multiplyWide(U64 a, U64 b, bool &) { return a * b; }

namespace {
struct ArithmeticRow {
  const char *name;
  Handler handler;
  MaskOperation mask = MaskOperation::Other;
};
} // namespace

static constexpr ArithmeticRow kRows[] = {
    {"s_pack_hl_b32_b16", execute32<packHighLow>},
    {"s_add_u32", execute32<addCarry>},
    {"s_sub_u32", execute32<subtractBorrow>},
    {"s_add_i32", execute32<addOverflow>},
    {"s_sub_i32", execute32<subtractOverflow>},
    {"s_addc_u32", execute32<addWithCarry>},
    {"s_subb_u32", execute32<subtractWithBorrow>},
    {"s_min_i32", execute32<choose<I32, false>>},
    {"s_min_u32", execute32<choose<U32, false>>},
    {"s_max_i32", execute32<choose<I32, true>>},
    {"s_max_u32", execute32<choose<U32, true>>},
    {"s_cselect_b32", execute32<select<U32>>},
    {"s_and_b32", execute32<bitAnd<U32>>},
    {"s_or_b32", execute32<bitOr<U32>>, MaskOperation::Or},
    {"s_xor_b32", execute32<bitXor<U32>>, MaskOperation::Xor},
    {"s_andn2_b32", execute32<andNot<U32>>, MaskOperation::AndNot},
    {"s_orn2_b32", execute32<orNot<U32>>},
    {"s_nand_b32", execute32<notAnd<U32>>},
    {"s_nor_b32", execute32<notOr<U32>>},
    {"s_xnor_b32", execute32<notXor<U32>>},
    {"s_lshl_b32", execute32<shiftLeft<U32>>},
    {"s_lshr_b32", execute32<shiftRight<U32>>},
    {"s_ashr_i32", execute32<shiftRightSigned32>},
    {"s_bfm_b32", execute32<fieldMask32>},
    {"s_mul_i32", execute32<multiply>},
    {"s_mul_hi_u32", execute32<multiplyHigh>},
    {"s_mul_hi_i32", execute32<multiplyHighSigned>},
    {"s_bfe_u32", execute32<extractField<U32, false>>},
    {"s_bfe_i32", execute32<extractField<U32, true>>},
    {"s_absdiff_i32", execute32<absoluteDifference>},
    {"s_lshl1_add_u32", execute32<shiftAdd<1>>},
    {"s_lshl2_add_u32", execute32<shiftAdd<2>>},
    {"s_lshl3_add_u32", execute32<shiftAdd<3>>},
    {"s_lshl4_add_u32", execute32<shiftAdd<4>>},
    {"s_pack_ll_b32_b16", execute32<packLowLow>},
    {"s_pack_lh_b32_b16", execute32<packLowHigh>},
    {"s_pack_hh_b32_b16", execute32<packHighHigh>},
};

static constexpr ArithmeticRow kWideRows[] = {
    {"s_add_nc_u64", execute64<addWide>},
    {"s_sub_nc_u64", execute64<subtractWide>},
    {"s_mul_u64", execute64<multiplyWide>},
    {"s_cselect_b64", execute64<select<U64>>},
    {"s_and_b64", execute64<bitAnd<U64>>},
    {"s_or_b64", execute64<bitOr<U64>>, MaskOperation::Or},
    {"s_xor_b64", execute64<bitXor<U64>>, MaskOperation::Xor},
    {"s_andn2_b64", execute64<andNot<U64>>, MaskOperation::AndNot},
    {"s_orn2_b64", execute64<orNot<U64>>},
    {"s_nand_b64", execute64<notAnd<U64>>},
    {"s_nor_b64", execute64<notOr<U64>>},
    {"s_xnor_b64", execute64<notXor<U64>>},
    {"s_lshl_b64", execute64By32<shiftLeft<U64>>},
    {"s_lshr_b64", execute64By32<shiftRight<U64>>},
    {"s_ashr_i64", execute64By32<shiftRightSigned64>},
    {"s_bfe_u64", execute64By32<extractField<U64, false>>},
    {"s_bfe_i64", execute64By32<extractField<U64, true>>},
    {"s_bfm_b64", execute64From32<fieldMask64>},
};

static void addRows(InstructionTable &table, llvm::ArrayRef<ArithmeticRow> rows, SourceType type) {
  for (const ArithmeticRow &row : rows)
    table.add(row.name, {row.handler, InstructionClass::Salu, 0, type, 3, nullptr, nullptr,
                         Effect::Unknown, describeReplacement(row.mask)});
}

void ckemu::registerScalarArithmetic(InstructionTable &table) {
  addRows(table, kRows, SourceType::B32);
  addRows(table, kWideRows, SourceType::B64);
}
