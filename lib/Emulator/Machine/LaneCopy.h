//===- LaneCopy.h - Copies between memory and registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unchecked inner loops of memory access, private to the LaneMemory implementation. Three kinds
// of addresses share them; each gives the host pointer of a lane, and with AVX-512 gathers dwords.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_LANECOPY_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_LANECOPY_H

#include "Emulator/Machine/Wave.h"
#include <immintrin.h>

namespace ckemu {

inline unsigned countLanes(LaneMask lanes) { return unsigned(__builtin_popcountll(lanes)); }

/// Lanes whose value is at most `limit`.
inline LaneMask findUpTo(const Lanes &values, uint32_t limit) {
  LaneMask result = 0;
#if defined(__AVX512F__)
  for (unsigned i = 0; i < kLanes; i += 16)
    result |= LaneMask(_mm512_cmple_epu32_mask(_mm512_load_si512(&values.lane[i]),
                                               _mm512_set1_epi32(int(limit))))
              << i;
#elif defined(__AVX2__)
  const __m256i bound = _mm256_set1_epi32(int(limit));
  for (unsigned i = 0; i < kLanes; i += 8) {
    const __m256i value = _mm256_load_si256(reinterpret_cast<const __m256i *>(&values.lane[i]));
    const __m256i fits = _mm256_cmpeq_epi32(_mm256_min_epu32(value, bound), value);
    result |= LaneMask(unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(fits)))) << i;
  }
#else
  for (unsigned i = 0; i < kLanes; ++i)
    result |= LaneMask(values[i] <= limit) << i;
#endif
  return result;
}

/// A host address per lane.
struct PointerLanes {
  const Lanes64 &addresses;
  uint8_t *at(unsigned lane) const { return reinterpret_cast<uint8_t *>(addresses[lane]); }
#if defined(__AVX512F__)
  /// Dwords of lanes [first, first + 16) that are in `mask`; the others are those of `old`.
  __m512i gather(unsigned first, __mmask16 mask, __m512i old) const {
    __m256i low =
        _mm512_mask_i64gather_epi32(_mm512_castsi512_si256(old), __mmask8(mask),
                                    _mm512_load_si512(&addresses.lane[first]), nullptr, 1);
    __m256i high =
        _mm512_mask_i64gather_epi32(_mm512_extracti64x4_epi64(old, 1), __mmask8(mask >> 8),
                                    _mm512_load_si512(&addresses.lane[first + 8]), nullptr, 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  /// Qwords of lanes [first, first + 8) that are in `mask`; the others are 0.
  __m512i gatherQwords(unsigned first, __mmask8 mask) const {
    return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), mask,
                                       _mm512_load_si512(&addresses.lane[first]), nullptr, 1);
  }
  /// Stores qwords of lanes [first, first + 8) that are in `mask`, in lane order.
  void scatterQwords(unsigned first, __mmask8 mask, __m512i values) const {
    _mm512_mask_i64scatter_epi64(nullptr, mask, _mm512_load_si512(&addresses.lane[first]), values,
                                 1);
  }
#endif
};

/// A base and an offset per lane.
struct OffsetLanes {
  uint8_t *base;
  const Lanes &offsets;
  uint8_t *at(unsigned lane) const { return base + offsets[lane]; }
#if defined(__AVX512F__)
  __m512i gather(unsigned first, __mmask16 mask, __m512i old) const {
    return _mm512_mask_i32gather_epi32(old, mask, _mm512_load_si512(&offsets.lane[first]), base, 1);
  }
  __m512i gatherQwords(unsigned first, __mmask8 mask) const {
    return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), mask, loadOffsets(first), base, 1);
  }
  void scatterQwords(unsigned first, __mmask8 mask, __m512i values) const {
    _mm512_mask_i32scatter_epi64(base, mask, loadOffsets(first), values, 1);
  }
  __m256i loadOffsets(unsigned first) const {
    return _mm256_load_si256(reinterpret_cast<const __m256i *>(&offsets.lane[first]));
  }
#endif
};

/// A segment of `size` bytes per lane and an offset in each.
struct SegmentLanes {
  uint8_t *base;
  uint32_t size;
  const Lanes &offsets;
  uint8_t *at(unsigned lane) const { return base + size_t(lane) * size + offsets[lane]; }
#if defined(__AVX512F__)
  __m512i gather(unsigned first, __mmask16 mask, __m512i old) const {
    alignas(64) uint32_t values[16];
    _mm512_store_si512(values, old);
    for (unsigned i = 0; i < 16; ++i)
      if (mask >> i & 1)
        std::memcpy(&values[i], at(first + i), sizeof(values[i]));
    return _mm512_load_si512(values);
  }
  __m512i gatherQwords(unsigned first, __mmask8 mask) const {
    alignas(64) uint64_t values[8] = {};
    for (unsigned i = 0; i < 8; ++i)
      if (mask >> i & 1)
        std::memcpy(&values[i], at(first + i), sizeof(values[i]));
    return _mm512_load_si512(values);
  }
  void scatterQwords(unsigned first, __mmask8 mask, __m512i values) const {
    alignas(64) uint64_t stored[8];
    _mm512_store_si512(stored, values);
    for (unsigned i = 0; i < 8; ++i)
      if (mask >> i & 1)
        std::memcpy(at(first + i), &stored[i], sizeof(stored[i]));
  }
#endif
};

/// True when a store of the low `size` bytes of `lane` changes nothing at `memory`.
inline bool holdsValue(const uint8_t *memory, const Lanes *const *data, unsigned lane,
                       unsigned size) {
  uint32_t old = 0;
  if (size < 4) {
    std::memcpy(&old, memory, size == 1 ? 1 : 2);
    return old == ((*data[0])[lane] & (size == 1 ? 0xffu : 0xffffu));
  }
  for (unsigned at = 0; at < size; at += 4) {
    std::memcpy(&old, memory + at, sizeof(old));
    if (old != (*data[at / 4])[lane])
      return false;
  }
  return true;
}

/// Loads of `Size` bytes, one lane after the other.
template <unsigned Size, class At>
inline void copyInByLane(At from, LaneMask lanes, Lanes *out) {
  constexpr unsigned kDwords = (Size + 3) / 4;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = unsigned(__builtin_ctzll(lanes));
    uint32_t value[kDwords] = {};
    std::memcpy(value, from.at(lane), Size);
    for (unsigned k = 0; k < kDwords; ++k)
      out[k][lane] = value[k];
  }
}

/// Stores of `Size` bytes in lane order.
template <unsigned Size, class At>
inline void copyOutByLane(At to, LaneMask lanes, const Lanes *const *data) {
  constexpr unsigned kDwords = (Size + 3) / 4;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = unsigned(__builtin_ctzll(lanes));
    uint32_t value[kDwords];
    for (unsigned k = 0; k < kDwords; ++k)
      value[k] = (*data[k])[lane];
    std::memcpy(to.at(lane), value, Size);
  }
}

#if !defined(__AVX512F__)
/// Transposes 4x4 dwords.
inline void transposeDwords(__m128i &a, __m128i &b, __m128i &c, __m128i &d) {
  const __m128i ab0 = _mm_unpacklo_epi32(a, b), ab1 = _mm_unpackhi_epi32(a, b);
  const __m128i cd0 = _mm_unpacklo_epi32(c, d), cd1 = _mm_unpackhi_epi32(c, d);
  a = _mm_unpacklo_epi64(ab0, cd0);
  b = _mm_unpackhi_epi64(ab0, cd0);
  c = _mm_unpacklo_epi64(ab1, cd1);
  d = _mm_unpackhi_epi64(ab1, cd1);
}

/// Loads of 16 bytes: four active lanes at a time through registers.
template <class At>
inline void copyInQuads(At from, LaneMask lanes, Lanes *out) {
  auto load = [&](unsigned lane) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from.at(lane)));
  };
  auto store = [&](unsigned k, unsigned first, __m128i value) {
    _mm_store_si128(reinterpret_cast<__m128i *>(&out[k].lane[first]), value);
  };
  for (unsigned first = 0; first < kLanes; first += 4) {
    const LaneMask four = lanes & LaneMask(15) << first;
    if (four != LaneMask(15) << first) {
      copyInByLane<16>(from, four, out);
      continue;
    }
    __m128i a = load(first), b = load(first + 1), c = load(first + 2), d = load(first + 3);
    transposeDwords(a, b, c, d);
    store(0, first, a);
    store(1, first, b);
    store(2, first, c);
    store(3, first, d);
  }
}

/// Stores of 16 bytes, in lane order.
template <class At>
inline void copyOutQuads(At to, LaneMask lanes, const Lanes *const *data) {
  auto load = [&](unsigned k, unsigned first) {
    return _mm_load_si128(reinterpret_cast<const __m128i *>(&data[k]->lane[first]));
  };
  auto store = [&](unsigned lane, __m128i value) {
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to.at(lane)), value);
  };
  for (unsigned first = 0; first < kLanes; first += 4) {
    const LaneMask four = lanes & LaneMask(15) << first;
    if (four != LaneMask(15) << first) {
      copyOutByLane<16>(to, four, data);
      continue;
    }
    __m128i a = load(0, first), b = load(1, first), c = load(2, first), d = load(3, first);
    transposeDwords(a, b, c, d);
    store(first, a);
    store(first + 1, b);
    store(first + 2, c);
    store(first + 3, d);
  }
}
#endif

#if defined(__AVX512F__)
/// Transposes the 4x4 dwords in each quarter of four vectors.
inline void transposeQuarters(__m512i &a, __m512i &b, __m512i &c, __m512i &d) {
  __m512i ab0 = _mm512_unpacklo_epi32(a, b), ab1 = _mm512_unpackhi_epi32(a, b);
  __m512i cd0 = _mm512_unpacklo_epi32(c, d), cd1 = _mm512_unpackhi_epi32(c, d);
  a = _mm512_unpacklo_epi64(ab0, cd0);
  b = _mm512_unpackhi_epi64(ab0, cd0);
  c = _mm512_unpacklo_epi64(ab1, cd1);
  d = _mm512_unpackhi_epi64(ab1, cd1);
}

/// 16 bytes of lanes first, first + 4, first + 8, first + 12 in the quarters of a vector.
template <class Pointer>
inline __m512i loadQuarters(Pointer pointer, unsigned first) {
  auto load = [&](unsigned lane) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(pointer(lane)));
  };
  __m512i result = _mm512_castsi128_si512(load(first));
  result = _mm512_inserti32x4(result, load(first + 4), 1);
  result = _mm512_inserti32x4(result, load(first + 8), 2);
  return _mm512_inserti32x4(result, load(first + 12), 3);
}

/// Loads of 16 bytes: sixteen lanes at a time through registers.
template <class At>
inline void copyInQuads(At from, LaneMask lanes, Lanes *out) {
  alignas(16) static const uint8_t nothing[16] = {};
  for (unsigned first = 0; first < kLanes; first += 16) {
    __mmask16 mask = __mmask16(lanes >> first);
    __m512i row[4];
    if (mask == 0xffff) {
      for (unsigned i = 0; i < 4; ++i)
        row[i] = loadQuarters([&](unsigned lane) { return from.at(lane); }, first + i);
    } else if (mask == 0) {
      continue;
    } else {
      auto pointer = [&](unsigned lane) -> const uint8_t * {
        return lanes >> lane & 1 ? from.at(lane) : nothing;
      };
      for (unsigned i = 0; i < 4; ++i)
        row[i] = loadQuarters(pointer, first + i);
    }
    transposeQuarters(row[0], row[1], row[2], row[3]);
    for (unsigned k = 0; k < 4; ++k)
      _mm512_mask_store_epi32(&out[k].lane[first], mask, row[k]);
  }
}

/// Stores of 16 bytes of all lanes.
template <class At>
inline void copyOutQuads(At to, const Lanes *const *data) {
  for (unsigned first = 0; first < kLanes; first += 16) {
    __m512i row[4];
    for (unsigned k = 0; k < 4; ++k)
      row[k] = _mm512_load_si512(&data[k]->lane[first]);
    transposeQuarters(row[0], row[1], row[2], row[3]);
    auto store = [&](unsigned lane, __m128i value) {
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to.at(lane)), value);
    };
    // Ascending lanes, so that the last of several lanes with one address wins.
    for (unsigned i = 0; i < 4; ++i)
      store(first + i, _mm512_castsi512_si128(row[i]));
    for (unsigned i = 0; i < 4; ++i)
      store(first + 4 + i, _mm512_extracti32x4_epi32(row[i], 1));
    for (unsigned i = 0; i < 4; ++i)
      store(first + 8 + i, _mm512_extracti32x4_epi32(row[i], 2));
    for (unsigned i = 0; i < 4; ++i)
      store(first + 12 + i, _mm512_extracti32x4_epi32(row[i], 3));
  }
}

/// Loads of 4 bytes.
template <class At>
inline void copyInDwords(At from, LaneMask lanes, Lanes *out) {
  for (unsigned first = 0; first < kLanes; first += 16) {
    __mmask16 mask = __mmask16(lanes >> first);
    __m512i *destination = reinterpret_cast<__m512i *>(&out->lane[first]);
    *destination = from.gather(first, mask, *destination);
  }
}

/// Where the low dwords (and one further: the high dwords) of sixteen qwords in two vectors are.
inline __m512i getEvenDwords() {
  return _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
}

/// Loads of 8 bytes.
template <class At>
inline void copyInPairs(At from, LaneMask lanes, Lanes *out) {
  const __m512i even = getEvenDwords(), odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  for (unsigned first = 0; first < kLanes; first += 16) {
    __mmask16 mask = __mmask16(lanes >> first);
    __m512i low = from.gatherQwords(first, __mmask8(mask));
    __m512i high = from.gatherQwords(first + 8, __mmask8(mask >> 8));
    _mm512_mask_store_epi32(&out[0].lane[first], mask, _mm512_permutex2var_epi32(low, even, high));
    _mm512_mask_store_epi32(&out[1].lane[first], mask, _mm512_permutex2var_epi32(low, odd, high));
  }
}

/// Stores of 8 bytes, in lane order.
template <class At>
inline void copyOutPairs(At to, LaneMask lanes, const Lanes *const *data) {
  const __m512i lowHalf = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i highHalf = _mm512_add_epi32(lowHalf, _mm512_set1_epi32(8));
  for (unsigned first = 0; first < kLanes; first += 16) {
    __mmask16 mask = __mmask16(lanes >> first);
    __m512i a = _mm512_load_si512(&data[0]->lane[first]);
    __m512i b = _mm512_load_si512(&data[1]->lane[first]);
    to.scatterQwords(first, __mmask8(mask), _mm512_permutex2var_epi32(a, lowHalf, b));
    to.scatterQwords(first + 8, __mmask8(mask >> 8), _mm512_permutex2var_epi32(a, highHalf, b));
  }
}
#endif

/// Loads `size` (1, 2, 4, 8, 12, 16) bytes per lane, zero extended to dwords. `out` may be the
/// registers that hold the addresses.
template <class At>
inline void copyIn(At from, LaneMask lanes, unsigned size, Lanes *out) {
  switch (size) {
  case 1:
    return copyInByLane<1>(from, lanes, out);
  case 2:
    return copyInByLane<2>(from, lanes, out);
  case 12:
    return copyInByLane<12>(from, lanes, out);
#if defined(__AVX512F__)
  case 4:
    return copyInDwords(from, lanes, out);
  case 8:
    return copyInPairs(from, lanes, out);
  default:
    return copyInQuads(from, lanes, out);
#else
  case 4:
    return copyInByLane<4>(from, lanes, out);
  case 8:
    return copyInByLane<8>(from, lanes, out);
  default:
    return copyInQuads(from, lanes, out);
#endif
  }
}

/// Stores the low `size` (1, 2, 4, 8, 12, 16) bytes of `data` per lane.
template <class At>
inline void copyOut(At to, LaneMask lanes, unsigned size, const Lanes *const *data) {
  switch (size) {
  case 1:
    return copyOutByLane<1>(to, lanes, data);
  case 2:
    return copyOutByLane<2>(to, lanes, data);
  case 4:
    return copyOutByLane<4>(to, lanes, data);
  case 8:
#if defined(__AVX512F__)
    return copyOutPairs(to, lanes, data);
#else
    return copyOutByLane<8>(to, lanes, data);
#endif
  case 12:
    return copyOutByLane<12>(to, lanes, data);
  default:
#if defined(__AVX512F__)
    if (lanes == ~LaneMask(0))
      return copyOutQuads(to, data);
    return copyOutByLane<16>(to, lanes, data);
#else
    return copyOutQuads(to, lanes, data);
#endif
  }
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_LANECOPY_H
