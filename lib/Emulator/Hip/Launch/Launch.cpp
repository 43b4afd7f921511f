//===- Launch.cpp - HIP: launches and occupancy -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch returns when the kernel has ended, with its fault if it had one.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Load/DeviceError.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/Faults.h"
#include <cstdio>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

/// The settings that may change between launches; the chip stays that of the process.
static llvm::Expected<Options> getLaunchOptions(const State &state) {
  llvm::Expected<Options> options = Options::fromEnvironment();
  if (!options)
    return options.takeError();
  options->chip = state.getOptions().chip;
  options->profile |= state.profiling;
  return options;
}

static Result toResult(llvm::Error error) {
  Result result(hipErrorInvalidValue, std::string());
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceError &refusal) {
        result.code = refusal.getKind() == DeviceError::Kind::OutOfResources
                          ? hipErrorLaunchOutOfResources
                          : hipErrorInvalidConfiguration;
        result.message = refusal.message();
      },
      [&](const llvm::ErrorInfoBase &other) { result.message = other.message(); });
  return result;
}

static hipError_t getCode(FaultKind kind) {
  switch (kind) {
  case FaultKind::IllegalAddress:
    return hipErrorIllegalAddress;
  case FaultKind::Hang:
    return hipErrorLaunchTimeOut;
  case FaultKind::Execution:
    break;
  }
  return hipErrorLaunchFailure;
}

/// A cooperative kernel synchronizes all its workgroups, so that each of them must have a place.
static Result checkCooperative(const ihipModuleSymbol_t &function, const LaunchShape &shape,
                               const Options &options) {
  uint64_t resident = getResidentGroups(*function.object, *function.kernel, shape, options);
  if (shape.getNumGroups() <= resident)
    return Result();
  return Result(hipErrorCooperativeLaunchTooLarge,
                "the workgroups of a cooperative launch must be in [1, " +
                    std::to_string(resident) + "], which the device holds at a time, got " +
                    std::to_string(shape.getNumGroups()) + ", in a launch of kernel '" +
                    shortenKernelName(function.kernel->metadata.name) + "'");
}

/// Notes what the model of time says of a launch, with the lock of `state` held. What it could not
/// do is printed when it is not what was printed last: it is the same for each of many launches.
static void noteTiming(State &state, hipStream_t stream, const Kernel &kernel,
                       const std::optional<ModelledLaunch> &modelled) {
  state.launchTiming = modelled ? modelled->json : "{}";
  if (!modelled)
    return;
  state.clocks.advance(stream, modelled->microseconds);
  state.timingSummary.add(kernel.metadata.name, modelled->kernelMicroseconds);
  if (!modelled->failure.empty() && modelled->failure != state.timingFailure && doesPrint())
    std::fprintf(stderr, "ck-mlir emulator: %s\n", modelled->failure.c_str());
  state.timingFailure = modelled->failure;
}

Result hip::runKernel(State &state, hipStream_t stream, hipFunction_t function,
                      const LaunchShape &shape, llvm::ArrayRef<uint8_t> arguments,
                      bool cooperative) {
  const Kernel &kernel = *function->kernel;
  llvm::Expected<Options> options = getLaunchOptions(state);
  if (!options)
    return invalidValue(llvm::toString(options.takeError()));
  if (cooperative)
    if (Result result = checkCooperative(*function, shape, *options); result.code != hipSuccess)
      return result;
  llvm::Expected<LaunchOutcome> outcome =
      launchKernel(*function->object, kernel, shape, arguments, state.memory, *options);
  if (!outcome)
    return toResult(outcome.takeError());
  std::string statistics = outcome->statistics.toJson(*function->object, kernel);
  state.log.noteLaunch(*function->object, kernel, *outcome, statistics);
  {
    std::lock_guard<std::mutex> lock(state.mutex);
    state.launchStatistics = std::move(statistics);
    noteTiming(state, stream, kernel, outcome->modelled);
  }
  if (outcome->succeeded)
    return Result();
  std::fprintf(stderr, "ck-mlir emulator: %s\n", outcome->fault.message.c_str());
  return quiet(getCode(outcome->fault.kind), outcome->fault.message);
}

Result hip::launch(State &state, const LaunchRequest &request) {
  if (Result result = checkStream(state, request.stream); result.code != hipSuccess)
    return result;
  ActiveWork::Scope scope(state.active, request.stream);
  if (Result result = checkFunction(state, request.function); result.code != hipSuccess)
    return result;
  if (isCapturing(state, request.stream)) {
    KernelWork work;
    Result result = makeKernelWork(request, work);
    if (result.code == hipSuccess)
      captureWork(state, request.stream, std::move(work), result);
    return result;
  }
  std::vector<uint8_t> arguments;
  if (Result result = packArguments(request, arguments); result.code != hipSuccess)
    return result;
  return runKernel(state, request.stream, request.function, request.shape, arguments,
                   request.cooperative);
}
