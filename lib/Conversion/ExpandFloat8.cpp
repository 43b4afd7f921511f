//===- ExpandFloat8.cpp - 8-bit floats without instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. All bits of an 8-bit float but the sign, moved to those of an f32, are its value
// but for a power of two, subnormal numbers included.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ExpandFloat8.h"
#include "ck-mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::ck {
#define GEN_PASS_DEF_EXPANDFLOAT8PASS
#include "ck-mlir/Conversion/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// An 8-bit float by the bits of its magnitude.
struct Float8 {
  int mantissaBits, bias;
  uint32_t maxFinite; // what is beyond is infinity or NaN
  uint32_t infinity;  // NaN where there is none
  uint32_t nan;
  bool isFnuz = false; // no infinities, no negative zero: its bits are those of the only NaN

  int getShift() const { return 23 - mantissaBits; } // between the mantissas of this and f32
};

constexpr uint32_t kSign8 = 0x80;
constexpr Float8 kFp8 = {3, 7, /*maxFinite=*/0x7e, /*infinity=*/0x7f, /*nan=*/0x7f};
constexpr Float8 kBf8 = {2, 15, /*maxFinite=*/0x7b, /*infinity=*/0x7c, /*nan=*/0x7e};
constexpr Float8 kFp8Fnuz = {3, 8, /*maxFinite=*/0x7f, kSign8, kSign8, /*isFnuz=*/true};
constexpr Float8 kBf8Fnuz = {2, 16, /*maxFinite=*/0x7f, kSign8, kSign8, /*isFnuz=*/true};
constexpr int kBias32 = 127;
constexpr uint32_t kInfinity32 = 0x7f800000, kNan32 = 0x7fc00000, kMagnitude32 = 0x7fffffff;

/// Arithmetic on f32 and i32, or on vectors of them, of one shape.
struct BitMath {
  OpBuilder &builder;
  Location loc;
  Type shape; // a number or a vector of them

  Type get(Type element) const {
    auto vector = dyn_cast<VectorType>(shape);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type i32() const { return get(builder.getI32Type()); }
  Type f32() const { return get(builder.getF32Type()); }
  Value constant(uint32_t number) const {
    TypedAttr attribute = builder.getIntegerAttr(builder.getI32Type(), int32_t(number));
    if (auto vector = dyn_cast<VectorType>(i32()))
      attribute = DenseElementsAttr::get(vector, Attribute(attribute));
    return arith::ConstantOp::create(builder, loc, attribute);
  }
  Value getBits(Value value, Type type) const {
    return arith::BitcastOp::create(builder, loc, type, value);
  }
  /// A constant f32 that is a power of two.
  Value powerOfTwo(int exponent) const {
    return getBits(constant(uint32_t(kBias32 + exponent) << 23), f32());
  }
  template <typename Op>
  Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
  template <typename Op>
  Value make(Value a, uint32_t b) const {
    return make<Op>(a, constant(b));
  }
  Value isAtLeast(Value a, uint32_t b) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, a, constant(b));
  }
  Value select(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
};
} // namespace

/// The format of `type` or of its elements, or null.
static const Float8 *getFormat(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<Float8E4M3FNType>(element))
    return &kFp8;
  if (isa<Float8E4M3FNUZType>(element))
    return &kFp8Fnuz;
  if (isa<Float8E5M2FNUZType>(element))
    return &kBf8Fnuz;
  return isa<Float8E5M2Type>(element) ? &kBf8 : nullptr;
}

/// The f32 of the 8-bit floats `value`.
static Value extend(const BitMath &math, Value value, const Float8 &format) {
  Value byte = math.getBits(value, math.get(math.builder.getI8Type()));
  Value wide = arith::ExtSIOp::create(math.builder, math.loc, math.i32(), byte);
  Value moved = math.make<arith::ShLIOp>(wide, format.getShift());
  Value bits = math.make<arith::AndIOp>(moved, 0x80000000 | 0x7fu << format.getShift());
  Value number = math.make<arith::MulFOp>(math.getBits(bits, math.f32()),
                                          math.powerOfTwo(kBias32 - format.bias));
  if (format.isFnuz) {
    Value nan = math.getBits(math.constant(kNan32), math.f32());
    Value isNan = arith::CmpIOp::create(math.builder, math.loc, arith::CmpIPredicate::eq, bits,
                                        math.constant(0x80000000));
    return math.select(isNan, nan, number);
  }
  Value special = math.getBits(math.make<arith::OrIOp>(bits, kInfinity32), math.f32());
  Value magnitude = math.make<arith::AndIOp>(wide, 0x7f);
  return math.select(math.isAtLeast(magnitude, format.maxFinite + 1), special, number);
}

/// The magnitudes of 8-bit floats nearest to those of f32 with bits `bits`, none beyond the
/// largest.
static Value roundMagnitude(const BitMath &math, Value bits, const Float8 &format) {
  int shift = format.getShift(), rebias = (kBias32 - format.bias) << format.mantissaBits;
  // Half a unit, less one where the last bit that stays is even; a carry goes to the exponent.
  Value last = math.make<arith::AndIOp>(math.make<arith::ShRUIOp>(bits, shift), 1);
  Value half = math.make<arith::AddIOp>(last, (1u << (shift - 1)) - 1);
  Value rounded = math.make<arith::ShRUIOp>(math.make<arith::AddIOp>(bits, half), uint32_t(shift));
  Value normal = math.make<arith::SubIOp>(rounded, uint32_t(rebias));
  // The last bit of this sum is worth one unit of a subnormal number.
  int exponent = 24 - format.bias - format.mantissaBits;
  Value sum = math.make<arith::AddFOp>(math.getBits(bits, math.f32()), math.powerOfTwo(exponent));
  Value subnormal =
      math.make<arith::SubIOp>(math.getBits(sum, math.i32()), uint32_t(kBias32 + exponent) << 23);
  uint32_t firstNormal = uint32_t(kBias32 + 1 - format.bias) << 23;
  return math.select(math.isAtLeast(bits, firstNormal), normal, subnormal);
}

/// The 8-bit floats, as i8, of the f32 `value`.
static Value truncate(const BitMath &math, Value value, const Float8 &format) {
  Value bits = math.getBits(value, math.i32());
  Value magnitude = math.make<arith::AndIOp>(bits, kMagnitude32);
  uint32_t largest =
      (format.maxFinite << format.getShift()) + (uint32_t(kBias32 - format.bias) << 23);
  Value inRange = math.make<arith::MinUIOp>(magnitude, largest);
  Value rounded = roundMagnitude(math, inRange, format);
  Value special = math.select(math.isAtLeast(magnitude, kInfinity32 + 1), math.constant(format.nan),
                              math.constant(format.infinity));
  Value number = math.select(math.isAtLeast(magnitude, kInfinity32), special, rounded);
  Value sign = math.make<arith::AndIOp>(math.make<arith::ShRUIOp>(bits, 24), kSign8);
  Value all = math.make<arith::OrIOp>(number, sign);
  if (format.isFnuz)
    all = math.select(math.isAtLeast(number, 1), all, number); // zero has no sign
  return arith::TruncIOp::create(math.builder, math.loc, math.get(math.builder.getI8Type()), all);
}

namespace {
struct ExtendPattern final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    const Float8 *format = getFormat(op.getIn().getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not of an 8-bit float");
    BitMath math{rewriter, op.getLoc(), op.getType()};
    Value wide = extend(math, op.getIn(), *format);
    Type element = getElementTypeOrSelf(op.getType());
    if (element.isBF16()) { // exact, so its bits are the upper half
      Value upper = math.make<arith::ShRUIOp>(math.getBits(wide, math.i32()), 16);
      Value half =
          arith::TruncIOp::create(rewriter, op.getLoc(), math.get(rewriter.getI16Type()), upper);
      wide = math.getBits(half, op.getType());
    } else if (element.getIntOrFloatBitWidth() < 32) {
      wide = arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), wide);
    } else if (!element.isF32()) {
      wide = arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(), wide);
    }
    rewriter.replaceOp(op, wide);
    return success();
  }
};

struct TruncatePattern final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    const Float8 *format = getFormat(op.getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not to an 8-bit float");
    Value value = op.getIn();
    BitMath math{rewriter, op.getLoc(), value.getType()};
    unsigned width = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    if (width > 32)
      return rewriter.notifyMatchFailure(op, "would round twice");
    if (width < 32)
      value = arith::ExtFOp::create(rewriter, op.getLoc(), math.f32(), value);
    rewriter.replaceOp(op, math.getBits(truncate(math, value, *format), op.getType()));
    return success();
  }
};
} // namespace

void ck::populateExpandFloat8Patterns(RewritePatternSet &patterns) {
  patterns.add<ExtendPattern, TruncatePattern>(patterns.getContext());
}

namespace {
struct ExpandFloat8Pass final : ck::impl::ExpandFloat8PassBase<ExpandFloat8Pass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ExpandFloat8Pass::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  populateExpandFloat8Patterns(patterns);
  walkAndApplyPatterns(getOperation(), std::move(patterns));
}
