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
      widenHalves<kLanes>(flushes ? flushed.lane : rows[i].lane, planes[2 * i].lane,
                          planes[2 * i + 1].lane);
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
/// A double lies in two registers, of which the first has its low half.
struct F64 {
  /// The doubles of two registers; those of opposite sign if `isNegated`.
  static void unpack(const Lanes *rows, bool isNegated, Plane<double> &plane) {
    const uint32_t flippedBits = uint32_t(isNegated) << 31;
    for (unsigned lane = 0; lane < kLanes; lane += kWords) {
      Words low, high;
      std::memcpy(&low, &rows[0].lane[lane], sizeof(low));
      std::memcpy(&high, &rows[1].lane[lane], sizeof(high));
      high ^= flippedBits;
      const Words first = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                                  21, 6, 22, 7, 23);
      const Words second = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                                   13, 29, 14, 30, 15, 31);
      std::memcpy(&plane.lane[lane], &first, sizeof(first));
      std::memcpy(&plane.lane[lane + kWords / 2], &second, sizeof(second));
    }
  }
  static void pack(const Plane<double> &plane, Lanes *rows) {
    for (unsigned lane = 0; lane < kLanes; lane += kWords) {
      Words first, second;
      std::memcpy(&first, &plane.lane[lane], sizeof(first));
      std::memcpy(&second, &plane.lane[lane + kWords / 2], sizeof(second));
      const Words low = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                                20, 22, 24, 26, 28, 30);
      const Words high = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                                 21, 23, 25, 27, 29, 31);
      std::memcpy(&rows[0].lane[lane], &low, sizeof(low));
      std::memcpy(&rows[1].lane[lane], &high, sizeof(high));
    }
  }

private:
  using Words = VectorOf<uint32_t>::Type;
  static constexpr unsigned kWords = VectorOf<uint32_t>::length;
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
/// Adds a * b to each number of `sum`, rounded once, on hosts without an instruction for it.
/// Products are exact in double precision. Rounding their sums there and then to single precision
/// gives what rounding the exact sum would, unless the first rounding ends in the middle of two
/// numbers in single precision, or where those are denormal. Which NaN comes out of several depends
/// on the instruction. These are left to the library.
inline void addFused(const VectorOf<float>::Type &a, const VectorOf<float>::Type &b,
                     VectorOf<float>::Type &sum) {
  using V = VectorOf<float>::Type;
  constexpr unsigned count = VectorOf<float>::length;
  using Double __attribute__((vector_size(2 * sizeof(V)))) = double;
  using Words __attribute__((vector_size(2 * sizeof(V)))) = int32_t;
  const Double total = __builtin_convertvector(a, Double) * __builtin_convertvector(b, Double) +
                       __builtin_convertvector(sum, Double);
  const Words words = (Words)total;
  const auto low = __builtin_shufflevector(words, words, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                                           24, 26, 28, 30);
  const auto high = __builtin_shufflevector(words, words, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,
                                            25, 27, 29, 31) &
                    0x7fffffff;
  constexpr int32_t leastNormal = (1023 - 126) << 20, infinity = 0x7ff << 20;
  const auto isDoubtful =
      ((low & 0x1fffffff) == 0x10000000) | ((high > 0) & (high < leastNormal)) | (high >= infinity);
  if (LLVM_LIKELY(!__builtin_reduce_or(isDoubtful))) {
    sum = __builtin_convertvector(total, V);
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    sum[i] = __builtin_fmaf(a[i], b[i], sum[i]);
}
#endif

/// Adds a * b to `sum`, number by number; `isExact` says that products are exact in single
/// precision. Vectors go by reference: how they are passed by value depends on the vector registers
/// of the host, of which compilers warn.
template <bool isExact = false, typename V>
inline void addProducts(const V &a, const V &b, V &sum) {
  using T = std::decay_t<decltype(a[0])>;
  if constexpr (std::is_same_v<T, int32_t>) {
    using Unsigned __attribute__((vector_size(sizeof(V)))) = uint32_t;
    sum = (V)((Unsigned)a * (Unsigned)b + (Unsigned)sum);
  } else if constexpr (isExact && kSplitsExactProducts) {
    sum = a * b + sum;
#if !defined(__FMA__)
  } else if constexpr (std::is_same_v<T, float>) {
    addFused(a, b, sum);
#endif
  } else {
    sum = __builtin_elementwise_fma(a, b, sum);
  }
}

/// Adds `a` times each number of `b`.
template <bool isExact = false, typename V, typename T>
inline void addMultiples(T a, const V &b, V &sum) {
  using Splat __attribute__((ext_vector_type(sizeof(V) / sizeof(T)))) = T;
  addProducts<isExact>((V)(Splat(a)), b, sum);
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

/// Where a row of D is: its register, and the first of its lanes.
template <unsigned size>
struct RowPlace {
  unsigned reg, lane;
  explicit RowPlace(unsigned row) {
    constexpr unsigned groups = kLanes / size;
    reg = 4 * (row / (4 * groups)) + row % 4;
    lane = size * (row / 4 % groups);
  }
};

/// The rows of C from `first` on, an array of numbers of 32 bits each; `step` is that of SourceC.
template <unsigned size, class Row, size_t count>
LLVM_ATTRIBUTE_ALWAYS_INLINE void readRows(const Lanes *c, unsigned step, unsigned first,
                                           Row (&rows)[count]) {
  static_assert(sizeof(Row) == size * sizeof(uint32_t));
  for (unsigned r = 0; r < count; ++r) {
    const RowPlace<size> place(first + r);
    std::memcpy(&rows[r], &c[size_t(place.reg) * step].lane[place.lane], sizeof(Row));
  }
}
template <unsigned size, class Row, size_t count>
LLVM_ATTRIBUTE_ALWAYS_INLINE void writeRows(const Row (&rows)[count], unsigned first, Lanes *d) {
  static_assert(sizeof(Row) == size * sizeof(uint32_t));
  for (unsigned r = 0; r < count; ++r) {
    const RowPlace<size> place(first + r);
    std::memcpy(&d[place.reg].lane[place.lane], &rows[r], sizeof(Row));
  }
}

/// Rows of sums that are computed at a time: enough to keep the host's multipliers busy, no more
/// than fit into its registers.
template <typename T, unsigned size>
inline constexpr unsigned kRowsAtATime =
#if defined(__AVX512F__)
    16 * VectorOf<T>::length / size;
#elif defined(__AVX2__)
    4 * VectorOf<T>::length / size;
#else
    2 * VectorOf<T>::length / size;
#endif

/// One block of 32 or 16 rows: `kGroups` groups of lanes hold `perLane` k each, from `laneA` and
/// `laneB` on.
template <typename T, unsigned size, unsigned kGroups, unsigned perLane, bool pairs = false,
          bool isExact = false>
LLVM_ATTRIBUTE_ALWAYS_INLINE void multiplyBlock(const Plane<T> *a, const Plane<T> *b, size_t laneA,
                                                size_t laneB, const Lanes *c, unsigned stepC,
                                                Lanes *d) {
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned vectors = size / VectorOf<T>::length;
  constexpr unsigned rows = kRowsAtATime<T, size>;
  for (unsigned row = 0; row < size; row += rows) {
    Vector sum[rows][vectors];
    readRows<size>(c, stepC, row, sum);
    for (unsigned group = 0; group < kGroups; ++group)
      for (unsigned j = 0; j < perLane; ++j) {
        const T *factors = &a[j].lane[laneA + size * group + row];
        Vector columns[vectors];
        std::memcpy(columns, &b[j].lane[laneB + size * group], sizeof(columns));
        for (unsigned r = 0; r < rows; ++r)
          for (unsigned v = 0; v < vectors; ++v)
            if constexpr (pairs)
              addPairProducts(factors[r], columns[v], sum[r][v]);
            else
              addMultiples<isExact>(factors[r], columns[v], sum[r][v]);
      }
    writeRows<size>(sum, row, d);
  }
}

/// Adds the products of row m of A in each block of four lanes.
template <unsigned m, bool isExact, typename V>
inline void addSmallRow(const V &a, const V &b, V &sum) {
  const V factors = __builtin_shufflevector(a, a, m, m, m, m, m + 4, m + 4, m + 4, m + 4, m + 8,
                                            m + 8, m + 8, m + 8, m + 12, m + 12, m + 12, m + 12);
  addProducts<isExact>(factors, b, sum);
}

/// 16 blocks of 4 x 4: D(m, n) in register m, lane 4 * block + n. All rows of a vector of lanes
/// are computed together, so that A and B are read once.
template <typename T, unsigned perLane, bool isExact>
inline void multiplySmallBlocks(const Plane<T> *a, const Plane<T> *b, const Lanes *c,
                                unsigned stepC, Lanes *d) {
  using Vector = typename VectorOf<T>::Type;
  for (unsigned lane = 0; lane < kLanes; lane += VectorOf<T>::length) {
    Vector sum[4], rows, columns;
    for (unsigned m = 0; m < 4; ++m)
      std::memcpy(&sum[m], &c[size_t(m) * stepC].lane[lane], sizeof(Vector));
    for (unsigned j = 0; j < perLane; ++j) {
      std::memcpy(&rows, &a[j].lane[lane], sizeof(rows));
      std::memcpy(&columns, &b[j].lane[lane], sizeof(columns));
      addSmallRow<0, isExact>(rows, columns, sum[0]);
      addSmallRow<1, isExact>(rows, columns, sum[1]);
      addSmallRow<2, isExact>(rows, columns, sum[2]);
      addSmallRow<3, isExact>(rows, columns, sum[3]);
    }
    for (unsigned m = 0; m < 4; ++m)
      std::memcpy(&d[m].lane[lane], &sum[m], sizeof(Vector));
  }
}

/// Gives block `block` of four lanes to all.
template <typename T>
inline void repeatSmallBlock(Plane<T> &plane, unsigned block) {
  const Plane<T> source = plane;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    plane.lane[lane] = source.lane[4 * block + lane % 4];
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

/// Flushes denormals on the host while it lives, where `flushes` says so, within an environment
/// that keeps them.
class FlushingEnvironment {
public:
  explicit FlushingEnvironment(bool flushes) {
    if (flushes) {
      saved = _mm_getcsr();
      _mm_setcsr(saved | 0x8040); // DAZ and FTZ of MXCSR
    }
  }
  ~FlushingEnvironment() {
    if (saved)
      _mm_setcsr(saved);
  }
  FlushingEnvironment(const FlushingEnvironment &) = delete;
  FlushingEnvironment &operator=(const FlushingEnvironment &) = delete;

private:
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
