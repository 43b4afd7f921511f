//===- HipAbi.h - The part of the HIP ABI that we call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of our own, so that no HIP installation is needed to build. A unit test compares
// them with HIP's headers where those are installed.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_HIPABI_H
#define CK_MLIR_RUNTIME_HIPABI_H

#include <cstddef>
#include <cstdint>

namespace mlir::ck::hip {

/// hipError_t; 0 is success.
using ErrorCode = int;
inline constexpr ErrorCode success = 0;
inline constexpr ErrorCode errorNoDevice = 100;

// Opaque handles: hipModule_t, hipFunction_t, hipStream_t, hipEvent_t.
using ModuleHandle = struct OpaqueModule *;
using FunctionHandle = struct OpaqueFunction *;
using StreamHandle = struct OpaqueStream *;
using EventHandle = struct OpaqueEvent *;

/// hipMemcpyKind.
enum MemcpyKind : int { hostToDevice = 1, deviceToHost = 2, deviceToDevice = 3, anyToAny = 4 };

/// Flag of hipMallocManaged, and of hipEventCreateWithFlags.
inline constexpr unsigned memAttachGlobal = 1;
inline constexpr unsigned eventDisableTiming = 2;

/// hipDeviceAttribute_t, the same in HIP 5 and 6.
inline constexpr int attributeMultiprocessorCount = 63;
inline constexpr int attributeWarpSize = 87;

/// hipDeviceProp_t is a struct of another layout in HIP 5 (hipGetDeviceProperties) and HIP 6
/// (hipGetDevicePropertiesR0600). We read two of its members from a buffer that is larger than
/// both: `name` at its beginning and `gcnArchName` at these offsets, each a string of 256 bytes.
inline constexpr size_t propertiesBufferSize = 8192;
inline constexpr size_t archNameOffset5 = 396;
inline constexpr size_t archNameOffset6 = 1160;

} // namespace mlir::ck::hip

#endif // CK_MLIR_RUNTIME_HIPABI_H
