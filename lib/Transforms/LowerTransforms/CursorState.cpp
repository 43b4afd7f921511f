//===- CursorState.cpp - The values that stand for a cursor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/LowerTransforms/CursorState.h"
#include "Transforms/IntMath.h"
#include "Transforms/LowerTransforms/SplitCoordinate.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::ck;

static constexpr unsigned kOffset = 0, kScalarOffset = 1, kFirstCheck = 2;

/// An offset past the end of every buffer, to which the constant of an instruction can be added
/// without wrapping around.
static constexpr int64_t kInvalidOffset = int64_t(1) << 31;

/// Constants below this one are part of a buffer instruction.
static constexpr int64_t kMaxInstructionOffset = 4096;

llvm::Expected<CursorState> CursorState::create(ViewType view, const ViewUse &use) {
  llvm::Expected<ViewAnalysis> analysis = analyzeView(view);
  if (!analysis)
    return analysis.takeError();
  CursorState state;
  state.analysis = *analysis;
  state.use = use;
  state.elementBytes = getSizeInBytes(*getDataType(view.getElementType()));
  state.checks = analysis->checks;
  unsigned last = view.getShape().size() - 1;
  if (use.passesEnd && !analysis->endsWithTensor(last)) {
    RangeCheck end;
    unsigned slowest = analysis->getDigitsOf(last).front();
    end.form.coefficients.assign(analysis->digits.size(), 0);
    end.form.coefficients[slowest] = 1;
    end.size = analysis->digits[slowest].size;
    state.checks.push_back(end);
  }
  for (unsigned digit = 0; digit < analysis->digits.size(); ++digit) {
    bool checked = llvm::any_of(
        state.checks, [&](const RangeCheck &check) { return check.form.coefficients[digit] != 0; });
    if (state.isCarried(digit) && (checked || analysis->digits[digit].modulus != 0))
      state.tracked.push_back(digit);
  }
  // 32 bits do for buffers and coordinates below 2^31.
  state.wide = state.getExtentBytes() > kInvalidOffset ||
               llvm::any_of(view.getShape(), [](int64_t size) { return size > INT32_MAX; });
  return state;
}

bool CursorState::isCarried(unsigned digit) const {
  unsigned dim = analysis.digits[digit].dim;
  if (use.steps[dim] == 0)
    return false;
  SmallVector<unsigned> all = analysis.getDigitsOf(dim);
  bool checked = llvm::any_of(checks, [&](const RangeCheck &check) {
    return llvm::any_of(all, [&](unsigned own) { return check.form.coefficients[own] != 0; });
  });
  // The scalar offset is unsigned: it cannot move backwards.
  bool backwards = llvm::any_of(all, [&](unsigned own) { return getByteStride(own) < 0; });
  return checked || backwards || use.steps[dim] % analysis.digits[all.front()].divisor != 0;
}

std::pair<unsigned, int64_t> CursorState::getMove(unsigned dim, int64_t elements) const {
  SmallVector<unsigned> own = analysis.getDigitsOf(dim);
  int64_t divisor = analysis.digits[own.front()].divisor;
  if (elements % divisor == 0)
    return {own.front(), elements / divisor};
  return {own.back(), elements};
}

std::optional<unsigned> CursorState::findTracked(unsigned digit) const {
  const auto *it = llvm::find(tracked, digit);
  if (it == tracked.end())
    return std::nullopt;
  return kFirstCheck + checks.size() + (it - tracked.begin());
}

/// The byte offset from the start of the tensor.
Value CursorState::computeOffset(OpBuilder &builder, Location loc,
                                 ArrayRef<DigitParts> digits) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  Value sum = math.constant(analysis.offset.constant * elementBytes);
  for (auto [i, digit] : llvm::enumerate(digits))
    if (int64_t stride = getByteStride(i))
      sum = math.add(sum, math.mul(digit.all, stride));
  return sum;
}

/// The part of a check's form that no step moves.
Value CursorState::computeCheck(OpBuilder &builder, Location loc, ArrayRef<DigitParts> digits,
                                const DigitForm &form) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  Value sum = math.constant(form.constant);
  for (auto [i, coefficient] : llvm::enumerate(form.coefficients)) {
    Value digit = isCarried(i) ? digits[i].inside : digits[i].all;
    if (coefficient != 0 && digit)
      sum = math.add(sum, math.mul(digit, coefficient));
  }
  return sum;
}

bool CursorState::isSplit(unsigned dim) const {
  const int64_t size = use.steps[dim];
  if (size == 0)
    return false;
  return llvm::all_of(analysis.getDigitsOf(dim), [&](unsigned number) {
    const Digit &digit = analysis.digits[number];
    return digit.divisor % size == 0 ||
           (size % digit.divisor == 0 && digit.divisor * digit.modulus % size == 0);
  });
}

SmallVector<CursorState::DigitParts> CursorState::findDigits(OpBuilder &builder, Location loc,
                                                             ValueRange coordinates) const {
  IntMath index{builder, loc};
  Type type = getValueType(builder.getContext());
  auto find = [&](Value coordinate, const Digit &digit) -> Value {
    Value value = index.div(coordinate, digit.divisor);
    if (digit.modulus != 0)
      value = index.rem(value, digit.modulus);
    return arith::IndexCastOp::create(builder, loc, type, value);
  };
  SmallVector<std::optional<SplitCoordinate>> split(coordinates.size());
  for (auto [dim, coordinate] : llvm::enumerate(coordinates))
    if (isSplit(dim))
      split[dim] = splitCoordinate(index, coordinate, use.steps[dim]);
  SmallVector<DigitParts> digits;
  for (const Digit &digit : analysis.digits) {
    const std::optional<SplitCoordinate> &parts = split[digit.dim];
    if (!parts) {
      Value value = find(coordinates[digit.dim], digit);
      digits.push_back({value, value, Value()});
      continue;
    }
    Value tile = find(parts->tile, digit), inside;
    if (parts->inside && digit.divisor % use.steps[digit.dim] != 0)
      inside =
          arith::IndexCastOp::create(builder, loc, type, index.div(parts->inside, digit.divisor));
    Value all = inside ? Value(arith::AddIOp::create(builder, loc, tile, inside)) : tile;
    digits.push_back({all, tile, inside});
  }
  return digits;
}

SmallVector<Value> CursorState::init(OpBuilder &builder, Location loc,
                                     ValueRange coordinates) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  SmallVector<DigitParts> digits = findDigits(builder, loc, coordinates);
  SmallVector<Value> state = {computeOffset(builder, loc, digits), math.constant(0)};
  for (const RangeCheck &check : checks)
    state.push_back(computeCheck(builder, loc, digits, check.form));
  for (unsigned digit : tracked)
    state.push_back(digits[digit].tile);
  return state;
}

/// Adds `step` to the digits of `dim`, fastest first, and what that moves to the offset. The
/// constant part of the move goes into the first carry's select.
void CursorState::advanceDigits(OpBuilder &builder, Location loc, MutableArrayRef<Value> state,
                                unsigned dim, int64_t step) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  SmallVector<unsigned> own = analysis.getDigitsOf(dim);
  int64_t moved = 0; // bytes, carries aside
  SmallVector<std::pair<Value, int64_t>> jumps;
  Value carry;
  for (int i = own.size() - 1; i >= 0; --i) {
    unsigned digit = own[i];
    int64_t modulus = analysis.digits[digit].modulus;
    int64_t delta = modulus == 0 ? step : step % modulus;
    step = modulus == 0 ? 0 : step / modulus;
    moved += delta * getByteStride(digit);
    std::optional<unsigned> place = findTracked(digit);
    if (!place || (delta == 0 && !carry))
      continue; // nothing to keep, or nothing moves; a digit without modulus carries nowhere
    Value value = math.add(state[*place], delta);
    if (carry)
      value = math.add(value, math.select(carry, 1, 0));
    carry = Value();
    if (modulus != 0) {
      carry = math.compare(arith::CmpIPredicate::uge, value, modulus);
      value = math.select(carry, math.add(value, -modulus), value);
      if (int64_t jump = getJump(own, i))
        jumps.push_back({carry, jump});
    }
    state[*place] = value;
  }
  if (jumps.empty())
    state[kOffset] = math.add(state[kOffset], moved);
  for (auto [condition, jump] : jumps) {
    Value distance = math.select(condition, moved + jump, moved);
    state[kOffset] = math.add(state[kOffset], distance);
    moved = 0;
  }
}

SmallVector<Value> CursorState::advance(OpBuilder &builder, Location loc, ValueRange state,
                                        ArrayRef<int64_t> step) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  SmallVector<Value> next(state);
  for (auto [dim, distance] : llvm::enumerate(step)) {
    if (distance == 0)
      continue;
    unsigned slowest = analysis.getDigitsOf(dim).front();
    if (isCarried(slowest))
      advanceDigits(builder, loc, next, dim, distance);
    else
      next[kScalarOffset] =
          math.add(next[kScalarOffset], getMove(dim, distance).second * getByteStride(slowest));
  }
  return next;
}

Value CursorState::isInside(OpBuilder &builder, Location loc, ValueRange state,
                            ArrayRef<int64_t> delta, Value mask) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  Value valid = mask;
  for (auto [i, check] : llvm::enumerate(checks)) {
    Value form = state[kFirstCheck + i];
    for (auto [digit, coefficient] : llvm::enumerate(check.form.coefficients))
      if (std::optional<unsigned> place = findTracked(digit); place && coefficient != 0)
        form = math.add(form, math.mul(state[*place], coefficient));
    form = math.add(form, analysis.getMove(check.form, delta));
    // Negative values are large unsigned ones.
    Value inside = math.compare(arith::CmpIPredicate::ult, form, check.size);
    valid = valid ? Value(arith::AndIOp::create(builder, loc, valid, inside)) : inside;
  }
  return valid;
}

CursorAddress CursorState::getAddress(OpBuilder &builder, Location loc, ValueRange state,
                                      ArrayRef<int64_t> delta, Value mask) const {
  IntMath math{builder, loc, getValueType(builder.getContext())};
  Value valid = isInside(builder, loc, state, delta, mask);
  Value offset = state[kOffset];
  const int64_t distance = analysis.getMove(analysis.offset, delta) * elementBytes;
  if (!wide) {
    // What the instruction can add by itself is added last.
    const int64_t constant = valid && distance > 0 ? distance % kMaxInstructionOffset : 0;
    offset = math.add(offset, distance - constant);
    if (valid)
      offset = math.select(valid, offset, math.constant(kInvalidOffset));
    return {math.add(offset, constant), state[kScalarOffset], Value()};
  }
  offset = math.add(offset, distance);
  // What the bounds check of a buffer does.
  offset = math.add(offset, state[kScalarOffset]);
  Value inside =
      math.compare(arith::CmpIPredicate::ult, offset, analysis.numElements * elementBytes);
  valid = valid ? Value(arith::AndIOp::create(builder, loc, valid, inside)) : inside;
  return {math.select(valid, offset, math.constant(0)), Value(), valid};
}
