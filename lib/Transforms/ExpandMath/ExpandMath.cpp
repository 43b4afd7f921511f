//===- ExpandMath.cpp - Expand functions into arithmetic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backend has no tanh, erf or accurate sin, and calls of a device library would need its
// bitcode. Upstream's polynomial approximations are off by up to 4 units in the last place and
// flush denormals; these expansions are within 2, for the activations as a whole.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandMath/ExpandMath.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::ck {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::expand_math;

//===----------------------------------------------------------------------===//
// FloatMath
//===----------------------------------------------------------------------===//

/// `attribute` for every element of `type`.
static TypedAttr splat(Type type, TypedAttr attribute) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(attribute))) : attribute;
}

Value FloatMath::constant(Type element, double number) const {
  return arith::ConstantOp::create(builder, loc,
                                   splat(getType(element), builder.getFloatAttr(element, number)));
}

Value FloatMath::constant(Type element, int64_t number) const {
  return arith::ConstantOp::create(
      builder, loc, splat(getType(element), builder.getIntegerAttr(element, number)));
}

Value FloatMath::polynomial(Value x, ArrayRef<float> coefficients) const {
  Value result = f32(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    result = fma(x, result, f32(coefficient));
  return result;
}

Value FloatMath::polynomial64(Value x, ArrayRef<double> coefficients) const {
  Value result = f64(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    result = fma(x, result, f64(coefficient));
  return result;
}

Value FloatMath::scale(Value x, Value n) const {
  // Two factors of about 2^(n/2); only the second product can round.
  Value half = shr(n, 1);
  return mul(mul(x, powerOfTwo(half)), powerOfTwo(subi(n, half)));
}

Pair expand_math::fastSum(const FloatMath &m, Value a, Value b) {
  Value sum = m.add(a, b);
  return {sum, m.add(m.sub(a, sum), b)};
}

Pair expand_math::product(const FloatMath &m, Value a, Value b) {
  Value high = m.mul(a, b);
  return {high, m.fma(a, b, m.neg(high))};
}

Pair expand_math::product(const FloatMath &m, Pair a, Pair b) {
  Pair result = product(m, a.high, b.high);
  Value cross = m.fma(a.high, b.low, m.mul(a.low, b.high));
  return {result.high, m.add(result.low, cross)};
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static Value expandRsqrt(const FloatMath &m, Value x) {
  return m.div(m.f32(1), math::SqrtOp::create(m.builder, m.loc, x));
}

namespace {
/// Replaces floor (ceil) by the truncation, less (plus) one where that went the other way.
/// Upstream's conversion would call a device library.
template <typename Op, arith::CmpFPredicate wrong, int step>
struct RoundingPattern final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    FloatMath math{rewriter, op.getLoc(), op.getType()};
    Value x = op.getOperand();
    Value truncated = math::TruncOp::create(rewriter, op.getLoc(), x);
    Value one = math.constant(getElementTypeOrSelf(op.getType()), double(step));
    rewriter.replaceOp(
        op, math.select(math.cmp(wrong, truncated, x), math.add(truncated, one), truncated));
    return success();
  }
};

/// Replaces one kind of op on f32 by what `expand` builds from its operand.
template <typename Op>
struct ExpandPattern final : OpRewritePattern<Op> {
  using Expansion = Value (*)(const FloatMath &, Value);
  ExpandPattern(MLIRContext *context, Expansion expand)
      : OpRewritePattern<Op>(context), expand(expand) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not on f32");
    FloatMath math{rewriter, op.getLoc(), op.getType()};
    rewriter.replaceOp(op, expand(math, op->getOperand(0)));
    return success();
  }

  Expansion expand;
};

struct ExpandPowPattern final : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not on f32");
    FloatMath math{rewriter, op.getLoc(), op.getType()};
    rewriter.replaceOp(op, expandPow(math, op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

void ck::populateExpandMathPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandPattern<math::ExpOp>>(context, expandExp);
  patterns.add<ExpandPattern<math::Exp2Op>>(context, expandExp2);
  patterns.add<ExpandPattern<math::ExpM1Op>>(context, expandExpM1);
  patterns.add<ExpandPattern<math::LogOp>>(context, expandLog);
  patterns.add<ExpandPattern<math::Log2Op>>(context, expandLog2);
  patterns.add<ExpandPattern<math::Log10Op>>(context, expandLog10);
  patterns.add<ExpandPattern<math::Log1pOp>>(context, expandLog1p);
  patterns.add<ExpandPattern<math::RsqrtOp>>(context, expandRsqrt);
  patterns.add<ExpandPattern<math::TanhOp>>(context, expandTanh);
  patterns.add<ExpandPattern<math::ErfOp>>(context, expandErf);
  patterns.add<ExpandPattern<math::ErfcOp>>(context, expandErfc);
  patterns.add<ExpandPattern<math::SinOp>>(context, expandSin);
  patterns.add<ExpandPattern<math::CosOp>>(context, expandCos);
  patterns.add<ExpandPattern<GeluOp>>(context, expandGelu);
  patterns.add<ExpandPattern<SiluOp>>(context, expandSilu);
  patterns.add<ExpandPattern<SigmoidOp>>(context, expandSigmoid);
  patterns.add<ExpandPowPattern, RoundingPattern<math::FloorOp, arith::CmpFPredicate::OGT, -1>,
               RoundingPattern<math::CeilOp, arith::CmpFPredicate::OLT, 1>>(context);
}

namespace {
struct ExpandMathPass final : ck::impl::ExpandMathPassBase<ExpandMathPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ExpandMathPass::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  populateExpandMathPatterns(patterns);
  walkAndApplyPatterns(getOperation(), std::move(patterns));
}
