//===- LaunchModel.h - How long a launch takes on a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replays the traces of workgroups on the compute units of a chip.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_LAUNCHMODEL_H
#define CK_MLIR_LIB_EMULATOR_TIMING_LAUNCHMODEL_H

#include "Emulator/Timing/Replay/EventWheel.h"
#include "Emulator/Timing/Replay/Stalls.h"
#include "Emulator/Timing/SharedMemory.h"
#include "Emulator/Timing/TraceStore.h"
#include "ck-mlir/Emulator/Timing.h"
#include "llvm/Support/JSON.h"

namespace ckemu {

class Timeline;

/// What is launched.
struct TimedLaunch {
  const std::vector<TimedInstruction> *code = nullptr;
  const ChipModel *chip = nullptr;
  TimingParameters parameters;
  unsigned computeUnits = 0;  ///< of the chip (CK_EMULATOR_CUS)
  unsigned groupsPerUnit = 0; ///< that a compute unit holds at a time
  unsigned wavesPerGroup = 0;
  unsigned waveSize = 64;
  bool halfUnit = false; ///< CU mode of RDNA
  /// Workgroups may wait for others, and may do what depends on which comes first: see
  /// RecordedCode.
  bool synchronizes = false, takesTickets = false;
  uint64_t numGroups = 0;
  /// Where the allocations of the launch lie; addresses as in the traces.
  std::vector<AddressRange> allocations;
  /// Those that earlier launches went through, of which the MALL holds what it can. What this
  /// launch stores to, they are taken to have stored to as well.
  std::vector<ResidentRange> resident;
  Timeline *timeline = nullptr; ///< collects what happens when; may be null

  unsigned getUnitsPerXcd() const {
    return std::max(1u, computeUnits / unsigned(parameters.numXcds));
  }
};

/// Which workgroups are simulated. Workgroups start in the order of their ids, one XCD after
/// another; those of the simulated XCDs, units and rounds have traces.
struct GroupSample {
  unsigned simulatedXcds = 1, activeXcds = 1;
  unsigned unitsPerXcd = 0;     ///< simulated of each XCD
  uint64_t numGroups = 0;       ///< simulated in all
  uint64_t skippedRounds = 0;   ///< rounds of workgroups that are extrapolated
  bool isEven = true;           ///< the workgroups execute about the same number of instructions
  std::vector<uint64_t> groups; ///< their linear ids in the order of starting
  /// Those that run at the same time as the first of the sample, if what they touch says what the
  /// sample shares with others; and those that run last if these may be of another kind, as parts
  /// of tiles are that come behind whole tiles.
  GroupRange glimpses, lastGlimpses;
};

/// The sample for a launch whose workgroups execute about `instructionsPerGroup` wave instructions;
/// everything when `full`. Workgroups that wait for one another lie on all XCDs: these are all
/// simulated, each with at least `fewestUnits` of its compute units, and with all where workgroups
/// take tickets.
GroupSample chooseSample(const TimedLaunch &launch, double instructionsPerGroup, bool full,
                         unsigned fewestUnits = 1);

/// The workgroups, spread over the launch, that tell whether all execute about the same number of
/// instructions.
std::vector<uint64_t> chooseProbes(const TimedLaunch &launch);

/// The sample where rounds of workgroups are skipped, when workgroups that are spread over the
/// launch have executed so many instructions. Of uneven workgroups the simulated rounds are spread
/// over the launch as well.
GroupSample chooseSample(const TimedLaunch &launch, llvm::ArrayRef<uint64_t> instructionsOfProbes);

/// What the model says; times of the simulated chip.
struct LaunchTiming {
  bool isComplete = false; ///< false: the launch stopped, and nothing is known
  double microseconds = 0; ///< from the start of the kernel to its end
  double launchMicroseconds = 0;
  double cycles = 0;
  double clockMHz = 0;                       ///< under the load of the matrix pipes
  std::vector<Cycle> groupStarts, groupEnds; ///< in the order of GroupSample::groups
  std::vector<StallCycles> stallsOfWaves;    ///< by number of the wave in its workgroup
  std::vector<uint64_t> issueOfWaves;
  std::vector<bool> changed;  ///< of TimedLaunch::resident: the launch or one before stored to it
  llvm::json::Object details; ///< bound, utilisation, stalls, instructions: docs/emulator/time.md
};

/// Takes the traces of the sample's workgroups from `traces`, as they start.
LaunchTiming timeLaunch(const TimedLaunch &launch, const GroupSample &sample, TraceStore &traces);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_LAUNCHMODEL_H
