//===- Preshuffle.cpp - Weights that are shuffled ahead of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Units of 16 bytes are consecutive before and after; they change places as wholes.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Preshuffle.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

static constexpr int64_t kUnitBytes = 16;

static TensorDesc getWeights(const ConvProblem &problem) { return problem.getFilter(); }
static TensorDesc getWeights(const GemmProblem &problem) { return problem.getB(); }

Expected<ShuffledWeights> mlir::ck::getShuffledWeights(const Problem &problem) {
  return std::visit(
      [](auto copy) -> Expected<ShuffledWeights> {
        if (copy.preshuffle == 0)
          return llvm::createStringError("expected a problem with the key 'preshuffle', got '" +
                                         toString(copy) + "'");
        TensorDesc shuffled = getWeights(copy);
        copy.preshuffle = 0;
        return ShuffledWeights{getWeights(copy), std::move(shuffled)};
      },
      problem);
}

/// The number of `tensor`'s bytes, or an error that calls them `what`.
static Error checkBytes(llvm::StringRef what, const TensorDesc &tensor, size_t bytes) {
  if (int64_t(bytes) == tensor.getSizeInBytes())
    return Error::success();
  return llvm::createStringError("expected " + llvm::Twine(tensor.getSizeInBytes()) + " bytes of " +
                                 what + " weights '" + tensor.name + "', got " +
                                 llvm::Twine(bytes));
}

Error mlir::ck::shuffleWeights(const ShuffledWeights &weights, llvm::ArrayRef<uint8_t> plain,
                               llvm::MutableArrayRef<uint8_t> shuffled) {
  if (Error error = checkBytes("plain", weights.plain, plain.size()))
    return error;
  if (Error error = checkBytes("shuffled", weights.shuffled, shuffled.size()))
    return error;
  // Plain: groups, columns, taps x units. Shuffled: groups, blocks, taps x units, block.
  llvm::ArrayRef<int64_t> shape = weights.shuffled.shape;
  int64_t block = shape[shape.size() - 2], columns = shape[1] * block;
  int64_t units = int64_t(plain.size()) / kUnitBytes / (shape[0] * columns);
  for (int64_t group = 0; group < shape[0]; ++group)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t unit = 0; unit < units; ++unit) {
        int64_t from = (group * columns + column) * units + unit;
        int64_t first = (group * shape[1] + column / block) * units + unit;
        int64_t to = first * block + column % block;
        std::memcpy(&shuffled[to * kUnitBytes], &plain[from * kUnitBytes], kUnitBytes);
      }
  return Error::success();
}
