//===- NewerTypes.h - Types that HIP 6 and 7 added or changed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator is compiled with the header of HIP 5. What programs compiled for HIP 6 and 7 hand
// over in another layout, or under a name that is not in that header, is declared here.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_NEWERTYPES_H
#define CK_MLIR_LIB_EMULATOR_HIP_NEWERTYPES_H

#include "Emulator/Hip/State.h"
#include <cstddef>

namespace ckemu::hip {

/// hipDeviceProp_t since HIP 6. That of HIP 5 is still what hipGetDeviceProperties fills.
struct DevicePropR0600 {
  char name[256];
  hipUUID uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
      computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2],
      maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3],
      maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],
      maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3],
      maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap,
      maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  // NOLINTNEXTLINE(readability-identifier-naming): the names are those of HIP.
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
      persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
      globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
      hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,
      concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseHipArraySupported, hostRegisterReadOnlySupported,
      timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers,
      reserved[63], hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  unsigned int *hdpMemFlushCntl;
  unsigned int *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedGridDim,
      cooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedSharedMem, isLargeBar,
      asicRevision;
};
static_assert(sizeof(DevicePropR0600) == 1472);
static_assert(offsetof(DevicePropR0600, totalGlobalMem) == 288);
static_assert(offsetof(DevicePropR0600, multiProcessorCount) == 388);
static_assert(offsetof(DevicePropR0600, maxThreadsPerMultiProcessor) == 624);
static_assert(offsetof(DevicePropR0600, gcnArchName) == 1160);
static_assert(offsetof(DevicePropR0600, asicRevision) == 1468);
static_assert(sizeof(hipDeviceProp_t) == 792 && offsetof(hipDeviceProp_t, gcnArchName) == 396,
              "expected the hipDeviceProp_t of HIP 5");

/// Attributes of a device that HIP 6 added.
inline constexpr auto kAttributeVirtualMemory = hipDeviceAttribute_t(89);
inline constexpr auto kAttributeHostRegister = hipDeviceAttribute_t(90);
inline constexpr auto kAttributePoolHandleTypes = hipDeviceAttribute_t(91);
inline constexpr auto kAttributeWallClockRate = hipDeviceAttribute_t(10017);

/// What hipGetProcAddress says of a symbol.
enum class SymbolStatus : int { Found = 0, NotFound = 1, VersionNotSufficient = 2 };

/// hipLaunchAttribute: one setting of a launch.
struct LaunchAttribute {
  unsigned id;
  char padding[4];
  union {
    char bytes[64];
    int cooperative;
    unsigned clusterDimension[3];
  };
};
static_assert(sizeof(LaunchAttribute) == 72);
inline constexpr unsigned kLaunchAttributeCooperative = 2;
inline constexpr unsigned kLaunchAttributeClusterDimension = 4;

/// hipLaunchConfig_t, of hipLaunchKernelExC.
struct LaunchConfig {
  dim3 grid, block;
  size_t dynamicLds;
  hipStream_t stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(LaunchConfig) == 56);

/// HIP_LAUNCH_CONFIG, of hipDrvLaunchKernelEx.
struct DriverLaunchConfig {
  unsigned grid[3], block[3], dynamicLds;
  hipStream_t stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(DriverLaunchConfig) == 56);

/// hipMemAllocationProp since HIP 6.
struct MemoryProperties {
  hipMemAllocationType type;
  hipMemAllocationHandleType handleType;
  hipMemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRdmaCapable;
    unsigned short usage;
  } flags;
};
static_assert(sizeof(MemoryProperties) == sizeof(hipMemAllocationProp));

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_NEWERTYPES_H
