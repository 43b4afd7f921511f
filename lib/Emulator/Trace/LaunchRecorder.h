//===- LaunchRecorder.h - Which workgroups of a launch are recorded -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which workgroups the model of time wants to see depends on how long one is: all that start are
// recorded until the first one has ended.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_LAUNCHRECORDER_H
#define CK_MLIR_LIB_EMULATOR_TRACE_LAUNCHRECORDER_H

#include "Emulator/Decode/Decoder.h"
#include "Emulator/Timing/TraceStore.h"
#include "Emulator/Trace/FlagHistory.h"
#include "Emulator/Trace/Meetings.h"
#include "Emulator/Trace/Recorder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <atomic>
#include <functional>

namespace ckemu {

/// What the instructions of a kernel tell of what its waves do with one another.
struct RecordedCode {
  /// Loads with the scope of the device, or atomics that return a value: workgroups may wait for
  /// one another.
  bool synchronizes = false;
  /// The latter: which workgroup does what may depend on which comes first.
  bool takesTickets = false;
  bool updatesLds = false; ///< by atomics

  /// Looks at `numBytes` bytes of code from `entry` on, or at all code when functions are called.
  static RecordedCode inspect(const DecodedCode &code, const Instruction *entry, uint32_t numBytes);
};

/// The workgroups of which the model of time takes traces, and those of which it wants to know what
/// they touch when they begin, to see what workgroups share.
struct RecordedGroups {
  std::vector<uint64_t> groups;
  GroupRange glimpses = {}, lastGlimpses = {};
  /// False when the choice depends on what `groups` do: no others start before these have ended,
  /// unless these wait for them.
  bool isFinal = true;
};

/// What is known when the workgroups of a choice that was not final have ended.
struct FirstRecords {
  uint64_t largestMeeting = 0;        ///< waves that have met at most
  std::vector<uint64_t> instructions; ///< of each of the groups
};

/// Shared by the host threads that run a launch: one thread where its code synchronizes.
class LaunchRecorder {
public:
  /// Names the workgroups that are to be recorded when the first one has executed so many
  /// instructions.
  using Choose = std::function<RecordedGroups(uint64_t instructions)>;
  /// Names others, or the same for good, where the first choice was not final.
  using Extend = std::function<RecordedGroups(const FirstRecords &records)>;

  /// `shifts` are the distances from the addresses of the host to those of the chip, by allocation.
  /// Without `executesOthers` workgroups that are not recorded are not executed, either. The trace
  /// of a workgroup ends with the instruction behind which it has more than `groupLimit` bytes.
  LaunchRecorder(RecordedCode code, std::vector<uint64_t> shifts, TraceStore &store, Choose choose,
                 bool executesOthers, Extend extend = nullptr, uint64_t groupLimit = UINT64_MAX);

  /// A recorder for a workgroup that starts; null when it is not recorded.
  std::shared_ptr<GroupRecorder> start(uint64_t linearId, unsigned numWaves);
  /// A workgroup that is recorded has executed its first instructions. True when it is to be
  /// recorded to its end.
  bool glimpse(GroupRecorder &group);
  /// Whether workgroups that are not recorded to their end are executed to it.
  bool executesAll() const { return executesOthers; }
  /// A workgroup has ended.
  void finish(GroupRecorder &group);
  /// Whether a workgroup that has not started should, as far as is known.
  bool executes(uint64_t linearId);
  /// All that have started have ended. True when that has led to another choice.
  bool settle();
  /// Waits while there is no room for further traces.
  void waitForRoom();
  /// Instructions of the workgroups whose traces the model gets: recorded, and executed behind
  /// the limit of a trace.
  uint64_t countRecorded() const { return numRecorded; }
  uint64_t countDropped() const { return numDropped; }
  uint64_t getShift(size_t allocation) const { return shifts[allocation]; }

  const RecordedCode code;
  const uint64_t groupLimit;
  LastWriters writers; ///< of device memory, where the code synchronizes
  FlagHistory flags;   ///< the same, by addresses of the host

private:
  const std::vector<uint64_t> shifts;
  TraceStore &store;
  const Choose choose;
  const Extend extend;
  const bool executesOthers;
  std::mutex mutex;
  bool chosen = false, isFinal = false;
  std::atomic<uint64_t> numRecorded{0}, numDropped{0};
  Meetings meetings;                  ///< while the choice is not final, of code that synchronizes
  std::vector<uint64_t> chosenGroups; ///< in the order in which they were named
  llvm::DenseMap<uint64_t, uint64_t> instructionsOf; ///< workgroups, while the choice is not final
  llvm::DenseSet<uint64_t> sample;
  GroupRange glimpses = {}, lastGlimpses = {};

  void note(const RecordedGroups &recorded);
  bool isInSample(uint64_t linearId);
  bool isRecorded(uint64_t linearId);
  bool isGlimpsed(uint64_t linearId);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_LAUNCHRECORDER_H
