//===- TraceStore.h - Traces between those who execute and the model -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host threads that execute workgroups put their traces in; the model of time takes them in the
// order of starting and drops them when the workgroup has ended on its chip. Several models with
// different parameters may take the same traces, each at its own pace.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_TRACESTORE_H
#define CK_MLIR_LIB_EMULATOR_TIMING_TRACESTORE_H

#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/DenseMap.h"
#include <condition_variable>
#include <memory>
#include <mutex>

namespace ckemu {

/// Shared by the threads of a launch.
/// Workgroups [begin, end), by linear ids.
struct GroupRange {
  uint64_t begin = 0, end = 0;

  bool isEmpty() const { return begin == end; }
  bool contains(uint64_t linearId) const { return linearId >= begin && linearId < end; }
  uint64_t getSize() const { return end - begin; }
};

class TraceStore {
public:
  /// `readers` models take each trace and the glimpses, each of them once.
  explicit TraceStore(unsigned readers = 1) : readers(readers), readersLeft(readers) {}

  /// A workgroup has ended.
  void put(std::unique_ptr<GroupTrace> trace);
  /// What a workgroup has touched when it had just begun: distinct lines of device memory, in the
  /// order in which it did.
  void putGlimpse(uint64_t linearId, std::vector<uint64_t> lines);
  /// Waits while the traces that nobody has taken yet are larger than `limit` bytes, unless someone
  /// waits for another one.
  void waitForRoom(uint64_t limit);
  /// No further traces will come: the launch is over or has stopped with a fault.
  void close();
  /// A reader takes no further traces. Those that are put when no reader is left are dropped.
  void abandon();
  /// The trace of workgroup `linearId`, waiting for it; null when the store is closed without it.
  std::shared_ptr<const GroupTrace> take(uint64_t linearId);
  /// The glimpses of `range`, in their order, waiting for them; none when the store is closed
  /// without all of them. All readers ask for the same ranges, which have no workgroup in common.
  using Glimpses = std::vector<std::vector<uint64_t>>;
  std::shared_ptr<const Glimpses> takeGlimpses(GroupRange range);
  /// Bytes of the traces that wait to be taken.
  uint64_t getBytes() const;

private:
  struct Entry {
    std::shared_ptr<const GroupTrace> trace;
    unsigned timesTaken = 0;
  };

  const unsigned readers;
  unsigned readersLeft;
  mutable std::mutex mutex;
  std::condition_variable changed;
  llvm::DenseMap<uint64_t, Entry> traces;
  llvm::DenseMap<uint64_t, std::vector<uint64_t>> glimpses; ///< until all of a range are there
  llvm::DenseMap<uint64_t, std::shared_ptr<const Glimpses>> allGlimpses; ///< by begin of the range
  uint64_t bytes = 0;
  size_t wantedGlimpses = 0;
  unsigned takers = 0; ///< who wait in take and takeGlimpses
  bool closed = false, abandoned = false;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_TRACESTORE_H
