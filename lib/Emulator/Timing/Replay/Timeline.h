//===- Timeline.h - What waves do, as slices of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collected on request and written in the format of Chrome's traces, which Perfetto shows: a
// process is a compute unit, a thread is a place for a wave on one of its SIMDs. Counters are those
// of a process of their own.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_TIMELINE_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_TIMELINE_H

#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/Replay/EventWheel.h"
#include "Emulator/Timing/Replay/Stalls.h"
#include "Emulator/Timing/Replay/WaveRoles.h"

namespace ckemu {

/// Busy cycles, summed over all SIMDs and units, and bytes, since the begin of the launch.
struct TimelineCounters {
  BusyCycles busy = {};
  double l2Bytes = 0, mallBytes = 0, hbmBytes = 0;
};

/// The timeline of one launch.
class Timeline {
public:
  /// Cycles between two samples of the counters.
  static constexpr Cycle kInterval = 500;

  /// Waves are known by their number among the places that the simulated units have.
  void startWave(uint32_t wave, unsigned simd, uint64_t group, unsigned waveInGroup, Cycle time);
  void endWave(uint32_t wave, Cycle time);
  /// The wave waited in front of an instruction.
  void wait(uint32_t wave, Stall stall, Cycle from, Cycle to);
  /// The wave jumped back to an instruction.
  void jumpBack(uint32_t wave, uint32_t instruction, Cycle time);
  /// True when it is time for a sample.
  bool wantsSample(Cycle time) const { return time >= nextSample; }
  void sample(Cycle time, const TimelineCounters &counters);
  /// What waves are for, by their number in the workgroup; known in the end.
  void setRoles(std::vector<WaveRole> ofWaves) { roles = std::move(ofWaves); }

  /// Writes all, at the clock of the launch.
  void write(llvm::raw_ostream &os, const TimedLaunch &launch, const GroupSample &sample,
             double clockMHz) const;

private:
  /// Slices that are kept: those of some hundred thousand instructions.
  static constexpr size_t kSliceLimit = 400000;
  enum class SliceKind : uint8_t { Wave, Step, Wait };
  struct Slice {
    Cycle begin, end;
    uint64_t group;       ///< of a wave
    uint32_t track;       ///< simd * kPlaces + place
    uint32_t instruction; ///< that a step begins with
    uint16_t wave;        ///< in its workgroup
    SliceKind kind;
    Stall stall;
  };
  struct ActiveWave {
    uint64_t group = 0;
    Cycle start = 0, stepStart = 0;
    uint32_t track = 0, stepInstruction = ~0u;
    uint16_t wave = 0;
  };
  struct Sample {
    Cycle time;
    TimelineCounters counters;
  };
  static constexpr unsigned kPlaces = 64;

  void add(const Slice &slice);
  std::string getWaveName(const Slice &slice) const;
  void writeNames(llvm::json::OStream &json, const TimedLaunch &launch,
                  const GroupSample &sample) const;
  void writeSlice(llvm::json::OStream &json, const TimedLaunch &launch, const Slice &slice,
                  double clock) const;
  void writeCounters(llvm::json::OStream &json, const TimedLaunch &launch,
                     const GroupSample &sample, double clock) const;

  std::vector<ActiveWave> active; ///< by wave
  std::vector<uint64_t> taken;    ///< places of each SIMD
  std::vector<Slice> slices;
  std::vector<Sample> samples;
  std::vector<WaveRole> roles;
  Cycle nextSample = 0;
  bool isCut = false; ///< there was more
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_TIMELINE_H
