//===- TransformOps.cpp - Ops of the transform dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns under the names that scripts know.
//
//===----------------------------------------------------------------------===//

// With assertions, the header calls a function that only a libMLIR with assertions has; Debian's
// has none.
#ifndef NDEBUG
#define NDEBUG
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#undef NDEBUG
#include <cassert>
#endif

#include "ck-mlir/Conversion/LinalgToCK.h"
#include "ck-mlir/Conversion/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ck-mlir/Conversion/TransformOps.cpp.inc"

void ck::ApplyLinalgToCKPatternsOp::populatePatterns(RewritePatternSet &patterns) {
  ck::populateLinalgToCKPatterns(patterns);
}

namespace {
/// Also loads what the patterns make.
class TransformExtension : public transform::TransformDialectExtension<TransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransformExtension)

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): the base calls this one.
  void init() {
    declareGeneratedDialect<ck::CKDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "ck-mlir/Conversion/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

void ck::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<TransformExtension>();
}
