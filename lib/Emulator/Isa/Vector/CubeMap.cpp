//===- CubeMap.cpp - Vector instructions that only some CDNA chips have -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiply-adds that gfx9 rounds twice and whose denormals are always flushed (LLVM selects them
// for functions that flush, and as FMAD_FTZ inside divisions), sums of absolute differences over
// quads, cube map coordinates, the argument reduction of trigonometric functions, and what gfx950
// adds. Semantics are those of the CDNA instruction set references.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace mlir::ck::emulator;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

//===----------------------------------------------------------------------===//
// Multiply-add with two roundings
//===----------------------------------------------------------------------===//

static float multiplyAdd32(float a, float b, float c) {
  const float product = flushDenormal(flushDenormal(a) * flushDenormal(b));
  return flushDenormal(product + flushDenormal(c));
}
static float multiplyAddLegacy32(float a, float b, float c) {
  const float x = flushDenormal(a), y = flushDenormal(b);
  const float product = isZero(x) || isZero(y) ? 0.0f : flushDenormal(x * y);
  return flushDenormal(product + flushDenormal(c));
}
static half multiplyAdd16(half a, half b, half c) {
  const float x = flushDenormal(a), y = flushDenormal(b);
  const half product = flushDenormal(toHalf(x * y)); // a product of halves is exact in a float
  return flushDenormal(toHalf(static_cast<float>(product) + static_cast<float>(flushDenormal(c))));
}

//===----------------------------------------------------------------------===//
// Sums of absolute differences of four bytes at four positions
//===----------------------------------------------------------------------===//

template <bool masked>
static U32 sumDifferences(U32 a, U32 b, U32 sum) {
  for (unsigned i = 0; i < 32; i += 8) {
    const U32 x = a >> i & 0xff, y = b >> i & 0xff;
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
template <bool masked>
static U64 sumDifferences16(U64 a, U32 b, U64 c) {
  U64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= U64(U16(sumDifferences<masked>(U32(a >> (8 * i)), b, U16(c >> (16 * i)))))
              << (16 * i);
  return result;
}
static void sumDifferences32(LaneOperands &ops) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U64 a = ops.src[0][0][lane] | U64(ops.src[0][1][lane]) << 32;
    U32 sums[4];
    for (unsigned i = 0; i < 4; ++i)
      sums[i] = sumDifferences<true>(U32(a >> (8 * i)), ops.src[1][0][lane], ops.src[2][i][lane]);
    for (unsigned i = 0; i < 4; ++i)
      ops.dst[i][lane] = sums[i];
  }
}

//===----------------------------------------------------------------------===//
// Cube maps: the axis of the largest coordinate, z before y before x
//===----------------------------------------------------------------------===//

namespace {
enum class CubeAxis { X, Y, Z };
} // namespace

static CubeAxis findCubeAxis(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  return az >= ax && az >= ay ? CubeAxis::Z : ay >= ax ? CubeAxis::Y : CubeAxis::X;
}
static float cubeFace(float x, float y, float z) {
  const CubeAxis axis = findCubeAxis(x, y, z);
  const float major = axis == CubeAxis::Z ? z : axis == CubeAxis::Y ? y : x;
  return float(2 * int(axis) + (major < 0 ? 1 : 0));
}
static float cubeS(float x, float y, float z) {
  switch (findCubeAxis(x, y, z)) {
  case CubeAxis::Z:
    return z < 0 ? negate(x) : x;
  case CubeAxis::Y:
    return x;
  case CubeAxis::X:
    return x < 0 ? z : negate(z);
  }
  return x;
}
static float cubeT(float x, float y, float z) {
  return findCubeAxis(x, y, z) == CubeAxis::Y ? (y < 0 ? negate(z) : z) : negate(y);
}
static float cubeMajor(float x, float y, float z) {
  const CubeAxis axis = findCubeAxis(x, y, z);
  return 2 * (axis == CubeAxis::Z ? z : axis == CubeAxis::Y ? y : x);
}

//===----------------------------------------------------------------------===//
// Argument reduction
//===----------------------------------------------------------------------===//

/// The first 1216 bits after the point of 2 / pi.
static constexpr U64 kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// Bits [first, first + 53) of 2 / pi, counted from the point.
static U64 getTwoOverPi(unsigned first) {
  U64 bits = 0;
  for (unsigned i = 0; i < 53; ++i) {
    const unsigned at = first + i;
    bits = bits << 1 | (at < 1201 ? kTwoOverPi[at / 64] >> (63 - at % 64) & 1 : 0);
  }
  return bits;
}

/// The 53 bits of 2 / pi that count for segment `b` of the argument `a`, at their weight.
static double trigSegment(double a, U32 b) {
  unsigned shift = (b & 31) * 53;
  const int exponent = exponentField(a);
  shift += exponent > 1077 ? unsigned(exponent - 1077) : 0;
  const int scale = -53 - int(shift) + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(static_cast<double>(getTwoOverPi(shift)), scale);
}

static int32_t roundUpHalf(float a) { return saturateToI32(__builtin_floorf(a + 0.5f)); }

static constexpr VectorRow commonRows[] = {
    vectorRow<multiplyAdd32>("v_mad_f32"),
    vectorRow<multiplyAdd32>("v_mac_f32", DstIsSource),
    vectorRow<multiplyAdd32>("v_madmk_f32"),
    vectorRow<multiplyAdd32>("v_madak_f32"),
    vectorRow<multiplyAddLegacy32>("v_mad_legacy_f32"),
    vectorRow<multiplyAdd16>("v_mad_f16", PartialDst),
    vectorRow<multiplyAdd16>("v_mad_legacy_f16"),
    vectorRow<multiplyAdd16>("v_mac_f16", DstIsSource),
    vectorRow<multiplyAdd16>("v_madmk_f16"),
    vectorRow<multiplyAdd16>("v_madak_f16"),
    vectorRow<sumDifferences16<false>>("v_qsad_pk_u16_u8"),
    vectorRow<sumDifferences16<true>>("v_mqsad_pk_u16_u8"),
    {"v_mqsad_u32_u8",
     sumDifferences32,
     nullptr,
     NoFlags,
     3,
     LaneType::B128,
     {LaneType::B64, LaneType::B32, LaneType::B128}},
    vectorRow<cubeFace>("v_cubeid_f32", OwnNans),
    vectorRow<cubeS>("v_cubesc_f32", OwnNans),
    vectorRow<cubeT>("v_cubetc_f32", OwnNans),
    vectorRow<cubeMajor>("v_cubema_f32", OwnNans),
    vectorRow<trigSegment>("v_trig_preop_f64", OwnNans),
    vectorRow<roundUpHalf>("v_cvt_rpi_i32_f32"),
};

//===----------------------------------------------------------------------===//
// gfx950
//===----------------------------------------------------------------------===//

static float minimum3Nan(float a, float b, float c) { return minimumNan(minimumNan(a, b), c); }
static float maximum3Nan(float a, float b, float c) { return maximumNan(maximumNan(a, b), c); }

template <int32_t low, int32_t high>
static U16 shiftPack(int32_t a, int32_t b, U32 n) {
  auto narrow = [n](int32_t value) {
    const int32_t shifted = value >> (n & 31);
    return U16((shifted < low ? low : shifted > high ? high : shifted) & 0xff);
  };
  return U16(narrow(a) | narrow(b) << 8);
}

static U32 packHalves(float a, float b) { return bitsOf(toHalf(a)) | U32(bitsOf(toHalf(b))) << 16; }
static U32 packBfloats(float a, float b) { return floatToBfloat(a) | U32(floatToBfloat(b)) << 16; }
/// These round to nearest even, whatever MODE says.
static void runPackHalves(LaneOperands &ops) {
  const FloatEnvironment environment;
  laneMap<packHalves>(ops);
}
static float floatFromBfloat(U16 a) { return bfloatToFloat(a); }
static U32 nextRandom(U32 a) { return a << 1 ^ (a >> 31 ? 197u : 0u); }

/// Denormals are flushed, and rounding is to nearest, whatever MODE says.
static float dotBfloats(U32 a, U32 b, float c) {
  auto term = [&](unsigned shift) {
    return flushDenormal(flushDenormal(bfloatToFloat(U16(a >> shift))) *
                         flushDenormal(bfloatToFloat(U16(b >> shift))));
  };
  const float products = flushDenormal(term(0) + term(16));
  return flushDenormal(products + flushDenormal(c));
}
static void runDotBfloats(LaneOperands &ops) {
  const FloatEnvironment environment;
  laneMap<dotBfloats>(ops);
}

static constexpr VectorRow gfx950Rows[] = {
    vectorRow<minimum3Nan>("v_minimum3_f32"),
    vectorRow<maximum3Nan>("v_maximum3_f32"),
    vectorRow<shiftPack<-128, 127>>("v_ashr_pk_i8_i32", PartialDst),
    vectorRow<shiftPack<0, 255>>("v_ashr_pk_u8_i32", PartialDst),
    withRun(vectorRow<packHalves>("v_cvt_pk_f16_f32"), runPackHalves),
    vectorRow<packBfloats>("v_cvt_pk_bf16_f32"),
    vectorRow<floatFromBfloat>("v_cvt_f32_bf16"),
    vectorRow<nextRandom>("v_prng_b32"),
    withRun(vectorRow<dotBfloats>("v_dot2_f32_bf16"), runDotBfloats),
    withRun(vectorRow<dotBfloats>("v_dot2c_f32_bf16", DstIsSource), runDotBfloats),
};

/// Bit i of the table is the result where the three sources have the bits of i, the first of them
/// the highest.
static void lookUpBits(const Instruction *inst, const Lanes &a, const Lanes &b, const Lanes &c,
                       Lanes &result) {
  U32 table[8];
  for (unsigned i = 0; i < 8; ++i)
    table[i] = inst->mods.bitop3 >> i & 1 ? ~0u : 0;
  auto choose = [](U32 selector, U32 zero, U32 one) {
    return (~selector & zero) | (selector & one);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 x = a[lane], y = b[lane], z = c[lane];
    const U32 low = choose(y, choose(z, table[0], table[1]), choose(z, table[2], table[3]));
    const U32 high = choose(y, choose(z, table[4], table[5]), choose(z, table[6], table[7]));
    result[lane] = choose(x, low, high);
  }
}

static const Instruction *executeBitOp32(Wave &wave, const Instruction *inst) {
  Lanes scratch[3], result;
  lookUpBits(inst, wave.vectorSource(inst->op(1), scratch[0]),
             wave.vectorSource(inst->op(2), scratch[1]), wave.vectorSource(inst->op(3), scratch[2]),
             result);
  wave.commit(inst->op(0), result);
  return inst + 1;
}

/// op_sel chooses the halves of the sources and of the destination, whose other half is kept.
static const Instruction *executeBitOp16(Wave &wave, const Instruction *inst) {
  Lanes sources[3], result;
  for (unsigned i = 0; i < 3; ++i) {
    const Lanes &source = wave.vectorSource(inst->op(1 + i), sources[i]);
    const unsigned shift = inst->mods.opSel >> i & 1 ? 16 : 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      sources[i][lane] = source[lane] >> shift;
  }
  lookUpBits(inst, sources[0], sources[1], sources[2], result);
  const Lanes &old = wave.vectorRegister(inst->op(0));
  const bool high = inst->mods.opSel >> 3 & 1;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = high ? (old[lane] & 0xffff) | result[lane] << 16
                        : (old[lane] & 0xffff0000) | (result[lane] & 0xffff);
  wave.commit(inst->op(0), result);
  return inst + 1;
}

static llvm::Error prepareBitOp16(Instruction &inst) {
  for (unsigned i = 0; i < 3; ++i)
    if (inst.op(1 + i).isConstant() && (inst.mods.opSel >> i & 1))
      return refuse("op_sel of a constant is not implemented for this instruction");
  return llvm::Error::success();
}

/// Swaps lanes [row, 2 row) of the destination with lanes [0, row) of the source, in each group of
/// 2 row lanes.
template <unsigned row>
static const Instruction *executePermlaneSwap(Wave &wave, const Instruction *inst) {
  if (wave.exec() != ~LaneMask(0))
    return wave.fault(inst, "swapping rows with inactive lanes is not implemented");
  Lanes &first = wave.vectorRegister(inst->op(0)), &second = wave.vectorRegister(inst->op(1));
  if (&first == &second)
    return wave.fault(inst, "swapping rows of a register with itself is not implemented");
  for (unsigned lane = 0; lane < kLanes; lane += 2 * row)
    for (unsigned i = lane; i < lane + row; ++i)
      std::swap(first[i + row], second[i]);
  return inst + 1;
}

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

static void registerGfx950(InstructionTable &table) {
  addVectorRows(table, gfx950Rows);
  auto add = [&](const char *name, Handler handler, ModifierSet accepted, int8_t operands,
                 Prepare prepare = nullptr) {
    table.add(name,
              {handler, InstructionClass::Valu, accepted, SourceType::B32, operands, prepare});
  };
  add("v_bitop3_b32", executeBitOp32, modifiers(Modifier::BitOp3), 4);
  add("v_bitop3_b16", executeBitOp16, modifiers(Modifier::BitOp3, Modifier::OpSel), 4,
      prepareBitOp16);
  constexpr ModifierSet invalid = modifiers(Modifier::BoundCtrl, Modifier::Fi);
  add("v_permlane16_swap_b32", executePermlaneSwap<16>, invalid, 2);
  add("v_permlane32_swap_b32", executePermlaneSwap<32>, invalid, 2);
}

void mlir::ck::emulator::registerVectorCubeMap(InstructionTable &table) {
  addVectorRows(table, commonRows);
  // It clears exception flags, which nothing reads here.
  table.add("v_clrexcp", {executeNothing, InstructionClass::Valu, 0, SourceType::B32, 0});
  if (table.getIsa() == Isa::Gfx950)
    registerGfx950(table);
}
