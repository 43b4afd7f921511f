//===- InstructionCost.h - What an instruction asks of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that the replay must know of an instruction, once per code object: which unit executes it,
// for how long, and which instructions before it its operands come from.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_INSTRUCTIONCOST_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_INSTRUCTIONCOST_H

#include "Emulator/Timing/Parameters.h"
#include "ck-mlir/Emulator/Timing.h"

namespace ckemu {

/// What executes an instruction.
enum class TimingUnit : uint8_t {
  Valu,
  Packed, ///< packed arithmetic of 32 bits, which needs the matrix pipe, too
  Matrix,
  Salu,
  Smem,
  Vmem,
  Lds,
  Branch,
  Wait,
  BarrierSignal,
  BarrierWait,
  Barrier, ///< both
  Priority,
  Invalidate,
  WriteBack,
  End,
  None ///< nothing but its place in the order
};

/// The instruction `distance` places before, whose result is an operand, can be used `latency`
/// cycles after its issue.
struct Producer {
  uint8_t distance = 0; ///< 0: none
  uint8_t latency = 0;
};
inline constexpr unsigned kProducerWindow = 32;

/// See above.
struct InstructionCost {
  TimingUnit unit = TimingUnit::None;
  /// Counts stores apart (RDNA).
  bool isStore = false;
  /// Loads from device memory, or stores to LDS: what waves do that fetch for others.
  bool fetches = false;
  uint16_t issue = 1;  ///< cycles before the wave's next instruction
  uint16_t busy = 0;   ///< cycles that the unit takes no other instruction
  uint16_t matrix = 0; ///< of the matrix pipe
  /// By how much of itself the clock's period grows while the matrix pipes do nothing but this.
  float slowdown = 0;
  uint8_t matrixBits = 0; ///< of an operand's element; 0 where this is no matrix instruction
  bool isAtomic = false;  ///< in device memory
  uint16_t latency = 0;
  uint16_t bytesPerLane = 0;
  uint8_t priority = 0;
  WaitCounts wait;
  Producer producers[3];
  uint32_t codeLine = 0; ///< where it begins, in lines of the instruction cache
};

/// The costs of all instructions of `code`, in the same order.
std::vector<InstructionCost> computeCosts(llvm::ArrayRef<TimedInstruction> code,
                                          const ChipModel &chip, const TimingParameters &parameters,
                                          unsigned waveSize);

/// Cycles that a matrix instruction keeps the matrix pipe of its SIMD busy. `resultRegisters` of a
/// lane say how many blocks it computes; `isSmall`: both operands of f8f6f4 have at most six bits.
unsigned getMatrixCycles(const MatrixShape &shape, const MatrixRates &rates,
                         unsigned resultRegisters, bool isSmall = false);

/// Bits of an element of the operands of a matrix instruction, of four for the narrow types of
/// f8f6f4 when `isSmall`.
unsigned getMatrixBits(const MatrixShape &shape, bool isSmall = false);

/// By how much of itself the clock's period grows while the matrix pipes execute nothing but
/// instructions of this shape.
double getMatrixSlowdown(const MatrixShape &shape, const MatrixRates &rates,
                         const TimingParameters &parameters);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_INSTRUCTIONCOST_H
