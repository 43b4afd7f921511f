//===- LaneMasks.h - One bit per lane and 32 bits per lane -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host compiler does not find by itself: how the bits of a mask become masks of the host's
// vectors, and comparisons of lanes become bits. Every x86-64 has SSE2, so that the portable
// handlers have a way with vectors, too.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_LANEMASKS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_LANEMASKS_H

#include "Emulator/Decode/Lanes.h"
#include <cstring>
#include <immintrin.h>

/// Before a loop over the lanes of a block, whose iterations are independent. Without the widths
/// the compiler unrolls such a short loop before it could make vectors of it.
#if defined(__AVX512F__)
#define CK_BLOCK_LOOP                                                                              \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(2) unroll(disable)")
#else
#define CK_BLOCK_LOOP                                                                              \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(4) unroll(disable)")
#endif

namespace ckemu {

/// The lanes that loops treat at a time: a wave has 32 or 64.
inline constexpr unsigned kBlockLanes = 32;

namespace detail {

/// Copies the lanes of `mask`; both are aligned to 64 bytes.
inline void blendBlock(uint32_t *destination, const uint32_t *value, uint32_t mask) {
#if defined(__AVX512F__)
  for (unsigned i = 0; i < kBlockLanes; i += 16)
    _mm512_mask_store_epi32(destination + i, __mmask16(mask >> i), _mm512_load_si512(value + i));
#elif defined(__AVX2__)
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (unsigned i = 0; i < kBlockLanes; i += 8) {
    const __m256i spread = _mm256_and_si256(_mm256_set1_epi32(int(mask >> i)), bits);
    const __m256i keep = _mm256_cmpeq_epi32(spread, _mm256_setzero_si256());
    auto *to = reinterpret_cast<__m256i *>(destination + i);
    const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i *>(value + i));
    _mm256_store_si256(to, _mm256_blendv_epi8(from, _mm256_load_si256(to), keep));
  }
#else
  const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
  for (unsigned i = 0; i < kBlockLanes; i += 4) {
    const __m128i spread = _mm_and_si128(_mm_set1_epi32(int(mask >> i)), bits);
    const __m128i keep = _mm_cmpeq_epi32(spread, _mm_setzero_si128());
    auto *to = reinterpret_cast<__m128i *>(destination + i);
    const __m128i from = _mm_load_si128(reinterpret_cast<const __m128i *>(value + i));
    _mm_store_si128(
        to, _mm_or_si128(_mm_and_si128(keep, _mm_load_si128(to)), _mm_andnot_si128(keep, from)));
  }
#endif
}

} // namespace detail

/// Copies the lanes of `mask` from `value` to `destination`.
inline void copyLanes(Lanes &destination, const Lanes &value, LaneMask mask) {
#if defined(__AVX512F__)
  for (unsigned begin = 0; begin < kLanes; begin += kBlockLanes)
    detail::blendBlock(destination.lane + begin, value.lane + begin, uint32_t(mask >> begin));
#else
  for (unsigned begin = 0; begin < kLanes; begin += kBlockLanes) {
    const auto part = uint32_t(mask >> begin);
    if (part == ~0u)
      std::memmove(destination.lane + begin, value.lane + begin, kBlockLanes * sizeof(uint32_t));
    else if (part != 0)
      detail::blendBlock(destination.lane + begin, value.lane + begin, part);
  }
#endif
}

/// Packs one byte (0 or 1) of each lane of a block into one bit.
inline uint32_t packBlockBits(const uint8_t *bytes) {
#if defined(__AVX2__)
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(bytes));
  return uint32_t(_mm256_movemask_epi8(_mm256_slli_epi16(all, 7)));
#else
  uint32_t mask = 0;
  for (unsigned i = 0; i < kBlockLanes; i += 16) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + i));
    mask |= uint32_t(_mm_movemask_epi8(_mm_slli_epi16(part, 7))) << i;
  }
  return mask;
#endif
}

/// The same for 64 lanes.
inline LaneMask packLaneBits(const uint8_t *bytes) {
#if defined(__AVX512BW__)
  const __m512i all = _mm512_loadu_si512(bytes);
  return _mm512_test_epi8_mask(all, all);
#else
  return LaneMask(packBlockBits(bytes + kBlockLanes)) << kBlockLanes | packBlockBits(bytes);
#endif
}

/// The lanes of a block in which a single-precision number is NaN.
inline uint32_t findNansInBlock(const uint32_t *bits) {
  uint32_t mask = 0;
#if defined(__AVX512F__)
  for (unsigned i = 0; i < kBlockLanes; i += 16) {
    const __m512 value = _mm512_loadu_ps(bits + i);
    mask |= uint32_t(_mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q)) << i;
  }
#elif defined(__AVX2__)
  for (unsigned i = 0; i < kBlockLanes; i += 8) {
    const __m256 value = _mm256_loadu_ps(reinterpret_cast<const float *>(bits + i));
    mask |= uint32_t(_mm256_movemask_ps(_mm256_cmp_ps(value, value, _CMP_UNORD_Q))) << i;
  }
#else
  for (unsigned i = 0; i < kBlockLanes; i += 4) {
    const __m128 value = _mm_loadu_ps(reinterpret_cast<const float *>(bits + i));
    mask |= uint32_t(_mm_movemask_ps(_mm_cmpunord_ps(value, value))) << i;
  }
#endif
  return mask;
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_LANEMASKS_H
