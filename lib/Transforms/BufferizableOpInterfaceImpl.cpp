//===- BufferizableOpInterfaceImpl.cpp - Bufferization of rung-0 ops -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/BufferizableOpInterfaceImpl.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {
template <typename Op>
struct ProblemOpModel final : DstBufferizableOpInterfaceExternalModel<ProblemOpModel<Op>, Op> {
  /// The result is only written.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  /// A D operand of the result's shape may be the result's own buffer: an element of the result is
  /// computed from the element of D at the same position, and written after that was read.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    auto shape = cast<ShapedType>(cast<Op>(op).getWritten().getType()).getShape();
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return operand->getOperandNumber() >= 2 &&
             cast<ShapedType>(operand->get().getType()).getShape() == shape;
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto problem = cast<Op>(op);
    if (problem.getResults().empty())
      return success(); // on memrefs already
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    auto onBuffers = Op::create(rewriter, op->getLoc(), TypeRange(), buffers, op->getAttrs());
    onBuffers.getEpilogue().takeBody(problem.getEpilogue());
    replaceOpWithBufferizedValues(rewriter, op, onBuffers.getWritten());
    return success();
  }
};
} // namespace

void mlir::ck::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CKDialect *) {
    ConvFwdOp::attachInterface<ProblemOpModel<ConvFwdOp>>(*context);
    ConvBwdDataOp::attachInterface<ProblemOpModel<ConvBwdDataOp>>(*context);
    ConvBwdWeightOp::attachInterface<ProblemOpModel<ConvBwdWeightOp>>(*context);
    BatchedGemmOp::attachInterface<ProblemOpModel<BatchedGemmOp>>(*context);
  });
}
