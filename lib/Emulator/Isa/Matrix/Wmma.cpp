//===- Wmma.cpp - Matrix instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B + C of 16 x 16 matrices held by a wave. Sources: the RDNA3 and RDNA4 instruction set
// references, "Wave Matrix Multiply Accumulate".
//
//   gfx11  A(m, k): lane m (lanes 16 and up repeat the first 16), element k
//          D(m, n): lane 16 * (m % groups) + n, register m / groups; groups = lanes / 16
//   gfx12  A(m, k): lane m + 16 * (k / p), element k % p; p = elements per lane (wave32)
//          D(m, n): lane 16 * (m / 8) + n, register m % 8, two 16-bit results in one register
//
// B(k, n) lies as A(n, k) does. On gfx11 a 16-bit result is one half of a register, which op_sel
// chooses. Sums are single precision in ascending k, each step rounded once; 16-bit results are
// rounded once at the end. Integer sums are exact, with clamp saturated at the end. EXEC and MODE
// have no influence.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/ExactProducts.h"
#include "Emulator/Isa/Matrix/Families.h"
#include "Emulator/Isa/Matrix/MatrixBlocks.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <cstring>

using namespace ckemu;

static constexpr unsigned kSize = 16;

/// Before a loop over a row, which the compiler would unroll before it could make vectors of it.
#define CK_ROW_LOOP                                                                                \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(1) unroll(disable)")
/// Before one whose addresses are constants then.
#define CK_UNROLLED_LOOP _Pragma("clang loop unroll(full)")
static constexpr unsigned kMaxDepth = 32;

namespace {
enum class ElementType : uint8_t { F16, Bf16, Fp8, Bf8, I8, I4 };
enum class ResultType : uint8_t { F32, F16, Bf16, I32 };

/// Where the numbers of a wave with `groups` times 16 lanes lie.
template <bool isGfx11_, unsigned groups>
struct Layout {
  static constexpr bool isGfx11 = isGfx11_;

  /// Lane and element of A(0, k) and B(k, 0); other rows and columns follow in the next lanes.
  static std::pair<unsigned, unsigned> findSource(unsigned k, unsigned depth) {
    if (isGfx11)
      return {0, k};
    const unsigned perLane = depth / groups; // a power of two
    return {kSize * (k >> llvm::countr_zero(perLane)), k & (perLane - 1)};
  }
  /// First lane and register of row m of C and D.
  static std::pair<unsigned, unsigned> findRow(unsigned m) {
    return isGfx11 ? std::pair(kSize * (m % groups), m / groups)
                   : std::pair(kSize * (m / 8), m % 8);
  }
};

/// One instruction.
struct WmmaRow {
  const char *name;
  ElementType a, b;
  ResultType result;
  uint8_t depth; ///< k
};

/// A and B as rows of k (integers: of pairs of k), C row by row.
template <typename T>
struct Matrices {
  alignas(64) T a[kMaxDepth][kSize];
  alignas(64) T b[kMaxDepth][kSize];
  alignas(64) T sum[kSize][kSize];
};
} // namespace

static unsigned bitsOfElement(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::Bf16:
    return 16;
  case ElementType::I4:
    return 4;
  default:
    return 8;
  }
}

/// Elements of one k, as stored.
using ElementBits = std::array<uint32_t, kSize>;

/// Element `j` of 16 lanes, of `bits` bits.
template <unsigned bits>
static ElementBits readElements(const Lanes *rows, unsigned firstLane, unsigned j) {
  constexpr unsigned perWord = 32 / bits;
  constexpr uint32_t mask = (1u << bits) - 1;
  const unsigned shift = bits * (j % perWord);
  const uint32_t *words = &rows[j / perWord].lane[firstLane];
  ElementBits result;
  CK_ROW_LOOP
  for (unsigned i = 0; i < kSize; ++i)
    result[i] = words[i] >> shift & mask;
  return result;
}

/// The elements of `rows` by k, widened one by one.
template <unsigned bits, typename T, class Layout, class Widen>
static void readRows(const Lanes *rows, unsigned depth, Layout layout, T (*values)[kSize],
                     Widen widen) {
  for (unsigned k = 0; k < depth; ++k) {
    const auto [firstLane, j] = layout.findSource(k, depth);
    const ElementBits elements = readElements<bits>(rows, firstLane, j);
    CK_ROW_LOOP
    for (unsigned i = 0; i < kSize; ++i)
      values[k][i] = widen(elements[i], j);
  }
}

/// Halves and bfloats: neg_lo and neg_hi negate the even and odd elements.
template <class Layout>
static void readHalves(const Lanes *rows, ElementType type, Layout layout, bool low, bool high,
                       float (*values)[kSize]) {
  constexpr unsigned depth = 16; // of all these instructions
  if (type == ElementType::Bf16)
    readRows<16>(rows, depth, layout, values, [](uint32_t bits, unsigned) {
      return bfloatToFloat(static_cast<uint16_t>(bits));
    });
  else
    CK_UNROLLED_LOOP
  for (unsigned k = 0; k < depth; k += 2) { // two lie in one word
    const auto [firstLane, j] = layout.findSource(k, depth);
    const uint32_t *words = &rows[j / 2].lane[firstLane];
    matrix::widenHalves<kSize>(words, values[k], values[k + 1]);
  }
  if (low || high)
    for (unsigned k = 0; k < depth; ++k)
      if (layout.findSource(k, depth).second % 2 ? high : low)
        for (float &value : values[k])
          value = negate(value);
}

static float halfToFloat(uint16_t bits) {
#if defined(__F16C__)
  return static_cast<float>(halfOf(bits));
#else
  return matrix::widenHalf(bits);
#endif
}

template <float (*widen)(uint32_t), class Layout>
static void readBytes(const Lanes *rows, unsigned depth, Layout layout, float (*values)[kSize]) {
  readRows<8>(rows, depth, layout, values, [](uint32_t bits, unsigned) { return widen(bits); });
}

/// Integers of k and k + 1 as the halves of a number, for addPairProducts; they lie in one word.
template <unsigned bits, bool isSigned, class Layout>
static void readPairs(const Lanes *rows, unsigned depth, Layout layout, int32_t (*values)[kSize]) {
  constexpr unsigned perWord = 32 / bits, rest = 32 - bits;
  auto widen = [](uint32_t word) { // its low bits
    return isSigned ? uint32_t(int32_t(word << rest) >> rest) : word & ((1u << bits) - 1);
  };
  for (unsigned k = 0; k < depth; k += 2) {
    const auto [firstLane, j] = layout.findSource(k, depth);
    const unsigned shift = bits * (j % perWord);
    const uint32_t *words = &rows[j / perWord].lane[firstLane];
    CK_ROW_LOOP
    for (unsigned i = 0; i < kSize; ++i)
      values[k / 2][i] =
          int32_t((widen(words[i] >> shift) & 0xffff) | widen(words[i] >> shift >> bits) << 16);
  }
}

template <unsigned bits, class Layout>
static void readIntegers(const Lanes *rows, unsigned depth, Layout layout, bool isSigned,
                         int32_t (*values)[kSize]) {
  if (isSigned)
    readPairs<bits, true>(rows, depth, layout, values);
  else
    readPairs<bits, false>(rows, depth, layout, values);
}

/// Reads source `i` (0: A, 1: B) by rows of k. neg_lo makes integers signed.
template <typename T, class Layout>
static void readSource(const Wave &wave, const Instruction *inst, const WmmaRow &row, unsigned i,
                       Layout layout, T (*values)[kSize]) {
  const ElementType type = i == 0 ? row.a : row.b;
  const Lanes *rows = &wave.vgprs[inst->op(1 + i).index];
  const bool low = inst->mods.negLo >> i & 1, high = inst->mods.negHi >> i & 1;
  if constexpr (std::is_same_v<T, float>) {
    if (type == ElementType::Fp8)
      return readBytes<matrix::widenOcpFp8>(rows, row.depth, layout, values);
    if (type == ElementType::Bf8)
      return readBytes<matrix::widenOcpBf8>(rows, row.depth, layout, values);
    return readHalves(rows, type, layout, low, high, values);
  } else {
    if (type == ElementType::I8)
      return readIntegers<8>(rows, row.depth, layout, low, values);
    return readIntegers<4>(rows, row.depth, layout, low, values);
  }
}

/// The half of a 16-bit result's register that holds row m, as a shift, and the register.
template <class Layout>
static std::pair<unsigned, unsigned> findHalf(Layout layout, const Instruction *inst,
                                              unsigned registerOfRow) {
  if (layout.isGfx11)
    return {inst->mods.opSel & 4 ? 16 : 0, registerOfRow};
  return {16 * (registerOfRow % 2), registerOfRow / 2};
}

/// C of 32 bits, and of constants.
template <typename T, class Layout>
static void readWideSum(const Wave &wave, const Operand &op, Layout layout, Matrices<T> &matrices) {
  if (op.isConstant()) {
    const T value = detail::bitCast<T>(uint32_t(op.value));
    for (auto &row : matrices.sum)
      std::fill_n(row, kSize, value);
    return;
  }
  CK_UNROLLED_LOOP
  for (unsigned m = 0; m < kSize; ++m) {
    const auto [firstLane, reg] = layout.findRow(m);
    std::memcpy(matrices.sum[m], &wave.vgprs[op.index + reg].lane[firstLane],
                sizeof(matrices.sum[m]));
  }
}

/// C of 16 bits.
template <float (*widen)(uint16_t), class Layout>
static void readHalfSum(const Wave &wave, const Instruction *inst, Layout layout,
                        Matrices<float> &matrices) {
  const Operand &op = inst->op(3);
  for (unsigned m = 0; m < kSize; ++m) {
    const auto [firstLane, reg] = layout.findRow(m);
    const auto [shift, index] = findHalf(layout, inst, reg);
    const uint32_t *words = &wave.vgprs[op.index + index].lane[firstLane];
    for (unsigned n = 0; n < kSize; ++n)
      matrices.sum[m][n] =
          widen(static_cast<uint16_t>(op.isConstant() ? uint32_t(op.value) : words[n] >> shift));
  }
}

/// C as numbers; neg_lo negates it, neg_hi takes its magnitude first.
template <typename T, class Layout>
static void readSum(const Wave &wave, const Instruction *inst, const WmmaRow &row, Layout layout,
                    Matrices<T> &matrices) {
  if constexpr (std::is_same_v<T, float>) {
    if (row.result == ResultType::F32)
      readWideSum(wave, inst->op(3), layout, matrices);
    else if (row.result == ResultType::F16)
      readHalfSum<halfToFloat>(wave, inst, layout, matrices);
    else
      readHalfSum<bfloatToFloat>(wave, inst, layout, matrices);
    if (LLVM_LIKELY(!((inst->mods.negHi | inst->mods.negLo) & 4)))
      return;
    for (auto &sums : matrices.sum)
      for (float &sum : sums) {
        sum = inst->mods.negHi & 4 ? __builtin_fabsf(sum) : sum;
        sum = inst->mods.negLo & 4 ? negate(sum) : sum;
      }
  } else {
    readWideSum(wave, inst->op(3), layout, matrices);
  }
}

/// Products of halves and bytes are exact in single precision.
template <bool isExact, typename T>
static void accumulateRows(unsigned steps, Matrices<T> &matrices) {
  using Vector = typename matrix::VectorOf<T>::Type;
  static_assert(sizeof(Vector) == sizeof(matrices.sum[0]));
  constexpr unsigned kRows = matrix::kRowsAtATime<T, kSize>;
  for (unsigned m = 0; m < kSize; m += kRows) {
    Vector sums[kRows];
    std::memcpy(sums, matrices.sum[m], sizeof(sums));
    for (unsigned k = 0; k < steps; ++k) {
      Vector b;
      std::memcpy(&b, matrices.b[k], sizeof(b));
      for (unsigned i = 0; i < kRows; ++i)
        if constexpr (std::is_same_v<T, int32_t>)
          matrix::addPairProducts(matrices.a[k][m + i], b, sums[i]);
        else
          matrix::addMultiples<isExact>(matrices.a[k][m + i], b, sums[i]);
    }
    std::memcpy(matrices.sum[m], sums, sizeof(sums));
  }
}

template <typename T>
static void accumulate(const WmmaRow &row, Matrices<T> &matrices) {
  if constexpr (std::is_same_v<T, int32_t>)
    accumulateRows<true>(row.depth / 2, matrices);
  else if (row.a != ElementType::Bf16 ||
           (matrix::kSplitsExactProducts &&
            matrix::areProductsExact(matrices.a[0], matrices.b[0], size_t(row.depth) * kSize)))
    accumulateRows<true>(row.depth, matrices);
  else
    accumulateRows<false>(row.depth, matrices);
}

/// Adds C to the sums of products, which alone cannot overflow, and keeps the result in range.
static void addClamped(Matrices<int32_t> &matrices, const int32_t (&c)[kSize][kSize]) {
  for (unsigned m = 0; m < kSize; ++m)
    for (unsigned n = 0; n < kSize; ++n)
      matrices.sum[m][n] =
          int32_t(std::clamp<int64_t>(int64_t(matrices.sum[m][n]) + c[m][n], INT32_MIN, INT32_MAX));
}

template <typename T, class Layout>
static void writeWideResult(Lanes *rows, Layout layout, const Matrices<T> &matrices) {
  CK_UNROLLED_LOOP
  for (unsigned m = 0; m < kSize; ++m) {
    const auto [lane, reg] = layout.findRow(m);
    std::memcpy(&rows[reg].lane[lane], matrices.sum[m], sizeof(matrices.sum[m]));
  }
}

template <typename T, class Layout>
static void writeResult(Wave &wave, const Instruction *inst, const WmmaRow &row, Layout layout,
                        const Matrices<T> &matrices) {
  Lanes *rows = &wave.vgprs[inst->op(0).index];
  if (row.result == ResultType::F32 || row.result == ResultType::I32)
    return writeWideResult(rows, layout, matrices);
  for (unsigned m = 0; m < kSize; ++m) {
    const auto [lane, reg] = layout.findRow(m);
    const auto [shift, index] = findHalf(layout, inst, reg);
    for (unsigned n = 0; n < kSize; ++n) {
      const float value = static_cast<float>(matrices.sum[m][n]);
      const uint16_t bits =
          row.result == ResultType::F16 ? bitsOf(toHalf(value)) : floatToBfloat(value);
      uint32_t &word = rows[index][lane + n];
      word = (word & ~(0xffffu << shift)) | uint32_t(bits) << shift;
    }
  }
}

template <typename T, class Layout>
static void multiply(Wave &wave, const Instruction *inst, const WmmaRow &row, Layout layout) {
  const DefaultFloatEnvironment environment(wave);
  Matrices<T> matrices;
  readSource(wave, inst, row, 0, layout, matrices.a);
  readSource(wave, inst, row, 1, layout, matrices.b);
  readSum(wave, inst, row, layout, matrices);
  if (std::is_same_v<T, int32_t> && inst->has(Modifier::Clamp)) {
    if constexpr (std::is_same_v<T, int32_t>) {
      int32_t c[kSize][kSize];
      std::memcpy(c, matrices.sum, sizeof(c));
      std::memset(matrices.sum, 0, sizeof(matrices.sum));
      accumulate(row, matrices);
      addClamped(matrices, c);
    }
  } else {
    accumulate(row, matrices);
  }
  writeResult(wave, inst, row, layout, matrices);
}

template <typename T, bool isGfx11>
static const Instruction *executeWmma(Wave &wave, const Instruction *inst) {
  const WmmaRow &row = *static_cast<const WmmaRow *>(inst->extra.pointer);
  if (wave.laneCount == 2 * kSize)
    multiply<T>(wave, inst, row, Layout<isGfx11, 2>());
  else if (isGfx11)
    multiply<T>(wave, inst, row, Layout<true, 4>());
  else
    return wave.fault(inst, "matrix instructions of gfx12 are implemented for wave32 only");
  return inst + 1;
}

/// Checks operands against the shape; their counts differ between wave32 and wave64.
template <bool isGfx11>
static llvm::Error prepareWmma(Instruction &inst) {
  const WmmaRow &row = *static_cast<const WmmaRow *>(inst.extra.pointer);
  const bool is16Bit = row.result == ResultType::F16 || row.result == ResultType::Bf16;
  const Operand &d = inst.op(0), &c = inst.op(3);
  auto countSource = [&](ElementType type) {
    return row.depth * bitsOfElement(type) / 32 / (isGfx11 ? 1 : 2);
  };
  const unsigned full = !isGfx11 && is16Bit ? 4 : 8;
  const bool countFits = d.count == full || (isGfx11 && d.count == full / 2);
  if (d.kind != OperandKind::Vgpr || !countFits ||
      (!c.isConstant() && (c.kind != OperandKind::Vgpr || c.count != d.count)))
    return refuse("expected " + llvm::Twine(full) + " destination registers, got " +
                  llvm::Twine(unsigned(d.count)));
  for (unsigned i = 0; i < 2; ++i) {
    const Operand &op = inst.op(1 + i);
    const unsigned count = countSource(i == 0 ? row.a : row.b);
    if (op.kind != OperandKind::Vgpr || op.count != count)
      return refuse("expected " + llvm::Twine(count) + " source registers, got " +
                    llvm::Twine(unsigned(op.count)));
  }
  if (row.result == ResultType::Bf16 && c.isConstant() && c.value != 0)
    return refuse("constants other than 0 are not implemented for bfloat16");
  const bool halves = row.a == ElementType::F16 || row.a == ElementType::Bf16;
  if ((inst.mods.negHi & 3) && !halves)
    return refuse("neg_hi of A and B requires 16-bit floats");
  if ((inst.mods.negLo & 3) && !halves && row.result != ResultType::I32)
    return refuse("neg_lo of A and B requires 16-bit floats or integers");
  if (((inst.mods.negLo | inst.mods.negHi) & 4) && row.result == ResultType::I32)
    return refuse("neg_lo and neg_hi of C require a floating-point result");
  if (inst.mods.opSel & ~(isGfx11 && is16Bit ? 4u : 0u))
    return refuse("op_sel chooses the half of a 16-bit result of gfx11 only");
  if (inst.has(Modifier::Clamp) && row.result != ResultType::I32)
    return refuse("clamp requires an integer result");
  return llvm::Error::success();
}

static constexpr WmmaRow kRows[] = {
    {"v_wmma_f32_16x16x16_f16", ElementType::F16, ElementType::F16, ResultType::F32, 16},
    {"v_wmma_f32_16x16x16_bf16", ElementType::Bf16, ElementType::Bf16, ResultType::F32, 16},
    {"v_wmma_f16_16x16x16_f16", ElementType::F16, ElementType::F16, ResultType::F16, 16},
    {"v_wmma_bf16_16x16x16_bf16", ElementType::Bf16, ElementType::Bf16, ResultType::Bf16, 16},
    {"v_wmma_i32_16x16x16_iu8", ElementType::I8, ElementType::I8, ResultType::I32, 16},
    {"v_wmma_i32_16x16x16_iu4", ElementType::I4, ElementType::I4, ResultType::I32, 16},
    // gfx12 only:
    {"v_wmma_i32_16x16x32_iu4", ElementType::I4, ElementType::I4, ResultType::I32, 32},
    {"v_wmma_f32_16x16x16_fp8_fp8", ElementType::Fp8, ElementType::Fp8, ResultType::F32, 16},
    {"v_wmma_f32_16x16x16_fp8_bf8", ElementType::Fp8, ElementType::Bf8, ResultType::F32, 16},
    {"v_wmma_f32_16x16x16_bf8_fp8", ElementType::Bf8, ElementType::Fp8, ResultType::F32, 16},
    {"v_wmma_f32_16x16x16_bf8_bf8", ElementType::Bf8, ElementType::Bf8, ResultType::F32, 16},
};

static MatrixType getMatrixType(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return MatrixType::F16;
  case ElementType::Bf16:
    return MatrixType::Bf16;
  case ElementType::Fp8:
  case ElementType::Bf8:
  case ElementType::I8:
    return MatrixType::Bits8;
  case ElementType::I4:
    return MatrixType::Bits4;
  }
  return MatrixType::F16;
}

template <bool isGfx11>
static void registerRows(InstructionTable &table) {
  for (const WmmaRow &row : kRows) {
    const bool isInteger = row.result == ResultType::I32;
    const bool halfC = row.result == ResultType::F16;
    OpcodeInfo info;
    info.handler = isInteger ? executeWmma<int32_t, isGfx11> : executeWmma<float, isGfx11>;
    info.kind = InstructionClass::Wmma;
    info.accepts = modifiers(Modifier::OpSel, Modifier::OpSelHi, Modifier::NegLo, Modifier::NegHi,
                             Modifier::Clamp);
    info.sourceType = halfC ? SourceType::F16 : SourceType::B32;
    info.numOperands = 4;
    info.prepare = prepareWmma<isGfx11>;
    info.data = &row;
    info.effect = Effect::Changes;
    info.facts =
        matrix::describeMatrix({kSize, kSize, row.depth, getMatrixType(row.a), /*isSparse=*/false,
                                /*isMixed=*/false, /*isWmma=*/true});
    table.add(row.name, info);
  }
}

void ckemu::registerMatrixWmma(InstructionTable &table) {
  if (table.getIsa() == Isa::Gfx11)
    registerRows<true>(table);
  else if (table.getIsa() == Isa::Gfx12)
    registerRows<false>(table);
}
