//===- Shapes.cpp - Tensors of other shapes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Shapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::ck;

/// The finest shape that both shapes, of equally many elements, collapse to.
static SmallVector<int64_t> getCommonShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> common;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    int64_t left = a[i++], right = b[j++];
    while (left != right)
      left < right ? left *= a[i++] : right *= b[j++];
    common.push_back(left);
  }
  return common;
}

Value ck::reshapeTo(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  RankedTensorType target = type.clone(shape);
  if (type == target)
    return tensor;
  if (type.getRank() != target.getRank())
    if (auto groups = getReassociationIndicesForReshape(type, target)) {
      if (type.getRank() > target.getRank())
        return tensor::CollapseShapeOp::create(builder, loc, target, tensor, *groups);
      return tensor::ExpandShapeOp::create(builder, loc, target, tensor, *groups);
    }
  SmallVector<int64_t> common = getCommonShape(type.getShape(), shape);
  if (common.size() == type.getShape().size() || common.size() == shape.size())
    common = {type.getNumElements()}; // units stand where no common shape separates them
  return reshapeTo(builder, loc, reshapeTo(builder, loc, tensor, common), shape);
}

Value ck::skipReshapes(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

Value ck::makeDestination(OpBuilder &builder, Location loc, Value wanted, ArrayRef<int64_t> shape,
                          Type type) {
  if (!wanted || skipReshapes(wanted).getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(builder, loc, shape, type);
  return reshapeTo(builder, loc, wanted, shape);
}

Value ck::reverseDims(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto buildBody = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (llvm::is_contained(dims, dim)) {
        Value last = arith::ConstantIndexOp::create(body, loc, type.getDimSize(dim) - 1);
        index = arith::SubIOp::create(body, loc, last, index);
      }
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(body, loc, tensor, indices);
    linalg::YieldOp::create(body, loc, element);
  };
  return linalg::GenericOp::create(builder, loc, TypeRange(type), ValueRange(), ValueRange(empty),
                                   ArrayRef(identity), iterators, buildBody)
      .getResult(0);
}
