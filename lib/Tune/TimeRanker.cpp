//===- TimeRanker.cpp - Kernels by how long they take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimeRanker.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/TimeRanker.h"
#include "ck-mlir/Tune/KernelTimer.h"
#include "llvm/Support/FormatVariadic.h"
#include <mutex>

using namespace mlir::ck;
using llvm::Expected;

namespace {
class TimeRanker final : public Ranker {
public:
  TimeRanker(const Device &device, KernelLibrary &library) : device(device), library(library) {}
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &work) const override;

private:
  Expected<double> time(const KernelRequest &request) const;

  Device device;
  KernelLibrary &library;
  mutable std::mutex mutex; // of the device
};

class TuningRanker final : public Ranker {
public:
  explicit TuningRanker(TuningTable table) : table(std::move(table)) {}
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &work) const override;

private:
  TuningTable table;
  std::unique_ptr<Ranker> estimate = createEstimateRanker();
};
} // namespace

Expected<double> TimeRanker::time(const KernelRequest &request) const {
  Expected<std::shared_ptr<const KernelImage>> image = library.get(request);
  if (!image)
    return image.takeError();
  Expected<Problem> problem = parseProblem((*image)->problem);
  if (!problem)
    return problem.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  Expected<KernelTimer> timer = KernelTimer::create(device, *problem);
  if (!timer)
    return timer.takeError();
  Expected<KernelTime> time = timer->time(*image);
  if (!time)
    return time.takeError();
  return time->microseconds;
}

Expected<Rank> TimeRanker::rank(const KernelRequest &request, const ScheduledWork &) const {
  if (request.chip != device.getArchitecture())
    return llvm::createStringError("cannot time a kernel for " + request.chip + ": the device is " +
                                   device.getArchitecture());
  Expected<double> microseconds = time(request);
  if (!microseconds)
    return Rank{1, 0, "no time: " + llvm::toString(microseconds.takeError())};
  return Rank{
      0, *microseconds,
      llvm::formatv("{0:F2} us {1}", *microseconds,
                    device.isEmulated() ? "by the model of the chip, not measured" : "measured")
          .str()};
}

Expected<Rank> TuningRanker::rank(const KernelRequest &request, const ScheduledWork &work) const {
  Expected<Problem> problem = parseProblem(request.problem);
  if (!problem)
    return problem.takeError();
  const TunedSchedule *entry =
      request.chip == table.getChip() ? table.find(getTuningKey(*problem)) : nullptr;
  if (entry && toString(entry->schedule) == toString(work.schedule))
    return Rank{0, entry->microseconds,
                llvm::formatv("{0:F2} us {1} by ck-tune, the best of {2}", entry->microseconds,
                              entry->isMeasured ? "measured" : "modelled", entry->tried)
                    .str()};
  Expected<Rank> rank = estimate->rank(request, work);
  if (rank)
    rank->group = 1;
  return rank;
}

std::unique_ptr<Ranker> mlir::ck::createTimeRanker(const Device &device, KernelLibrary &library) {
  return std::make_unique<TimeRanker>(device, library);
}

std::unique_ptr<Ranker> mlir::ck::createTuningRanker(TuningTable table) {
  return std::make_unique<TuningRanker>(std::move(table));
}
