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
/// The number that a half encodes, in integer operations, of which the host has vectors.
inline float widenHalf(uint16_t bits) {
  const uint32_t exponent = bits & 0x7c00, mantissa = bits & 0x3ff;
  const uint32_t denormal = bitsOf(static_cast<float>(static_cast<int32_t>(mantissa)) * 0x1p-24f);
  const uint32_t normal = (uint32_t(bits & 0x7fff) << 13) + (112u << 23);
  const uint32_t special = 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0);
  const uint32_t magnitude = exponent == 0 ? denormal : exponent == 0x7c00 ? special : normal;
  return floatOf(magnitude | uint32_t(bits & 0x8000) << 16);
}

/// Half `high` of each lane's register.
struct alignas(64) HalfPlane {
  uint16_t lane[kLanes];
  HalfPlane(const Lanes &words, unsigned high) {
    for (unsigned i = 0; i < kLanes; ++i)
      lane[i] = uint16_t(words[i] >> 16 * high);
  }
};
inline void widenHalves(const HalfPlane &halves, Plane<float> &plane) {
#if defined(__AVX512F__)
  for (unsigned i = 0; i < kLanes; i += 16)
    _mm512_store_ps(&plane.lane[i], _mm512_cvtph_ps(_mm256_load_si256(
                                        reinterpret_cast<const __m256i *>(&halves.lane[i]))));
#elif defined(__F16C__)
  for (unsigned i = 0; i < kLanes; i += 8)
    _mm256_store_ps(&plane.lane[i], _mm256_cvtph_ps(_mm_load_si128(
                                        reinterpret_cast<const __m128i *>(&halves.lane[i]))));
#else
  for (unsigned i = 0; i < kLanes; ++i)
    plane.lane[i] = widenHalf(halves.lane[i]);
#endif
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
    for (unsigned j = 0; j < elements; ++j) {
      HalfPlane halves(rows[j / 2], j % 2);
      if (flushes)
        for (uint16_t &bits : halves.lane)
          bits = flushHalfWord<10>(bits);
      widenHalves(halves, planes[j]);
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
/// The number that each byte encodes.
template <float (*widen)(uint8_t)>
inline const std::array<float, 256> &getByteValues() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values;
    for (unsigned i = 0; i < 256; ++i)
      values[i] = widen(uint8_t(i));
    return values;
  }();
  return table;
}
/// 8-bit floats; `widen` says of which format.
template <float (*widen)(uint8_t), unsigned elements = 8>
struct F8 {
  static constexpr bool isExact = true;
  static constexpr MatrixType type = MatrixType::Bits8;
  using Value = float;
  static constexpr unsigned perLane = elements, words = elements / 4;
  static constexpr bool flushes = false;
  static void unpack(const Lanes *rows, Plane<float> *planes) {
    const std::array<float, 256> &table = getByteValues<widen>();
    for (unsigned j = 0; j < elements; ++j)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        planes[j].lane[lane] = table[rows[j / 4][lane] >> (8 * (j % 4)) & 0xff];
  }
};
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

/// True where a product of such elements and its sum may be rounded one after the other: the
/// product is exact in single precision, and the host has no fused multiply-add of its own.
#if defined(__FMA__)
inline constexpr bool kSplitsExactProducts = false;
#else
inline constexpr bool kSplitsExactProducts = true;
#endif

inline float multiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline int32_t multiplyAdd(int32_t a, int32_t b, int32_t c) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b) +
                              static_cast<uint32_t>(c));
}
/// The same where the product is exact in single precision.
template <bool isExact, typename T>
inline T multiplyAddExact(T a, T b, T c) {
  if constexpr (isExact && kSplitsExactProducts)
    return a * b + c;
  else
    return multiplyAdd(a, b, c);
}
/// Adds a * b to `sum`. Vectors go by reference: how they are passed by value depends on the
/// vector registers of the host, of which compilers warn.
template <bool isExact = false, typename V, typename T>
inline void addProducts(T a, const V &b, V &sum) {
  using Splat __attribute__((ext_vector_type(sizeof(V) / sizeof(T)))) = T;
  const V factor = (V)(Splat(a));
  if constexpr (std::is_floating_point_v<T> && isExact && kSplitsExactProducts) {
    sum = factor * b + sum;
  } else if constexpr (std::is_floating_point_v<T>) {
    sum = __builtin_elementwise_fma(factor, b, sum);
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

/// One block of 32 or 16 rows: `kGroups` groups of lanes hold `perLane` k each, from `laneA` and
/// `laneB` on. A few rows at a time keep enough sums in flight for the host's multipliers; more
/// would not fit into its registers.
template <typename T, unsigned size, unsigned kGroups, unsigned perLane, bool pairs = false,
          bool isExact = false>
inline void multiplyBlock(const Plane<T> *a, const Plane<T> *b, unsigned laneA, unsigned laneB,
                          const Lanes *c, unsigned stepC, Lanes *d) {
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned length = VectorOf<T>::length, vectors = size / length;
#if defined(__AVX512F__)
  constexpr unsigned rows = 8;
#else
  constexpr unsigned rows = 4 / vectors;
#endif
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
        sum =
            multiplyAddExact<isExact>(a[j].lane[4 * blockOfA(lane / 4) + m], b[j].lane[lane], sum);
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
