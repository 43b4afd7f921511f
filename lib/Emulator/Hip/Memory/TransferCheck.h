//===- TransferCheck.h - Checks of copies and fills -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device side of a transfer must lie in one allocation.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_TRANSFERCHECK_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_TRANSFERCHECK_H

#include "Emulator/Hip/State.h"

namespace ckemu::hip {

/// Success when [ptr, ptr + size) lies in one allocation; the message calls it `what`.
Result checkRange(State &state, const void *ptr, size_t size, const char *what);

/// Success when the sides of the copy that `kind` says are on the device are in bounds. With
/// hipMemcpyDefault a side that begins in an allocation must also end there.
Result checkCopy(State &state, const void *dst, const void *src, size_t size, hipMemcpyKind kind);

/// Copies after checkCopy, and rows after the check of each.
Result copy(State &state, void *dst, const void *src, size_t size, hipMemcpyKind kind,
            hipStream_t stream);
Result copy3D(State &state, const hipMemcpy3DParms *params, hipStream_t stream);
/// Fills rows of elements of 1, 2 or 4 bytes.
Result fillRows(State &state, const hipMemsetParams &params);
Result copy2D(State &state, void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
              size_t height, hipMemcpyKind kind, hipStream_t stream);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_TRANSFERCHECK_H
