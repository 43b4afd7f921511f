//===- LaneRows.h - Operands of vector instructions as rows of lanes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand is a row of 32-bit words for each of its registers. The classes here give the value of
// a lane as the type that an instruction computes with, also with modifiers that are bit operations
// and the same for all lanes, so that they cost next to nothing inside a loop over lanes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTOR_LANEROWS_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTOR_LANEROWS_H

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Machine/LaneMasks.h"
#include <cstdint>
#include <type_traits>

namespace ckemu {

/// Most 32-bit words in one operand of a vector ALU instruction.
constexpr unsigned kMaxWords = 4;

/// Operands of a vector instruction after operand fetch. A row holds one 32-bit word per lane.
struct LaneOperands {
  const uint32_t *src[3][kMaxWords]; ///< rows of each source, low word first
  uint32_t *dst[kMaxWords];          ///< rows of the result; may be the same rows as sources
  LaneMask bitsIn = 0;               ///< carry in or VCC
  LaneMask bitsOut = 0;              ///< comparison or carry out
  LaneMask exec = ~LaneMask(0);      ///< active lanes; NaNs of the others do not matter
  uint32_t mode = 0;                 ///< the wave's MODE, see ModeBits
  unsigned lanes = kLanes; ///< lanes from the first one on that must be computed: 32 or 64
};

/// Computes the first LaneOperands::lanes lanes of an instruction at least, active or not; the
/// caller merges by EXEC.
using LaneFunction = void (*)(LaneOperands &);

/// How an operand's bits are understood by modifiers, constants and denormal rules.
enum class LaneType : uint8_t { None, B16, B32, B64, B96, B128, F16, F32, F64 };

/// Number of 32-bit registers that an operand of `type` occupies.
constexpr unsigned wordsOf(LaneType type) {
  switch (type) {
  case LaneType::None:
    return 0;
  case LaneType::B16:
  case LaneType::B32:
  case LaneType::F16:
  case LaneType::F32:
    return 1;
  case LaneType::B64:
  case LaneType::F64:
    return 2;
  case LaneType::B96:
    return 3;
  case LaneType::B128:
    return 4;
  }
  return 0;
}

constexpr bool isFloat(LaneType type) {
  return type == LaneType::F16 || type == LaneType::F32 || type == LaneType::F64;
}
constexpr bool is16Bit(LaneType type) { return type == LaneType::F16 || type == LaneType::B16; }

namespace detail {

template <typename T>
constexpr LaneType laneTypeOf() {
  if constexpr (std::is_same_v<T, half>)
    return LaneType::F16;
  else if constexpr (std::is_same_v<T, float>)
    return LaneType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return LaneType::F64;
  else if constexpr (std::is_same_v<T, bool>)
    return LaneType::None;
  else if constexpr (sizeof(T) <= 2)
    return LaneType::B16;
  else if constexpr (sizeof(T) == 4)
    return LaneType::B32;
  else
    return LaneType::B64;
}

template <typename T>
struct SourceRows {
  const uint32_t *low, *high;
  SourceRows(const uint32_t *const *rows) : low(rows[0]), high(rows[1]) {}
  T operator[](unsigned lane) const {
    if constexpr (sizeof(T) == 2)
      return bitCast<T>(static_cast<uint16_t>(low[lane]));
    else if constexpr (sizeof(T) == 4)
      return bitCast<T>(low[lane]);
    else
      return bitCast<T>(low[lane] | static_cast<uint64_t>(high[lane]) << 32);
  }
};

/// The rows of a source with what neg, abs and the choice of a half make of them.
template <typename T>
struct ModifiedRows {
  const uint32_t *low, *high;
  unsigned shift; ///< of a half
  uint32_t keep, flip;
  T operator[](unsigned lane) const {
    if constexpr (sizeof(T) == 2) {
      const auto half = static_cast<uint16_t>(low[lane] >> shift);
      return bitCast<T>(static_cast<uint16_t>((half & keep) ^ flip));
    } else if constexpr (sizeof(T) == 4) {
      return bitCast<T>((low[lane] & keep) ^ flip);
    } else {
      const uint32_t upper = (high[lane] & keep) ^ flip;
      return bitCast<T>(low[lane] | static_cast<uint64_t>(upper) << 32);
    }
  }
};

template <typename T>
struct ResultRows {
  uint32_t *low, *high;
  ResultRows(uint32_t *const *rows) : low(rows[0]), high(rows[1]) {}
  void set(unsigned lane, T value) const {
    if constexpr (sizeof(T) == 2) {
      low[lane] = bitCast<uint16_t>(value);
    } else if constexpr (sizeof(T) == 4) {
      low[lane] = bitCast<uint32_t>(value);
    } else {
      uint64_t bits = bitCast<uint64_t>(value);
      low[lane] = static_cast<uint32_t>(bits);
      high[lane] = static_cast<uint32_t>(bits >> 32);
    }
  }
};

/// The lanes of the first `lanes` ones whose result is NaN.
template <typename T>
inline LaneMask findNans(const uint32_t *const *result, unsigned lanes) {
  LaneMask found = 0;
  for (unsigned begin = 0; begin < lanes; begin += kBlockLanes) {
    const uint32_t *low = result[0] + begin;
    if constexpr (std::is_same_v<T, float>) {
      found |= LaneMask(findNansInBlock(low)) << begin;
    } else {
      const uint32_t *high = result[sizeof(T) == 8 ? 1 : 0] + begin;
      alignas(kBlockLanes) uint8_t bytes[kBlockLanes];
      CK_BLOCK_LOOP
      for (unsigned i = 0; i < kBlockLanes; ++i) {
        if constexpr (sizeof(T) == 8)
          bytes[i] = ((high[i] & 0x7fffffff) | (low[i] != 0)) > 0x7ff00000;
        else
          bytes[i] = (low[i] & 0x7fff) > 0x7c00;
      }
      found |= LaneMask(packBlockBits(bytes)) << begin;
    }
  }
  return found;
}

} // namespace detail

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_LANEROWS_H
