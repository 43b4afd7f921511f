//===- Generate.cpp - Rung-0 IR from a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator behind ck-gen and the driver: what a user would write by hand for this problem.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Success if there are ops for `problem`; what they cannot be lowered to, the passes say.
static Error checkExpressible(const ConvProblem &problem) {
  if (problem.direction != ConvDirection::BackwardWeight)
    return createStringError("not supported yet: " + getName(problem.direction) +
                             "; expected conv_bwd_weight");
  if (!problem.epilogue.empty())
    return createStringError("not supported yet: epilogue=" + problem.epilogue);
  return Error::success();
}

static MemRefType getType(MLIRContext &context, const TensorDesc &tensor) {
  return MemRefType::get(tensor.shape, getElementType(&context, tensor.type));
}

/// Builds func.func @<operation>(<reads>, <write>) around the one op.
static OwningOpRef<ModuleOp> buildModule(MLIRContext &context, const ConvProblem &problem) {
  context.loadDialect<CKDialect, func::FuncDialect, memref::MemRefDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());

  SmallVector<Type> types;
  for (const TensorDesc &tensor : problem.getReads())
    types.push_back(getType(context, tensor));
  types.push_back(getType(context, problem.getWrite()));
  auto function = func::FuncOp::create(builder, loc, getName(problem.direction),
                                       builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  auto layout =
      ConvLayoutAttr::get(&context, problem.inLayout, problem.filterLayout, problem.outLayout);
  ConvBwdWeightOp::create(builder, loc, TypeRange(), body->getArgument(0), body->getArgument(1),
                          body->getArgument(2), layout, problem.stride, problem.dilation,
                          problem.padLeft, problem.padRight);
  func::ReturnOp::create(builder, loc);
  return module;
}

Expected<OwningOpRef<ModuleOp>> mlir::ck::generateProblemIR(MLIRContext &context,
                                                            const Problem &problem) {
  const auto *conv = std::get_if<ConvProblem>(&problem);
  if (!conv)
    return createStringError("not supported yet: gemm; expected conv_bwd_weight");
  if (Error error = conv->verify())
    return std::move(error);
  if (Error error = checkExpressible(*conv))
    return std::move(error);
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = buildModule(context, *conv);
  if (failed(verify(*module)))
    return diagnostics.takeError("the generated IR is invalid");
  return module;
}
