//===- StoreValues.cpp - From accumulators to results -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/StoreValues.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

Value ck::distribution::slice(OpBuilder &builder, Location loc, Value value, int64_t first,
                              int64_t width) {
  if (cast<VectorType>(value.getType()).getNumElements() == width)
    return value;
  SmallVector<int64_t> lanes(width);
  std::iota(lanes.begin(), lanes.end(), first);
  return vector::ShuffleOp::create(builder, loc, value, value, lanes);
}

Value ck::distribution::concatenate(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
  Value all = parts.front();
  for (Value part : parts.drop_front()) {
    SmallVector<int64_t> lanes(cast<VectorType>(all.getType()).getNumElements() +
                               cast<VectorType>(part.getType()).getNumElements());
    std::iota(lanes.begin(), lanes.end(), 0);
    all = vector::ShuffleOp::create(builder, loc, all, part, lanes);
  }
  return all;
}

/// Clones `op`, whose operands `mapping` maps to vectors, for vectors of the shape of `shape`.
static Value vectorize(OpBuilder &builder, Operation &op, const IRMapping &mapping,
                       VectorType shape) {
  Type type = op.getResult(0).getType();
  auto extend = dyn_cast<arith::ExtFOp>(op);
  if (!extend || extend.getIn().getType().getIntOrFloatBitWidth() != 8) {
    IRMapping operands = mapping;
    Operation *vectorized = builder.clone(op, operands);
    vectorized->getResult(0).setType(shape.clone(type));
    return vectorized->getResult(0);
  }
  // Upstream takes vectors of 8-bit floats apart by ops that gpu-to-rocdl does not know.
  SmallVector<Value> elements;
  for (int64_t i = 0; i < shape.getNumElements(); ++i) {
    Value element =
        vector::ExtractOp::create(builder, op.getLoc(), mapping.lookup(extend.getIn()), i);
    elements.push_back(arith::ExtFOp::create(builder, op.getLoc(), type, element));
  }
  return vector::FromElementsOp::create(builder, op.getLoc(), shape.clone(type), elements);
}

Value ck::distribution::applyEpilogue(OpBuilder &builder, Location loc, Region &epilogue, Value acc,
                                      ArrayRef<Value> ds, Type elementType) {
  auto accType = cast<VectorType>(acc.getType());
  if (epilogue.empty())
    return convertAccumulator(builder, loc, acc, elementType);
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), acc);
  for (auto [argument, d] : llvm::zip_equal(block.getArguments().drop_front(), ds))
    mapping.map(argument, d);
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      Value scalar = builder.clone(op)->getResult(0);
      mapping.map(op.getResult(0), vector::BroadcastOp::create(
                                       builder, loc, accType.clone(scalar.getType()), scalar));
      continue;
    }
    mapping.map(op.getResult(0), vectorize(builder, op, mapping, accType));
  }
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

Value ck::distribution::exchangeHalves(const IntMath &math, Value acc, Value isUpper) {
  OpBuilder &builder = math.builder;
  Location loc = math.loc;
  auto type = cast<VectorType>(acc.getType());
  Type i32 = builder.getI32Type();
  Value bits = vector::BitCastOp::create(builder, loc, type.clone(i32), acc);
  auto select = [&](Value upper, Value lower) -> Value {
    return arith::SelectOp::create(builder, loc, isUpper, upper, lower);
  };
  // Every lane reads the one of its number in the other half, or 16 lanes.
  Value lanesLow = arith::ConstantIntOp::create(builder, loc, 0x76543210, 32);
  Value lanesHigh = arith::ConstantIntOp::create(builder, loc, int32_t(0xfedcba98), 32);
  SmallVector<Value> elements;
  int64_t half = type.getNumElements() / 2;
  for (int64_t i = 0; i < half; ++i) {
    Value low = vector::ExtractOp::create(builder, loc, bits, i);
    Value high = vector::ExtractOp::create(builder, loc, bits, half + i);
    Value given = select(low, high);
    Value taken = ROCDL::PermlaneX16Op::create(builder, loc, i32, given, given, lanesLow, lanesHigh,
                                               /*fi=*/false, /*boundControl=*/false);
    elements.push_back(select(taken, low));
    elements.push_back(select(high, taken));
  }
  Value all = vector::FromElementsOp::create(builder, loc, type.clone(i32), elements);
  return vector::BitCastOp::create(builder, loc, type, all);
}
