//===- Mfma.cpp - Matrix products of a wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The MFMA instructions. With group = lane / size and groups = 64 / size:
//
//   A(i, k), B(k, n)   lane = size * group + i (or n). A lane holds perLane consecutive k, and the
//                      groups hold consecutive runs of k: k = perLane * group + j. Instructions
//                      with several blocks give every group a block of its own instead.
//   D(m, n)            size 32 and 16: register 4 (m / (4 groups)) + m % 4 of the block's
//   registers,
//                      lane size * (m / 4 % groups) + n. So a row is `size` consecutive lanes.
//
// A and B are converted once to planes of one number per lane; then a row of D is a sum over k of
// one number of A times a row of B. Products of 8- and 16-bit floats are exact in single precision
// and accumulated in ascending k, each step rounded once. EXEC has no influence. XF32 sources are
// rounded to nearest even to 10 mantissa bits.
//
// Denormals: gfx90a flushes those of halves and bfloats and of what they are added to; MODE decides
// for single precision, on gfx90a for all operands and later for A and B only; all else keeps them
// (CDNA2 and CDNA4 references, section 7).
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/ExactProducts.h"
#include "Emulator/Isa/Matrix/Families.h"
#include "Emulator/Isa/Matrix/MatrixBlocks.h"

using namespace ckemu;
using namespace ckemu::matrix;

namespace {
/// On gfx90a MODE's flushing concerns C and D, too.
struct FlushedF32 : F32 {};
} // namespace

template <typename T>
static void flushPlane(Plane<T> &plane) {
  for (T &value : plane.lane)
    value = flushDenormal(value);
}

template <class ElementA, class ElementB, unsigned size, unsigned blocks>
static const Instruction *executeMfma(Wave &wave, const Instruction *inst) {
  using T = typename ElementA::Value;
  constexpr bool pairs = std::is_same_v<T, int32_t> && size != 4;
  using ReaderA = std::conditional_t<pairs, I8Pairs<ElementA::perLane>, ElementA>;
  using ReaderB = std::conditional_t<pairs, I8Pairs<ElementB::perLane>, ElementB>;
  constexpr unsigned perLane = ReaderA::perLane;
  constexpr unsigned registers = blocks * size * size / kLanes * (sizeof(T) / 4);
  if (LLVM_UNLIKELY(!isModeModelled(wave)))
    return wave.fault(inst, "FP16_OVFL of MODE is not implemented for matrix instructions");
  // Halves that are denormal have numbers of their own whatever MODE says of single precision.
  const DefaultFloatEnvironment environment(wave);
  Plane<T> a[perLane], b[perLane];
  ReaderA::unpack(&wave.vectorRegister(inst->op(1)), a);
  ReaderB::unpack(&wave.vectorRegister(inst->op(2)), b);
  bool flushes = ElementA::flushes;
  if constexpr (std::is_base_of_v<F32, ElementA>)
    if (LLVM_UNLIKELY(!(wave.mode >> kModeDenorm32Shift & 1))) {
      flushPlane(a[0]);
      flushPlane(b[0]);
      flushes = std::is_same_v<ElementA, FlushedF32>;
    }
  const FlushingEnvironment flushing(flushes);
  if (inst->mods.blgp)
    for (Plane<T> &plane : b)
      rearrangeLanes(plane, inst->mods.blgp);
  Lanes *d = &wave.vectorRegister(inst->op(0));
  const SourceC sourceC(wave, inst->op(3));
  std::array<Lanes, registers> copy;
  const Lanes *c = separateC<registers>(sourceC, d, copy);
  auto blockOfA = [&](unsigned block) {
    return inst->mods.cbsz ? unsigned(inst->mods.abid) : block;
  };
  if (size == 4 && inst->mods.cbsz)
    for (Plane<T> &plane : a)
      repeatSmallBlock(plane, inst->mods.abid);
  auto multiply = [&](auto isExact) {
    if constexpr (size == 4)
      multiplySmallBlocks<T, perLane, isExact>(a, b, c, sourceC.step, d);
    else
      for (unsigned block = 0; block < blocks; ++block)
        multiplyBlock<T, size, kLanes / size / blocks, perLane, pairs, isExact>(
            a, b, blocks > 1 ? size * blockOfA(block) : 0, size * (blocks > 1 ? block : 0),
            c + size_t(sourceC.step) * block * (registers / blocks), sourceC.step,
            d + size_t(block) * (registers / blocks));
  };
  constexpr bool isExact = ElementA::isExact && ElementB::isExact;
  if constexpr (kSplitsExactProducts && std::is_same_v<T, float> && !isExact)
    if (areProductsExact(a[0].lane, b[0].lane, perLane * kLanes)) {
      multiply(std::true_type());
      return inst + 1;
    }
  multiply(std::bool_constant<isExact>());
  return inst + 1;
}

/// Adds the products of four rows of 16 x 16 x 4, from `row` on, see executeMfmaDouble. On hosts
/// without fused multiply-adds they must be exact.
static void multiplyDoubleRows(const Plane<double> &a, const Plane<double> &b, unsigned row,
                               Plane<double> &c) {
  using Vector = VectorOf<double>::Type;
  constexpr unsigned rows = 4, vectors = 16 / VectorOf<double>::length;
  Vector sum[rows][vectors], columns[vectors];
  std::memcpy(sum, c.lane, sizeof(sum));
  for (unsigned k = 0; k < 4; ++k) {
    std::memcpy(columns, &b.lane[16 * k], sizeof(columns));
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned v = 0; v < vectors; ++v)
        addMultiples</*isExact=*/true>(a.lane[16 * k + row + r], columns[v], sum[r][v]);
  }
  std::memcpy(c.lane, sum, sizeof(sum));
}

/// The same for any size and products, one number after the other.
template <unsigned size>
static void multiplyDoubleLanes(const Plane<double> &a, const Plane<double> &b, unsigned row,
                                Plane<double> &c) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned block = size == 16 ? 0 : lane / 4 % 4, n = lane % size;
    const unsigned m = row + lane / 16;
    for (unsigned k = 0; k < 4; ++k)
      c.lane[lane] = __builtin_fma(a.lane[16 * k + 4 * block + m], b.lane[16 * k + 4 * block + n],
                                   c.lane[lane]);
  }
}

/// Double precision: A(i, k) and B(k, n) in lane 16 k + i (or n) for 16 x 16 x 4, and in lane 16 k
/// + 4 block + i (or n) for four blocks of 4 x 4 x 4; D(m, n) in register pair m / 4, lane 16 (m %
/// 4) + n, and in lane 16 m + 4 block + n. The signs of A, B and C are the modifier neg.
template <unsigned size>
static const Instruction *executeMfmaDouble(Wave &wave, const Instruction *inst) {
  constexpr unsigned pairs = size == 16 ? 4 : 1;
  const DefaultFloatEnvironment environment(wave);
  const uint8_t negated = inst->mods.negLo;
  Plane<double> a, b, sums;
  F64::unpack(&wave.vectorRegister(inst->op(1)), negated & 1, a);
  F64::unpack(&wave.vectorRegister(inst->op(2)), negated & 2, b);
  Lanes *d = &wave.vectorRegister(inst->op(0));
  const SourceC sourceC(wave, inst->op(3));
  std::array<Lanes, 2 * pairs> copy;
  const Lanes *c = separateC<2 * pairs>(sourceC, d, copy);
  const bool byRows =
      size == 16 && (!kSplitsExactProducts || areProductsExact(a.lane, b.lane, kLanes));
  for (unsigned pair = 0; pair < pairs; ++pair) {
    F64::unpack(c + size_t(2) * pair * sourceC.step, negated & 4, sums);
    if (byRows)
      multiplyDoubleRows(a, b, 4 * pair, sums);
    else
      multiplyDoubleLanes<size>(a, b, 4 * pair, sums);
    F64::pack(sums, d + size_t(2) * pair);
  }
  return inst + 1;
}

namespace {
/// One instruction; the operands' register counts are checked against its shape.
struct MfmaRow {
  const char *name;
  Handler handler;
  uint8_t wordsA, wordsB, wordsD, blocks;
  MatrixShape shape;
};
} // namespace

static llvm::Error prepareMfma(Instruction &inst) {
  const MfmaRow &row = *static_cast<const MfmaRow *>(inst.extra.pointer);
  const Operand &c = inst.op(3);
  if (llvm::Error error = checkRegisters(inst, row.wordsD, row.wordsA, row.wordsB,
                                         c.isConstant() || (c.isVector() && c.count == row.wordsD)))
    return error;
  // References differ on what happens when fewer blocks than all share one.
  const unsigned shared = 1u << inst.mods.cbsz;
  if ((shared != 1 && shared != row.blocks) || inst.mods.abid >= shared)
    return refuse("cbsz and abid must give one of " + llvm::Twine(unsigned(row.blocks)) +
                  " blocks to all, got " + llvm::Twine(unsigned(inst.mods.cbsz)) + " and " +
                  llvm::Twine(unsigned(inst.mods.abid)));
  return llvm::Error::success();
}

template <class A, unsigned size, unsigned blocks, class B = A>
static constexpr MfmaRow mfma(const char *name) {
  constexpr unsigned words = blocks * size * size / kLanes;
  constexpr MatrixShape shape = {size, size, A::perLane * kLanes / (size * blocks), A::type};
  return {name, executeMfma<A, B, size, blocks>, A::words, B::words, words, blocks, shape};
}

static constexpr MfmaRow withType(MfmaRow row, MatrixType type) {
  row.shape.type = type;
  return row;
}

template <unsigned size>
static constexpr MfmaRow mfmaDouble(const char *name) {
  constexpr unsigned words = size == 16 ? 8 : 2;
  return {name, executeMfmaDouble<size>, 2, 2, words, 1, {size, size, 4, MatrixType::F64}};
}

static constexpr MfmaRow rows[] = {
    mfma<F32, 32, 2>("v_mfma_f32_32x32x1_2b_f32"),
    mfma<F32, 16, 4>("v_mfma_f32_16x16x1_4b_f32"),
    // The model of time takes its power for that of the same shape of f16.
    withType(mfma<F32, 4, 16>("v_mfma_f32_4x4x1_16b_f32"), MatrixType::F16),
    mfma<F32, 32, 1>("v_mfma_f32_32x32x2_f32"),
    mfma<F32, 16, 1>("v_mfma_f32_16x16x4_f32"),
    mfma<F16<4>, 32, 2>("v_mfma_f32_32x32x4_2b_f16"),
    mfma<F16<4>, 16, 4>("v_mfma_f32_16x16x4_4b_f16"),
    mfma<F16<4>, 4, 16>("v_mfma_f32_4x4x4_16b_f16"),
    mfma<F16<4>, 32, 1>("v_mfma_f32_32x32x8_f16"),
    mfma<F16<4>, 16, 1>("v_mfma_f32_16x16x16_f16"),
    mfma<Bf16<4>, 32, 2>("v_mfma_f32_32x32x4_2b_bf16"),
    mfma<Bf16<4>, 16, 4>("v_mfma_f32_16x16x4_4b_bf16"),
    mfma<Bf16<4>, 4, 16>("v_mfma_f32_4x4x4_16b_bf16"),
    mfma<Bf16<4>, 32, 1>("v_mfma_f32_32x32x8_bf16"),
    mfma<Bf16<4>, 16, 1>("v_mfma_f32_16x16x16_bf16"),
    mfma<I8<4>, 32, 2>("v_mfma_i32_32x32x4_2b_i8"),
    mfma<I8<4>, 16, 4>("v_mfma_i32_16x16x4_4b_i8"),
    mfma<I8<4>, 4, 16>("v_mfma_i32_4x4x4_16b_i8"),
    mfma<I8<8>, 32, 1>("v_mfma_i32_32x32x16_i8"),
    mfma<I8<8>, 16, 1>("v_mfma_i32_16x16x32_i8"),
    mfma<Xf32, 32, 1>("v_mfma_f32_32x32x4_xf32"),
    mfma<Xf32, 16, 1>("v_mfma_f32_16x16x8_xf32"),
    mfmaDouble<16>("v_mfma_f64_16x16x4_f64"),
    mfmaDouble<4>("v_mfma_f64_4x4x4_4b_f64"),
};

/// 8-bit floats of gfx942, without infinities and negative zero, and those of the OCP on gfx950.
template <float (*fp8)(uint32_t), float (*bf8)(uint32_t)>
static constexpr MfmaRow byteRows[] = {
    mfma<F8<fp8>, 32, 1>("v_mfma_f32_32x32x16_fp8_fp8"),
    mfma<F8<fp8>, 32, 1, F8<bf8>>("v_mfma_f32_32x32x16_fp8_bf8"),
    mfma<F8<bf8>, 32, 1, F8<fp8>>("v_mfma_f32_32x32x16_bf8_fp8"),
    mfma<F8<bf8>, 32, 1>("v_mfma_f32_32x32x16_bf8_bf8"),
    mfma<F8<fp8>, 16, 1>("v_mfma_f32_16x16x32_fp8_fp8"),
    mfma<F8<fp8>, 16, 1, F8<bf8>>("v_mfma_f32_16x16x32_fp8_bf8"),
    mfma<F8<bf8>, 16, 1, F8<fp8>>("v_mfma_f32_16x16x32_bf8_fp8"),
    mfma<F8<bf8>, 16, 1>("v_mfma_f32_16x16x32_bf8_bf8"),
};

static constexpr MfmaRow gfx950Rows[] = {
    mfma<F16<8>, 32, 1>("v_mfma_f32_32x32x16_f16"),
    mfma<F16<8>, 16, 1>("v_mfma_f32_16x16x32_f16"),
    mfma<Bf16<8>, 32, 1>("v_mfma_f32_32x32x16_bf16"),
    mfma<Bf16<8>, 16, 1>("v_mfma_f32_16x16x32_bf16"),
    mfma<I8<16>, 32, 1>("v_mfma_i32_32x32x32_i8"),
    mfma<I8<16>, 16, 1>("v_mfma_i32_16x16x64_i8"),
};

using FlushedF16 = F16<4, true>;
using FlushedBf16 = Bf16<4, true>;
using FlushedBf16Pair = Bf16<2, true>;

static constexpr MfmaRow gfx90aRows[] = {
    mfma<FlushedF32, 32, 2>("v_mfma_f32_32x32x1f32"),
    mfma<FlushedF32, 16, 4>("v_mfma_f32_16x16x1f32"),
    mfma<FlushedF32, 4, 16>("v_mfma_f32_4x4x1f32"),
    mfma<FlushedF32, 32, 1>("v_mfma_f32_32x32x2f32"),
    mfma<FlushedF32, 16, 1>("v_mfma_f32_16x16x4f32"),
    mfma<FlushedF16, 32, 2>("v_mfma_f32_32x32x4f16"),
    mfma<FlushedF16, 16, 4>("v_mfma_f32_16x16x4f16"),
    mfma<FlushedF16, 4, 16>("v_mfma_f32_4x4x4f16"),
    mfma<FlushedF16, 32, 1>("v_mfma_f32_32x32x8f16"),
    mfma<FlushedF16, 16, 1>("v_mfma_f32_16x16x16f16"),
    mfma<FlushedBf16Pair, 32, 2>("v_mfma_f32_32x32x2bf16"),
    mfma<FlushedBf16Pair, 16, 4>("v_mfma_f32_16x16x2bf16"),
    mfma<FlushedBf16Pair, 4, 16>("v_mfma_f32_4x4x2bf16"),
    mfma<FlushedBf16Pair, 32, 1>("v_mfma_f32_32x32x4bf16"),
    mfma<FlushedBf16Pair, 16, 1>("v_mfma_f32_16x16x8bf16"),
    mfma<FlushedBf16, 32, 2>("v_mfma_f32_32x32x4bf16_1k"),
    mfma<FlushedBf16, 16, 4>("v_mfma_f32_16x16x4bf16_1k"),
    mfma<FlushedBf16, 4, 16>("v_mfma_f32_4x4x4bf16_1k"),
    mfma<FlushedBf16, 32, 1>("v_mfma_f32_32x32x8bf16_1k"),
    mfma<FlushedBf16, 16, 1>("v_mfma_f32_16x16x16bf16_1k"),
    mfma<I8<4>, 32, 2>("v_mfma_i32_32x32x4i8"),
    mfma<I8<4>, 16, 4>("v_mfma_i32_16x16x4i8"),
    mfma<I8<4>, 4, 16>("v_mfma_i32_4x4x4i8"),
    mfma<I8<4>, 32, 1>("v_mfma_i32_32x32x8i8"),
    mfma<I8<4>, 16, 1>("v_mfma_i32_16x16x16i8"),
    mfmaDouble<16>("v_mfma_f64_16x16x4f64"),
    mfmaDouble<4>("v_mfma_f64_4x4x4f64"),
};

static void addRows(InstructionTable &table, llvm::ArrayRef<MfmaRow> rows) {
  const bool negates = table.getIsa() != Isa::Gfx90a; // its use of blgp there is not documented
  for (const MfmaRow &row : rows) {
    const bool isDouble = row.shape.type == MatrixType::F64;
    const ModifierSet accepted = isDouble
                                     ? (negates ? modifiers(Modifier::Neg) : 0)
                                     : modifiers(Modifier::Cbsz, Modifier::Abid, Modifier::Blgp);
    table.add(row.name, {row.handler, InstructionClass::Mfma, accepted,
                         isDouble ? SourceType::F64 : SourceType::B32, 4, prepareMfma, &row,
                         Effect::Changes, describeMatrix(row.shape)});
  }
}

void ckemu::registerMatrixMfma(InstructionTable &table) {
  switch (table.getIsa()) {
  case Isa::Gfx90a:
    return addRows(table, gfx90aRows);
  case Isa::Gfx942:
    addRows(table, rows);
    return addRows(table, byteRows<widenFp8, widenBf8>);
  case Isa::Gfx950:
    addRows(table, rows);
    addRows(table, gfx950Rows);
    return addRows(table, byteRows<widenOcpFp8, widenOcpBf8>);
  case Isa::Gfx11:
  case Isa::Gfx12:
    return;
  }
}
