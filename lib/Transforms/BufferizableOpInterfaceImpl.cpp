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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {
template <typename Op>
struct ProblemOpModel final : DstBufferizableOpInterfaceExternalModel<ProblemOpModel<Op>, Op> {
  /// The result is only written.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto problem = cast<Op>(op);
    if (problem.getResults().empty())
      return success(); // on memrefs already
    SmallVector<Value> buffers;
    Value written; // where the result belongs
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      bool isInit = problem.isDpsInit(&operand);
      if (isInit)
        written = *buffer;
      FailureOr<Value> packed = getPacked(rewriter, op->getLoc(), *buffer, options, !isInit);
      if (failed(packed))
        return failure();
      buffers.push_back(*packed);
    }
    auto onBuffers = Op::create(rewriter, op->getLoc(), TypeRange(), buffers, op->getAttrs());
    onBuffers.getEpilogue().takeBody(problem.getEpilogue());
    if (onBuffers.getWritten() != written &&
        failed(options.createMemCpy(rewriter, op->getLoc(), onBuffers.getWritten(), written)))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, written);
    return success();
  }

private:
  /// `buffer`, or where that is a part of a larger one, a packed buffer with its contents if
  /// `copied`.
  static FailureOr<Value> getPacked(RewriterBase &rewriter, Location loc, Value buffer,
                                    const BufferizationOptions &options, bool copied) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getLayout().isIdentity())
      return buffer;
    auto packedType = MemRefType::get(type.getShape(), type.getElementType());
    FailureOr<Value> packed = options.createAlloc(rewriter, loc, packedType, ValueRange());
    if (succeeded(packed) && copied && failed(options.createMemCpy(rewriter, loc, buffer, *packed)))
      return failure();
    return packed;
  }
};

/// On memrefs a problem reads its factors and D operands and writes its result; on tensors it has
/// no effects.
template <typename Op>
struct ProblemEffectsModel final
    : MemoryEffectOpInterface::ExternalModel<ProblemEffectsModel<Op>, Op> {
  void getEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
        effects.emplace_back(MemoryEffects::Write::get(), &operand);
      else
        effects.emplace_back(MemoryEffects::Read::get(), &operand);
    }
  }
};
} // namespace

template <typename Op>
static void attachInterfaces(MLIRContext &context) {
  Op::template attachInterface<ProblemOpModel<Op>>(context);
  Op::template attachInterface<ProblemEffectsModel<Op>>(context);
}

void mlir::ck::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CKDialect *) {
    attachInterfaces<ConvFwdOp>(*context);
    attachInterfaces<ConvBwdDataOp>(*context);
    attachInterfaces<ConvBwdWeightOp>(*context);
    attachInterfaces<BatchedGemmOp>(*context);
  });
}
