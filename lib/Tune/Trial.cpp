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

Error mlir::ck::tryOut(const Device &device, const Problem &problem,
                       llvm::ArrayRef<Schedule> schedules, unsigned threads,
                       llvm::function_ref<bool(const Trial &)> done) {
  Expected<KernelTimer> timer = KernelTimer::create(device, problem);
  if (!timer)
    return timer.takeError();
  const std::string text = toString(problem);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  std::deque<std::shared_future<Compiled>> ahead;
  size_t next = 0;
  for (const Schedule &schedule : schedules) {
    for (; next < schedules.size() && ahead.size() < 2 * size_t(threads); ++next)
      ahead.push_back(pool.async(
          [&, next] { return compile(text, device.getArchitecture(), schedules[next]); }));
    const Compiled compiled = ahead.front().get();
    ahead.pop_front();
    Trial trial;
    trial.schedule = schedule;
    trial.error = compiled.error;
    if (compiled.image) {
      Expected<ProgramTiming> timing = timer->model(compiled.image);
      if (timing) {
        trial.timing = std::move(*timing);
        trial.microseconds = trial.timing.getMicroseconds();
      } else {
        trial.error = llvm::toString(timing.takeError());
      }
    }
    if (!done(trial))
      break;
  }
  pool.wait();
  return Error::success();
}
