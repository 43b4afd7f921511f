//===- VectorRow.h - Typed lane functions of vector instructions -----*- C++ -*-===//
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

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTOR_VECTORROW_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTOR_VECTORROW_H

#include "Emulator/Decode/InstructionTable.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Compiler.h"
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ckemu {

/// Most 32-bit words in one operand of a vector ALU instruction.
constexpr unsigned kMaxWords = 4;

/// Operands of a vector instruction after operand fetch. A row holds one 32-bit word per lane.
struct LaneOperands {
  const uint32_t *src[3][kMaxWords]; ///< rows of each source, low word first
  uint32_t *dst[kMaxWords];          ///< rows of the result; may be the same rows as sources
  LaneMask bitsIn = 0;               ///< carry in or VCC
  LaneMask bitsOut = 0;              ///< comparison or carry out
  LaneMask exec = 0;                 ///< active lanes
  uint32_t mode = 0;                 ///< the wave's MODE, see ModeBits
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
  DstIsSource = 1 << 0,  ///< the old destination is the last source (fmac, dot2c)
  CarryIn = 1 << 1,      ///< its last printed operand is one bit per lane
  CarryOut = 1 << 2,     ///< its second printed operand receives one bit per lane
  AnyModifiers = 1 << 3, ///< neg and abs act on raw bits (cndmask, mov)
  PartialDst = 1 << 4,   ///< op_sel has a bit for the destination, and a 16-bit result leaves the
                         ///< other half of the register alone
  ReadsVcc = 1 << 5,     ///< reads VCC without naming it (div_fmas)
  SetsExec = 1 << 6,     ///< writes its comparison to EXEC as well
  RawBits = 1 << 7,      ///< keeps denormals and NaNs of floating operands as they are
  OwnNans = 1 << 8,      ///< decides itself which NaN it gives
  ExecOnly = 1 << 9, ///< writes its comparison to EXEC and nowhere else: no destination is printed
};

/// Place of the first printed source.
constexpr unsigned firstSource(uint16_t flags) {
  return flags & ExecOnly ? 0 : flags & CarryOut ? 2 : 1;
}

/// One vector instruction: name and meaning.
struct VectorRow {
  const char *name; ///< mnemonic without the encoding's suffix
  LaneFunction run;
  LaneFunction saturating; ///< used with `clamp` on an integer result; null refuses it
  uint16_t flags;
  uint8_t sources;
  LaneType dst;
  LaneType src[3];
  Handler plain = nullptr; ///< executes the instruction without modifiers; null if `run` must
};

/// Round to nearest even and keep all denormals: what the host does by default.
inline bool isDefaultFloatMode(uint32_t mode) {
  return (mode & (0xff | kModeFp16Overflow)) == 0xf0;
}

/// Executes a vector instruction with any encoding, modifier and MODE.
const Instruction *executeVectorGeneral(Wave &wave, const Instruction *inst);

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
inline LaneMask packLaneBits(const uint8_t *bytes) {
#if defined(__AVX512BW__)
  const __m512i all = _mm512_loadu_si512(bytes);
  return _mm512_test_epi8_mask(all, all);
#else
  LaneMask mask = 0;
  for (unsigned i = 0; i < kLanes; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, bytes + i, sizeof(eight));
    mask |= (eight * 0x0102040810204080ull >> 56) << i;
  }
  return mask;
#endif
}

template <auto fn>
struct LaneMap;

template <typename R, typename... Args, R (*fn)(Args...)>
struct LaneMap<fn> {
  // Loops vectorize only when all they call is inlined, hence `flatten`.
  template <typename... Rows>
  __attribute__((flatten)) static void loop(LaneOperands &ops, Rows... rows) {
    if constexpr (std::is_same_v<R, bool>) {
      alignas(64) uint8_t bytes[kLanes];
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        bytes[lane] = fn(rows[lane]...);
      ops.bitsOut = packLaneBits(bytes);
    } else {
      ResultRows<R> result(ops.dst);
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        result.set(lane, fn(rows[lane]...));
    }
  }
  template <size_t... index>
  static void unpack(LaneOperands &ops, std::index_sequence<index...>) {
    loop(ops, SourceRows<Args>(ops.src[index])...);
  }
  static void run(LaneOperands &ops) { unpack(ops, std::index_sequence_for<Args...>()); }

  static constexpr bool usesFloats =
      isFloat(laneTypeOf<R>()) || (isFloat(laneTypeOf<Args>()) || ...);

  /// The rows of source `i`; after the printed operands comes the destination (fmac).
  template <typename T>
  static SourceRows<T> fetch(const Wave &wave, const Instruction *inst, unsigned i,
                             Lanes (&scratch)[2]) {
    const Operand &operand = inst->op(i + 1 < inst->numOperands ? i + 1 : 0);
    const uint32_t *rows[2] = {wave.vectorSource(operand, scratch[0], 0).lane, nullptr};
    if constexpr (sizeof(T) == 8)
      rows[1] = wave.vectorSource(operand, scratch[1], 1).lane;
    return SourceRows<T>(rows);
  }

  /// Computes all lanes into `result`; returns whether some value is NaN.
  template <typename... Rows>
  __attribute__((flatten)) static bool computeFloats(Lanes *result, Rows... rows) {
    uint32_t *words[2] = {result[0].lane, result[1].lane};
    ResultRows<R> values(words);
    unsigned anyNan = 0;
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const R value = fn(rows[lane]...);
      values.set(lane, value);
      anyNan |= __builtin_isnan(value);
    }
    return anyNan;
  }

  template <typename... Rows>
  __attribute__((flatten)) static const Instruction *
  executeRows(Wave &wave, const Instruction *inst, Rows... rows) {
    constexpr unsigned words = wordsOf(laneTypeOf<R>());
    if constexpr (std::is_same_v<R, bool>) {
      alignas(64) uint8_t bytes[kLanes];
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        bytes[lane] = fn(rows[lane]...);
      wave.setScalar64(inst->op(0), packLaneBits(bytes) & wave.exec());
    } else if constexpr (isFloat(laneTypeOf<R>())) {
      Lanes result[2];
      if (LLVM_UNLIKELY(computeFloats(result, rows...)))
        return executeVectorGeneral(wave, inst); // NaN results follow the hardware's rules
      for (unsigned word = 0; word < words; ++word)
        wave.commit(inst->op(0), result[word], word);
    } else {
      Lanes result[2];
      const bool full = wave.exec() == ~LaneMask(0);
      uint32_t *dst[2];
      for (unsigned word = 0; word < words; ++word)
        dst[word] = full ? wave.vectorRegister(inst->op(0), word).lane : result[word].lane;
      ResultRows<R> values(dst);
#pragma clang loop vectorize(assume_safety)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        values.set(lane, fn(rows[lane]...));
      for (unsigned word = 0; !full && word < words; ++word)
        wave.commit(inst->op(0), result[word], word);
    }
    return inst + 1;
  }
  template <size_t... index>
  static const Instruction *executePlain(Wave &wave, const Instruction *inst,
                                         std::index_sequence<index...>) {
    Lanes scratch[sizeof...(Args)][2];
    return executeRows(wave, inst, fetch<Args>(wave, inst, index, scratch[index])...);
  }
  /// The whole instruction when it has no modifiers: fetch, loop and write-back in one function.
  static const Instruction *plain(Wave &wave, const Instruction *inst) {
    if constexpr (usesFloats)
      if (LLVM_UNLIKELY(!isDefaultFloatMode(wave.mode)))
        return executeVectorGeneral(wave, inst);
    return executePlain(wave, inst, std::index_sequence_for<Args...>());
  }

  static constexpr VectorRow row(const char *name, uint16_t flags, LaneFunction saturating) {
    constexpr uint16_t special =
        CarryIn | CarryOut | ReadsVcc | SetsExec | RawBits | OwnNans | ExecOnly;
    VectorRow row{name,
                  run,
                  saturating,
                  flags,
                  sizeof...(Args),
                  laneTypeOf<R>(),
                  {},
                  flags & special ? nullptr : plain};
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

/// `row` computing with `run` instead of the plain loop: for what depends on MODE or on carries.
constexpr VectorRow withRun(VectorRow row, LaneFunction run) {
  row.run = run;
  row.plain = nullptr;
  return row;
}

/// `row` executed by `plain` when it has no modifiers.
constexpr VectorRow withPlain(VectorRow row, Handler plain) {
  row.plain = plain;
  return row;
}

/// Minimum, maximum and median of type T: `ieee` in IEEE mode, `quietly` otherwise.
template <auto quietly, auto ieee>
void runByIeeeMode(LaneOperands &ops) {
  (ops.mode & kModeIeee ? laneMap<ieee> : laneMap<quietly>)(ops);
}
template <auto ieee>
const Instruction *executePlainIeee(Wave &wave, const Instruction *inst) {
  return wave.mode & kModeIeee ? detail::LaneMap<ieee>::plain(wave, inst)
                               : executeVectorGeneral(wave, inst);
}
template <auto quietly, auto ieee>
constexpr VectorRow ieeeRow(const char *name, uint16_t flags = NoFlags) {
  return withPlain(withRun(vectorRow<ieee>(name, flags), runByIeeeMode<quietly, ieee>),
                   executePlainIeee<ieee>);
}

/// The facts that follow from a row, whose timing class is `timing` unless its types say more.
InstructionFacts describeRow(const VectorRow &row, TimingClass timing = TimingClass::Valu);

/// Adds `rows` to `table`, with every encoding and modifier that the rows' types allow. The rows
/// must live as long as the table.
void addVectorRows(InstructionTable &table, llvm::ArrayRef<VectorRow> rows,
                   TimingClass timing = TimingClass::Valu);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_VECTORROW_H
