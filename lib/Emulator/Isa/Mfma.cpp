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
// and accumulated in ascending k, each step rounded once; denormals are kept (CDNA3). EXEC and MODE
// have no influence. XF32 sources are rounded to nearest even to 10 mantissa bits.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Numeric.h"
#include "VectorModifiers.h"
#include <array>

using namespace mlir::ck::emulator;

namespace {
/// One number per lane, in the type that the product is computed in.
template <typename T>
struct alignas(64) Plane {
  T lane[kLanes];
};

/// 64 bytes of numbers, the unit of the inner loop.
template <typename T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(64)));
  static constexpr unsigned length = 64 / sizeof(T);
};

/// How registers become planes. `perLane` elements in `words` registers.
struct F32 {
  using Value = float;
  static constexpr unsigned perLane = 1, words = 1;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    std::memcpy(planes[0].lane, rows[0].lane, sizeof(Lanes));
  }
};
struct Xf32 {
  using Value = float;
  static constexpr unsigned perLane = 2, words = 2;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned j = 0; j < 2; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint32_t bits = rows[j][lane];
        const uint32_t rounded = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
        planes[j].lane[lane] = floatOf((bits & 0x7f800000) == 0x7f800000 ? bits : rounded);
      }
  }
};
struct F16 {
  using Value = float;
  static constexpr unsigned perLane = 4, words = 2;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] =
            static_cast<float>(halfOf(uint16_t(rows[j / 2][lane] >> (16 * (j % 2)))));
  }
};
struct Bf16 {
  using Value = float;
  static constexpr unsigned perLane = 4, words = 2;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = bfloatToFloat(uint16_t(rows[j / 2][lane] >> (16 * (j % 2))));
  }
};
template <unsigned elements>
struct I8 {
  using Value = int32_t;
  static constexpr unsigned perLane = elements, words = elements / 4;
  static void unpack(const Lanes *rows, Plane<int32_t> *planes) {
    for (unsigned j = 0; j < elements; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = int8_t(rows[j / 4][lane] >> (8 * (j % 4)));
  }
};
template <float (*widen)(uint8_t)>
struct F8 {
  using Value = float;
  static constexpr unsigned perLane = 8, words = 2;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    static const std::array<float, 256> table = [] {
      std::array<float, 256> values;
      for (unsigned i = 0; i < 256; ++i)
        values[i] = widen(uint8_t(i));
      return values;
    }();
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = table[rows[j / 4][lane] >> (8 * (j % 4)) & 0xff];
  }
};
using Fp8 = F8<fp8ToFloat>;
using Bf8 = F8<bf8ToFloat>;
struct F64 {
  static void unpack(const Lanes *rows, Plane<double> *planes) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      planes[0].lane[lane] = doubleOf(rows[0][lane] | uint64_t(rows[1][lane]) << 32);
  }
};

/// The registers of C: consecutive, or one constant for all.
struct SourceC {
  const Lanes *rows;
  unsigned step;
  SourceC(const Wave &wave, const Operand &op)
      : rows(op.isConstant() ? &wave.constants[op.index]
                             : &(op.kind == OperandKind::Agpr ? wave.agprs : wave.vgprs)[op.index]),
        step(op.isConstant() ? 0 : 1) {}
};
} // namespace

static float multiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static int32_t multiplyAdd(int32_t a, int32_t b, int32_t c) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b) +
                              static_cast<uint32_t>(c));
}
template <typename V, typename T>
static V multiplyAddVector(T a, V b, V c) {
  typedef T Splat __attribute__((ext_vector_type(sizeof(V) / sizeof(T))));
  const V factor = (V)(Splat(a));
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_elementwise_fma(factor, b, c);
  } else {
    typedef uint32_t Unsigned __attribute__((vector_size(sizeof(V))));
    return (V)((Unsigned)factor * (Unsigned)b + (Unsigned)c);
  }
}

/// Where a row of D is: the first of its 32-bit registers and its first lane.
template <typename T, unsigned size>
struct RowPlace {
  unsigned firstRegister, lane;
  explicit RowPlace(unsigned row) {
    constexpr unsigned groups = kLanes / size;
    if (sizeof(T) == 8) { // one register pair per group of rows
      firstRegister = 2 * (row / groups);
      lane = size * (row % groups);
    } else {
      firstRegister = 4 * (row / (4 * groups)) + row % 4;
      lane = size * (row / 4 % groups);
    }
  }
};

template <typename T>
static T readRegister(const Lanes *rows, unsigned step, unsigned index, unsigned lane) {
  if constexpr (sizeof(T) == 8)
    return detail::bitCast<T>(rows[index * step][lane] | uint64_t(rows[index * step + 1][lane])
                                                             << 32);
  else
    return detail::bitCast<T>(rows[index * step][lane]);
}
template <typename T>
static void writeRegister(Lanes *rows, unsigned index, unsigned lane, T value) {
  if constexpr (sizeof(T) == 8) {
    const auto bits = detail::bitCast<uint64_t>(value);
    rows[index][lane] = uint32_t(bits);
    rows[index + 1][lane] = uint32_t(bits >> 32);
  } else {
    rows[index][lane] = detail::bitCast<uint32_t>(value);
  }
}

/// One block of 32 or 16 rows: `kGroups` groups of lanes hold `perLane` k each, from `laneA` and
/// `laneB` on. Eight rows at a time keep enough sums in flight for the host's multipliers.
template <typename T, unsigned size, unsigned kGroups, unsigned perLane>
static void multiplyBlock(const Plane<T> *a, const Plane<T> *b, unsigned laneA, unsigned laneB,
                          const Lanes *c, unsigned stepC, Lanes *d) {
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned length = VectorOf<T>::length, vectors = size / length, rows = 8;
  for (unsigned row = 0; row < size; row += rows) {
    alignas(64) T sums[rows][size];
    for (unsigned r = 0; r < rows; ++r) {
      const RowPlace<T, size> place(row + r);
      for (unsigned n = 0; n < size; ++n)
        sums[r][n] = readRegister<T>(c, stepC, place.firstRegister, place.lane + n);
    }
    Vector sum[rows][vectors];
    std::memcpy(sum, sums, sizeof(sum));
    for (unsigned group = 0; group < kGroups; ++group)
      for (unsigned j = 0; j < perLane; ++j) {
        Vector columns[vectors];
        std::memcpy(columns, &b[j].lane[laneB + size * group], sizeof(columns));
        for (unsigned r = 0; r < rows; ++r)
          for (unsigned v = 0; v < vectors; ++v)
            sum[r][v] =
                multiplyAddVector(a[j].lane[laneA + size * group + row + r], columns[v], sum[r][v]);
      }
    std::memcpy(sums, sum, sizeof(sum));
    for (unsigned r = 0; r < rows; ++r) {
      const RowPlace<T, size> place(row + r);
      for (unsigned n = 0; n < size; ++n)
        writeRegister<T>(d, place.firstRegister, place.lane + n, sums[r][n]);
    }
  }
}

/// 16 blocks of 4 x 4: register m, lane 4 * block + n. A comes from the blocks of `blockOfA`.
template <typename T, unsigned perLane, class BlockOfA>
static void multiplySmallBlocks(const Plane<T> *a, const Plane<T> *b, BlockOfA blockOfA,
                                const Lanes *c, unsigned stepC, Lanes *d) {
  Lanes result[4];
  for (unsigned m = 0; m < 4; ++m)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      T sum = readRegister<T>(c, stepC, m, lane);
      for (unsigned j = 0; j < perLane; ++j)
        sum = multiplyAdd(a[j].lane[4 * blockOfA(lane / 4) + m], b[j].lane[lane], sum);
      writeRegister<T>(result, m, lane, sum);
    }
  std::memcpy(d, result, sizeof(result));
}

/// The registers of C, copied when they partly overlap those of D.
template <unsigned count>
static const Lanes *separateC(const SourceC &c, const Lanes *d, std::array<Lanes, count> &copy) {
  if (c.step == 0 || c.rows == d || c.rows + count <= d || d + count <= c.rows)
    return c.rows;
  std::memcpy(copy.data(), c.rows, count * sizeof(Lanes));
  return copy.data();
}

/// The lane patterns of blgp: 1 and 2 repeat one half of the wave, 4 to 7 one quarter.
template <typename T>
static void rearrangeLanes(Plane<T> &plane, unsigned pattern) {
  const unsigned length = pattern < 3 ? 32 : 16;
  const T *first = plane.lane + length * (pattern - (pattern < 3 ? 1 : 4));
  Plane<T> result;
  for (unsigned lane = 0; lane < kLanes; lane += length)
    std::memcpy(result.lane + lane, first, length * sizeof(T));
  plane = result;
}

template <class ElementA, class ElementB, unsigned size, unsigned blocks>
static const Instruction *executeMfma(Wave &wave, const Instruction *inst) {
  using T = typename ElementA::Value;
  constexpr unsigned perLane = ElementA::perLane;
  constexpr unsigned registers = blocks * size * size / kLanes * (sizeof(T) / 4);
  const DefaultFloatEnvironment environment(wave);
  Plane<T> a[perLane], b[perLane];
  ElementA::unpack(&wave.vectorRegister(inst->op(1)), a);
  ElementB::unpack(&wave.vectorRegister(inst->op(2)), b);
  if (inst->mods.blgp)
    for (Plane<T> &plane : b)
      rearrangeLanes(plane, inst->mods.blgp);
  Lanes *d = &wave.vectorRegister(inst->op(0));
  const SourceC sourceC(wave, inst->op(3));
  std::array<Lanes, registers> copy;
  const Lanes *c = separateC<registers>(sourceC, d, copy);
  const unsigned groupMask = (1u << inst->mods.cbsz) - 1;
  auto blockOfA = [&](unsigned block) { return (block & ~groupMask) + inst->mods.abid; };
  if constexpr (size == 4)
    multiplySmallBlocks<T, perLane>(a, b, blockOfA, c, sourceC.step, d);
  else
    for (unsigned block = 0; block < blocks; ++block)
      multiplyBlock<T, size, kLanes / size / blocks, perLane>(
          a, b, blocks > 1 ? size * blockOfA(block) : 0, size * (blocks > 1 ? block : 0),
          c + sourceC.step * block * (registers / blocks), sourceC.step,
          d + block * (registers / blocks));
  return inst + 1;
}

/// Flips the sign of a plane.
static void negatePlane(Plane<double> &plane) {
  for (double &value : plane.lane)
    value = negate(value);
}

/// C as planes of doubles with its sign.
template <unsigned count>
static void readDoubles(const Wave &wave, const Operand &op, bool negative,
                        Plane<double> (&planes)[count]) {
  const SourceC c(wave, op);
  for (unsigned i = 0; i < count; ++i) {
    F64::unpack(c.rows + 2 * i * c.step, &planes[i]);
    if (negative)
      negatePlane(planes[i]);
  }
}

/// Double precision: A(i, k) and B(k, n) in lane 16 k + i (or n) for 16 x 16 x 4, and in lane 16 k
/// + 4 block + i (or n) for four blocks of 4 x 4 x 4; D(m, n) in register pair m / 4, lane 16 (m %
/// 4) + n, and in lane 16 m + 4 block + n. The signs of A, B and C are the modifier neg.
template <unsigned size>
static const Instruction *executeMfmaDouble(Wave &wave, const Instruction *inst) {
  constexpr unsigned pairs = size == 16 ? 4 : 1, blocks = size == 16 ? 1 : 4;
  const DefaultFloatEnvironment environment(wave);
  Plane<double> a, b, c[pairs], d[pairs];
  F64::unpack(&wave.vectorRegister(inst->op(1)), &a);
  F64::unpack(&wave.vectorRegister(inst->op(2)), &b);
  if (inst->mods.negLo & 1)
    negatePlane(a);
  if (inst->mods.negLo & 2)
    negatePlane(b);
  readDoubles(wave, inst->op(3), inst->mods.negLo & 4, c);
  for (unsigned pair = 0; pair < pairs; ++pair)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned block = blocks == 1 ? 0 : lane / 4 % 4, n = lane % size;
      const unsigned m = 4 * pair + lane / 16;
      double sum = c[pair].lane[lane];
      for (unsigned k = 0; k < 4; ++k)
        sum = __builtin_fma(a.lane[16 * k + 4 * block + m], b.lane[16 * k + 4 * block + n], sum);
      d[pair].lane[lane] = sum;
    }
  for (unsigned pair = 0; pair < pairs; ++pair)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      writeRegister<double>(&wave.vectorRegister(inst->op(0)), 2 * pair, lane, d[pair].lane[lane]);
  return inst + 1;
}

namespace {
/// One instruction; the operands' register counts are checked against its shape.
struct MfmaRow {
  const char *name;
  Handler handler;
  uint8_t wordsA, wordsB, wordsD, blocks;
};
} // namespace

static llvm::Error prepareMfma(Instruction &inst) {
  const MfmaRow &row = *static_cast<const MfmaRow *>(inst.extra.pointer);
  const Operand &a = inst.op(1), &b = inst.op(2), &c = inst.op(3), &d = inst.op(0);
  if (!d.isVector() || d.count != row.wordsD || !a.isVector() || a.count != row.wordsA ||
      !b.isVector() || b.count != row.wordsB ||
      !(c.isConstant() || (c.isVector() && c.count == row.wordsD)))
    return refuse("expected " + llvm::Twine(unsigned(row.wordsD)) + " destination, " +
                  llvm::Twine(unsigned(row.wordsA)) + " and " + llvm::Twine(unsigned(row.wordsB)) +
                  " source registers");
  if ((1u << inst.mods.cbsz) > row.blocks || inst.mods.abid >= (1u << inst.mods.cbsz))
    return refuse("cbsz and abid must name one of " + llvm::Twine(unsigned(row.blocks)) +
                  " blocks, got " + llvm::Twine(unsigned(inst.mods.cbsz)) + " and " +
                  llvm::Twine(unsigned(inst.mods.abid)));
  if (inst.mods.blgp == 3)
    return refuse("blgp:3 is not implemented");
  return llvm::Error::success();
}

template <class A, unsigned size, unsigned blocks, class B = A>
static constexpr MfmaRow mfma(const char *name) {
  constexpr unsigned words = blocks * size * size / kLanes;
  return {name, executeMfma<A, B, size, blocks>, A::words, B::words, words, blocks};
}

static constexpr MfmaRow rows[] = {
    mfma<F32, 32, 2>("v_mfma_f32_32x32x1_2b_f32"),
    mfma<F32, 16, 4>("v_mfma_f32_16x16x1_4b_f32"),
    mfma<F32, 4, 16>("v_mfma_f32_4x4x1_16b_f32"),
    mfma<F32, 32, 1>("v_mfma_f32_32x32x2_f32"),
    mfma<F32, 16, 1>("v_mfma_f32_16x16x4_f32"),
    mfma<F16, 32, 2>("v_mfma_f32_32x32x4_2b_f16"),
    mfma<F16, 16, 4>("v_mfma_f32_16x16x4_4b_f16"),
    mfma<F16, 4, 16>("v_mfma_f32_4x4x4_16b_f16"),
    mfma<F16, 32, 1>("v_mfma_f32_32x32x8_f16"),
    mfma<F16, 16, 1>("v_mfma_f32_16x16x16_f16"),
    mfma<Bf16, 32, 2>("v_mfma_f32_32x32x4_2b_bf16"),
    mfma<Bf16, 16, 4>("v_mfma_f32_16x16x4_4b_bf16"),
    mfma<Bf16, 4, 16>("v_mfma_f32_4x4x4_16b_bf16"),
    mfma<Bf16, 32, 1>("v_mfma_f32_32x32x8_bf16"),
    mfma<Bf16, 16, 1>("v_mfma_f32_16x16x16_bf16"),
    mfma<I8<4>, 32, 2>("v_mfma_i32_32x32x4_2b_i8"),
    mfma<I8<4>, 16, 4>("v_mfma_i32_16x16x4_4b_i8"),
    mfma<I8<4>, 4, 16>("v_mfma_i32_4x4x4_16b_i8"),
    mfma<I8<8>, 32, 1>("v_mfma_i32_32x32x16_i8"),
    mfma<I8<8>, 16, 1>("v_mfma_i32_16x16x32_i8"),
    mfma<Xf32, 32, 1>("v_mfma_f32_32x32x4_xf32"),
    mfma<Xf32, 16, 1>("v_mfma_f32_16x16x8_xf32"),
    mfma<Fp8, 32, 1>("v_mfma_f32_32x32x16_fp8_fp8"),
    mfma<Fp8, 32, 1, Bf8>("v_mfma_f32_32x32x16_fp8_bf8"),
    mfma<Bf8, 32, 1, Fp8>("v_mfma_f32_32x32x16_bf8_fp8"),
    mfma<Bf8, 32, 1>("v_mfma_f32_32x32x16_bf8_bf8"),
    mfma<Fp8, 16, 1>("v_mfma_f32_16x16x32_fp8_fp8"),
    mfma<Fp8, 16, 1, Bf8>("v_mfma_f32_16x16x32_fp8_bf8"),
    mfma<Bf8, 16, 1, Fp8>("v_mfma_f32_16x16x32_bf8_fp8"),
    mfma<Bf8, 16, 1>("v_mfma_f32_16x16x32_bf8_bf8"),
    {"v_mfma_f64_16x16x4_f64", executeMfmaDouble<16>, 2, 2, 8, 1},
    {"v_mfma_f64_4x4x4_4b_f64", executeMfmaDouble<4>, 2, 2, 2, 1},
};

void mlir::ck::emulator::registerMfma(InstructionTable &table) {
  for (const MfmaRow &row : rows) {
    const bool isDouble = llvm::StringRef(row.name).contains("_f64");
    const ModifierSet accepted = isDouble
                                     ? modifiers(Modifier::Neg)
                                     : modifiers(Modifier::Cbsz, Modifier::Abid, Modifier::Blgp);
    table.add(row.name, {row.handler, InstructionClass::Mfma, accepted,
                         isDouble ? SourceType::F64 : SourceType::B32, 4, prepareMfma, &row});
  }
}
