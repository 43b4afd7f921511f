//===- LinalgToCK.cpp - The pass convert-linalg-to-ck -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns over the two functions of the header, and remarks for what they leave.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Conversion/LinalgToCK.h"
#include "ck-mlir/Conversion/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::ck {
#define GEN_PASS_DEF_CONVERTLINALGTOCKPASS
#include "ck-mlir/Conversion/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;
using llvm::Expected;

namespace {
/// One of the functions of the header as a pattern.
template <Expected<ProblemOpInterface> (*convert)(RewriterBase &, linalg::LinalgOp)>
struct LinalgPattern final : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    Expected<ProblemOpInterface> problem = convert(rewriter, op);
    if (problem)
      return success();
    return rewriter.notifyMatchFailure(op, llvm::toString(problem.takeError()));
  }
};

struct ConvertLinalgToCKPass final : ck::impl::ConvertLinalgToCKPassBase<ConvertLinalgToCKPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ck::populateLinalgToCKPatterns(RewritePatternSet &patterns) {
  patterns.add<LinalgPattern<convertLinalgToCK>, LinalgPattern<fuseConsumerIntoCK>>(
      patterns.getContext());
}

/// Says why `op`, which no pattern changes any more, was left.
static void explain(RewriterBase &rewriter, linalg::LinalgOp op) {
  bool isElementwise = op.isAllParallelLoops();
  if (!isElementwise && op.getNumDpsInputs() < 2)
    return; // a reduction, not a product
  Expected<ProblemOpInterface> problem =
      isElementwise ? fuseConsumerIntoCK(rewriter, op) : convertLinalgToCK(rewriter, op);
  if (problem)
    return;
  std::string reason = llvm::toString(problem.takeError());
  if (!reason.empty())
    op->emitRemark(isElementwise ? "not fused: " : "not converted: ") << reason;
}

void ConvertLinalgToCKPass::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  populateLinalgToCKPatterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config))) {
    getOperation()->emitError("failed to convert linalg ops: no end of rewrites");
    return signalPassFailure();
  }
  if (!report)
    return;
  IRRewriter rewriter(&getContext());
  SmallVector<linalg::LinalgOp> left;
  getOperation()->walk([&](linalg::LinalgOp op) { left.push_back(op); });
  for (linalg::LinalgOp op : left)
    explain(rewriter, op);
}
