//===- Stalls.h - What waves waited for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_STALLS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_STALLS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <vector>

namespace ckemu {

/// Why an instruction was not issued as soon as the wave could have issued it.
enum class Stall : uint8_t {
  None,
  Dependency,  ///< on a result of the vector, scalar or matrix unit
  Valu,        ///< the vector unit of the SIMD was busy
  Matrix,      ///< its matrix pipe was busy
  Salu,        ///< its scalar unit was busy
  LdsQueue,    ///< the LDS takes no further instruction
  MemoryQueue, ///< the vector memory unit takes no further instruction
  Loads,       ///< a wait for loads from device memory
  Stores,      ///< a wait for stores
  Lds,         ///< a wait for LDS
  Scalar,      ///< a wait for scalar loads
  Barrier,     ///< other waves of the workgroup have not come
  Flag,        ///< polls a flag
  Fetch,       ///< instructions are not there
};
inline constexpr unsigned kNumStalls = 14;

/// The printed name of a reason: "loads", "barrier", ...
llvm::StringRef getStallName(Stall stall);

/// Cycles by reason.
using StallCycles = std::array<uint64_t, kNumStalls>;

/// Cycles of waves, by instruction and by number of the wave in its workgroup.
struct StallTable {
  std::vector<StallCycles> byInstruction; ///< by Instruction::index
  std::vector<StallCycles> byWave;
  std::vector<uint64_t> issueByWave; ///< cycles in which waves issued
  std::vector<uint64_t> executions;  ///< by Instruction::index

  StallTable(size_t numInstructions, unsigned numWaves)
      : byInstruction(numInstructions), byWave(numWaves), issueByWave(numWaves),
        executions(numInstructions) {}
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_STALLS_H
