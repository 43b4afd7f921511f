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
#include "Emulator/Isa/Vector/LaneRows.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Compiler.h"
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ckemu {

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
  Handler plain = nullptr;    ///< executes the instruction without modifiers; null if `run` must
  Handler modified = nullptr; ///< executes it with neg, abs and halves of registers; or null
};

/// Round to nearest even and keep all denormals: what the host does by default.
inline bool isDefaultFloatMode(uint32_t mode) {
  return (mode & (0xff | kModeFp16Overflow)) == 0xf0;
}

/// Executes a vector instruction with any encoding, modifier and MODE.
const Instruction *executeVectorGeneral(Wave &wave, const Instruction *inst);

/// Puts a 16-bit result where the instruction wants it, beside the half that `old` keeps.
void mergeHalf(const Instruction *inst, const Lanes &old, Lanes &result);

namespace detail {

template <auto fn>
struct LaneMap;

template <typename R, typename... Args, R (*fn)(Args...)>
struct LaneMap<fn> {
  static constexpr LaneType resultType = laneTypeOf<R>();
  static constexpr unsigned words = wordsOf(resultType);
  static constexpr bool isComparison = std::is_same_v<R, bool>;

  // Loops vectorize only when all they call is inlined, hence `flatten`. A wave has one block of
  // lanes or two.
  template <typename... Rows>
  __attribute__((flatten)) static void compute(unsigned lanes, ResultRows<R> result, Rows... rows) {
    for (unsigned begin = 0; begin < lanes; begin += kBlockLanes) {
      CK_BLOCK_LOOP
      for (unsigned i = 0; i < kBlockLanes; ++i)
        result.set(begin + i, fn(rows[begin + i]...));
    }
  }
  /// The lanes for which a comparison holds.
  template <typename... Rows>
  __attribute__((flatten)) static LaneMask compare(unsigned lanes, Rows... rows) {
    LaneMask found = 0;
    for (unsigned begin = 0; begin < lanes; begin += kBlockLanes) {
      alignas(kBlockLanes) uint8_t bytes[kBlockLanes];
      CK_BLOCK_LOOP
      for (unsigned i = 0; i < kBlockLanes; ++i)
        bytes[i] = fn(rows[begin + i]...);
      found |= LaneMask(packBlockBits(bytes)) << begin;
    }
    return found;
  }
  template <size_t... index>
  static void unpack(LaneOperands &ops, std::index_sequence<index...>) {
    if constexpr (isComparison)
      ops.bitsOut = compare(ops.lanes, SourceRows<Args>(ops.src[index])...);
    else
      compute(ops.lanes, ResultRows<R>(ops.dst), SourceRows<Args>(ops.src[index])...);
  }
  static void run(LaneOperands &ops) { unpack(ops, std::index_sequence_for<Args...>()); }

  static constexpr bool usesFloats = isFloat(resultType) || (isFloat(laneTypeOf<Args>()) || ...);
  /// Whether the modifiers of ModifiedRows can mean anything.
  static constexpr bool canBeModified =
      usesFloats || is16Bit(resultType) || (is16Bit(laneTypeOf<Args>()) || ...);

  /// The rows of source `i`; after the printed operands comes the destination (fmac).
  template <typename T, bool isModified>
  static auto fetch(const Wave &wave, const Instruction *inst, unsigned i, Lanes (&scratch)[2]) {
    const bool isPrinted = i + 1 < inst->numOperands;
    const Operand &operand = inst->op(isPrinted ? i + 1 : 0);
    const uint32_t *rows[2] = {wave.vectorSource(operand, scratch[0], 0).lane, nullptr};
    if constexpr (sizeof(T) == 8)
      rows[1] = wave.vectorSource(operand, scratch[1], 1).lane;
    if constexpr (isModified) {
      constexpr uint32_t sign = !isFloat(laneTypeOf<T>()) ? 0 : sizeof(T) == 2 ? 0x8000 : 1u << 31;
      const bool isHigh = isPrinted && (inst->mods.opSel >> i & 1);
      const unsigned flags = operand.flags;
      return ModifiedRows<T>{rows[0], rows[1], isHigh || (flags & kOperandHigh) ? 16u : 0u,
                             isPrinted && (flags & kOperandAbs) ? ~sign : ~0u,
                             isPrinted && (flags & kOperandNeg) ? sign : 0u};
    } else {
      return SourceRows<T>(rows);
    }
  }

  template <bool isModified, typename... Rows>
  static const Instruction *executeRows(Wave &wave, const Instruction *inst, Rows... rows) {
    const unsigned lanes = wave.laneCount;
    const LaneMask exec = wave.exec();
    if constexpr (isComparison) {
      wave.setScalar64(inst->op(0), compare(lanes, rows...) & exec);
    } else {
      Lanes result[words];
      uint32_t *dst[2] = {result[0].lane, result[words - 1].lane};
      const bool isInPlace = !isFloat(resultType) && !isModified && wave.isFull();
      for (unsigned word = 0; isInPlace && word < words; ++word)
        dst[word] = wave.vectorRegister(inst->op(0), word).lane;
      compute(lanes, ResultRows<R>(dst), rows...);
      if (isInPlace)
        return inst + 1;
      if constexpr (isFloat(resultType)) // NaN results follow the hardware's rules
        if (LLVM_UNLIKELY(findNans<R>(dst, lanes) & exec))
          return executeVectorGeneral(wave, inst);
      if constexpr (isModified && is16Bit(resultType))
        mergeHalf(inst, wave.vectorRegister(inst->op(0)), result[0]);
      for (unsigned word = 0; word < words; ++word)
        wave.commit(inst->op(0), result[word], word);
    }
    return inst + 1;
  }
  template <bool isModified, size_t... index>
  static const Instruction *execute(Wave &wave, const Instruction *inst,
                                    std::index_sequence<index...>) {
    if constexpr (usesFloats)
      if (LLVM_UNLIKELY(!isDefaultFloatMode(wave.mode)))
        return executeVectorGeneral(wave, inst);
    Lanes scratch[sizeof...(Args)][2];
    return executeRows<isModified>(wave, inst,
                                   fetch<Args, isModified>(wave, inst, index, scratch[index])...);
  }
  /// The whole instruction when it has no modifiers: fetch, loop and write-back in one function.
  static const Instruction *plain(Wave &wave, const Instruction *inst) {
    return execute<false>(wave, inst, std::index_sequence_for<Args...>());
  }
  /// The same when it has no other modifiers than neg, abs and halves of registers.
  static const Instruction *modified(Wave &wave, const Instruction *inst) {
    return execute<true>(wave, inst, std::index_sequence_for<Args...>());
  }

  static constexpr VectorRow row(const char *name, uint16_t flags, LaneFunction saturating) {
    constexpr uint16_t special =
        CarryIn | CarryOut | ReadsVcc | SetsExec | RawBits | OwnNans | ExecOnly;
    VectorRow row{name, run, saturating, flags, sizeof...(Args), resultType, {}};
    constexpr LaneType types[] = {laneTypeOf<Args>()..., LaneType::None};
    for (unsigned i = 0; i < sizeof...(Args); ++i)
      row.src[i] = types[i];
    if (flags & special)
      return row;
    row.plain = plain;
    if constexpr (canBeModified)
      row.modified = flags & AnyModifiers ? nullptr : modified;
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
  row.plain = row.modified = nullptr;
  return row;
}

/// `row` executed by `plain` when it has no modifiers, and by `modified` when it has simple ones.
constexpr VectorRow withPlain(VectorRow row, Handler plain, Handler modified = nullptr) {
  row.plain = plain;
  row.modified = modified;
  return row;
}

/// Minimum, maximum and median of type T: `ieee` in IEEE mode, `quietly` otherwise.
template <auto quietly, auto ieee>
void runByIeeeMode(LaneOperands &ops) {
  (ops.mode & kModeIeee ? laneMap<ieee> : laneMap<quietly>)(ops);
}
template <auto quietly, auto ieee>
const Instruction *executePlainIeee(Wave &wave, const Instruction *inst) {
  return (wave.mode & kModeIeee ? detail::LaneMap<ieee>::plain
                                : detail::LaneMap<quietly>::plain)(wave, inst);
}
template <auto quietly, auto ieee>
const Instruction *executeModifiedIeee(Wave &wave, const Instruction *inst) {
  return (wave.mode & kModeIeee ? detail::LaneMap<ieee>::modified
                                : detail::LaneMap<quietly>::modified)(wave, inst);
}
template <auto quietly, auto ieee>
constexpr VectorRow ieeeRow(const char *name, uint16_t flags = NoFlags) {
  return withPlain(withRun(vectorRow<ieee>(name, flags), runByIeeeMode<quietly, ieee>),
                   executePlainIeee<quietly, ieee>, executeModifiedIeee<quietly, ieee>);
}

/// The facts that follow from a row, whose timing class is `timing` unless its types say more.
InstructionFacts describeRow(const VectorRow &row, TimingClass timing = TimingClass::Valu);

/// Adds `rows` to `table`, with every encoding and modifier that the rows' types allow. The rows
/// must live as long as the table.
void addVectorRows(InstructionTable &table, llvm::ArrayRef<VectorRow> rows,
                   TimingClass timing = TimingClass::Valu);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_VECTORROW_H
