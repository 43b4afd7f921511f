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

#include "State.h"
#include "ck-mlir/Emulator/Dispatcher.h"
#include <cstdio>
#include <cstring>

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::hip;

/// The settings that may change between launches; the chip stays that of the process.
static llvm::Expected<Options> getLaunchOptions(const State &state) {
  llvm::Expected<Options> options = Options::fromEnvironment();
  if (!options)
    return options.takeError();
  options->chip = state.getOptions().chip;
  options->profile = state.profiling;
  return options;
}

/// Copies the arguments that `kernelParams` points to into the layout of the argument segment.
static Result packParameters(const Kernel &kernel, void **kernelParams,
                             std::vector<uint8_t> &arguments) {
  unsigned position = 0;
  for (const KernelArgument &argument : kernel.metadata.arguments) {
    if (argument.isHidden())
      continue;
    if (!kernelParams || !kernelParams[position])
      return invalidValue("kernel '" + kernel.metadata.name + "': argument " +
                          std::to_string(position) + " is null");
    size_t end = size_t(argument.offset) + argument.size;
    if (arguments.size() < end)
      arguments.resize(end);
    std::memcpy(arguments.data() + argument.offset, kernelParams[position++], argument.size);
  }
  return Result();
}

/// Copies the argument buffer of the `extra` list.
static Result readExtra(const Kernel &kernel, void **extra, std::vector<uint8_t> &arguments) {
  const void *buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[i + 1];
    else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1])
      size = *static_cast<size_t *>(extra[i + 1]);
    else
      return invalidValue("extra has an unknown entry at position " + std::to_string(i));
  }
  if (!buffer)
    return invalidValue("extra has no argument buffer");
  size_t expected = 0;
  for (const KernelArgument &argument : kernel.metadata.arguments)
    if (!argument.isHidden())
      expected = std::max<size_t>(expected, size_t(argument.offset) + argument.size);
  if (size < expected)
    return invalidValue("kernel '" + kernel.metadata.name + "': expected at least " +
                        std::to_string(expected) + " bytes of arguments, got " +
                        std::to_string(size));
  const auto *bytes = static_cast<const uint8_t *>(buffer);
  arguments.assign(bytes, bytes + expected);
  return Result();
}

static Result toResult(llvm::Error error) {
  Result result(hipErrorInvalidValue, std::string());
  llvm::handleAllErrors(
      std::move(error),
      [&](const LaunchError &launch) {
        result.code = launch.getKind() == LaunchError::Kind::OutOfResources
                          ? hipErrorLaunchOutOfResources
                          : hipErrorInvalidConfiguration;
        result.message = launch.message();
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

Result hip::launch(State &state, const ihipModuleSymbol_t *function, const LaunchShape &shape,
                   hipStream_t stream, void **kernelParams, void **extra) {
  if (Result result = checkFunction(state, function); result.code != hipSuccess)
    return result;
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  if (kernelParams && extra)
    return invalidValue("expected kernelParams or extra, got both");
  const Kernel &kernel = *function->kernel;
  std::vector<uint8_t> arguments;
  Result packed =
      extra ? readExtra(kernel, extra, arguments) : packParameters(kernel, kernelParams, arguments);
  if (packed.code != hipSuccess)
    return packed;
  llvm::Expected<Options> options = getLaunchOptions(state);
  if (!options)
    return invalidValue(llvm::toString(options.takeError()));
  llvm::Expected<LaunchOutcome> outcome =
      launchKernel(*function->object, kernel, shape, arguments, state.memory, *options);
  if (!outcome)
    return toResult(outcome.takeError());
  {
    std::lock_guard<std::mutex> lock(state.mutex);
    state.launchStatistics = outcome->statistics.toJson(*function->object, kernel);
  }
  if (outcome->succeeded)
    return Result();
  std::fprintf(stderr, "ck-mlir emulator: %s\n", outcome->fault.message.c_str());
  return Result(getCode(outcome->fault.kind), outcome->fault.message);
}

CK_HIP_EXPORT hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX,
                                               unsigned int gridDimY, unsigned int gridDimZ,
                                               unsigned int blockDimX, unsigned int blockDimY,
                                               unsigned int blockDimZ, unsigned int sharedMemBytes,
                                               hipStream_t stream, void **kernelParams,
                                               void **extra) {
  return call("hipModuleLaunchKernel", [&](State &state) {
    LaunchShape shape;
    shape.groups[0] = gridDimX;
    shape.groups[1] = gridDimY;
    shape.groups[2] = gridDimZ;
    shape.groupSize[0] = blockDimX;
    shape.groupSize[1] = blockDimY;
    shape.groupSize[2] = blockDimZ;
    shape.dynamicLds = sharedMemBytes;
    return launch(state, f, shape, stream, kernelParams, extra);
  });
}

/// Workgroups of `blockSize` work-items that one compute unit holds.
static unsigned getOccupancy(const ihipModuleSymbol_t &function, int blockSize, size_t dynamicLds) {
  return getGroupsPerUnit(
      function.object->getChip(),
      getGroupResources(*function.kernel, unsigned(blockSize), unsigned(dynamicLds)));
}

Result hip::getActiveBlocks(State &state, int *numBlocks, hipFunction_t f, int blockSize,
                            size_t dynamicLds) {
  if (!numBlocks || blockSize <= 0)
    return invalidValue("numBlocks is null or blockSize is not positive");
  Result result = checkFunction(state, f);
  if (result.code == hipSuccess)
    *numBlocks = int(getOccupancy(*f, blockSize, dynamicLds));
  return result;
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                                            hipFunction_t f,
                                                                            int blockSize,
                                                                            size_t dynamicLds) {
  return call("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", [&](State &state) {
    return getActiveBlocks(state, numBlocks, f, blockSize, dynamicLds);
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, hipFunction_t f, int blockSize, size_t dynamicLds, unsigned int) {
  return call("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&](State &state) {
    return getActiveBlocks(state, numBlocks, f, blockSize, dynamicLds);
  });
}

/// The largest workgroup of those that keep the most work-items resident.
Result hip::getPotentialBlockSize(State &state, int *gridSize, int *blockSize, hipFunction_t f,
                                  size_t dynamicLds, int blockSizeLimit) {
  if (!gridSize || !blockSize)
    return invalidValue("gridSize or blockSize is null");
  Result result = checkFunction(state, f);
  if (result.code != hipSuccess)
    return result;
  int waveSize = int(f->kernel->descriptor.waveSize);
  int limit = int(f->kernel->metadata.maxGroupSize);
  if (blockSizeLimit > 0)
    limit = std::min(limit, blockSizeLimit);
  int best = 0, bestItems = -1;
  for (int size = waveSize; size <= limit; size += waveSize) {
    int items = size * int(getOccupancy(*f, size, dynamicLds));
    if (items >= bestItems) {
      best = size;
      bestItems = items;
    }
  }
  *blockSize = best;
  unsigned groupsPerUnit = best ? getOccupancy(*f, best, dynamicLds) : 0;
  *gridSize = int(groupsPerUnit * state.getOptions().computeUnits);
  return result;
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                                 hipFunction_t f, size_t dynamicLds,
                                                                 int blockSizeLimit) {
  return call("hipModuleOccupancyMaxPotentialBlockSize", [&](State &state) {
    return getPotentialBlockSize(state, gridSize, blockSize, f, dynamicLds, blockSizeLimit);
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    int *gridSize, int *blockSize, hipFunction_t f, size_t dynamicLds, int blockSizeLimit,
    unsigned int) {
  return call("hipModuleOccupancyMaxPotentialBlockSizeWithFlags", [&](State &state) {
    return getPotentialBlockSize(state, gridSize, blockSize, f, dynamicLds, blockSizeLimit);
  });
}

/// Of hip_ext.h, with C++ linkage. The grid is given in work-items; the events are recorded before
/// and after.
__attribute__((visibility("default"))) hipError_t
hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalX, uint32_t globalY, uint32_t globalZ,
                         uint32_t localX, uint32_t localY, uint32_t localZ, size_t sharedMemBytes,
                         hipStream_t stream, void **kernelParams, void **extra,
                         hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t) {
  const uint32_t global[3] = {globalX, globalY, globalZ}, local[3] = {localX, localY, localZ};
  if (startEvent)
    if (hipError_t code = hipEventRecord(startEvent, stream); code != hipSuccess)
      return code;
  hipError_t code = call("hipExtModuleLaunchKernel", [&](State &state) {
    LaunchShape shape;
    for (unsigned i = 0; i < 3; ++i) {
      if (local[i] == 0 || global[i] % local[i] != 0)
        return Result(hipErrorInvalidConfiguration,
                      "the number of work-items must be a multiple of " + std::to_string(local[i]) +
                          " in dimension " + std::to_string(i) + ", got " +
                          std::to_string(global[i]));
      shape.groups[i] = global[i] / local[i];
      shape.groupSize[i] = local[i];
    }
    if (sharedMemBytes > UINT32_MAX)
      return invalidValue("dynamic LDS must be below 4 GiB");
    shape.dynamicLds = uint32_t(sharedMemBytes);
    return launch(state, f, shape, stream, kernelParams, extra);
  });
  if (code == hipSuccess && stopEvent)
    return hipEventRecord(stopEvent, stream);
  return code;
}
