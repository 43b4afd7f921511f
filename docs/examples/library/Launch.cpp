//===- Launch.cpp - A kernel with its tensors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Event.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Expected<Device> example::openDevice(llvm::StringRef chip) {
  std::string whyNone;
  Expected<std::optional<Device>> gpu = Device::findHip(whyNone);
  if (!gpu)
    return gpu.takeError();
  return *gpu ? Expected<Device>(**gpu) : Device::openEmulator(chip);
}

Error example::Launch::add(size_t bytes) {
  Expected<Buffer> buffer = Buffer::allocate(device, bytes);
  if (!buffer)
    return buffer.takeError();
  buffers.push_back(std::move(*buffer));
  pointers.push_back(buffers.back().getPointer());
  return Error::success();
}

Expected<example::Launch> example::Launch::create(const Device &device,
                                                  std::shared_ptr<const LoadedKernel> kernel,
                                                  llvm::ArrayRef<TensorData> reads) {
  Expected<Stream> stream = Stream::create(device);
  if (!stream)
    return stream.takeError();
  Launch launch(device, std::move(kernel), std::move(*stream));
  const KernelImage &image = launch.kernel->getImage();
  for (const TensorData &tensor : reads) {
    if (Error error = launch.add(tensor.getBytes().size()))
      return std::move(error);
    if (Error error = launch.buffers.back().copyFromHost(tensor.getBytes()))
      return std::move(error);
  }
  if (Error error = launch.add(image.getWritten().getSizeInBytes()))
    return std::move(error);
  if (Error error = launch.add(image.workspaceBytes))
    return std::move(error);
  return launch;
}

LaunchArguments example::Launch::getArguments() const {
  LaunchArguments arguments;
  arguments.tensors = llvm::ArrayRef(pointers).drop_back();
  arguments.workspace = pointers.back();
  arguments.workspaceBytes = buffers.back().getSize();
  return arguments;
}

Error example::Launch::run() const { return kernel->run(stream.getHandle(), getArguments()); }

Expected<TensorData> example::Launch::compute() const {
  if (Error error = run())
    return std::move(error);
  if (Error error = stream.synchronize())
    return std::move(error);
  TensorData result(kernel->getImage().getWritten());
  if (Error error = buffers[buffers.size() - 2].copyToHost(result.getBytes()))
    return std::move(error);
  return result;
}

/// What the emulator's model of the chip says of a launch.
static Expected<example::LaunchTime> getModelledTime(const LoadedKernel &kernel,
                                                     const LaunchArguments &arguments) {
  if (Error error = kernel.check(/*stream=*/nullptr, arguments))
    return std::move(error);
  Expected<ProgramTiming> timing = modelTime(kernel, arguments);
  if (!timing)
    return timing.takeError();
  return example::LaunchTime{timing->getMicroseconds(), timing->getError()};
}

Expected<example::LaunchTime> example::Launch::measure(int launches) const {
  if (device.isEmulated())
    return getModelledTime(*kernel, getArguments());
  Expected<Event> begin = Event::create(device);
  if (!begin)
    return begin.takeError();
  Expected<Event> end = Event::create(device);
  if (!end)
    return end.takeError();
  if (Error error = begin->record(stream))
    return std::move(error);
  for (int i = 0; i < launches; ++i)
    if (Error error = run())
      return std::move(error);
  if (Error error = end->record(stream))
    return std::move(error);
  if (Error error = end->synchronize())
    return std::move(error);
  Expected<float> all = end->getMillisecondsSince(*begin);
  if (!all)
    return all.takeError();
  return LaunchTime{1000 * *all / launches, std::nullopt};
}

Error example::verify(const Problem &problem, const TensorData &result, const TensorData &reference,
                      bool isExact) {
  Tolerance tolerance;
  if (!isExact)
    tolerance = getTolerance(problem, getMaxMagnitude(reference));
  Comparison comparison = compare(result, reference, tolerance);
  llvm::outs() << llvm::formatv("verify: {0} of {1} elements differ\n", comparison.mismatches,
                                comparison.elements);
  return comparison.passed() ? Error::success() : createStringError(comparison.firstMismatch);
}

void example::printTime(const Problem &problem, const LaunchTime &time) {
  llvm::outs() << llvm::formatv("time: {0:f1} us, {1:f1} TFLOPS", time.microseconds,
                                getFlops(problem) / time.microseconds * 1e-6);
  if (time.band)
    llvm::outs() << llvm::formatv(" by the model of the chip, not measured; nine of ten measured "
                                  "times lie between {0:f1} and {1:f1} us",
                                  time.band->first, time.band->second);
  llvm::outs() << "\n";
}
