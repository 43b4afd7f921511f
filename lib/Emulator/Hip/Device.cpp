//===- Device.cpp - HIP: devices -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One device, number 0.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstring>

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::hip;

static constexpr int kMaxGroupItems = 1024;
static constexpr int kMaxGrid = 2147483647;

static std::string getArchName(const ChipModel &chip) {
  return chip.name.str() + chip.targetFeatures.str();
}

static void copyText(char *destination, size_t size, const std::string &text) {
  if (size == 0)
    return;
  size_t length = std::min(size - 1, text.size());
  std::memcpy(destination, text.data(), length);
  destination[length] = '\0';
}

/// "gfx942": major 9, minor 4; "gfx1100": major 11, minor 0. The last two digits are minor and
/// stepping.
static std::pair<int, int> getVersion(const ChipModel &chip) {
  llvm::StringRef digits = chip.name.substr(3);
  int major = 0, minor = 0;
  digits.drop_back(2).getAsInteger(10, major);
  digits.substr(digits.size() - 2, 1).getAsInteger(16, minor);
  return {major, minor};
}

/// What kernels may use.
static void fillFeatures(hipDeviceArch_t &arch) {
  arch.hasGlobalInt32Atomics = arch.hasSharedInt32Atomics = 1;
  arch.hasGlobalFloatAtomicExch = arch.hasSharedFloatAtomicExch = arch.hasFloatAtomicAdd = 1;
  arch.hasGlobalInt64Atomics = arch.hasSharedInt64Atomics = 1;
  arch.hasDoubles = 1;
  arch.hasWarpVote = arch.hasWarpBallot = arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = 1;
  arch.has3dGrid = 1;
}

static void fillProperties(const Options &options, hipDeviceProp_t &prop) {
  const ChipModel &chip = *options.chip;
  std::memset(&prop, 0, sizeof(prop));
  copyText(prop.name, sizeof(prop.name), chip.product.str());
  copyText(prop.gcnArchName, sizeof(prop.gcnArchName), getArchName(chip));
  auto [major, minor] = getVersion(chip);
  prop.major = major;
  prop.minor = minor;
  prop.totalGlobalMem = chip.memoryBytes;
  prop.sharedMemPerBlock = chip.ldsBytes;
  prop.maxSharedMemoryPerMultiProcessor = chip.ldsBytes;
  prop.regsPerBlock = int(chip.registersPerSimd * chip.simdsPerUnit * chip.waveSize);
  prop.warpSize = int(chip.waveSize);
  prop.maxThreadsPerBlock = kMaxGroupItems;
  std::fill(std::begin(prop.maxThreadsDim), std::end(prop.maxThreadsDim), kMaxGroupItems);
  std::fill(std::begin(prop.maxGridSize), std::end(prop.maxGridSize), kMaxGrid);
  prop.clockRate = int(chip.clockKHz);
  prop.memoryClockRate = int(chip.memoryClockKHz);
  prop.memoryBusWidth = int(chip.memoryBusBits);
  prop.totalConstMem = size_t(kMaxGrid);
  prop.multiProcessorCount = int(options.computeUnits);
  prop.l2CacheSize = int(chip.l2Bytes);
  prop.maxThreadsPerMultiProcessor = int(chip.wavesPerSimd * chip.simdsPerUnit * chip.waveSize);
  prop.concurrentKernels = 1;
  prop.canMapHostMemory = 1;
  prop.memPitch = size_t(kMaxGrid);
  prop.textureAlignment = 256;
  prop.texturePitchAlignment = 256;
  prop.isLargeBar = 1;
  prop.ECCEnabled = chip.targetFeatures.contains("sramecc+");
  prop.managedMemory = prop.concurrentManagedAccess = 1;
  int stepping = 0;
  chip.name.take_back(1).getAsInteger(16, stepping);
  prop.gcnArch = 100 * major + 10 * minor + stepping;
  // Of the timer that kernels read: 100 MHz.
  prop.clockInstructionRate = 100000;
  fillFeatures(prop.arch);
}

namespace {
struct AttributeValue {
  hipDeviceAttribute_t attribute;
  int value;
};
} // namespace

/// Attributes that are the same for every chip.
static constexpr AttributeValue kConstants[] = {
    {hipDeviceAttributeComputeMode, hipComputeModeDefault},
    {hipDeviceAttributeConcurrentKernels, 1},
    {hipDeviceAttributeCanMapHostMemory, 1},
    {hipDeviceAttributeCooperativeLaunch, 0},
    {hipDeviceAttributeIsLargeBar, 1},
    {hipDeviceAttributeFineGrainSupport, 1},
    {hipDeviceAttributePciBusId, 0},
    {hipDeviceAttributePciDeviceId, 0},
    {hipDeviceAttributePciDomainID, 0},
    {hipDeviceAttributeIntegrated, 0},
    {hipDeviceAttributeIsMultiGpuBoard, 0},
    {hipDeviceAttributeManagedMemory, 1},
    {hipDeviceAttributeConcurrentManagedAccess, 1},
    {hipDeviceAttributeDirectManagedMemAccessFromHost, 0},
    {hipDeviceAttributePageableMemoryAccessUsesHostPageTables, 0},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1},
    {hipDeviceAttributeUnifiedAddressing, 1},
    {hipDeviceAttributeHostNativeAtomicSupported, 0},
    {hipDeviceAttributeAsyncEngineCount, 0},
    {hipDeviceAttributeStreamPrioritiesSupported, 0},
    {hipDeviceAttributeMemoryPoolsSupported, 0},
    {hipDeviceAttributeCanUseStreamWaitValue, 0},
    {hipDeviceAttributeCooperativeMultiDeviceLaunch, 0},
    {hipDeviceAttributeTccDriver, 0},
    {hipDeviceAttributeAsicRevision, 0},
    {hipDeviceAttributePageableMemoryAccess, 0},
    {hipDeviceAttributeKernelExecTimeout, 0},
    {hipDeviceAttributeImageSupport, 0},
};

/// True when `attribute` is known.
static bool findAttribute(const Options &options, hipDeviceAttribute_t attribute, int &value) {
  hipDeviceProp_t prop;
  fillProperties(options, prop);
  const AttributeValue figures[] = {
      {hipDeviceAttributeWarpSize, prop.warpSize},
      {hipDeviceAttributeMultiprocessorCount, prop.multiProcessorCount},
      {hipDeviceAttributePhysicalMultiProcessorCount, prop.multiProcessorCount},
      {hipDeviceAttributeMaxThreadsPerBlock, prop.maxThreadsPerBlock},
      {hipDeviceAttributeMaxThreadsPerMultiProcessor, prop.maxThreadsPerMultiProcessor},
      {hipDeviceAttributeMaxBlockDimX, prop.maxThreadsDim[0]},
      {hipDeviceAttributeMaxBlockDimY, prop.maxThreadsDim[1]},
      {hipDeviceAttributeMaxBlockDimZ, prop.maxThreadsDim[2]},
      {hipDeviceAttributeMaxGridDimX, prop.maxGridSize[0]},
      {hipDeviceAttributeMaxGridDimY, prop.maxGridSize[1]},
      {hipDeviceAttributeMaxGridDimZ, prop.maxGridSize[2]},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, int(prop.sharedMemPerBlock)},
      {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, int(prop.sharedMemPerBlock)},
      {hipDeviceAttributeTotalConstantMemory, int(prop.totalConstMem)},
      {hipDeviceAttributeMaxRegistersPerBlock, prop.regsPerBlock},
      {hipDeviceAttributeMaxRegistersPerMultiprocessor, prop.regsPerBlock},
      {hipDeviceAttributeClockRate, prop.clockRate},
      {hipDeviceAttributeMemoryClockRate, prop.memoryClockRate},
      {hipDeviceAttributeMemoryBusWidth, prop.memoryBusWidth},
      {hipDeviceAttributeL2CacheSize, prop.l2CacheSize},
      {hipDeviceAttributeComputeCapabilityMajor, prop.major},
      {hipDeviceAttributeComputeCapabilityMinor, prop.minor},
      {hipDeviceAttributeEccEnabled, prop.ECCEnabled},
      {hipDeviceAttributeClockInstructionRate, prop.clockInstructionRate},
      {hipDeviceAttributeMaxPitch, int(prop.memPitch)},
      {hipDeviceAttributeTextureAlignment, int(prop.textureAlignment)},
      {hipDeviceAttributeTexturePitchAlignment, int(prop.texturePitchAlignment)},
      {hipDeviceAttributeSharedMemPerBlockOptin, int(prop.sharedMemPerBlock)},
      {hipDeviceAttributeSharedMemPerMultiprocessor, int(prop.sharedMemPerBlock)}};
  for (llvm::ArrayRef<AttributeValue> table : {llvm::ArrayRef(figures), llvm::ArrayRef(kConstants)})
    for (const AttributeValue &entry : table)
      if (entry.attribute == attribute) {
        value = entry.value;
        return true;
      }
  return false;
}

CK_HIP_EXPORT hipError_t hipInit(unsigned int flags) {
  return call("hipInit", [&](State &) {
    return flags == 0 ? Result() : invalidValue("flags must be 0, got " + std::to_string(flags));
  });
}

CK_HIP_EXPORT hipError_t hipDriverGetVersion(int *driverVersion) {
  return call("hipDriverGetVersion", [&](State &) {
    if (!driverVersion)
      return invalidValue("driverVersion is null");
    *driverVersion = HIP_VERSION;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
  return call("hipRuntimeGetVersion", [&](State &) {
    if (!runtimeVersion)
      return invalidValue("runtimeVersion is null");
    *runtimeVersion = HIP_VERSION;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGetDeviceCount(int *count) {
  return call("hipGetDeviceCount", [&](State &) {
    if (!count)
      return invalidValue("count is null");
    *count = 1;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
  return call("hipDeviceGet", [&](State &) {
    if (!device)
      return invalidValue("device is null");
    *device = 0;
    return checkDevice(ordinal);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device) {
  return call("hipDeviceGetName", [&](State &state) {
    if (!name || len <= 0)
      return invalidValue("name must have room");
    copyText(name, size_t(len), state.getOptions().chip->product.str());
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  return call("hipDeviceTotalMem", [&](State &state) {
    if (!bytes)
      return invalidValue("bytes is null");
    *bytes = state.getOptions().chip->memoryBytes;
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  return call("hipDeviceComputeCapability", [&](State &state) {
    if (!major || !minor)
      return invalidValue("major or minor is null");
    std::tie(*major, *minor) = getVersion(*state.getOptions().chip);
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipGetDeviceProperties(hipDeviceProp_t *prop, int deviceId) {
  return call("hipGetDeviceProperties", [&](State &state) {
    if (!prop)
      return invalidValue("prop is null");
    Result result = checkDevice(deviceId);
    if (result.code == hipSuccess)
      fillProperties(state.getOptions(), *prop);
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId) {
  return call("hipDeviceGetAttribute", [&](State &state) {
    if (!pi)
      return invalidValue("pi is null");
    Result result = checkDevice(deviceId);
    if (result.code == hipSuccess && !findAttribute(state.getOptions(), attr, *pi))
      return invalidValue("device attribute " + std::to_string(int(attr)) + " is not known");
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipSetDevice(int deviceId) {
  return call("hipSetDevice", [&](State &) { return checkDevice(deviceId); });
}

CK_HIP_EXPORT hipError_t hipGetDevice(int *deviceId) {
  return call("hipGetDevice", [&](State &) {
    if (!deviceId)
      return invalidValue("deviceId is null");
    *deviceId = 0;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDeviceSynchronize() {
  return call("hipDeviceSynchronize", [](State &) { return Result(); });
}

CK_HIP_EXPORT hipError_t hipGetDeviceFlags(unsigned int *flags) {
  return call("hipGetDeviceFlags", [&](State &) {
    if (!flags)
      return invalidValue("flags is null");
    *flags = hipDeviceScheduleAuto;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipSetDeviceFlags(unsigned) {
  return call("hipSetDeviceFlags", [](State &) { return Result(); });
}

CK_HIP_EXPORT hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peer) {
  return call("hipDeviceCanAccessPeer", [&](State &) {
    if (!canAccessPeer)
      return invalidValue("canAccessPeer is null");
    *canAccessPeer = 0;
    Result result = checkDevice(deviceId);
    return result.code == hipSuccess ? checkDevice(peer) : result;
  });
}

/// The address of the device on a bus that it is not on.
static constexpr char kPciBusId[] = "0000:00:00.0";

CK_HIP_EXPORT hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  return call("hipDeviceGetPCIBusId", [&](State &) {
    if (!pciBusId || len < int(sizeof(kPciBusId)))
      return invalidValue("pciBusId must have room for " + std::to_string(sizeof(kPciBusId)) +
                          " characters");
    copyText(pciBusId, size_t(len), kPciBusId);
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return call("hipDeviceGetByPCIBusId", [&](State &) {
    if (!device || !pciBusId)
      return invalidValue(device ? "pciBusId is null" : "device is null");
    *device = 0;
    return llvm::StringRef(pciBusId) == kPciBusId
               ? Result()
               : Result(hipErrorInvalidDevice,
                        "expected " + std::string(kPciBusId) + ", got " + pciBusId);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  return call("hipDeviceGetUuid", [&](State &state) {
    if (!uuid)
      return invalidValue("uuid is null");
    std::memset(uuid, 0, sizeof(*uuid));
    copyText(uuid->bytes, sizeof(uuid->bytes), "ck-" + state.getOptions().chip->name.str());
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *prop) {
  return call("hipChooseDevice", [&](State &) {
    if (!device || !prop)
      return invalidValue(device ? "prop is null" : "device is null");
    *device = 0;
    return Result();
  });
}
