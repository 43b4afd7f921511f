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

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/IR/ConvBuilder.h"
#include "ck-mlir/IR/Epilogue.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static MemRefType getType(MLIRContext &context, const TensorDesc &tensor, bool fnuz) {
  return MemRefType::get(tensor.shape, getElementType(&context, tensor.type, fnuz));
}

/// The D operands among `tensors`, the reads and the write.
static ValueRange getDs(ValueRange tensors) { return tensors.drop_front(2).drop_back(); }

/// The op of `problem` on `tensors`, the reads and the write, without its epilogue.
static ProblemOpInterface buildOp(OpBuilder &builder, Location loc, const ConvProblem &problem,
                                  ValueRange tensors) {
  return createConvOp(builder, loc, problem, TypeRange(), tensors.take_front(2), tensors.back(),
                      getDs(tensors));
}

static ProblemOpInterface buildOp(OpBuilder &builder, Location loc, const GemmProblem &problem,
                                  ValueRange tensors) {
  IntegerAttr preshuffle;
  if (problem.preshuffle != 0)
    preshuffle = builder.getI64IntegerAttr(problem.preshuffle);
  return BatchedGemmOp::create(builder, loc, TypeRange(), tensors[0], tensors[1], tensors.back(),
                               problem.layout, getDs(tensors), preshuffle);
}

/// Builds the epilogue of `op`, if the problem has one.
static void buildEpilogueOf(OpBuilder &builder, ProblemOpInterface op, const Problem &problem,
                            bool fnuz) {
  SmallVector<EpilogueStep, 4> steps = getEpilogueSteps(problem);
  if (steps.empty())
    return;
  auto getElement = [](Value tensor) {
    return cast<MemRefType>(tensor.getType()).getElementType();
  };
  SmallVector<Type> dTypes = llvm::map_to_vector(op.getDs(), getElement);
  buildEpilogue(builder, op.getLoc(), steps, getAccumulatorType(getElement(op.getFactors()[0])),
                dTypes, getElement(op.getWritten()), fnuz, op.getEpilogue());
}

static StringRef getFunctionName(const Problem &problem) {
  const auto *conv = std::get_if<ConvProblem>(&problem);
  return conv ? getName(conv->direction) : "gemm";
}

/// Builds func.func @<operation>(<reads>, <write>) around the one op.
static OwningOpRef<ModuleOp> buildModule(MLIRContext &context, const Problem &problem, bool fnuz) {
  context.loadDialect<CKDialect, func::FuncDialect, memref::MemRefDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());

  SmallVector<Type> types;
  for (const TensorDesc &tensor : getReads(problem))
    types.push_back(getType(context, tensor, fnuz));
  types.push_back(getType(context, getWrite(problem), fnuz));
  auto function = func::FuncOp::create(builder, loc, getFunctionName(problem),
                                       builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  ProblemOpInterface op = std::visit(
      [&](const auto &value) { return buildOp(builder, loc, value, body->getArguments()); },
      problem);
  buildEpilogueOf(builder, op, problem, fnuz);
  func::ReturnOp::create(builder, loc);
  return module;
}

Expected<OwningOpRef<ModuleOp>> mlir::ck::generateProblemIR(MLIRContext &context,
                                                            const Problem &problem, bool fnuz) {
  if (Error error = std::visit([](const auto &value) { return value.verify(); }, problem))
    return std::move(error);
  if (std::visit([](const auto &value) { return value.epilogue == epilogueRegion; }, problem))
    return createStringError("the epilogue of the problem stands in IR only");
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = buildModule(context, problem, fnuz);
  if (failed(verify(*module)))
    return diagnostics.takeError("the generated IR is invalid");
  return module;
}
