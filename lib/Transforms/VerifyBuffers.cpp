//===- VerifyBuffers.cpp - Check that problems are on buffers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/VerifyBuffers.h"

using namespace mlir;
using namespace mlir::ck;

LogicalResult ck::verifyBuffers(ProblemOpInterface op) {
  for (Value tensor : op->getOperands())
    if (!isa<MemRefType>(tensor.getType()))
      return op->emitError("expected memref operands, got ")
             << tensor.getType() << "; run one-shot-bufferize first";
  return success();
}
