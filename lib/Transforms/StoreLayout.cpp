//===- StoreLayout.cpp - How lanes hold the results they store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "StoreLayout.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

int64_t ck::distribution::getAccWidth(const ViewAnalysis &view, const MatrixInstruction &mma,
                                      unsigned dim) {
  return std::min(AccLayout(mma).getRun(), view.getMaxVector(dim + 1));
}

unsigned ck::distribution::chooseAccDim(Operation *root, const MatrixInstruction &mma) {
  if (mma.m != mma.n) // the layouts of its operands differ
    return 0;
  // Wide stores come first; of single elements, neighbouring lanes store neighbours.
  int64_t along[2] = {0, 0};
  root->walk([&](StoreTileOp op) {
    llvm::Expected<ViewAnalysis> view = analyzeView(op.getC().getType());
    if (!view)
      return llvm::consumeError(view.takeError());
    for (unsigned dim : {0, 1})
      along[dim] += 2 * getAccWidth(*view, mma, dim) + (view->getStride(2 - dim) == 1 ? 1 : 0);
  });
  return along[1] > along[0] ? 1 : 0;
}
