//===- Lanes.h - Typed lane functions of vector instructions -----*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction computes is written once, for one lane, as an ordinary function of typed
// values; `laneMap` turns it into a loop over all lanes that the host compiler vectorizes, and
// `vectorRow` derives the operand types, and with them modifiers, inline constants, denormal and
// rounding rules, from its signature. Encodings (VOP1/2/3, SDWA, DPP) are handled elsewhere, once
// for all instructions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_LANES_H
#define CK_MLIR_LIB_EMULATOR_ISA_LANES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mlir::ck::emulator {

using half = _Float16;

/// Most lanes that a wave can have.
constexpr unsigned kMaxLanes = 64;
/// Most 32-bit words in one operand of a vector ALU instruction.
constexpr unsigned kMaxWords = 4;

/// The floating-point part of a wave's MODE register.
struct FloatMode {
  uint8_t round32 = 0;   ///< 0 nearest even, 1 up, 2 down, 3 toward zero; 32-bit results
  uint8_t round64 = 0;   ///< the same for 16- and 64-bit results
  uint8_t denorm32 = 3;  ///< bit 0 keeps denormal inputs, bit 1 keeps denormal results
  uint8_t denorm64 = 3;  ///< the same for 16- and 64-bit values
  bool ieee = true;      ///< minimum, maximum and clamp quiet signalling NaNs
  bool dx10Clamp = true; ///< clamp turns NaN into 0
};

/// Operands of a vector instruction after operand fetch. A row holds one 32-bit word per lane.
struct LaneOperands {
  const uint32_t *src[3][kMaxWords]; ///< rows of each source, low word first
  uint32_t *dst[kMaxWords];          ///< rows of the result; may be the same rows as sources
  uint64_t bitsIn;                   ///< one bit per lane: carry in or VCC
  uint64_t bitsOut;                  ///< one bit per lane: comparison or carry out
  uint64_t exec;                     ///< active lanes
  unsigned lanes;                    ///< 32 or 64
  FloatMode mode;
};

/// Computes all lanes of an instruction, active or not; the caller merges by EXEC.
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

/// Properties of an instruction that its signature does not tell.
enum VectorFlags : uint16_t {
  NoFlags = 0,
  DstIsSource = 1 << 0,    ///< the old destination is the last source (fmac, dot2c)
  CarryIn = 1 << 1,        ///< reads one bit per lane: VCC, or the scalar source of VOP3
  CarryOut = 1 << 2,       ///< writes one bit per lane: VCC, or the scalar destination of VOP3
  AnyModifiers = 1 << 3,   ///< neg and abs act on raw bits as if the type were floating (cndmask)
  PreservesHigh = 1 << 4,  ///< a 16-bit result leaves the other half of the register alone
  RawModifiers = 1 << 5,   ///< interprets op_sel itself
  NoFlush = 1 << 6,        ///< ignores the denormal part of MODE
  SetsExec = 1 << 7,       ///< writes the comparison to EXEC as well
  ReadsVcc = 1 << 8,       ///< reads VCC in every encoding (div_fmas)
  LaneTypedShift = 1 << 9, ///< unused bits of a shift amount are ignored
};

/// One vector instruction: name and meaning.
struct VectorRow {
  const char *name; ///< mnemonic without the encoding's suffix
  LaneFunction run;
  LaneFunction saturating; ///< used with `clamp` on an integer result; null refuses it
  uint16_t flags;
  uint8_t sources;
  LaneType dst;
  LaneType src[3];
};

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

template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
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

/// Packs one byte (0 or 1) per lane into one bit per lane.
uint64_t packLaneBits(const uint8_t *bytes, unsigned lanes);

template <auto fn>
struct LaneMap;

template <typename R, typename... Args, R (*fn)(Args...)>
struct LaneMap<fn> {
  template <typename... Rows>
  static void loop(LaneOperands &ops, Rows... rows) {
    const unsigned lanes = ops.lanes;
    __builtin_assume(lanes % 32 == 0);
    if constexpr (std::is_same_v<R, bool>) {
      alignas(64) uint8_t bytes[kMaxLanes];
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < lanes; ++lane)
        bytes[lane] = fn(rows[lane]...);
      ops.bitsOut = packLaneBits(bytes, lanes);
    } else {
      ResultRows<R> result(ops.dst);
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < lanes; ++lane)
        result.set(lane, fn(rows[lane]...));
    }
  }
  template <size_t... index>
  static void unpack(LaneOperands &ops, std::index_sequence<index...>) {
    loop(ops, SourceRows<Args>(ops.src[index])...);
  }
  static void run(LaneOperands &ops) { unpack(ops, std::index_sequence_for<Args...>()); }

  static constexpr VectorRow row(const char *name, uint16_t flags, LaneFunction saturating) {
    VectorRow row{name, run, saturating, flags, sizeof...(Args), laneTypeOf<R>(), {}};
    constexpr LaneType types[] = {laneTypeOf<Args>()..., LaneType::None};
    for (unsigned i = 0; i < sizeof...(Args); ++i)
      row.src[i] = types[i];
    return row;
  }
};

} // namespace detail

/// The loop over all lanes of the per-lane function `fn`.
template <auto fn>
constexpr LaneFunction laneMap = detail::LaneMap<fn>::run;

/// A table row for the per-lane function `fn`, types taken from its signature.
template <auto fn>
constexpr VectorRow vectorRow(const char *name, uint16_t flags = NoFlags,
                              LaneFunction saturating = nullptr) {
  return detail::LaneMap<fn>::row(name, flags, saturating);
}

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_ISA_LANES_H
