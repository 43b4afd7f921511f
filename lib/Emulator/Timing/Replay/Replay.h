//===- Replay.h - Traces on the compute units of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event per issued instruction: a wave comes to its turn when its operands are there; what it
// needs beside them (a unit of its SIMD, a place in a queue, data, other waves) it waits for in a
// list or until a time that is known. Waves that wait for the same unit get it by priority, then by
// age.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H

#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/MemoryModel.h"
#include "Emulator/Timing/Replay/Timeline.h"
#include "Emulator/Timing/Replay/WaveReplay.h"
#include "Emulator/Timing/Replay/WaveRoles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace ckemu {

class Footprint;

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
  /// A unit that takes one instruction at a time.
  struct Port {
    Cycle freeAt = 0;
    bool isScheduled = false;
    llvm::SmallVector<uint32_t, 8> waiting; ///< waves
  };
  enum class PortKind : uint8_t { Valu, Matrix, Salu };
  static constexpr unsigned kPortsOfSimd = 3;
  /// Of WaveReplay, what every instruction needs.
  static constexpr size_t kHotBytes = 256;
  static constexpr uint32_t kNoPort = ~0u;
  struct Simd {
    Port valu, matrix, salu;
    bool wasPacked = true; ///< what the matrix pipe did last was packed arithmetic
    unsigned numWaves = 0;
  };
  struct Unit {
    unsigned numGroups = 0;
    uint64_t lastStart = 0; ///< order of the last workgroup that was placed here
    /// The LDS; when its path to each pair of SIMDs takes the next access; when the last ones
    /// began.
    Server lds;
    std::array<double, 2> ldsPairFree = {};
    std::array<std::array<double, 64>, 2> ldsTaken = {};
    std::array<uint32_t, 2> ldsIssued = {};
    std::array<double, 64> memoryTaken = {}; ///< when the L1 took the last accesses
    uint32_t memoryIssued = 0;
  };
  struct Group {
    std::shared_ptr<const GroupTrace> trace;
    uint32_t place = 0; ///< in GroupSample::groups
    unsigned unit = 0, alive = 0, arrived = 0, firstWave = 0;
    uint32_t barriersCompleted = 0;
    Cycle lastStore = 0;
    llvm::SmallVector<uint32_t, 16> atBarrier; ///< waves
  };
  /// A wave that waits for an instruction of another one.
  struct Watcher {
    uint32_t wave, position;
    bool isDevice; ///< the flag lies in device memory
  };

  const TimedLaunch &launch;
  const GroupSample &sample;
  TraceStore &traces;
  MemoryModel &memory;
  const TimingParameters &parameters;
  const std::vector<InstructionCost> costs;
  const unsigned simdsPerUnit;
  std::vector<Simd> simds;
  std::vector<Unit> units;
  std::vector<Group> groups; ///< slots for those that run
  std::vector<WaveReplay> waves;
  EventWheel events; ///< of waves, then of ports
  StallTable stalls;
  ReplayResult result;
  std::vector<uint32_t> freeGroups;
  std::vector<uint64_t> nextGroup;                ///< per XCD: place in groupsOfXcd
  std::vector<std::vector<uint32_t>> groupsOfXcd; ///< places in sample.groups
  std::vector<Cycle> dispatcherFree;              ///< per XCD
  double dispatchCycles = 0; ///< of a workgroup of the sample and of those beside it
  llvm::DenseMap<uint64_t, uint32_t> slotOfGroup; ///< of those that run, by linear id
  llvm::DenseSet<uint64_t> pendingGroups;         ///< of the sample that have not ended
  llvm::DenseMap<uint64_t, llvm::SmallVector<Watcher, 2>> watchers; ///< by group and wave
  uint64_t age = 0;
  uint32_t granted = kNoPort; ///< what the wave that is being stepped was given
  bool stopped = false;

  // Workgroups.
  void tellResident();
  void tellSharing(const SimulatedPart &part);
  std::vector<SharedRange> compareGlimpses();
  void estimateFetchedBefore(std::vector<SharedRange> &ranges, const TraceStore::Glimpses &glimpses,
                             const Footprint &ofChip) const;
  void sampleCounters(Cycle now);
  WaveActivity &getActivity(const WaveReplay &wave) { return result.waves[wave.waveInGroup]; }
  void noteTraffic(WaveReplay &wave, const MemoryBusy &before);
  int findUnit(unsigned xcd) const;
  void fillXcd(unsigned xcd, Cycle now);
  void startGroup(unsigned unit, uint32_t place, Cycle time);
  unsigned findSimd(unsigned first, unsigned count) const;
  void startWaves(uint32_t slot, Cycle time);
  void endGroup(uint32_t slot, Cycle time);

  // Waves.
  void prefetch(uint32_t entry) const;
  void step(uint32_t id, Cycle now);
  void noteIssue(WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool advance(WaveReplay &wave);
  void scheduleNext(uint32_t id, WaveReplay &wave, Cycle earliest);
  void delay(uint32_t id, WaveReplay &wave, Cycle until, Stall stall);
  void endWave(WaveReplay &wave, Cycle now);
  void findAccess(WaveReplay &wave);
  void nextAccess(WaveReplay &wave);

  // Units.
  Port &getPort(uint32_t port);
  bool acquire(uint32_t id, WaveReplay &wave, PortKind kind, Cycle now);
  void schedule(uint32_t number, Port &port, Cycle now);
  void serve(uint32_t number, Cycle now);
  bool issue(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueVector(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueMemory(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueLds(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now);
  bool issueWait(uint32_t id, WaveReplay &wave, const WaitCounts &wait, Cycle now);
  void accessMemory(WaveReplay &wave, const InstructionCost &cost, Cycle now);
  double accessLds(WaveReplay &wave, unsigned bytesPerLane, unsigned conflictCycles, double now);

  // What waves wait for from each other.
  void arrive(Group &group, Cycle now);
  void completeBarrier(Group &group, Cycle now);
  bool waitAtBarrier(uint32_t id, WaveReplay &wave, bool arrives, Cycle now);
  bool hasHappened(const TraceDependency &dependency);
  bool waitForFlags(uint32_t id, WaveReplay &wave);
  void watch(WaveReplay &wave, uint64_t group);
  void notifyWatchers(WaveReplay &wave, Cycle now);
  bool breakDependency(Cycle now);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_REPLAY_H
