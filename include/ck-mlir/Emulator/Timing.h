//===- Timing.h - How long the waves of a trace take on a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of time without the emulator: what waves executed goes in, times come out
// (docs/emulator/time.md). The emulator gives its own launches to the same model.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_EMULATOR_TIMING_H
#define CK_MLIR_EMULATOR_TIMING_H

#include "ck-mlir/Emulator/TimingClass.h"
#include "ck-mlir/Emulator/Trace.h"
#include <array>
#include <map>
#include <string>

namespace ckemu {

enum class RegisterFile : uint8_t { None, Vector, Accumulation, Scalar };

/// Registers [first, first + count).
struct RegisterRange {
  RegisterFile file = RegisterFile::None;
  uint8_t count = 0;
  uint32_t first = 0;
};

/// An instruction of a kernel.
struct TimedInstruction {
  TimingClass timing = TimingClass::Other;
  uint8_t size = 4;      ///< bytes of its encoding: 4, 8 or more
  uint32_t offset = 0;   ///< of these bytes in the code
  int16_t immediate = 0; ///< of TimingClass::Nop, Sleep and Priority
  WaitCounts wait;       ///< of TimingClass::Wait

  // Vector memory and LDS; what a wave accesses stands in its trace.
  MemoryAction action = MemoryAction::None;
  uint8_t bytesPerLane = 4;
  bool returns = false;       ///< an atomic operation that returns the old value
  bool fetches = false;       ///< gets data for other instructions
  bool readsDataLate = false; ///< its data are read from the registers after its issue

  // Matrix instructions.
  MatrixShape matrix;
  uint8_t resultRegisters = 0;  ///< of a lane, which say how many blocks are computed
  bool hasSmallFactors = false; ///< where types are mixed: both have at most six bits

  /// An instruction whose sources overlap the result of one before it may have to wait for it.
  RegisterRange result;
  std::array<RegisterRange, 6> sources = {};
  std::string text; ///< for reports
};

/// A launch of a kernel, all of whose workgroups have traces.
struct LaunchTrace {
  std::string chip;       ///< "gfx942", or with a product "gfx942:mi308x"
  std::string parameters; ///< changes of parameters, "name=value,...", or nothing
  std::vector<TimedInstruction> code;
  /// In the order in which they start; the linear id of each is its place.
  std::vector<GroupTrace> groups;
  unsigned groupsPerUnit = 1; ///< that a compute unit holds at a time
  unsigned waveSize = 0;      ///< lanes; 0 for those of the chip
  unsigned computeUnits = 0;  ///< of the chip; 0 for those of the product
};

/// What the waves with the same number in their workgroups did, all together.
struct WaveTiming {
  uint64_t issueCycles = 0;
  std::map<std::string, uint64_t> stallCycles; ///< by reason, such as "barrier"
};

/// What the model says of a launch.
struct LaunchTimes {
  double cycles = 0;   ///< of the shader clock, from the first workgroup to the last store
  double clockMHz = 0; ///< with the matrix pipes as busy as they are
  double microseconds = 0;
  double launchMicroseconds = 0;                ///< before and behind them
  std::vector<uint64_t> groupStarts, groupEnds; ///< in cycles
  std::vector<WaveTiming> waves;
  std::string report; ///< JSON: bound, utilisation, stalls, instructions, ...
};

/// Models `launch`. Returns what is wrong with it, or an empty text and the times in `timing`.
__attribute__((visibility("default"))) std::string timeTraces(const LaunchTrace &launch,
                                                              LaunchTimes &timing);

} // namespace ckemu

#endif // CK_MLIR_EMULATOR_TIMING_H
