//===- Trial.cpp - Schedules that were tried -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Trial.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/Trial.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Tune/KernelTimer.h"
#include "llvm/Support/ThreadPool.h"
#include <deque>
#include <future>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

namespace {
/// What a thread makes of a schedule.
struct Compiled {
  std::shared_ptr<const KernelImage> image;
  std::string error; ///< without an image
};
} // namespace

static Compiled compile(const std::string &problem, llvm::StringRef chip,
                        const Schedule &schedule) {
  Expected<KernelImage> image =
      compileRequest({problem, chip.str(), toString(schedule), /*residents=*/0});
  if (!image)
    return {nullptr, llvm::toString(image.takeError())};
  return {std::make_shared<const KernelImage>(std::move(*image)), ""};
}

namespace {
/// A trial whose kernel is compiled by another thread.
struct Ahead {
  TrialRequest request;
  std::shared_future<Compiled> compiled;
};
} // namespace

/// What the timer says of a compiled kernel.
static Trial time(KernelTimer &timer, const Schedule &schedule, const Compiled &compiled) {
  Trial trial;
  trial.schedule = schedule;
  trial.error = compiled.error;
  if (!compiled.image)
    return trial;
  Expected<KernelTime> time = timer.time(compiled.image);
  if (!time) {
    trial.error = llvm::toString(time.takeError());
    return trial;
  }
  trial.microseconds = time->microseconds;
  trial.timing = std::move(time->timing);
  return trial;
}

Error mlir::ck::tryOut(const Device &device, unsigned threads,
                       llvm::function_ref<std::optional<TrialRequest>()> next,
                       llvm::function_ref<bool(const TrialRequest &, const Trial &)> done) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  std::deque<Ahead> ahead;
  const Problem *problem = nullptr;
  std::optional<KernelTimer> timer; // of `problem`
  for (bool mayAsk = true;;) {
    while (mayAsk && ahead.size() < 2 * size_t(threads)) {
      std::optional<TrialRequest> request = next();
      mayAsk = request.has_value();
      if (mayAsk)
        ahead.push_back({*request, pool.async([&device, request] {
                           return compile(toString(*request->problem), device.getArchitecture(),
                                          request->schedule);
                         })});
    }
    if (ahead.empty())
      return Error::success();
    const Ahead first = std::move(ahead.front());
    ahead.pop_front();
    if (first.request.problem != problem) {
      Expected<KernelTimer> created = KernelTimer::create(device, *first.request.problem);
      if (!created)
        return created.takeError();
      timer.emplace(std::move(*created));
      problem = first.request.problem;
    }
    if (!done(first.request, time(*timer, first.request.schedule, first.compiled.get())))
      return Error::success();
  }
}

Error mlir::ck::tryOut(const Device &device, const Problem &problem,
                       llvm::ArrayRef<Schedule> schedules, unsigned threads,
                       llvm::function_ref<bool(const Trial &)> done) {
  return tryOut(
      device, threads,
      [&]() -> std::optional<TrialRequest> {
        if (schedules.empty())
          return std::nullopt;
        const Schedule &schedule = schedules.front();
        schedules = schedules.drop_front();
        return TrialRequest{&problem, schedule};
      },
      [&](const TrialRequest &, const Trial &trial) { return done(trial); });
}
