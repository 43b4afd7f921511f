//===- MgpuApi.h - What libck_mgpu_runtime.so exports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the output of MLIR's gpu-to-llvm calls, so that a stock mlir-runner executes
// GPU programs through our runtime. Names and types are those of MLIR 22; a module that calls
// another of MLIR's mgpu functions (sparse matrices and tensor maps, which are NVIDIA's) does not
// link. Most of these functions cannot return an error: the first one ends the process with a line
// on stderr and status 1, without running exit handlers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_MGPUAPI_H
#define CK_MLIR_RUNTIME_MGPUAPI_H

#include "ck-mlir/Runtime/HipAbi.h"

#define CK_MGPU_EXPORT extern "C" __attribute__((visibility("default")))

namespace mlir::ck {

/// The descriptor of a strided memref of unknown rank: `sizes` and then `strides` follow, one of
/// each per dimension, in elements.
struct MemRefDescriptor {
  char *allocated;
  char *aligned;
  int64_t offset; ///< in elements
  int64_t sizesAndStrides[1];
};

/// The descriptor of a memref of rank 1.
struct MemRefDescriptor1D {
  void *allocated;
  void *aligned;
  int64_t offset, size, stride;
};

} // namespace mlir::ck

/// Loads the code object of `size` bytes (0: not known) at `data`.
CK_MGPU_EXPORT mlir::ck::hip::ModuleHandle mgpuModuleLoad(void *data, size_t size);
/// An error: HIP does not compile assembly. gpu-module-to-binary must run with format=bin.
CK_MGPU_EXPORT mlir::ck::hip::ModuleHandle mgpuModuleLoadJIT(void *data, int32_t optLevel);
/// Unloads a module.
CK_MGPU_EXPORT void mgpuModuleUnload(mlir::ck::hip::ModuleHandle module);
/// The kernel `name` of a module.
CK_MGPU_EXPORT mlir::ck::hip::FunctionHandle
mgpuModuleGetFunction(mlir::ck::hip::ModuleHandle module, const char *name);

/// Launches a kernel on gridX*gridY*gridZ workgroups of blockX*blockY*blockZ work-items with `lds`
/// bytes of dynamic LDS. `params` holds the address of each argument.
CK_MGPU_EXPORT void mgpuLaunchKernel(mlir::ck::hip::FunctionHandle function, intptr_t gridX,
                                     intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                                     intptr_t blockY, intptr_t blockZ, int32_t lds,
                                     mlir::ck::hip::StreamHandle stream, void **params,
                                     void **extra, size_t numParams);
/// The same for clusters of one workgroup; an error for larger ones, which AMD GPUs do not have.
CK_MGPU_EXPORT void mgpuLaunchClusterKernel(mlir::ck::hip::FunctionHandle function,
                                            intptr_t clusterX, intptr_t clusterY, intptr_t clusterZ,
                                            intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                            intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                            int32_t lds, mlir::ck::hip::StreamHandle stream,
                                            void **params, void **extra);

/// A new stream; what each of these does is in its name.
CK_MGPU_EXPORT mlir::ck::hip::StreamHandle mgpuStreamCreate(void);
CK_MGPU_EXPORT void mgpuStreamDestroy(mlir::ck::hip::StreamHandle stream);
CK_MGPU_EXPORT void mgpuStreamSynchronize(mlir::ck::hip::StreamHandle stream);
CK_MGPU_EXPORT void mgpuStreamWaitEvent(mlir::ck::hip::StreamHandle stream,
                                        mlir::ck::hip::EventHandle event);

/// A new event, which records no time.
CK_MGPU_EXPORT mlir::ck::hip::EventHandle mgpuEventCreate(void);
CK_MGPU_EXPORT void mgpuEventDestroy(mlir::ck::hip::EventHandle event);
CK_MGPU_EXPORT void mgpuEventSynchronize(mlir::ck::hip::EventHandle event);
CK_MGPU_EXPORT void mgpuEventRecord(mlir::ck::hip::EventHandle event,
                                    mlir::ck::hip::StreamHandle stream);

/// Device memory, or managed memory when the host accesses it, too. Null for 0 bytes.
CK_MGPU_EXPORT void *mgpuMemAlloc(uint64_t bytes, mlir::ck::hip::StreamHandle stream,
                                  bool hostShared);
CK_MGPU_EXPORT void mgpuMemFree(void *pointer, mlir::ck::hip::StreamHandle stream);
/// Copies between host and device in either direction.
CK_MGPU_EXPORT void mgpuMemcpy(void *to, void *from, size_t bytes,
                               mlir::ck::hip::StreamHandle stream);
/// Sets `count` elements of 4 and of 2 bytes.
CK_MGPU_EXPORT void mgpuMemset32(void *pointer, int32_t value, size_t count,
                                 mlir::ck::hip::StreamHandle stream);
CK_MGPU_EXPORT void mgpuMemset16(void *pointer, uint16_t value, size_t count,
                                 mlir::ck::hip::StreamHandle stream);

/// Makes host memory accessible to kernels, and ends that.
CK_MGPU_EXPORT void mgpuMemHostRegister(void *pointer, uint64_t bytes);
CK_MGPU_EXPORT void mgpuMemHostUnregister(void *pointer);
/// The same for the bytes that the elements of a memref span; nothing for an empty memref.
CK_MGPU_EXPORT void mgpuMemHostRegisterMemRef(int64_t rank, mlir::ck::MemRefDescriptor *memref,
                                              int64_t elementBytes);
CK_MGPU_EXPORT void mgpuMemHostUnregisterMemRef(int64_t rank, mlir::ck::MemRefDescriptor *memref,
                                                int64_t elementBytes);
/// The memref by which kernels see registered host memory.
CK_MGPU_EXPORT mlir::ck::MemRefDescriptor1D
mgpuMemGetDeviceMemRef1dFloat(void *allocated, void *aligned, int64_t offset, int64_t size,
                              int64_t stride);
CK_MGPU_EXPORT mlir::ck::MemRefDescriptor1D
mgpuMemGetDeviceMemRef1dInt32(void *allocated, void *aligned, int64_t offset, int64_t size,
                              int64_t stride);

/// Selects the device of the calling thread.
CK_MGPU_EXPORT void mgpuSetDefaultDevice(int32_t device);

#endif // CK_MLIR_RUNTIME_MGPUAPI_H
