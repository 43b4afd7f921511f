//===- Properties.cpp - HIP: what the device has -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Properties.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Properties.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

static constexpr int kMaxGroupItems = 1024;
static constexpr int kMaxGrid = 2147483647;

static std::string getArchName(const ChipModel &chip) {
  return chip.name.str() + chip.targetFeatures.str();
}

void hip::copyText(char *destination, size_t size, const std::string &text) {
  if (size == 0)
    return;
  size_t length = std::min(size - 1, text.size());
  std::memcpy(destination, text.data(), length);
  destination[length] = '\0';
}

/// The timer that kernels read.
static constexpr int kWallClockKHz = 100000;

/// "gfx942": major 9, minor 4; "gfx1100": major 11, minor 0. The last two digits are minor and
/// stepping.
std::pair<int, int> hip::getChipVersion(const ChipModel &chip) {
  llvm::StringRef digits = chip.name.substr(3);
  int major = 0, minor = 0;
  digits.drop_back(2).getAsInteger(10, major);
  digits.substr(digits.size() - 2, 1).getAsInteger(16, minor);
  return {major, minor};
}

void hip::fillUuid(const ChipModel &chip, hipUUID &uuid) {
  std::memset(&uuid, 0, sizeof(uuid));
  copyText(uuid.bytes, sizeof(uuid.bytes), "ck-" + chip.name.str());
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

/// The members that both layouts have.
template <class Properties>
static void fillCommon(const Options &options, Properties &prop) {
  const ChipModel &chip = *options.chip;
  std::memset(&prop, 0, sizeof(prop));
  copyText(prop.name, sizeof(prop.name), chip.product->deviceName.str());
  copyText(prop.gcnArchName, sizeof(prop.gcnArchName), getArchName(chip));
  std::tie(prop.major, prop.minor) = getChipVersion(chip);
  prop.totalGlobalMem = chip.product->memoryBytes;
  prop.sharedMemPerBlock = chip.ldsBytes;
  prop.maxSharedMemoryPerMultiProcessor = chip.ldsBytes;
  prop.regsPerBlock = int(chip.registersPerSimd * chip.simdsPerUnit * chip.waveSize);
  prop.warpSize = int(chip.waveSize);
  prop.maxThreadsPerBlock = kMaxGroupItems;
  std::fill(std::begin(prop.maxThreadsDim), std::end(prop.maxThreadsDim), kMaxGroupItems);
  std::fill(std::begin(prop.maxGridSize), std::end(prop.maxGridSize), kMaxGrid);
  prop.clockRate = int(chip.product->clockMHz * 1000);
  prop.memoryClockRate = int(chip.product->memoryClockMHz * 1000);
  prop.memoryBusWidth = int(chip.product->memoryBusBits);
  prop.totalConstMem = size_t(kMaxGrid);
  prop.multiProcessorCount = int(options.computeUnits);
  prop.l2CacheSize = int(chip.product->l2Bytes);
  prop.maxThreadsPerMultiProcessor = int(chip.wavesPerSimd * chip.simdsPerUnit * chip.waveSize);
  prop.concurrentKernels = prop.canMapHostMemory = prop.cooperativeLaunch = 1;
  prop.memPitch = size_t(kMaxGrid);
  prop.textureAlignment = 256;
  prop.texturePitchAlignment = 256;
  prop.isLargeBar = 1;
  prop.ECCEnabled = chip.targetFeatures.contains("sramecc+");
  prop.managedMemory = prop.concurrentManagedAccess = 1;
  prop.clockInstructionRate = kWallClockKHz;
  fillFeatures(prop.arch);
}

void hip::fillProperties(const Options &options, hipDeviceProp_t &prop) {
  fillCommon(options, prop);
  int stepping = 0;
  options.chip->name.take_back(1).getAsInteger(16, stepping);
  prop.gcnArch = 100 * prop.major + 10 * prop.minor + stepping;
}

void hip::fillProperties(const Options &options, DevicePropR0600 &prop) {
  fillCommon(options, prop);
  fillUuid(*options.chip, prop.uuid);
  prop.sharedMemPerMultiprocessor = prop.sharedMemPerBlockOptin = prop.sharedMemPerBlock;
  prop.regsPerMultiprocessor = prop.regsPerBlock;
  prop.unifiedAddressing = prop.canUseHostPointerForRegisteredMem = 1;
  prop.maxBlocksPerMultiProcessor = prop.maxThreadsPerMultiProcessor / prop.warpSize;
  prop.hostRegisterSupported = prop.memoryPoolsSupported = 1;
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
    {hipDeviceAttributeCooperativeLaunch, 1},
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
    {hipDeviceAttributeMemoryPoolsSupported, 1},
    {hipDeviceAttributeCanUseStreamWaitValue, 1},
    {hipDeviceAttributeCooperativeMultiDeviceLaunch, 0},
    {hipDeviceAttributeTccDriver, 0},
    {hipDeviceAttributeAsicRevision, 0},
    {hipDeviceAttributePageableMemoryAccess, 0},
    {hipDeviceAttributeKernelExecTimeout, 0},
    {hipDeviceAttributeImageSupport, 0},
    {kAttributeVirtualMemory, 1},
    {kAttributeHostRegister, 1},
    {kAttributePoolHandleTypes, 0},
    {kAttributeWallClockRate, kWallClockKHz},
};

bool hip::findAttribute(const Options &options, hipDeviceAttribute_t attribute, int &value) {
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
