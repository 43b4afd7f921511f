//===- SymbolicIndex.cpp - Index values as sums of unknowns -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/SymbolicIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ck;

/// sum + value * scale modulo 2^64, as index arithmetic is.
static int64_t addProduct(int64_t sum, int64_t value, int64_t scale) {
  return static_cast<int64_t>(uint64_t(sum) + uint64_t(value) * uint64_t(scale));
}

SymbolicIndex &SymbolicIndex::add(const SymbolicIndex &other, int64_t scale) {
  constant = addProduct(constant, other.constant, scale);
  for (const auto &[name, coefficient] : other.terms) {
    int64_t &sum = terms[name];
    sum = addProduct(sum, coefficient, scale);
    if (sum == 0)
      terms.erase(name);
  }
  return *this;
}

SymbolicIndex SymbolicIndex::operator+(int64_t value) const {
  SymbolicIndex sum = *this;
  sum.constant = addProduct(sum.constant, value, 1);
  return sum;
}

SymbolicIndex SymbolicIndex::operator-(const SymbolicIndex &other) const {
  SymbolicIndex difference = *this;
  return difference.add(other, -1);
}

std::string SymbolicIndex::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, coefficient] : terms) {
    os << (os.tell() == 0 ? "" : " + ");
    if (coefficient != 1)
      os << coefficient << " * ";
    os << name;
  }
  if (constant != 0 || terms.empty())
    os << (terms.empty() ? "" : " + ") << constant;
  return text;
}

/// The unknown that stands for `index` modulo `divisor`.
static std::string nameRemainder(const SymbolicIndex &index, int64_t divisor) {
  return "(" + index.str() + ") mod " + std::to_string(divisor);
}

SymbolicIndices::SymbolicIndices(Region &region) {
  for (BlockArgument argument : region.getArguments())
    name(argument, "capture " + std::to_string(argument.getArgNumber()));
}

SymbolicIndex SymbolicIndices::get(Value value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    SymbolicIndex index;
    return index + *constant;
  }
  if (auto it = names.find(value); it != names.end())
    return SymbolicIndex::unknown(it->second);
  Operation *op = value.getDefiningOp();
  if (!op || !isMemoryEffectFree(op) || op->getNumRegions() != 0) {
    std::string name;
    llvm::raw_string_ostream(name) << value.getAsOpaquePointer();
    return SymbolicIndex::unknown(name);
  }
  if (auto sum = dyn_cast<arith::AddIOp>(op))
    return get(sum.getLhs()).add(get(sum.getRhs()));
  if (auto difference = dyn_cast<arith::SubIOp>(op))
    return get(difference.getLhs()).add(get(difference.getRhs()), -1);
  if (auto product = dyn_cast<arith::MulIOp>(op))
    if (std::optional<int64_t> scale = getConstantIntValue(product.getRhs()))
      return SymbolicIndex().add(get(product.getLhs()), *scale);
  if (auto remainder = dyn_cast<arith::RemUIOp>(op))
    if (std::optional<int64_t> divisor = getConstantIntValue(remainder.getRhs()))
      return SymbolicIndex::unknown(nameRemainder(get(remainder.getLhs()), *divisor));
  std::string name;
  llvm::raw_string_ostream os(name);
  os << op->getName() << '(';
  llvm::interleaveComma(op->getOperands(), os, [&](Value operand) { os << get(operand).str(); });
  os << ")" << op->getAttrDictionary() << '#' << cast<OpResult>(value).getResultNumber();
  return SymbolicIndex::unknown(name);
}

std::optional<SymbolicIndex> ck::roundUp(const SymbolicIndex &begin, const SymbolicIndex &end,
                                         int64_t step) {
  if (step < 1)
    return std::nullopt;
  SymbolicIndex distance = end - begin;
  if (std::optional<int64_t> constant = distance.getConstant()) {
    int64_t steps = *constant <= 0 ? 0 : llvm::divideCeil(*constant, step);
    return begin + addProduct(0, steps, step);
  }
  if (step == 1)
    return end;
  // distance = x - x mod step
  for (const auto &[name, coefficient] : distance.terms) {
    if (coefficient != -1)
      continue;
    SymbolicIndex whole = distance - SymbolicIndex();
    whole.add(SymbolicIndex::unknown(name));
    if (name == nameRemainder(whole, step))
      return end;
  }
  return std::nullopt;
}
