//===- Region.h - Epilogue regions on the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference knows the steps of problem strings; for a region that somebody wrote the judge has
// to follow its ops.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUN_REGION_H
#define CK_MLIR_LIB_RUN_REGION_H

#include "ck-mlir/Reference/Epilogue.h"
#include "mlir/IR/Region.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// What `region`, a verified epilogue, computes: f32 in double, other types with their own rounding
/// and wrapping. The result is that before the rounding to f32, or after the last one to a narrower
/// type. Errors name an op that is not known.
llvm::Expected<EpilogueFunction> makeRegionFunction(Region &region);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_RUN_REGION_H
