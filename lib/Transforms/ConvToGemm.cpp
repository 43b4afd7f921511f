//===- ConvToGemm.cpp - Express convolutions as implicit GEMM on views -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is materialised: the im2col matrix exists only as a transform map, which the lowering
// turns into addresses.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ImplicitGemm.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include <limits>

#define DEBUG_TYPE "ck-conv-to-gemm"

namespace mlir::ck {
#define GEN_PASS_DEF_CONVTOGEMMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Refuses what the lowering below cannot address or compute.
static LogicalResult checkSupported(ConvOpInterface conv, const ConvProblem &problem) {
  for (Value tensor : {conv.getConvInput(), conv.getConvFilter(), conv.getConvOutput()})
    if (!isa<MemRefType>(tensor.getType()))
      return conv->emitError("expected memref operands, got ")
             << tensor.getType() << "; run one-shot-bufferize first";
  if (problem.dtype != DataType::F16)
    return conv->emitError("operands of ")
           << getName(problem.dtype) << " are not supported yet: expected f16";
  if (problem.outDtype != DataType::F16 && problem.outDtype != DataType::F32)
    return conv->emitError("results of ")
           << getName(problem.outDtype) << " are not supported yet: expected f16 or f32";
  for (const TensorDesc &tensor : {problem.getInput(), problem.getFilter(), problem.getOutput()})
    if (tensor.getSizeInBytes() > std::numeric_limits<int32_t>::max())
      return conv->emitError("tensor '") << tensor.name << "' has " << tensor.getSizeInBytes()
                                         << " bytes: more than 2147483647 are not supported yet";
  return success();
}

FailureOr<GemmOp> ck::convertConvToGemm(RewriterBase &rewriter, ConvOpInterface conv) {
  ConvProblem problem = conv.getProblem();
  if (failed(checkSupported(conv, problem)))
    return failure();
  llvm::Expected<ImplicitGemmMaps> maps = getImplicitGemmMaps(conv.getContext(), problem);
  if (!maps)
    return conv->emitError(llvm::toString(maps.takeError()));

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(conv);
  auto view = [&](Value tensor, TransformMapAttr map) -> Value {
    Type elementType = cast<MemRefType>(tensor.getType()).getElementType();
    return TransformOp::create(rewriter, conv.getLoc(), ViewType::get(elementType, map), tensor);
  };
  Value a = view(conv.getConvOutput(), maps->output);
  Value b = view(conv.getConvInput(), maps->input);
  Value c = view(conv.getConvFilter(), maps->filter);
  auto gemm = GemmOp::create(rewriter, conv.getLoc(), a, b, c, ScheduleAttr());
  rewriter.inlineRegionBefore(conv.getEpilogueRegion(), gemm.getEpilogue(),
                              gemm.getEpilogue().end());
  rewriter.eraseOp(conv);
  return gemm;
}

namespace {
struct ConvToGemmPass final : ck::impl::ConvToGemmPassBase<ConvToGemmPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ConvToGemmPass::runOnOperation() {
  SmallVector<ConvOpInterface> convs;
  getOperation().walk([&](ConvOpInterface conv) { convs.push_back(conv); });
  IRRewriter rewriter(&getContext());
  for (ConvOpInterface conv : convs) {
    if (failed(convertConvToGemm(rewriter, conv)))
      return signalPassFailure();
    ++numConverted;
  }
}
