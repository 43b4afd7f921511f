//===- Modifiers.h - Modifiers of vector ALU operands -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SDWA, DPP, op_sel, neg, abs, omod, clamp and the MODE register do to the operands of a
// vector instruction: transformations of rows of 64 lanes before and after its lane function.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTOR_MODIFIERS_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTOR_MODIFIERS_H

#include "Emulator/Isa/Vector/VectorRow.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace ckemu {

/// True when rounding or denormal handling can change what the row computes.
inline bool usesFloatMode(const VectorRow &row) {
  if (row.flags & RawBits)
    return false;
  return isFloat(row.dst) || isFloat(row.src[0]) || isFloat(row.src[1]) || isFloat(row.src[2]);
}

/// Sets the host's rounding for results of type `type` from the MODE register while it lives, with
/// denormals kept; flushing is done on rows, by the rules of the operand types.
class FloatEnvironment {
public:
  FloatEnvironment(uint32_t mode, LaneType type);
  /// Rounds to nearest even and keeps denormals, whatever MODE says.
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
  unsigned saved = 0;
  bool changed = false;
};

/// A host environment that rounds to nearest even and keeps denormals while it lives; costs nothing
/// when MODE says the same.
class DefaultFloatEnvironment {
public:
  explicit DefaultFloatEnvironment(const Wave &wave) {
    if (LLVM_UNLIKELY(!isDefaultFloatMode(wave.mode)))
      environment.emplace();
  }

private:
  std::optional<FloatEnvironment> environment;
};

/// Replaces NaN results by what the hardware gives: the first NaN operand, quieted, or the default
/// NaN, whose sign is positive unlike x86's.
void canonicalizeNans(const VectorRow &row, const LaneOperands &ops);

/// Moves the half that `operand` (kOperandHalf) names to the low bits and clears the others.
void selectHalf(const Operand &operand, Lanes &row);

/// Replaces halves that overflowed by the largest finite ones, as MODE's FP16_OVFL asks. Infinite
/// operands and divisions by zero keep their infinite results.
void clampOverflownHalves(const VectorRow &row, const LaneOperands &ops);

/// Flushes denormals of `type` to zero when MODE says so for inputs (or for results).
void flushDenormals(uint32_t mode, LaneType type, bool results, Lanes *rows);

/// Applies the selection, sext, abs and neg of source `index` to its rows.
void applySourceModifiers(const Instruction *inst, const VectorRow &row, unsigned index,
                          const Operand &operand, Lanes *rows);

/// Moves lanes as the DPP control says and returns the lanes that the instruction writes.
LaneMask moveLanes(const Modifiers &mods, LaneMask exec, Lanes *rows, unsigned words);

/// Applies omod, clamp and output flushing to a floating-point result of type `type`.
void applyOutputModifiers(const Instruction *inst, LaneType type, uint32_t mode, Lanes *rows);

/// Merges the result with what the destination register keeps: SDWA's selection and op_sel's half.
void mergeDestination(const Instruction *inst, const VectorRow &row, const Lanes &old,
                      Lanes &result);

/// Refuses, by name, modifiers that mean nothing for the row's types.
llvm::Error checkVectorModifiers(const Instruction &inst, const VectorRow &row);

/// OpcodeInfo::prepare of vector instructions, whose row `extra` points to.
llvm::Error prepareVector(Instruction &inst);

/// OpcodeInfo::prepare of instructions whose source must be a vector register.
llvm::Error prepareVectorSource(Instruction &inst);

/// Wrong use of an instruction as an error: "<what>".
llvm::Error refuse(const llvm::Twine &what);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_MODIFIERS_H
