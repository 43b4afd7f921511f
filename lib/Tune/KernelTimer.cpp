//===- KernelTimer.cpp - How long kernels of one problem take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelTimer.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/KernelTimer.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Event.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

/// Of every byte of the tensors: about 1 in f16, small in other types.
static constexpr uint8_t kContents = 0x3c;
/// On a GPU: launches that bring code and tensors to the caches, and those that are timed.
static constexpr int kWarmups = 3, kLaunches = 11;

Expected<Device> mlir::ck::openTimedDevice(const RunOptions &options) {
  Expected<std::pair<Device, std::string>> opened = openRunDevice(options);
  if (!opened)
    return opened.takeError();
  Device &device = opened->first;
  if (device.isEmulated())
    if (Error error = device.getApi().setVariable("CK_EMULATOR_CHECKS", "off"))
      return std::move(error);
  return std::move(device);
}

Expected<KernelTimer> KernelTimer::create(const Device &device, const Problem &problem) {
  KernelTimer timer(device);
  for (const TensorDesc &tensor : getReads(problem)) {
    Expected<Buffer> buffer = Buffer::allocate(device, tensor.getSizeInBytes());
    if (!buffer)
      return buffer.takeError();
    if (Error error = buffer->fill(kContents))
      return std::move(error);
    timer.reads.push_back(std::move(*buffer));
  }
  return timer;
}

Error KernelTimer::run(const std::shared_ptr<const KernelImage> &image, Launch launch) {
  Expected<LoadedKernel> kernel = LoadedKernel::load(device, image);
  if (!kernel)
    return kernel.takeError();
  Expected<Buffer> written = Buffer::allocate(device, image->getWritten().getSizeInBytes());
  if (!written)
    return written.takeError();
  Expected<Buffer> workspace = Buffer::allocate(device, size_t(image->workspaceBytes));
  if (!workspace)
    return workspace.takeError();
  std::vector<void *> pointers;
  pointers.reserve(reads.size() + 1);
  for (const Buffer &tensor : reads)
    pointers.push_back(tensor.getPointer());
  pointers.push_back(written->getPointer());
  if (Error error = workspace->zero(size_t(image->workspaceZeroBytes)))
    return error;
  const LaunchArguments arguments{pointers, workspace->getPointer(), workspace->getSize(),
                                  /*workspaceIsZeroed=*/true};
  if (Error error = kernel->check(nullptr, arguments))
    return error;
  return launch(*kernel, arguments);
}

Expected<ProgramTiming> KernelTimer::model(const std::shared_ptr<const KernelImage> &image) {
  ProgramTiming timing;
  Error error = run(image, [&](const LoadedKernel &kernel, const LaunchArguments &arguments) {
    Expected<ProgramTiming> modelled = modelTime(kernel, arguments, TimedGroups::Sampled);
    if (modelled)
      timing = std::move(*modelled);
    return modelled.takeError();
  });
  if (error)
    return std::move(error);
  return timing;
}

/// Microseconds of one launch of `kernel`.
static Expected<double> timeLaunch(const LoadedKernel &kernel, const LaunchArguments &arguments,
                                   const Stream &stream, Event &start, Event &end) {
  if (Error error = start.record(stream))
    return std::move(error);
  if (Error error = kernel.launch(stream.getHandle(), arguments))
    return std::move(error);
  if (Error error = end.record(stream))
    return std::move(error);
  if (Error error = end.synchronize())
    return std::move(error);
  Expected<float> milliseconds = end.getMillisecondsSince(start);
  if (!milliseconds)
    return milliseconds.takeError();
  return 1e3 * *milliseconds;
}

Expected<double> KernelTimer::measure(const std::shared_ptr<const KernelImage> &image) {
  Expected<Stream> stream = Stream::create(device);
  Expected<Event> start = Event::create(device), end = Event::create(device);
  if (!stream || !start || !end)
    return llvm::joinErrors(stream.takeError(),
                            llvm::joinErrors(start.takeError(), end.takeError()));
  std::vector<double> times;
  Error error =
      run(image, [&](const LoadedKernel &kernel, const LaunchArguments &arguments) -> Error {
        for (int i = 0; i < kWarmups + kLaunches; ++i) {
          Expected<double> time = timeLaunch(kernel, arguments, *stream, *start, *end);
          if (!time)
            return time.takeError();
          if (i >= kWarmups)
            times.push_back(*time);
        }
        return Error::success();
      });
  if (error)
    return std::move(error);
  llvm::sort(times);
  if (times[kLaunches / 2] <= 0)
    return llvm::createStringError("the device measured a time of 0 us");
  return times[kLaunches / 2];
}

Expected<KernelTime> KernelTimer::time(const std::shared_ptr<const KernelImage> &image) {
  if (!device.isEmulated()) {
    Expected<double> measured = measure(image);
    if (!measured)
      return measured.takeError();
    return KernelTime{*measured, {}};
  }
  Expected<ProgramTiming> modelled = model(image);
  if (!modelled)
    return modelled.takeError();
  return KernelTime{modelled->getMicroseconds(), *modelled};
}
