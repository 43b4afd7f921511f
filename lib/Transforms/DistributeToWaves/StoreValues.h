//===- StoreValues.h - From accumulators to results -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of the accumulators of a lane before they are stored. Everything works on whole
// vectors: one for the accumulators of a matrix instruction.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREVALUES_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREVALUES_H

#include "Transforms/DistributeToWaves/Distribution.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::distribution {

/// Elements `first ..` of `value` as a vector of `width`.
Value slice(OpBuilder &builder, Location loc, Value value, int64_t first, int64_t width);

/// All elements of `parts`.
Value concatenate(OpBuilder &builder, Location loc, ArrayRef<Value> parts);

/// The accumulators of a lane that holds every second element, exchanged with the lane that holds
/// the others, so that the lower half of the wave has the first half of the block.
Value exchangeHalves(const IntMath &math, Value acc, Value isUpper);

/// Applies `epilogue` to a whole vector of accumulators and one of each of `ds`.
Value applyEpilogue(OpBuilder &builder, Location loc, Region &epilogue, Value acc,
                    ArrayRef<Value> ds, Type elementType);

} // namespace mlir::ck::distribution

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREVALUES_H
