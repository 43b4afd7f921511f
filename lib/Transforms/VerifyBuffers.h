//===- VerifyBuffers.h - Check that problems are on buffers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems are on tensors before bufferization, and no pass below works on these.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_VERIFYBUFFERS_H
#define CK_MLIR_LIB_TRANSFORMS_VERIFYBUFFERS_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)
namespace mlir::ck {

/// Emits an error at `op` if it is on tensors.
LogicalResult verifyBuffers(ProblemOpInterface op);

} // namespace mlir::ck
#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_VERIFYBUFFERS_H
