//===- SpreadTransposeConv.cpp - Strides as zeros in between -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream decomposes a transposed convolution with strides to one that computes all phases of the
// result as channels, and moves them to their places. With the strides as zeros between the
// elements of the input it decomposes the rest to a convolution that convert-linalg-to-ck
// recognises.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::ck {
#define GEN_PASS_DEF_SPREADTRANSPOSECONVPASS
#include "ck-mlir/Conversion/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// True if a kernel can compute what `op` becomes, and it is known what counts as zero.
static bool isSupported(tosa::TransposeConv2DOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !type.hasStaticShape() ||
      llvm::all_of(op.getStride(), [](int64_t stride) { return stride == 1; }))
    return false;
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() && !element.isInteger(8))
    return false;
  return succeeded(op.getInputZeroPoint());
}

static void spread(tosa::TransposeConv2DOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> offsets(4, builder.getIndexAttr(0)), sizes, strides;
  for (int64_t dim = 0; dim < 4; ++dim) {
    bool isSpace = dim == 1 || dim == 2;
    int64_t stride = isSpace ? op.getStride()[dim - 1] : 1;
    sizes.push_back(builder.getIndexAttr(shape[dim]));
    strides.push_back(builder.getIndexAttr(stride));
    shape[dim] = (shape[dim] - 1) * stride + 1;
  }
  auto wide = RankedTensorType::get(shape, type.getElementType());
  TypedAttr zero = builder.getZeroAttr(type.getElementType());
  if (isa<IntegerType>(type.getElementType()))
    zero = builder.getIntegerAttr(type.getElementType(), *op.getInputZeroPoint());
  Value zeros = arith::ConstantOp::create(builder, loc, SplatElementsAttr::get(wide, zero));
  Value input =
      tensor::InsertSliceOp::create(builder, loc, op.getInput(), zeros, offsets, sizes, strides);
  op.getInputMutable().assign(input);
  op.setStride({1, 1});
}

namespace {
struct SpreadTransposeConvPass final
    : ck::impl::SpreadTransposeConvPassBase<SpreadTransposeConvPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void SpreadTransposeConvPass::runOnOperation() {
  getOperation()->walk([](tosa::TransposeConv2DOp op) {
    if (isSupported(op))
      spread(op);
  });
}
