//===- Recorder.h - Records what a wave executes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run loop tells a recorder where a wave jumps, and memory what it accesses. A look at a flag
// that was in vain is taken out of the trace again when the wave looks for the next time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_RECORDER_H
#define CK_MLIR_LIB_EMULATOR_TRACE_RECORDER_H

#include "Emulator/Decode/Instruction.h"
#include "Emulator/Decode/Lanes.h"
#include "Emulator/Trace/FlagHistory.h"
#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace ckemu {

struct GroupRecorder;

/// Which store or atomic left the value of a dword, by address / 4. Used by one thread at a time.
class LastWriters {
public:
  void note(uint64_t dword, const TraceDependency &writer);
  const TraceDependency *find(uint64_t dword) const;

private:
  llvm::DenseMap<uint64_t, TraceDependency> writers;
};

/// A vector access of device memory, of the lanes in `lanes` (at least one).
struct RecordedAccess {
  const Instruction *inst;
  TraceAccessKind kind;
  const Lanes64 &addresses;
  uint64_t shift; ///< from those addresses to the ones that the chip would have
  LaneMask lanes;
  unsigned size; ///< bytes per lane
  bool deviceScope, returns;
};

/// An access of LDS.
struct RecordedLdsAccess {
  const Instruction *inst;
  const Lanes &offsets;
  LaneMask lanes;
  unsigned size;
  unsigned conflicts; ///< cycles
  bool isLoad, returns;
};

/// Records one wave, up to `limit` bytes: what it executes later is counted.
class TraceRecorder {
public:
  TraceRecorder(GroupRecorder &group, uint32_t wave, uint64_t limit)
      : group(&group), wave(wave), limit(limit) {}

  // For the run loop.
  /// The wave is about to execute the instruction of this index, which may be another one than
  /// that at which it paused.
  void resume(uint32_t index) {
    if (index != end)
      jumpTo(index);
  }
  /// The wave has executed instruction `from`, and executes `to` next, which is not the next one.
  void jump(uint32_t from, uint32_t to) {
    end = from + 1;
    jumpTo(to);
  }
  /// The wave has executed everything before the instruction of this index.
  void pause(uint32_t index) { end = index; }

  // For those who access memory.
  void record(const RecordedAccess &access);
  /// Lanes `lanes` of an atomic operation that was recorded have changed memory.
  void recordUpdate(const RecordedAccess &access);
  /// A scalar load of `size` bytes. When `cause` is known, it is what the wave has waited for, else
  /// the last who wrote there.
  void recordScalar(const Instruction *inst, uint64_t address, unsigned size, bool deviceScope,
                    const FlagHistory::Cause &cause = {});
  /// The instruction that the wave executes, for others that depend on it.
  TraceDependency getWriter(const Instruction *inst) const;
  /// An access of private memory, of which each lane has `laneBytes` bytes.
  void recordPrivate(const Instruction *inst, const Lanes &offsets, LaneMask lanes, unsigned size,
                     uint32_t laneBytes);
  void recordLds(const RecordedLdsAccess &access);
  /// Lanes `lanes` of an atomic operation that was recorded have changed LDS.
  void recordLdsUpdate(const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                       unsigned size);
  /// The wave came to a barrier.
  void recordBarrier() { looks.clear(); }

  /// The lines of device memory that were touched up to now.
  llvm::ArrayRef<TraceLine> getLines() const { return trace.lines; }
  /// Whether a vector access of device memory is among what was recorded.
  bool touches() const {
    return llvm::any_of(trace.accesses, [](const TraceAccess &access) {
      return access.kind <= TraceAccessKind::Atomic;
    });
  }
  /// What was recorded; the recorder is of no use afterwards.
  WaveTrace finish();

private:
  /// Where the trace was before a load that may find a flag unset.
  struct Look {
    uint64_t place; ///< what was loaded, as a hash
    const Instruction *inst;
    uint32_t position;
    uint32_t first, firstPosition;
    size_t runs, accesses, lines, dependencies;
  };

  void jumpTo(uint32_t index) {
    closeRun();
    first = end = index;
  }
  void closeRun() {
    if (end == first)
      return;
    if (isFull) {
      trace.numDropped += end - first;
      return;
    }
    trace.runs.push_back({first, end - 1});
    firstPosition += end - first;
    isFull = countBytes() > limit;
  }
  uint64_t countBytes() const {
    return trace.runs.size() * sizeof(TraceRun) + trace.accesses.size() * sizeof(TraceAccess) +
           trace.lines.size() * sizeof(TraceLine) +
           trace.dependencies.size() * sizeof(TraceDependency);
  }
  uint32_t getPosition(const Instruction *inst) const {
    return firstPosition + inst->index - first;
  }
  bool isInVain(const Look &last, const Instruction *inst, uint64_t place) const;
  void look(const Instruction *inst, uint64_t place);
  void addDependency(TraceAccess &access, const TraceDependency &writer);
  void addDependencies(TraceAccess &access, const RecordedAccess &from);

  GroupRecorder *group;
  uint32_t wave;
  uint64_t limit;
  bool isFull = false;
  /// The run that is being executed: its first instruction, the position of that, and the end.
  uint32_t first = 0, firstPosition = 0, end = 0;
  /// Loads since the last access that is no look at a flag, and the last barrier.
  llvm::SmallVector<Look, 4> looks;
  WaveTrace trace;
};

class LaunchRecorder;

/// Records one workgroup.
struct GroupRecorder {
  GroupRecorder(LaunchRecorder &launch, uint64_t linearId, unsigned numWaves);
  /// What was recorded, when all waves have ended.
  std::unique_ptr<GroupTrace> finish();
  /// The distinct lines of device memory that all waves have touched up to now, in about the order
  /// in which they first did: as if all waves touched as many at the same time.
  std::vector<uint64_t> listLines() const;
  /// Whether one of them has made a vector access.
  bool touches() const;

  LaunchRecorder &launch;
  const uint64_t linearId;
  std::vector<TraceRecorder> waves;
  LastWriters lds;
  unsigned looks = 0;       ///< of the scheduler, until it took a glimpse
  bool hasTouched = false;  ///< at the last of them
  bool wasGlimpsed = false; ///< LaunchRecorder::glimpse has seen it
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_RECORDER_H
