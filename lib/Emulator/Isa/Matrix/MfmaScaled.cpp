//===- MfmaScaled.cpp - Matrix products of 8-, 6- and 4-bit floats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx950's V_MFMA[_SCALE]_F32_{16X16X128,32X32X64}_F8F6F4. cbsz and blgp name the formats of A and
// B. With size rows, groups = 64 / size, group = lane / size and item j of a lane:
//
//   6 and 4 bits   k = 32 group + j
//   8 bits         k = 16 group + j % 16 + 16 groups (j / 16)
//
// (CDNA4 reference, section 7.1.5.1). A scale is the exponent of a power of two with bias 127, 255
// for NaN, for 32 consecutive k of one row: that of lane l is for row l % size and k of 32 (l /
// size) on; op_sel and op_sel_hi name its byte. The products of 32 k are added, scaled, and then
// accumulated (section 7.2). Without scales each product is accumulated, as other matrix
// instructions do it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/Families.h"
#include "Emulator/Isa/Matrix/MatrixBlocks.h"

using namespace ckemu;
using namespace ckemu::matrix;

namespace {
/// How the elements of an operand are encoded; the values of cbsz and blgp.
enum MatrixFormat : uint8_t { Fp8, Bf8, Fp6, Bf6, Fp4, NumFormats };

/// A matrix: A(i, k) or B(k, i) at [k][i].
template <unsigned size>
struct alignas(64) Matrix {
  static constexpr unsigned depth = 2048 / size;
  float at[depth][size];
};

/// Scale exponents without their bias, of row i and the 32 k from 32 k32 on.
template <unsigned size>
struct Scales {
  int32_t at[2048 / size / 32][size];
};
} // namespace

static constexpr int32_t kNanScale = 1 << 20;
static constexpr unsigned kItems = 32;

static constexpr unsigned bitsOf(MatrixFormat format) {
  return format < Fp6 ? 8 : format < Fp4 ? 6 : 4;
}

/// Numbers of `width` bits.
template <unsigned size, unsigned width, float (*widen)(uint32_t)>
static void unpackAs(const Lanes *rows, Matrix<size> &matrix) {
  constexpr unsigned groups = kLanes / size;
  constexpr uint32_t mask = (1u << width) - 1;
  for (unsigned j = 0; j < kItems; ++j) {
    const unsigned word = j * width / 32, shift = j * width % 32;
    const unsigned next = shift + width > 32 ? word + 1 : word; // holds the high bits, too
    const unsigned left = (32 - shift) % 32;
    for (unsigned group = 0; group < groups; ++group) {
      const unsigned k =
          width == 8 ? 16 * group + j % 16 + 16 * groups * (j / 16) : kItems * group + j;
      const uint32_t *low = &rows[word].lane[size * group], *high = &rows[next].lane[size * group];
      for (unsigned i = 0; i < size; ++i)
        matrix.at[k][i] = widen((low[i] >> shift | (next == word ? 0 : high[i] << left)) & mask);
    }
  }
}

template <unsigned size>
static void unpack(const Lanes *rows, MatrixFormat format, Matrix<size> &matrix) {
  switch (format) {
  case Fp8:
    return unpackAs<size, 8, widenOcpFp8>(rows, matrix);
  case Bf8:
    return unpackAs<size, 8, widenOcpBf8>(rows, matrix);
  case Fp6:
    return unpackAs<size, 6, widenFp6>(rows, matrix);
  case Bf6:
    return unpackAs<size, 6, widenBf6>(rows, matrix);
  default:
    return unpackAs<size, 4, widenFp4>(rows, matrix);
  }
}

/// Adds the products of k from `begin` on, `count` of them, to `rows` rows of sums.
template <unsigned size, unsigned rows>
static void multiplyRows(const Matrix<size> &a, const Matrix<size> &b, unsigned row, unsigned begin,
                         unsigned count, float (&sums)[rows][size]) {
  using Vector = VectorOf<float>::Type;
  constexpr unsigned vectors = size / VectorOf<float>::length;
  Vector sum[rows][vectors];
  std::memcpy(sum, sums, sizeof(sum));
  for (unsigned k = begin; k < begin + count; ++k) {
    Vector columns[vectors];
    std::memcpy(columns, b.at[k], sizeof(columns));
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned v = 0; v < vectors; ++v)
        addMultiples</*isExact=*/true>(a.at[k][row + r], columns[v], sum[r][v]);
  }
  std::memcpy(sums, sum, sizeof(sum));
}

/// Scales the products of 32 k and adds them.
template <unsigned size, unsigned rows>
static void multiplyScaled(const Matrix<size> &a, const Matrix<size> &b, const Scales<size> &scaleA,
                           const Scales<size> &scaleB, unsigned row, float (&sums)[rows][size]) {
  for (unsigned block = 0; block < Matrix<size>::depth / kItems; ++block) {
    alignas(64) float products[rows][size] = {};
    multiplyRows<size, rows>(a, b, row, block * kItems, kItems, products);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned n = 0; n < size; ++n) {
        const int32_t exponent = scaleA.at[block][row + r] + scaleB.at[block][n];
        const double scaled = std::ldexp(static_cast<double>(products[r][n]), exponent);
        sums[r][n] = exponent >= kNanScale / 2
                         ? defaultNan<float>()
                         : static_cast<float>(scaled + static_cast<double>(sums[r][n]));
      }
  }
}

template <unsigned size>
static void readScales(Wave &wave, const Instruction *inst, unsigned i, Scales<size> &scales) {
  const Operand &operand = inst->op(4 + i);
  Lanes scratch;
  const Lanes &source = wave.vectorSource(operand, scratch);
  const uint8_t high = inst->has(Modifier::OpSelHi) ? inst->mods.opSelHi : 3;
  const unsigned byte = (high >> i & 1) * 2 + (inst->mods.opSel >> i & 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    // A constant is a float whose exponent counts.
    const uint32_t bits = operand.isConstant() ? source[lane] >> 23 : source[lane] >> (8 * byte);
    const int32_t exponent = int32_t(bits & 0xff);
    scales.at[lane / size][lane % size] = exponent == 255 ? kNanScale : exponent - 127;
  }
}

template <unsigned size, bool isScaled>
static const Instruction *executeMfmaScaled(Wave &wave, const Instruction *inst) {
  constexpr unsigned registers = size * size / kLanes, rows = kRowsAtATime<float, size>;
  if (LLVM_UNLIKELY(!isModeModelled(wave)))
    return wave.fault(inst, "FP16_OVFL of MODE is not implemented for matrix instructions");
  const DefaultFloatEnvironment environment(wave);
  Matrix<size> a, b;
  unpack<size>(&wave.vectorRegister(inst->op(1)), MatrixFormat(inst->mods.cbsz), a);
  unpack<size>(&wave.vectorRegister(inst->op(2)), MatrixFormat(inst->mods.blgp), b);
  Scales<size> scaleA, scaleB;
  if (isScaled) {
    readScales<size>(wave, inst, 0, scaleA);
    readScales<size>(wave, inst, 1, scaleB);
  }
  Lanes *d = &wave.vectorRegister(inst->op(0));
  const SourceC sourceC(wave, inst->op(3));
  std::array<Lanes, registers> copy;
  const Lanes *c = separateC<registers>(sourceC, d, copy);
  for (unsigned row = 0; row < size; row += rows) {
    alignas(64) float sums[rows][size];
    readRows<size>(c, sourceC.step, row, sums);
    if (isScaled)
      multiplyScaled<size, rows>(a, b, scaleA, scaleB, row, sums);
    else
      multiplyRows<size, rows>(a, b, row, 0, Matrix<size>::depth, sums);
    writeRows<size>(sums, row, d);
  }
  return inst + 1;
}

template <unsigned size>
static llvm::Error prepareMfmaScaled(Instruction &inst) {
  constexpr unsigned registers = size * size / kLanes;
  if (inst.mods.cbsz >= NumFormats || inst.mods.blgp >= NumFormats)
    return refuse("cbsz and blgp must name formats, in [0, 4], got " +
                  llvm::Twine(unsigned(inst.mods.cbsz)) + " and " +
                  llvm::Twine(unsigned(inst.mods.blgp)));
  const unsigned wordsA = bitsOf(MatrixFormat(inst.mods.cbsz));
  const unsigned wordsB = bitsOf(MatrixFormat(inst.mods.blgp));
  const Operand &c = inst.op(3);
  if (llvm::Error error = checkRegisters(inst, registers, wordsA, wordsB,
                                         c.isConstant() || (c.isVector() && c.count == registers)))
    return error;
  for (unsigned i = 4; i < inst.numOperands; ++i)
    if (!inst.op(i).isVector() && !inst.op(i).isConstant())
      return refuse("expected vector registers or constants as scales");
  return llvm::Error::success();
}

template <unsigned size>
static void addProducts(InstructionTable &table, const std::string &shape) {
  constexpr ModifierSet formats = modifiers(Modifier::Cbsz, Modifier::Blgp);
  constexpr ModifierSet scales = modifiers(Modifier::OpSel, Modifier::OpSelHi);
  const InstructionFacts facts =
      describeMatrix({size, size, Matrix<size>::depth, MatrixType::Bits8, /*isSparse=*/false,
                      /*isMixed=*/true});
  auto add = [&](const std::string &name, Handler handler, ModifierSet accepted, int8_t operands) {
    table.add(name, {handler, InstructionClass::Mfma, accepted, SourceType::B32, operands,
                     prepareMfmaScaled<size>, nullptr, Effect::Changes, facts});
  };
  add("v_mfma_f32_" + shape, executeMfmaScaled<size, false>, formats, 4);
  add("v_mfma_scale_f32_" + shape, executeMfmaScaled<size, true>, formats | scales, 6);
}

void ckemu::registerMatrixMfmaScaled(InstructionTable &table) {
  addProducts<16>(table, "16x16x128_f8f6f4");
  addProducts<32>(table, "32x32x64_f8f6f4");
}
