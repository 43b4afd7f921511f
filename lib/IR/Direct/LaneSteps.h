//===- LaneSteps.h - How far the first elements of lanes are apart -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the geometry of direct kernels.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_DIRECT_LANESTEPS_H
#define CK_MLIR_LIB_IR_DIRECT_LANESTEPS_H

#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/IR/ViewAnalysis.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// A distance whose multiples below `end` the first elements of lanes are apart.
struct LaneStep {
  int64_t step, end;
};

/// The error that `tile` is not possible for `reason`.
inline llvm::Error refuse(const DirectTile &tile, const llvm::Twine &reason) {
  return llvm::createStringError("direct=" + toString(tile) + " " + reason);
}

/// Fails unless matrix instructions of `tile` multiply elements of `type`.
inline llvm::Error checkBlockType(const DirectTile &tile, Type type) {
  if (type.isF16() || type.isBF16())
    return llvm::Error::success();
  return refuse(tile, "needs operands of f16 or bf16");
}

/// How much of something a lane gets, how much it may get, and of what.
using LaneLimit = std::tuple<int64_t, int64_t, StringRef>;

/// Fails where `tile` gives a lane more than one of `limits`.
inline llvm::Error checkLimits(const DirectTile &tile, ArrayRef<LaneLimit> limits) {
  for (auto [count, most, what] : limits)
    if (count > most)
      return refuse(tile, "gives a lane " + llvm::Twine(count) + " " + what +
                              ", expected at most " + llvm::Twine(most));
  return llvm::Error::success();
}

/// The steps along the dimensions of a view.
struct LaneSteps {
  std::array<SmallVector<LaneStep>, 3> ofDims;

  void add(unsigned dim, int64_t step, int64_t end) {
    if (step < end)
      ofDims[dim].push_back({step, end});
  }
};

/// The largest power of two of elements, at most `most`, at whose multiples all elements lie that
/// are `steps` apart, but for the constant part of the offset.
int64_t getAlignment(const ViewAnalysis &analysis, const LaneSteps &steps, int64_t most);

/// Whether distances below `span * unit` from a multiple of that along `dim` carry from a digit to
/// the next one.
bool carries(const ViewAnalysis &analysis, unsigned dim, int64_t unit, int64_t span);

/// The digits of rows and of columns that are equal on the diagonal of `c`, if it has one.
std::optional<std::pair<const Digit *, const Digit *>> findDiagonal(const ViewAnalysis &c);

/// What `counter` counts for the tiles of these sizes, those that are possible.
template <typename Counter>
std::vector<DirectWork> countTiles(const Counter &counter, ArrayRef<int64_t> channels,
                                   ArrayRef<int64_t> columns, ArrayRef<int64_t> rows,
                                   int64_t slices, ArrayRef<int64_t> mfma) {
  std::vector<DirectWork> works;
  if (!counter.isPossible())
    return works;
  for (int64_t block : mfma)
    for (int64_t ofChannels : channels)
      for (int64_t ofRows : rows)
        for (int64_t ofColumns : columns) {
          if (llvm::Expected<DirectWork> work =
                  counter.count({ofChannels, ofColumns, ofRows, slices, block}))
            works.push_back(*work);
          else
            llvm::consumeError(work.takeError());
        }
  return works;
}

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_DIRECT_LANESTEPS_H
