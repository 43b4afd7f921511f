//===- MatrixBlocks.h - What matrix instructions have in common -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How registers hold the elements of A and B, and the products of blocks. See Mfma.cpp for the
// layouts.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MATRIX_MATRIXBLOCKS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MATRIX_MATRIXBLOCKS_H

#include "Emulator/Isa/Matrix/NarrowFloats.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include <array>
#include <immintrin.h>

namespace ckemu::matrix {

/// One number per lane, in the type that the product is computed in.
template <typename T>
struct alignas(64) Plane {
  T lane[kLanes];
};

/// The facts of a matrix instruction of such a shape.
constexpr InstructionFacts describeMatrix(const MatrixShape &shape) {
  InstructionFacts facts;
  facts.matrix = shape;
  return facts;
}

/// 64 bytes of numbers, the unit of the inner loop.
template <typename T>
struct VectorOf {
  using Type __attribute__((vector_size(64))) = T;
  static constexpr unsigned length = 64 / sizeof(T);
};

/// How registers become planes. `perLane` elements in `words` registers; `isExact` says that
/// products have all of their bits in single precision.
struct F32 {
  static constexpr bool isExact = false;
  static constexpr MatrixType type = MatrixType::F32;
  using Value = float;
  static constexpr bool flushes = false;
  static constexpr unsigned perLane = 1, words = 1;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    std::memcpy(planes[0].lane, rows[0].lane, sizeof(Lanes));
  }
};
struct Xf32 {
  static constexpr bool isExact = false;
  static constexpr MatrixType type = MatrixType::Xf32;
  using Value = float;
  static constexpr bool flushes = false;
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
/// A 16-bit float without its denormals, as the matrix instructions of gfx90a read it.
template <unsigned mantissaBits>
inline uint16_t flushHalfWord(uint16_t bits) {
  constexpr uint16_t exponent = uint16_t(0x7fff >> mantissaBits << mantissaBits);
  return bits & exponent ? bits : uint16_t(bits & 0x8000);
}
/// Halves and bfloats; with `flushes`, input and output denormals are zero.
template <unsigned elements, bool flushes_ = false>
struct F16 {
  static constexpr bool isExact = true;
  static constexpr MatrixType type = MatrixType::F16;
  using Value = float;
  static constexpr unsigned perLane = elements, words = elements / 2;
  static constexpr bool flushes = flushes_;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned i = 0; i < words; ++i) {
      Lanes flushed;
      for (unsigned lane = 0; flushes && lane < kLanes; ++lane)
        flushed[lane] = uint32_t(flushHalfWord<10>(uint16_t(rows[i][lane] >> 16))) << 16 |
                        flushHalfWord<10>(uint16_t(rows[i][lane]));
      for (unsigned high = 0; high < 2; ++high)
        widenHalves<kLanes>(flushes ? flushed.lane : rows[i].lane, high, planes[2 * i + high].lane);
    }
  }
};
template <unsigned elements, bool flushes_ = false>
struct Bf16 {
  static constexpr bool isExact = false;
  static constexpr MatrixType type = elements == 2 ? MatrixType::SlowBf16 : MatrixType::Bf16;
  using Value = float;
  static constexpr unsigned perLane = elements, words = elements / 2;
  static constexpr bool flushes = flushes_;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned j = 0; j < elements; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint16_t bits = uint16_t(rows[j / 2][lane] >> (16 * (j % 2)));
        planes[j].lane[lane] = bfloatToFloat(flushes ? flushHalfWord<7>(bits) : bits);
      }
  }
};
template <unsigned elements>
struct I8 {
  static constexpr bool isExact = false;
  static constexpr MatrixType type = MatrixType::Bits8;
  using Value = int32_t;
  static constexpr bool flushes = false;
  static constexpr unsigned perLane = elements, words = elements / 4;
  static void unpack(const Lanes *rows, Plane<int32_t> *planes) {
    for (unsigned j = 0; j < elements; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = int8_t(rows[j / 4][lane] >> (8 * (j % 4)));
  }
};
/// Bytes as pairs of 16-bit integers, the low half first: a step of the product adds two k.
template <unsigned elements>
struct I8Pairs {
  static constexpr unsigned perLane = elements / 2;
  static void unpack(const Lanes *rows, Plane<int32_t> *planes) {
    for (unsigned j = 0; j < perLane; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint32_t bytes = rows[j / 2][lane] >> (16 * (j % 2));
        const uint32_t low = uint32_t(int32_t(bytes << 24) >> 24) & 0xffff;
        planes[j].lane[lane] = int32_t(low | uint32_t(int32_t(bytes << 16) >> 24) << 16);
      }
  }
};
/// 8-bit floats; `widen` says of which format.
template <float (*widen)(uint32_t), unsigned elements = 8>
struct F8 {
  static constexpr bool isExact = true;
  static constexpr MatrixType type = MatrixType::Bits8;
  using Value = float;
  static constexpr unsigned perLane = elements, words = elements / 4;
  static constexpr bool flushes = false;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    for (unsigned j = 0; j < elements; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = widen(rows[j / 4][lane] >> (8 * (j % 4)) & 0xff);
  }
};
struct F64 {
  static void unpack(const Lanes *rows, Plane<double> *planes) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      planes[0].lane[lane] = doubleOf(rows[0][lane] | uint64_t(rows[1][lane]) << 32);
  }
  static void pack(const Plane<double> &plane, Lanes *rows) {
    CK_BLOCK_LOOP
    for (unsigned lane = 0; lane < kLanes; ++lane)
      rows[0][lane] = uint32_t(bitsOf(plane.lane[lane]));
    CK_BLOCK_LOOP
    for (unsigned lane = 0; lane < kLanes; ++lane)
      rows[1][lane] = uint32_t(bitsOf(plane.lane[lane]) >> 32);
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

/// True where a product of such elements and its sum may be rounded one after the other: the
/// product is exact in single precision, and the host has no fused multiply-add of its own.
#if defined(__FMA__)
inline constexpr bool kSplitsExactProducts = false;
#else
inline constexpr bool kSplitsExactProducts = true;
#endif

#if !defined(__FMA__)
/// Adds a * b to `sum`, rounded once, or those of each number of vectors, on hosts without an
/// instruction for it. Products are exact in double precision. The sum is rounded to odd there: of
/// the two numbers around an inexact one, the one whose last bit is set. As double precision has
/// more than two bits more than single precision, rounding that to nearest gives what rounding the
/// exact sum would.
template <typename V>
inline void addFused(const V &a, const V &b, V &sum) {
  constexpr size_t count = sizeof(V) / sizeof(float);
  using Double __attribute__((vector_size(count * sizeof(double)))) = double;
  using Bits __attribute__((vector_size(count * sizeof(double)))) = int64_t;
  const Double product = __builtin_convertvector(a, Double) * __builtin_convertvector(b, Double);
  const Double addend = __builtin_convertvector(sum, Double), total = product + addend;
  if (LLVM_UNLIKELY(__builtin_reduce_or((Bits)(total != total)))) { // which NaN depends on order
    for (size_t i = 0; i < count; ++i)
      sum[i] = __builtin_fmaf(a[i], b[i], sum[i]);
    return;
  }
  const Double part = total - product;
  const Double error = (product - (total - part)) + (addend - part); // exact; NaN beside infinity
  const Bits isInexact = (Bits)(error < 0) | (Bits)(error > 0);
  const Bits isEven = ((Bits)total & 1) - 1;
  const Bits towardsError = (((Bits)total ^ (Bits)error) >> 63) | 1;
  sum = __builtin_convertvector((Double)((Bits)total + (towardsError & isInexact & isEven)), V);
}
template <>
inline void addFused(const float &a, const float &b, float &sum) {
  sum = __builtin_fmaf(a, b, sum);
}
#endif

/// Adds a * b to `sum`: for a vector, those of each number; `isExact` says that products are exact
/// in single precision. Vectors go by reference: how they are passed by value depends on the vector
/// registers of the host, of which compilers warn.
template <bool isExact = false, typename V, typename T>
inline void addProducts(T a, const V &b, V &sum) {
  V factor;
  if constexpr (std::is_same_v<V, T>) {
    factor = a;
  } else {
    using Splat __attribute__((ext_vector_type(sizeof(V) / sizeof(T)))) = T;
    factor = (V)(Splat(a));
  }
  if constexpr (std::is_floating_point_v<T> && isExact && kSplitsExactProducts) {
    sum = factor * b + sum;
#if !defined(__FMA__)
  } else if constexpr (std::is_same_v<T, float>) {
    addFused(factor, b, sum);
#endif
  } else if constexpr (std::is_floating_point_v<T>) {
    sum = __builtin_elementwise_fma(factor, b, sum);
  } else if constexpr (std::is_same_v<V, T>) {
    sum = static_cast<T>(uint32_t(a) * uint32_t(b) + uint32_t(sum));
  } else {
    using Unsigned __attribute__((vector_size(sizeof(V)))) = uint32_t;
    sum = (V)((Unsigned)factor * (Unsigned)b + (Unsigned)sum);
  }
}

/// Adds the products of the halves of `a` and those of each element of `b`.
template <typename V>
inline void addPairProducts(int32_t a, const V &b, V &sum) {
#if defined(__AVX512BW__)
  using Part = __m512i;
  auto multiply = [&](const Part &part) { return _mm512_madd_epi16(_mm512_set1_epi32(a), part); };
#elif defined(__AVX2__)
  using Part = __m256i;
  auto multiply = [&](const Part &part) { return _mm256_madd_epi16(_mm256_set1_epi32(a), part); };
#else
  using Part = __m128i;
  auto multiply = [&](const Part &part) { return _mm_madd_epi16(_mm_set1_epi32(a), part); };
#endif
  Part parts[sizeof(V) / sizeof(Part)];
  std::memcpy(parts, &b, sizeof(V));
  for (Part &part : parts)
    part = multiply(part);
  V products;
  std::memcpy(&products, parts, sizeof(V));
  using Unsigned __attribute__((vector_size(sizeof(V)))) = uint32_t;
  sum = (V)((Unsigned)sum + (Unsigned)products);
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
inline T readRegister(const Lanes *rows, unsigned step, unsigned index, unsigned lane) {
  const Lanes *row = rows + size_t(index) * step;
  if constexpr (sizeof(T) == 8)
    return detail::bitCast<T>(row[0][lane] | uint64_t(row[1][lane]) << 32);
  else
    return detail::bitCast<T>(row[0][lane]);
}
template <typename T>
inline void writeRegister(Lanes *rows, unsigned index, unsigned lane, T value) {
  if constexpr (sizeof(T) == 8) {
    const auto bits = detail::bitCast<uint64_t>(value);
    rows[index][lane] = uint32_t(bits);
    rows[index + 1][lane] = uint32_t(bits >> 32);
  } else {
    rows[index][lane] = detail::bitCast<uint32_t>(value);
  }
}

/// Rows of sums that are computed at a time: enough to keep the host's multipliers busy, no more
/// than fit into its registers.
template <typename T, unsigned size>
inline constexpr unsigned kRowsAtATime =
#if defined(__AVX512F__)
    8;
#else
    4 * VectorOf<T>::length / size;
#endif

/// One block of 32 or 16 rows: `kGroups` groups of lanes hold `perLane` k each, from `laneA` and
/// `laneB` on.
template <typename T, unsigned size, unsigned kGroups, unsigned perLane, bool pairs = false,
          bool isExact = false>
inline void multiplyBlock(const Plane<T> *a, const Plane<T> *b, unsigned laneA, unsigned laneB,
                          const Lanes *c, unsigned stepC, Lanes *d) {
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned length = VectorOf<T>::length, vectors = size / length;
  constexpr unsigned rows = kRowsAtATime<T, size>;
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
            if constexpr (pairs)
              addPairProducts(a[j].lane[laneA + size * group + row + r], columns[v], sum[r][v]);
            else
              addProducts<isExact>(a[j].lane[laneA + size * group + row + r], columns[v],
                                   sum[r][v]);
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
template <typename T, unsigned perLane, bool isExact, class BlockOfA>
inline void multiplySmallBlocks(const Plane<T> *a, const Plane<T> *b, BlockOfA blockOfA,
                                const Lanes *c, unsigned stepC, Lanes *d) {
  Lanes result[4];
  for (unsigned m = 0; m < 4; ++m)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      T sum = readRegister<T>(c, stepC, m, lane);
      for (unsigned j = 0; j < perLane; ++j)
        addProducts<isExact>(a[j].lane[4 * blockOfA(lane / 4) + m], b[j].lane[lane], sum);
      writeRegister<T>(result, m, lane, sum);
    }
  std::memcpy(d, result, sizeof(result));
}

/// The registers of C, copied when they partly overlap those of D.
template <unsigned count>
inline const Lanes *separateC(const SourceC &c, const Lanes *d, std::array<Lanes, count> &copy) {
  if (c.step == 0 || c.rows == d || c.rows + count <= d || d + count <= c.rows)
    return c.rows;
  std::memcpy(copy.data(), c.rows, count * sizeof(Lanes));
  return copy.data();
}

/// The lane patterns of blgp: 1 and 2 repeat one half of the wave, 4 to 7 one quarter, and 3 moves
/// every quarter to the one before.
template <typename T>
inline void rearrangeLanes(Plane<T> &plane, unsigned pattern) {
  const Plane<T> source = plane;
  const unsigned kept = pattern == 3 ? 63 : pattern < 3 ? 31 : 15;
  const unsigned first = pattern == 3 ? 16 : pattern < 3 ? 32 * (pattern - 1) : 16 * (pattern - 4);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    plane.lane[lane] = source.lane[((lane & kept) + first) % kLanes];
}

/// The host's environment of a matrix instruction: to nearest even whatever MODE says, and with
/// denormals flushed where the element type says so. MODE has no influence otherwise.
class Environment {
public:
  Environment(const Wave &wave, bool flushes) : usual(wave) {
    if (flushes) {
      saved = _mm_getcsr();
      _mm_setcsr(saved | 0x8040); // DAZ and FTZ of MXCSR
    }
  }
  ~Environment() {
    if (saved)
      _mm_setcsr(saved);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  DefaultFloatEnvironment usual;
  unsigned saved = 0;
};

/// Refuses the one bit of MODE that matrix instructions obey and that is not modelled.
inline bool isModeModelled(const Wave &wave) { return !(wave.mode & kModeFp16Overflow); }

/// Refuses an instruction whose destination and factors are not registers of these counts, or whose
/// other sources are not right.
inline llvm::Error checkRegisters(const Instruction &inst, unsigned wordsD, unsigned wordsA,
                                  unsigned wordsB, bool othersFit, const char *others = "") {
  auto fits = [&](unsigned i, unsigned words) {
    return inst.op(i).isVector() && inst.op(i).count == words;
  };
  if (fits(0, wordsD) && fits(1, wordsA) && fits(2, wordsB) && othersFit)
    return llvm::Error::success();
  return refuse("expected " + llvm::Twine(wordsD) + " destination, " + llvm::Twine(wordsA) +
                " and " + llvm::Twine(wordsB) + " source registers" + others);
}

} // namespace ckemu::matrix

#endif // CK_MLIR_LIB_EMULATOR_ISA_MATRIX_MATRIXBLOCKS_H
