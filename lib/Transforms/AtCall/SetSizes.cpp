//===- SetSizes.cpp - Sizes for the unknown ones of a function -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the arguments get sizes; canonicalization and TOSA's shape inference carry them on. Ops of
// TOSA see the new type, as the inference reads it from their operands, all others a cast.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/AtCall.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::ck {
#define GEN_PASS_DEF_SETSIZESPASS
#include "ck-mlir/Transforms/AtCallPasses.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

static int64_t countUnknown(func::FuncOp function) {
  int64_t count = 0;
  for (Type type : function.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      count += tensor.getNumDynamicDims();
  return count;
}

LogicalResult ck::setSizes(func::FuncOp function, ArrayRef<int64_t> sizes) {
  if (function.isExternal())
    return function.emitOpError("requires a body for its sizes to be set");
  if (int64_t count = countUnknown(function); count != static_cast<int64_t>(sizes.size()))
    return function.emitOpError() << "expected " << count << " sizes, one for each '?', got "
                                  << sizes.size();
  for (int64_t size : sizes)
    if (size < 0)
      return function.emitOpError() << "sizes must be in [0, 9223372036854775807], got " << size;
  auto module = function->getParentOfType<ModuleOp>();
  if (!SymbolTable::symbolKnownUseEmpty(function, module))
    return function.emitOpError("cannot both be called and get sizes: its callers know the '?'");
  OpBuilder builder(&function.getBody().front(), function.getBody().front().begin());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size)) {
        size = sizes.front();
        sizes = sizes.drop_front();
      }
    argument.setType(RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
    auto cast = tensor::CastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceUsesWithIf(cast, [&](OpOperand &use) {
      return use.getOwner() != cast && !isa<tosa::TosaOp>(use.getOwner());
    });
  }
  function.setType(builder.getFunctionType(function.getBody().getArgumentTypes(),
                                           function.getFunctionType().getResults()));
  return success();
}

namespace {
struct SetSizesPass final : ck::impl::SetSizesPassBase<SetSizesPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void SetSizesPass::runOnOperation() {
  auto function = getOperation().lookupSymbol<func::FuncOp>(entry);
  if (!function) {
    getOperation().emitError() << "expected a function @" << entry << " in the module";
    return signalPassFailure();
  }
  if (failed(setSizes(function, SmallVector<int64_t>(sizes.begin(), sizes.end()))))
    signalPassFailure();
}
