//===- Replay.h - Traces on the compute units of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event per issued instruction: a wave comes to its turn when its operands are there; what it
// needs beside them (a unit of its SIMD, a place in a queue, data, other waves) it waits for in a
// list or until a time that is known. Where workgroups run, the units of SIMDs, LDS and flags are
// classes of their own.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H

#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/MemoryModel.h"
#include "Emulator/Timing/Replay/Barrier.h"
#include "Emulator/Timing/Replay/FlagWatch.h"
#include "Emulator/Timing/Replay/GroupPlaces.h"
#include "Emulator/Timing/Replay/LdsPaths.h"
#include "Emulator/Timing/Replay/Ports.h"
#include "Emulator/Timing/Replay/Timeline.h"
#include "Emulator/Timing/Replay/WaveRoles.h"

namespace ckemu {

/// What was measured on the simulated part.
struct ReplayResult {
  bool isComplete = false; ///< false when the launch stopped before its workgroups had traces
  Cycle end = 0;           ///< the last workgroup has ended and its stores are done
  std::vector<Cycle> groupStarts, groupEnds; ///< in the order of GroupSample::groups
  std::vector<WaveActivity> waves;           ///< by number of the wave in its workgroup
  double slowdown = 0; ///< of the cycles of the matrix pipes, each times InstructionCost::slowdown
  std::vector<bool> changed; ///< of TimedLaunch::resident: stored to now or earlier
  uint64_t instructions = 0;
  uint64_t brokenDependencies = 0; ///< waits that were ended because nothing else could go on
  MemoryTraffic traffic;

  /// By all waves.
  BusyCycles sumBusy() const;
};

/// Replays the workgroups of a sample.
class Replay {
public:
  Replay(const TimedLaunch &launch, const GroupSample &sample, TraceStore &traces,
         MemoryModel &memory);

  /// `part` is what `memory` was made for.
  ReplayResult run(const SimulatedPart &part);
  const StallTable &getStalls() const { return stalls; }
  llvm::ArrayRef<InstructionCost> getCosts() const { return costs; }

private:
  struct Group {
    std::shared_ptr<const GroupTrace> trace;
    uint32_t place = 0; ///< in GroupSample::groups
    unsigned unit = 0, alive = 0, firstWave = 0;
    Cycle lastStore = 0;
    Barrier barrier;
  };

  const TimedLaunch &launch;
  const GroupSample &sample;
  TraceStore &traces;
  MemoryModel &memory;
  const TimingParameters &parameters;
  const std::vector<InstructionCost> costs;
  const size_t numUnits, numSimds;
  std::vector<Group> groups; ///< slots for those that run
  std::vector<uint32_t> freeGroups;
  std::vector<WaveReplay> waves;
  EventWheel events; ///< of waves, then of ports
  GroupPlaces places;
  Ports ports;
  LdsPaths lds;
  std::vector<IssueQueue> memoryQueues; ///< of the L1, by unit
  FlagWatch flags;
  StallTable stalls;
  ReplayResult result;
  uint64_t age = 0; ///< of the last wave that started
  bool stopped = false;
  bool runsLast = false; ///< of GroupSample::lastGlimpses, one has started

  // Workgroups and waves.
  void forecast(const SimulatedPart &part);
  void forecastLast();
  void fillXcd(unsigned xcd, Cycle now);
  void startGroup(const GroupPlaces::Start &start);
  void startWave(uint32_t slot, unsigned number, unsigned simd, Cycle time);
  void endWave(WaveReplay &wave, Cycle now);
  void endGroup(uint32_t slot, Cycle time);

  // Instructions.
  void step(uint32_t id, Cycle now);
  void scheduleNext(uint32_t id, WaveReplay &wave, Cycle earliest);
  bool delay(uint32_t id, WaveReplay &wave, Cycle until, Stall stall);
  bool issue(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueVector(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueMemory(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueLds(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueWait(uint32_t id, WaveReplay &wave, const WaitCounts &wait, Cycle now);
  void arrive(Group &group, Cycle now);
  bool waitAtBarrier(uint32_t id, WaveReplay &wave, bool arrives, Cycle now);
  void accessMemory(WaveReplay &wave, const InstructionCost &cost, Cycle now);
  double accessLds(WaveReplay &wave, unsigned bytesPerLane, unsigned conflictCycles, double now);

  // What is reported.
  void sampleCounters(Cycle now);
  void noteIssue(WaveReplay &wave, const InstructionCost &cost, Cycle now);
  void noteTraffic(WaveReplay &wave, const MemoryBusy &before);
  void notify(WaveReplay &wave, Cycle now);
  WaveActivity &getActivity(const WaveReplay &wave) { return result.waves[wave.waveInGroup]; }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H
