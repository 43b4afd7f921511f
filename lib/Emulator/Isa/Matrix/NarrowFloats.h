//===- NarrowFloats.h - Halves and smaller floats as vectors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that floats of 4 to 16 bits encode, in integer operations, of which the host has
// vectors: a look into a table for each number takes as long as the product.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MATRIX_NARROWFLOATS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MATRIX_NARROWFLOATS_H

#include "Emulator/Isa/Number/Numeric.h"
#include <immintrin.h>

namespace ckemu::matrix {

/// The bits of the number that `code` encodes in the low `bits` bits, without any special number.
template <unsigned bits, unsigned mantissaBits, int bias>
inline uint32_t widenFinite(uint32_t code) {
  constexpr uint32_t signBit = 1u << (bits - 1);
  const float unit = floatOf(uint32_t(128 - bias - int(mantissaBits)) << 23);
  const uint32_t magnitude = code & (signBit - 1);
  const uint32_t denormal = bitsOf(static_cast<float>(static_cast<int32_t>(magnitude)) * unit);
  const uint32_t normal = (magnitude << (23 - mantissaBits)) + (uint32_t(127 - bias) << 23);
  return (magnitude >> mantissaBits ? normal : denormal) | (code & signBit) << (32 - bits);
}

/// Those of gfx942, see fp8ToFloat and bf8ToFloat.
inline float widenFp8(uint32_t code) {
  return floatOf(code == 0x80 ? 0x7fc00000 : widenFinite<8, 3, 8>(code));
}
inline float widenBf8(uint32_t code) {
  return floatOf(code == 0x80 ? 0x7fc00000 : widenFinite<8, 2, 16>(code));
}
/// Those of the OCP, see ocpFp8ToFloat and the following.
inline float widenOcpFp8(uint32_t code) {
  const uint32_t nan = 0x7fc00000 | (code & 0x80) << 24;
  return floatOf((code & 0x7f) == 0x7f ? nan : widenFinite<8, 3, 7>(code));
}
inline float widenOcpBf8(uint32_t code) {
  const uint32_t magnitude = code & 0x7f;
  const uint32_t special = (magnitude == 0x7c ? 0x7f800000 : 0x7fc00000) | (code & 0x80) << 24;
  return floatOf(magnitude >= 0x7c ? special : widenFinite<8, 2, 15>(code));
}
inline float widenFp6(uint32_t code) { return floatOf(widenFinite<6, 3, 1>(code)); }
inline float widenBf6(uint32_t code) { return floatOf(widenFinite<6, 2, 3>(code)); }
inline float widenFp4(uint32_t code) { return floatOf(widenFinite<4, 1, 1>(code)); }

/// The number that a half encodes. Read as single precision, its exponent is too small by the
/// difference of the biases, also where it is denormal.
inline float widenHalf(uint16_t bits) {
  const int32_t magnitude = bits & 0x7fff;
  const uint32_t special = 0x7f800000 | (magnitude > 0x7c00 ? 0x400000 : 0);
  const uint32_t finite = bitsOf(floatOf(uint32_t(magnitude) << 13) * 0x1p112f);
  return floatOf(finite | (magnitude >= 0x7c00 ? special : 0) | uint32_t(bits & 0x8000) << 16);
}

/// The low and the high halves of `count` words, by the host's conversion where it has one.
template <unsigned count>
inline void widenHalves(const uint32_t *words, float *low, float *high) {
  static_assert(count % 16 == 0);
#if defined(__AVX512BW__)
  alignas(64) static constexpr uint16_t kHighBehindLow[32] = {
      0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
      1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
  const __m512i order = _mm512_load_si512(kHighBehindLow);
  for (unsigned i = 0; i < count; i += 16) {
    const __m512i halves = _mm512_permutexvar_epi16(order, _mm512_loadu_si512(words + i));
    _mm512_storeu_ps(low + i, _mm512_cvtph_ps(_mm512_castsi512_si256(halves)));
    _mm512_storeu_ps(high + i, _mm512_cvtph_ps(_mm512_extracti64x4_epi64(halves, 1)));
  }
#else
  for (unsigned shift = 0; shift < 32; shift += 16) {
    float *out = shift == 0 ? low : high;
    uint16_t halves[count];
    for (unsigned i = 0; i < count; ++i)
      halves[i] = static_cast<uint16_t>(words[i] >> shift);
#if defined(__F16C__)
    for (unsigned i = 0; i < count; i += 8)
      _mm256_storeu_ps(
          out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(halves + i))));
#else
    for (unsigned i = 0; i < count; ++i)
      out[i] = widenHalf(halves[i]);
#endif
  }
#endif
}

} // namespace ckemu::matrix

#endif // CK_MLIR_LIB_EMULATOR_ISA_MATRIX_NARROWFLOATS_H
