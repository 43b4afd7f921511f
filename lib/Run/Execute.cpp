//===- Execute.cpp - A compiled program on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output is filled with a pattern that no kernel produces (NaN in every float type) unless the
// program asks for zeros, so that an element that is not written is a mismatch.
//
//===----------------------------------------------------------------------===//

#include "Run/Execute.h"
#include "ck-mlir/Run/ModelTime.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Environment.h"
#include "ck-mlir/Runtime/Event.h"
#include "ck-mlir/Runtime/Module.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// Device memory by argument name.
class Arguments {
public:
  static Expected<Arguments> create(const Device &device, const CompiledProgram &program,
                                    llvm::ArrayRef<TensorData> reads, const TensorData &result);

  /// Pointers in the order of `names`; a name that is no tensor is an error.
  Expected<std::vector<void *>> getPointers(llvm::ArrayRef<std::string> names) const;
  /// Brings memory that kernels write into its state before a run.
  Error prepare(const CompiledProgram &program);
  Error copyResult(TensorData &result) const {
    return buffers[resultIndex].copyToHost(result.getBytes());
  }

private:
  Error add(const Device &device, StringRef name, size_t bytes);

  std::vector<Buffer> buffers;
  llvm::StringMap<size_t> indices;
  size_t resultIndex = 0;
};

/// The state of one execution.
class Executor {
public:
  Executor(const Device &device, const RunOptions &options, Arguments &&arguments, Module &&module,
           Stream &&stream)
      : device(device), options(options), arguments(std::move(arguments)),
        module(std::move(module)), stream(std::move(stream)) {}

  Expected<Execution> run(const CompiledProgram &program, TensorData &result);

private:
  Error prepare();
  Error resolve(const CompiledProgram &program);
  /// All kernels once; on the emulator their counts are added to `execution`.
  Error launchAll(const CompiledProgram &program, Execution &execution);
  Error readStatistics(const Roles &roles, KernelReport &kernel, Execution &execution) const;
  Error addTiming(KernelReport &kernel, Execution &execution) const;

  const Device &device;
  const RunOptions &options;
  Arguments arguments;
  Module module;
  Stream stream;
  std::vector<hip::FunctionHandle> functions;
  std::vector<std::vector<void *>> pointers;
};
} // namespace

Error Arguments::add(const Device &device, StringRef name, size_t bytes) {
  Expected<Buffer> buffer = Buffer::allocate(device, bytes);
  if (!buffer)
    return buffer.takeError();
  indices[name] = buffers.size();
  buffers.push_back(std::move(*buffer));
  return Error::success();
}

Expected<Arguments> Arguments::create(const Device &device, const CompiledProgram &program,
                                      llvm::ArrayRef<TensorData> reads, const TensorData &result) {
  Arguments arguments;
  for (const TensorData &tensor : reads) {
    if (Error error = arguments.add(device, tensor.getDesc().name, tensor.getBytes().size()))
      return error;
    if (Error error = arguments.buffers.back().copyFromHost(tensor.getBytes()))
      return error;
  }
  arguments.resultIndex = arguments.buffers.size();
  if (Error error = arguments.add(device, result.getDesc().name, result.getBytes().size()))
    return error;
  if (Error error = arguments.add(device, "workspace", program.workspaceBytes))
    return error;
  const Buffer &workspace = arguments.buffers.back();
  if (Error error = program.checkWorkspace(workspace.getPointer(), workspace.getSize()))
    return error;
  return arguments;
}

Expected<std::vector<void *>> Arguments::getPointers(llvm::ArrayRef<std::string> names) const {
  std::vector<void *> pointers;
  for (const std::string &name : names) {
    auto it = indices.find(name);
    if (it == indices.end())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "unknown kernel argument '" + name + "'");
    pointers.push_back(buffers[it->second].getPointer());
  }
  return pointers;
}

Error Arguments::prepare(const CompiledProgram &program) {
  if (Error error = buffers[resultIndex].fill(program.zeroFillOutput ? 0 : 0xff))
    return error;
  if (Error error = buffers.back().fill(0xff))
    return error;
  return buffers.back().fill(0, program.workspaceZeroBytes);
}

Error Executor::resolve(const CompiledProgram &program) {
  for (const KernelInfo &kernel : program.kernels) {
    Expected<hip::FunctionHandle> function = module.getFunction(kernel.name);
    if (!function)
      return function.takeError();
    functions.push_back(*function);
    Expected<std::vector<void *>> values = arguments.getPointers(kernel.arguments);
    if (!values)
      return values.takeError();
    pointers.push_back(std::move(*values));
  }
  return Error::success();
}

Error Executor::readStatistics(const Roles &roles, KernelReport &kernel,
                               Execution &execution) const {
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

Error Executor::addTiming(KernelReport &kernel, Execution &execution) const {
  Expected<KernelTiming> timing = readLaunchTiming(device.getApi());
  if (!timing)
    return timing.takeError();
  if (kernel.profile)
    addStalls(*kernel.profile, *timing);
  if (!execution.timing)
    execution.timing.emplace();
  execution.timing->kernels.emplace_back(kernel.info.name, std::move(*timing));
  return Error::success();
}

/// The file for kernel `index`: FILE.json for the first, then FILE.2.json and so on.
static std::string getTimelinePath(StringRef path, size_t index) {
  if (index == 0)
    return path.str();
  const StringRef extension = llvm::sys::path::extension(path);
  return (path.drop_back(extension.size()) + "." + Twine(index + 1) + extension).str();
}

/// Has the emulator write what waves do to a file of ours: it would put a new file in the place of
/// whatever is at the path of the user's, as of a device.
static Expected<std::string> startTimeline(const HipApi &api) {
  llvm::SmallString<128> file;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("ck-trace", "json", file))
    return llvm::createStringError(code, "cannot make a file for the trace: " + code.message());
  if (Error error = api.setVariable("CK_EMULATOR_TIMING_TRACE", file))
    return std::move(error);
  return file.str().str();
}

/// Moves what the emulator wrote to `path`.
static Error finishTimeline(StringRef file, StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> content = readFile(file);
  if (!content)
    return content.takeError();
  return writeFile(path, (*content)->getBuffer());
}

Error Executor::launchAll(const CompiledProgram &program, Execution &execution) {
  execution = Execution();
  for (size_t i = 0; i < functions.size(); ++i) {
    KernelReport kernel;
    kernel.info = program.kernels[i];
    std::string timeline;
    if (!options.timeline.empty()) {
      Expected<std::string> started = startTimeline(device.getApi());
      if (!started)
        return started.takeError();
      timeline = std::move(*started);
    }
    llvm::scope_exit removeTimeline([&] { (void)llvm::sys::fs::remove(timeline); });
    LaunchShape shape{kernel.info.grid, kernel.info.block, 0};
    if (Error error = stream.launch(functions[i], shape, pointers[i]))
      return error;
    if (device.isEmulated()) {
      if (Error error = stream.synchronize())
        return error;
      if (Error error = readStatistics(program.schedule.roles, kernel, execution))
        return error;
    }
    if (options.time)
      if (Error error = addTiming(kernel, execution))
        return error;
    if (!timeline.empty())
      if (Error error = finishTimeline(timeline, getTimelinePath(options.timeline, i)))
        return error;
    execution.kernels.push_back(std::move(kernel));
  }
  return Error::success();
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
  return startTiming(api);
}

Expected<Execution> Executor::run(const CompiledProgram &program, TensorData &result) {
  if (Error error = prepare())
    return error;
  if (Error error = resolve(program))
    return error;
  Expected<Event> start = Event::create(device), end = Event::create(device);
  if (!start || !end)
    return llvm::joinErrors(start.takeError(), end.takeError());
  Execution execution;
  std::vector<double> times;
  for (int64_t i = 0; i < options.repeat; ++i) {
    if (Error error = arguments.prepare(program))
      return error;
    if (Error error = start->record(stream))
      return error;
    if (Error error = launchAll(program, execution))
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
  llvm::sort(times);
  if (!device.isEmulated())
    execution.milliseconds = times[times.size() / 2];
  if (Error error = arguments.copyResult(result))
    return error;
  return execution;
}

Expected<int64_t> mlir::ck::getOccupancy(const Device &device, const CompiledProgram &program) {
  Expected<Module> module = Module::load(device, program.codeObject);
  if (!module)
    return module.takeError();
  const KernelInfo &kernel = program.kernels.front();
  Expected<hip::FunctionHandle> function = module->getFunction(kernel.name);
  if (!function)
    return function.takeError();
  return module->getOccupancy(*function, kernel.block[0]);
}

Expected<Execution> mlir::ck::execute(const Device &device, const CompiledProgram &program,
                                      llvm::ArrayRef<TensorData> reads, TensorData &result,
                                      const RunOptions &options) {
  Expected<Module> module = Module::load(device, program.codeObject);
  if (!module)
    return module.takeError();
  Expected<Arguments> arguments = Arguments::create(device, program, reads, result);
  if (!arguments)
    return arguments.takeError();
  Expected<Stream> stream = Stream::create(device);
  if (!stream)
    return stream.takeError();
  Executor executor(device, options, std::move(*arguments), std::move(*module), std::move(*stream));
  Expected<Execution> execution = executor.run(program, result);
  // What is verified by running it is not timed.
  Error error = options.time ? stopTiming(device.getApi()) : Error::success();
  if (error)
    return llvm::joinErrors(std::move(error), execution ? Error::success() : execution.takeError());
  return execution;
}
