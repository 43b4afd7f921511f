//===- SplitCoordinate.cpp - What of a coordinate all lanes share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/LowerTransforms/SplitCoordinate.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ck;

/// Sums and products of bounds up to this one do not overflow.
static constexpr int64_t kMostBound = int64_t(1) << 31;

using Bound = std::optional<int64_t>;

static Bound findBoundOfThread(gpu::ThreadIdOp op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  DenseI32ArrayAttr sizes = kernel ? kernel.getKnownBlockSizeAttr() : DenseI32ArrayAttr();
  if (!sizes)
    return std::nullopt;
  return sizes[unsigned(op.getDimension())] - 1;
}

static Bound findBoundOfBoth(Value a, Value b,
                             llvm::function_ref<int64_t(int64_t, int64_t)> combine) {
  Bound first = findUpperBound(a), second = findUpperBound(b);
  if (!first || !second)
    return std::nullopt;
  return combine(*first, *second);
}

static Bound findBoundOfResult(Operation *op) {
  return llvm::TypeSwitch<Operation *, Bound>(op)
      .Case([](gpu::ThreadIdOp thread) { return findBoundOfThread(thread); })
      .Case([](arith::AddIOp sum) {
        return findBoundOfBoth(sum.getLhs(), sum.getRhs(), std::plus<int64_t>());
      })
      .Case([](arith::MulIOp product) {
        return findBoundOfBoth(product.getLhs(), product.getRhs(), std::multiplies<int64_t>());
      })
      .Case([](arith::XOrIOp op) {
        return findBoundOfBoth(op.getLhs(), op.getRhs(), [](int64_t a, int64_t b) {
          return int64_t(llvm::NextPowerOf2(std::max(a, b))) - 1;
        });
      })
      .Case([](arith::RemUIOp op) -> Bound {
        Bound divisor = getConstantIntValue(op.getRhs()), of = findUpperBound(op.getLhs());
        if (!divisor || *divisor <= 0)
          return of;
        return std::min(of.value_or(*divisor - 1), *divisor - 1);
      })
      .Case([](arith::DivUIOp op) -> Bound {
        Bound divisor = getConstantIntValue(op.getRhs()), of = findUpperBound(op.getLhs());
        if (!divisor || *divisor <= 0 || !of)
          return of;
        return *of / *divisor;
      })
      .Case([](arith::MinUIOp op) -> Bound {
        Bound a = findUpperBound(op.getLhs()), b = findUpperBound(op.getRhs());
        return a && b ? std::min(a, b) : a ? a : b;
      })
      .Case([](arith::IndexCastOp cast) { return findUpperBound(cast.getIn()); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<int64_t> ck::findUpperBound(Value index) {
  Bound bound = getConstantIntValue(index);
  if (!bound && index.getDefiningOp())
    bound = findBoundOfResult(index.getDefiningOp());
  if (!bound || *bound < 0 || *bound > kMostBound)
    return std::nullopt;
  return bound;
}

static bool isMultiple(Value index, int64_t size) {
  if (Bound constant = getConstantIntValue(index))
    return *constant % size == 0;
  auto product = index.getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  return isMultiple(product.getLhs(), size) || isMultiple(product.getRhs(), size);
}

std::optional<SplitCoordinate> ck::splitCoordinate(const IntMath &math, Value coordinate,
                                                   int64_t size) {
  SplitCoordinate parts;
  int64_t bound = 0;
  auto append = [&](Value &sum, Value term) { sum = sum ? math.add(sum, term) : term; };
  SmallVector<Value> terms = {coordinate};
  while (!terms.empty()) {
    Value term = terms.pop_back_val();
    if (auto sum = term.getDefiningOp<arith::AddIOp>()) {
      terms.append({sum.getRhs(), sum.getLhs()});
      continue;
    }
    if (isMultiple(term, size)) {
      append(parts.tile, term);
      continue;
    }
    Bound most = findUpperBound(term);
    if (!most || (bound += *most) >= size)
      return std::nullopt;
    append(parts.inside, term);
  }
  if (!parts.tile)
    parts.tile = math.constant(0);
  return parts;
}
