//===- Pool.h - Memory pools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool keeps nothing: what is freed is returned at once, so that a use after it is seen.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_POOL_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_POOL_H

#include "Emulator/Hip/State.h"

namespace ckemu::hip {

/// Allocates device or pinned host memory; `name` is for messages.
Result allocate(State &state, void **ptr, size_t size, const char *name, bool host);

/// Counts the allocation at `ptr` in the pool; null: that of hipMallocAsync.
Result noteInPool(hipMemPool_t pool, const void *ptr, size_t size);
/// No longer counts it, if it is of a pool.
void noteFreeInPool(const void *ptr);
/// Success when `pool` exists.
Result checkPool(hipMemPool_t pool);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_POOL_H
