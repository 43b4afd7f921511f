//===- Driver3D.h - Copies of boxes as the driver API gives them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HIP 6 widened the numbers of HIP_MEMCPY3D.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_DRIVER3D_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_DRIVER3D_H

#include "Emulator/Hip/Memory/MemoryType.h"

namespace ckemu::hip {

/// One side of a copy.
struct DriverBox3D {
  size_t x, y, z, level;
  hipMemoryType type;
  void *host, *device, *array;
  size_t pitch, height;
};

/// HIP_MEMCPY3D of HIP 6 and 7.
struct DriverCopy3D {
  DriverBox3D src, dst;
  size_t width, height, depth;
};
static_assert(sizeof(DriverCopy3D) == 184);

/// The same copy as hipMemcpy3D wants it.
Result toParams(const DriverCopy3D *copy, hipMemcpy3DParms &params);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_DRIVER3D_H
