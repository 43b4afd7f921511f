//===- Flags.h - Words by which workgroups wait for each other -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory is accessed through llvm rather than memref ops: orderings and scopes are llvm's.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_FLAGS_H
#define CK_MLIR_LIB_TRANSFORMS_FLAGS_H

#include "Transforms/IntMath.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The address of word `word` of `workspace`.
Value getWordAddress(const IntMath &math, Value workspace, Value word);

/// True if `workspace` is close: known to have fewer than 2^31 bytes, so that the offsets of
/// several partial tiles fit into 32 bits.
bool isClose(Value workspace);

/// Sets the word at `flag` to `value`, for waves on other compute units.
void storeFlag(OpBuilder &builder, Location loc, int64_t value, Value flag);

/// Waits until the words at the `flag` of all lanes of a wave are set, with relaxed loads, which
/// need not invalidate caches.
void spinOnFlags(OpBuilder &builder, Location loc, Value flag, int64_t waveSize);

/// Makes what this wave has written visible to other compute units, or what they have written to
/// this wave.
void releaseToDevice(OpBuilder &builder, Location loc);
void acquireFromDevice(OpBuilder &builder, Location loc);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_FLAGS_H
