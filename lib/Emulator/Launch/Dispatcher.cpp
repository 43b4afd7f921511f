//===- Dispatcher.cpp - Launching a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Dispatcher.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Check/GlobalShadow.h"
#include "Emulator/Launch/ArgumentSegment.h"
#include "Emulator/Launch/Hostcalls.h"
#include "Emulator/Launch/Scheduler.h"
#include "Emulator/Load/DeviceError.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/LaunchContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace ckemu;

/// Private memory added for a kernel whose stack depth the compiler does not know.
static constexpr uint32_t kDynamicStackBytes = 16 * 1024;

GroupResources ckemu::getGroupResources(const Kernel &kernel, unsigned items, unsigned dynamicLds) {
  const KernelDescriptor &descriptor = kernel.descriptor;
  GroupResources resources;
  resources.waveSize = descriptor.waveSize;
  resources.waves = (items + descriptor.waveSize - 1) / descriptor.waveSize;
  resources.halfUnit = !descriptor.wholeUnit;
  resources.vectorRegisters = descriptor.numVgprs + descriptor.numAgprs;
  resources.ldsBytes = descriptor.ldsBytes + dynamicLds;
  return resources;
}

uint64_t ckemu::getResidentGroups(const CodeObject &object, const Kernel &kernel,
                                  const LaunchShape &shape, const Options &options) {
  return uint64_t(
             getGroupsPerUnit(object.getChip(),
                              getGroupResources(kernel, shape.getGroupItems(), shape.dynamicLds))) *
         options.computeUnits;
}

static llvm::Error checkShape(const CodeObject &object, const Kernel &kernel,
                              const LaunchShape &shape, const Options &options) {
  const std::string name = ", kernel '" + shortenKernelName(kernel.metadata.name) + "'";
  for (unsigned i = 0; i < 3; ++i) {
    uint32_t required = kernel.metadata.requiredGroupSize[i];
    if (shape.groups[i] == 0 || shape.groupSize[i] == 0)
      return makeError(DeviceError::Kind::InvalidLaunch,
                       llvm::formatv("grid and block sizes must be at least 1{0}", name));
    if (uint64_t(shape.groups[i]) * shape.groupSize[i] > UINT32_MAX)
      return makeError(DeviceError::Kind::InvalidLaunch,
                       llvm::formatv("the work-items of a dimension must be in [1, {0}], got {1} "
                                     "in dimension {2}{3}",
                                     UINT32_MAX, uint64_t(shape.groups[i]) * shape.groupSize[i], i,
                                     name));
    if (required != 0 && shape.groupSize[i] != required)
      return makeError(DeviceError::Kind::InvalidLaunch,
                       llvm::formatv("expected block size {0} in dimension {1}, got {2}{3}",
                                     required, i, shape.groupSize[i], name));
  }
  uint64_t items = uint64_t(shape.groupSize[0]) * shape.groupSize[1];
  uint64_t limit = std::min(1024u, kernel.metadata.maxGroupSize);
  if (items <= limit)
    items *= shape.groupSize[2];
  if (items > limit)
    return makeError(
        DeviceError::Kind::InvalidLaunch,
        llvm::formatv("block size must be in [1, {0}], got {1}{2}", limit, items, name));
  uint64_t groups = 0;
  if (__builtin_mul_overflow(uint64_t(shape.groups[0]) * shape.groups[1], shape.groups[2], &groups))
    return makeError(DeviceError::Kind::InvalidLaunch,
                     llvm::formatv("the number of workgroups does not fit in 64 bits{0}", name));
  uint64_t lds = uint64_t(kernel.descriptor.ldsBytes) + shape.dynamicLds;
  if (lds > object.getChip().ldsBytes)
    return makeError(DeviceError::Kind::OutOfResources,
                     llvm::formatv("LDS must be in [0, {0}] bytes, got {1}{2}",
                                   object.getChip().ldsBytes, lds, name));
  if (getResidentGroups(object, kernel, shape, options) == 0)
    return makeError(DeviceError::Kind::OutOfResources,
                     llvm::formatv("a workgroup of {0} work-items with {1} vector registers does "
                                   "not fit a compute unit{2}",
                                   items, kernel.descriptor.numVgprs + kernel.descriptor.numAgprs,
                                   name));
  return llvm::Error::success();
}

namespace {
/// Shows the argument segment to kernels as long as it lives.
struct VisibleSegment {
  VisibleSegment(MemoryTable &memory, const ArgumentSegment &segment)
      : memory(memory), begin(segment.getBegin()) {
    memory.addExternal(begin, segment.getSize(), "argument segment", /*writable=*/false);
  }
  ~VisibleSegment() { memory.removeExternal(begin); }
  MemoryTable &memory;
  const uint64_t begin;
};
} // namespace

llvm::Expected<LaunchOutcome> ckemu::launchKernel(const CodeObject &object, const Kernel &kernel,
                                                  const LaunchShape &shape,
                                                  llvm::ArrayRef<uint8_t> arguments,
                                                  MemoryTable &memory, const Options &options) {
  if (llvm::Error error = checkShape(object, kernel, shape, options))
    return std::move(error);
  if (const std::string &message = object.decode(kernel).launchError; !message.empty())
    return makeError(DeviceError::Kind::InvalidLaunch, message);
  llvm::Expected<std::vector<TimingSetting>> settings =
      getTimingSettings(object.getChip(), options.timingParameters);
  if (!settings)
    return llvm::createStringError("CK_EMULATOR_TIMING_PARAMETERS: " +
                                   llvm::toString(settings.takeError()));
  auto start = std::chrono::steady_clock::now();
  const uint64_t resident = getResidentGroups(object, kernel, shape, options);
  std::shared_ptr<Hostcalls> hostcalls;
  if (Hostcalls::areUsedBy(kernel))
    hostcalls = std::make_shared<Hostcalls>(
        memory, std::min(resident, shape.getNumGroups()) *
                    llvm::divideCeil(shape.getGroupItems(), kernel.descriptor.waveSize));
  const uint64_t hostcallBuffer = hostcalls ? hostcalls->getAddress() : 0;
  ArgumentSegment segment(kernel, shape, arguments, hostcallBuffer);
  const VisibleSegment visible(memory, segment);
  LaunchOutcome outcome;
  {
    LaunchContext launch(object, kernel, shape, options, memory.getSnapshot());
    segment.describe(launch);
    if (options.checks.races)
      launch.globalShadow = std::make_shared<GlobalShadow>(*launch.snapshot, hostcallBuffer);
    if (options.checks.waits)
      launch.registerUses = &object.getRegisterUses(kernel);
    launch.privateBytes = kernel.descriptor.privateBytes +
                          (kernel.descriptor.usesDynamicStack ? kDynamicStackBytes : 0);
    launch.hostcalls = hostcalls;
    std::optional<TimedRun> timed;
    if (options.timing != TimingMode::Off)
      timed.emplace(launch, resident, *settings);
    outcome.statistics = runWorkgroups(launch, resident);
    if (timed)
      outcome.modelled = timed->finish();
    outcome.succeeded = !launch.hasStopped();
    outcome.fault = launch.getFault();
  }
  outcome.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}
