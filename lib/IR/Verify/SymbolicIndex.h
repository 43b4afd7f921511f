//===- SymbolicIndex.h - Index values as sums of unknowns -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The roles of a kernel compute the bounds of their loops each for themselves. To see that two
// roles run the same steps, values of different regions must be compared: here by what they are
// computed from. Upstream's ValueBoundsConstraintSet compares values of one region only.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_VERIFY_SYMBOLICINDEX_H
#define CK_MLIR_LIB_IR_VERIFY_SYMBOLICINDEX_H

#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <string>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// constant + sum of coefficient * unknown. Unknowns are named by the expression that they stand
/// for, so that equal names are equal values.
struct SymbolicIndex {
  int64_t constant = 0;
  std::map<std::string, int64_t> terms; // no coefficient is zero

  static SymbolicIndex unknown(std::string name) {
    SymbolicIndex index;
    index.terms[std::move(name)] = 1;
    return index;
  }

  SymbolicIndex &add(const SymbolicIndex &other, int64_t scale = 1);
  SymbolicIndex operator+(int64_t value) const;
  SymbolicIndex operator-(const SymbolicIndex &other) const;
  bool operator==(const SymbolicIndex &other) const {
    return constant == other.constant && terms == other.terms;
  }
  bool operator!=(const SymbolicIndex &other) const { return !(*this == other); }
  /// The value, if nothing in it is unknown.
  std::optional<int64_t> getConstant() const {
    return terms.empty() ? std::optional<int64_t>(constant) : std::nullopt;
  }
  std::string str() const;
};

/// Expressions of the values in one region.
class SymbolicIndices {
public:
  /// Arguments of `region` are named by their numbers: those of two regions can be compared.
  explicit SymbolicIndices(Region &region);

  /// Names `value` (a block argument) for all that is computed from it.
  void name(Value value, std::string name) { names[value] = std::move(name); }
  /// The expression of `value`. What is neither named nor computed without side effects is
  /// different from every other value.
  SymbolicIndex get(Value value) const;

private:
  llvm::DenseMap<Value, std::string> names;
};

/// The least value of at least `end` that is a whole number of `step` away from `begin`, for begin
/// <= end; nothing where that is not known.
std::optional<SymbolicIndex> roundUp(const SymbolicIndex &begin, const SymbolicIndex &end,
                                     int64_t step);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_VERIFY_SYMBOLICINDEX_H
