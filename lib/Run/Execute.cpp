//===- Execute.cpp - A kernel on tensors of the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output is filled with a pattern that no kernel produces (NaN in every float type), so that an
// element that is not written is a mismatch.
//
//===----------------------------------------------------------------------===//

#include "Run/Execute.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Environment.h"
#include "ck-mlir/Runtime/Event.h"
#include "ck-mlir/Runtime/Stream.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// Device memory of a kernel: its tensors, and behind them the workspace.
class Memory {
public:
  static Expected<Memory> create(const Device &device, const KernelImage &image,
                                 llvm::ArrayRef<TensorData> reads);

  LaunchArguments getArguments() const {
    return {llvm::ArrayRef(pointers).drop_back(), pointers.back(), buffers.back().getSize(),
            /*workspaceIsZeroed=*/true};
  }
  /// Fills what kernels write with a pattern, and with zeros what they need so in the workspace.
  Error prepare();
  /// An error if a launch has not left these zeros.
  Error checkZeros(const HipApi &api) const;
  Error copyResult(TensorData &result) const {
    return buffers.rbegin()[1].copyToHost(result.getBytes());
  }

private:
  Error add(const Device &device, size_t bytes);

  std::vector<Buffer> buffers;
  std::vector<void *> pointers;
  size_t workspaceZeroBytes = 0;
};

/// Has the emulator write what the waves of a launch do to a file of ours: it would put a new file
/// in the place of whatever is at the path of the user's, as of a device.
class Timeline {
public:
  ~Timeline() { (void)llvm::sys::fs::remove(file); }

  /// Of the next launch.
  Error start(const HipApi &api);
  /// Moves what the emulator wrote to `path`.
  Error finish(StringRef path);

private:
  llvm::SmallString<128> file;
};

/// The state of one execution.
class Executor {
public:
  Executor(const Device &device, const LoadedKernel &kernel, const RunOptions &options,
           const Roles &roles, Memory &&memory, Stream &&stream)
      : device(device), kernel(kernel), options(options), roles(roles), memory(std::move(memory)),
        stream(std::move(stream)) {}

  Expected<Execution> run(TensorData &result);

private:
  Error prepare();
  /// All kernels once.
  Error launchAll();
  /// Adds what is known of a launch that has ended to `execution`.
  Error report(const ImageLaunch &launch);
  Error readStatistics(KernelReport &kernel);
  Error addTiming(KernelReport &kernel);

  const Device &device;
  const LoadedKernel &kernel;
  const RunOptions &options;
  const Roles &roles;
  Memory memory;
  Stream stream;
  Execution execution;
};
} // namespace

Error Memory::add(const Device &device, size_t bytes) {
  Expected<Buffer> buffer = Buffer::allocate(device, bytes);
  if (!buffer)
    return buffer.takeError();
  pointers.push_back(buffer->getPointer());
  buffers.push_back(std::move(*buffer));
  return Error::success();
}

Expected<Memory> Memory::create(const Device &device, const KernelImage &image,
                                llvm::ArrayRef<TensorData> reads) {
  Memory memory;
  for (const TensorData &tensor : reads) {
    if (Error error = memory.add(device, tensor.getBytes().size()))
      return error;
    if (Error error = memory.buffers.back().copyFromHost(tensor.getBytes()))
      return error;
  }
  if (Error error = memory.add(device, image.getWritten().getSizeInBytes()))
    return error;
  if (Error error = memory.add(device, size_t(image.workspaceBytes)))
    return error;
  memory.workspaceZeroBytes = size_t(image.workspaceZeroBytes);
  return memory;
}

Error Memory::prepare() {
  for (Buffer &buffer : llvm::MutableArrayRef(buffers).take_back(2))
    if (Error error = buffer.fill(0xff))
      return error;
  return buffers.back().zero(workspaceZeroBytes);
}

Error Memory::checkZeros(const HipApi &api) const {
  std::vector<uint8_t> left(workspaceZeroBytes, 0xff);
  if (left.empty())
    return Error::success();
  if (Error error = api.check(
          api.Memcpy(left.data(), pointers.back(), left.size(), hip::deviceToHost), "hipMemcpy"))
    return error;
  const auto found = llvm::find_if(left, [](uint8_t byte) { return byte != 0; });
  if (found == left.end())
    return Error::success();
  return llvm::createStringError("expected the launch to leave " + Twine(left.size()) +
                                 " zeros at the start of the workspace, got " + Twine(int(*found)) +
                                 " in byte " + Twine(found - left.begin()));
}

Error Executor::readStatistics(KernelReport &kernel) {
  Expected<llvm::json::Value> value = device.getApi().getLaunchStatistics();
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *counts = object ? object->getObject("instructions") : nullptr;
  std::optional<double> seconds = object ? object->getNumber("seconds") : std::nullopt;
  if (!counts || !seconds)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the emulator returned no launch statistics");
  for (const auto &[name, count] : *counts)
    kernel.instructions.emplace_back(name.str(), count.getAsInteger().value_or(0));
  // Readers of the report find every class, also one that the chip does not have.
  for (StringRef name : {"mfma", "wmma", "valu", "salu", "vmem", "lds"})
    if (!counts->get(name))
      kernel.instructions.emplace_back(name.str(), 0);
  llvm::sort(kernel.instructions);
  kernel.ldsBankConflicts = object->getInteger("lds_bank_conflicts");
  execution.emulatedSeconds = execution.emulatedSeconds.value_or(0) + *seconds;
  if (!options.profile)
    return Error::success();
  Expected<KernelProfile> kernelProfile = readProfile(*object, roles);
  if (!kernelProfile)
    return kernelProfile.takeError();
  kernel.profile = std::move(*kernelProfile);
  return Error::success();
}

Error Executor::addTiming(KernelReport &kernel) {
  Expected<KernelTiming> timing = readLaunchTiming(device.getApi());
  if (!timing)
    return timing.takeError();
  if (kernel.profile)
    addStalls(*kernel.profile, *timing);
  if (!execution.timing)
    execution.timing.emplace();
  execution.timing->kernels.emplace_back(kernel.launch.kernel, std::move(*timing));
  return Error::success();
}

/// The file for kernel `index`: FILE.json for the first, then FILE.2.json and so on.
static std::string getTimelinePath(StringRef path, size_t index) {
  if (index == 0)
    return path.str();
  const StringRef extension = llvm::sys::path::extension(path);
  return (path.drop_back(extension.size()) + "." + Twine(index + 1) + extension).str();
}

Error Timeline::start(const HipApi &api) {
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("ck-trace", "json", file))
    return llvm::createStringError(code, "cannot make a file for the trace: " + code.message());
  return api.setVariable("CK_EMULATOR_TIMING_TRACE", file);
}

Error Timeline::finish(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> content = readFile(file);
  if (!content)
    return content.takeError();
  (void)llvm::sys::fs::remove(file);
  return writeFile(path, (*content)->getBuffer());
}

Error Executor::report(const ImageLaunch &launch) {
  KernelReport report;
  report.launch = launch;
  if (device.isEmulated()) {
    if (Error error = stream.synchronize())
      return error;
    if (Error error = readStatistics(report))
      return error;
  }
  if (options.time)
    if (Error error = addTiming(report))
      return error;
  execution.kernels.push_back(std::move(report));
  return Error::success();
}

Error Executor::launchAll() {
  execution = Execution();
  const HipApi &api = device.getApi();
  const size_t numLaunches = kernel.getImage().launches.size();
  Timeline timeline;
  if (!options.timeline.empty())
    if (Error error = timeline.start(api))
      return error;
  return kernel.launch(
      stream.getHandle(), memory.getArguments(), [&](const ImageLaunch &launch) -> Error {
        if (Error error = report(launch))
          return error;
        if (options.timeline.empty())
          return Error::success();
        const size_t count = execution.kernels.size();
        if (Error error = timeline.finish(getTimelinePath(options.timeline, count - 1)))
          return error;
        return count < numLaunches ? timeline.start(api) : Error::success();
      });
}

/// Switches on what the emulator is to find out.
Error Executor::prepare() {
  const HipApi &api = device.getApi();
  if (options.profile)
    if (Error error = api.setProfiling(true))
      return error;
  if (!options.time)
    return Error::success();
  if (getVariable("CK_EMULATOR_TIMING") == "only" && options.verify != VerifyMode::None)
    return llvm::createStringError("with CK_EMULATOR_TIMING=only not all of the result is computed:"
                                   " expected --verify=none");
  return startTiming(api, options.timed);
}

Expected<Execution> Executor::run(TensorData &result) {
  if (Error error = kernel.check(stream.getHandle(), memory.getArguments()))
    return error;
  if (Error error = prepare())
    return error;
  Expected<Event> start = Event::create(device), end = Event::create(device);
  if (!start || !end)
    return llvm::joinErrors(start.takeError(), end.takeError());
  std::vector<double> times;
  for (int64_t i = 0; i < options.repeat; ++i) {
    if (Error error = memory.prepare())
      return error;
    if (Error error = start->record(stream))
      return error;
    if (Error error = launchAll())
      return error;
    if (Error error = end->record(stream))
      return error;
    if (Error error = stream.synchronize())
      return error;
    Expected<float> milliseconds = end->getMillisecondsSince(*start);
    if (!milliseconds)
      return milliseconds.takeError();
    times.push_back(*milliseconds);
  }
  if (options.verify != VerifyMode::None)
    if (Error error = memory.checkZeros(device.getApi()))
      return error;
  llvm::sort(times);
  if (!device.isEmulated())
    execution.milliseconds = times[times.size() / 2];
  if (Error error = memory.copyResult(result))
    return error;
  return std::move(execution);
}

Expected<Execution> mlir::ck::execute(const Device &device, const LoadedKernel &kernel,
                                      llvm::ArrayRef<TensorData> reads, TensorData &result,
                                      const RunOptions &options, const Roles &roles) {
  Expected<Memory> memory = Memory::create(device, kernel.getImage(), reads);
  if (!memory)
    return memory.takeError();
  Expected<Stream> stream = Stream::create(device);
  if (!stream)
    return stream.takeError();
  Executor executor(device, kernel, options, roles, std::move(*memory), std::move(*stream));
  Expected<Execution> execution = executor.run(result);
  // What is verified by running it is not timed.
  Error error = options.time ? stopTiming(device.getApi()) : Error::success();
  if (error)
    return llvm::joinErrors(std::move(error), execution ? Error::success() : execution.takeError());
  return execution;
}
