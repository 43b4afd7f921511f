//===- TimingClass.h - What instructions ask of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words in which the row of an instruction tells the model of time what the instruction is.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_EMULATOR_TIMINGCLASS_H
#define CK_MLIR_EMULATOR_TIMINGCLASS_H

#include <cstdint>

namespace ckemu {

/// What executes an instruction, and at which of its rates.
enum class TimingClass : uint8_t {
  Other,          ///< nothing but its place in the order of the wave
  Valu,           ///< vector unit
  Transcendental, ///< vector unit, transcendental functions
  Quarter,        ///< vector unit, products of 32-bit integers and steps of f64 divisions
  Double,         ///< vector unit, operands or results of 64-bit floats
  Packed,         ///< vector unit and matrix pipe, packed arithmetic of 32 bits
  Matrix,         ///< matrix pipe
  Salu,           ///< scalar unit
  Smem,           ///< scalar memory
  Vmem,           ///< vector memory
  Lds,            ///< local data share
  Branch,         ///< jumps, which the scalar unit executes
  Wait,           ///< waits for counters
  Nop,            ///< waits for some times the issue interval
  Sleep,          ///< waits for longer
  Hint,           ///< tells the hardware something, which takes RDNA a single cycle
  Priority,       ///< sets the priority of the wave
  Barrier,        ///< arrives at the barrier of the workgroup and waits for it
  BarrierSignal,  ///< arrives only
  BarrierWait,    ///< waits only
  Invalidate,     ///< drops what the caches of the compute unit hold
  WriteBack,      ///< writes back what the L2 holds changed
  End             ///< ends the wave
};

/// What an instruction does with memory.
enum class MemoryAction : uint8_t { None, Load, Store, Atomic };

/// Types of the factors of matrix instructions. SlowBf16 are those of gfx908, which gfx90a has
/// beside newer ones of twice the depth.
enum class MatrixType : uint8_t { F16, Bf16, SlowBf16, Bits8, F32, Xf32, F64, Bits4 };

/// What a matrix instruction multiplies: m x k by k x n.
struct MatrixShape {
  uint8_t m = 0, n = 0; ///< 0 where this is no matrix instruction
  uint16_t k = 0;       ///< of sparse A with its zeros
  MatrixType type = MatrixType::F16;
  bool isSparse = false; ///< half of A is known to be 0
  bool isMixed = false;  ///< A and B have types of 8, 6 or 4 bits, which modifiers choose
  bool isWmma = false;   ///< of RDNA
};

/// What a wait leaves incomplete at most, by counter; kAny where it says nothing.
struct WaitCounts {
  static constexpr uint8_t kAny = 255;
  uint8_t loads = kAny;
  uint8_t stores = kAny; ///< on CDNA, one counter for both
  uint8_t lds = kAny;
  uint8_t scalar = kAny; ///< scalar loads; those of before gfx12 share the counter of LDS
};

} // namespace ckemu

#endif // CK_MLIR_EMULATOR_TIMINGCLASS_H
