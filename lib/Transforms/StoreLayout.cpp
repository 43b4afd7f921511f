//===- StoreLayout.cpp - How lanes hold the results they store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "StoreLayout.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

static constexpr int64_t kMaxBytes = 16; // of one access
/// Consecutive bytes that a store should write for the sake of the cache.
static constexpr int64_t kLineBytes = 64;

int64_t ck::distribution::getAccWidth(const ViewAnalysis &view, const MatrixInstruction &mma,
                                      unsigned dim) {
  return std::min(AccLayout(mma).getRun(), view.getMaxVector(dim + 1));
}

unsigned ck::distribution::chooseAccDim(Operation *root, const MatrixInstruction &mma) {
  if (mma.m != mma.n) // the layouts of its operands differ
    return 0;
  // Wide stores come first; of single elements, neighbouring lanes store neighbours.
  int64_t along[2] = {0, 0};
  root->walk([&](StoreTileOp op) {
    llvm::Expected<ViewAnalysis> view = analyzeView(op.getC().getType());
    if (!view)
      return llvm::consumeError(view.takeError());
    for (unsigned dim : {0, 1})
      along[dim] += 2 * getAccWidth(*view, mma, dim) + (view->getStride(2 - dim) == 1 ? 1 : 0);
  });
  return along[1] > along[0] ? 1 : 0;
}

/// Whether the lanes of a wave can share out a region of `shuffle` evenly, in its part of LDS.
static bool fits(const StoreShuffle &shuffle, int64_t rows, int64_t rowElements, int64_t bytes,
                 int64_t waveSize) {
  int64_t lanes = rowElements / shuffle.width;
  return rows * shuffle.pitch * bytes <= shuffle.waveBytes && lanes <= waveSize &&
         waveSize % lanes == 0 && rows % (waveSize / lanes) == 0;
}

std::optional<StoreShuffle> ck::distribution::getStoreShuffle(const ViewAnalysis &view,
                                                              const Schedule &schedule,
                                                              const MatrixInstruction &mma,
                                                              unsigned dim, int64_t ldsBytes,
                                                              int64_t waveSize) {
  std::array<int64_t, 2> size = {mma.m, mma.n}, blocks;
  for (unsigned i : {0, 1})
    blocks[i] = schedule.tile[i] / (schedule.waves[i] * size[i]);
  AccLayout layout(mma);
  int64_t bytes = getSizeInBytes(*getDataType(view.view.getElementType()));
  int64_t direct = getAccWidth(view, mma, dim), widest = view.getMaxVector(dim + 1);
  std::optional<StoreShuffle> best;
  for (int64_t along = blocks[dim] & -blocks[dim]; along > 0; along /= 2)
    for (int64_t across = 1; blocks[1 - dim] % across == 0; across *= 2) {
      int64_t rows = across * size[1 - dim], elements = along * size[dim];
      StoreShuffle shuffle;
      shuffle.along = along;
      shuffle.across = across;
      shuffle.width = std::min(widest, rows * elements / waveSize);
      shuffle.written = std::min(layout.getRun(), kMaxBytes / bytes);
      shuffle.pitch = elements + shuffle.written;
      shuffle.waveBytes =
          ldsBytes / (schedule.waves[0] * schedule.waves[1]) / kMaxBytes * kMaxBytes;
      if (fits(shuffle, rows, elements, bytes, waveSize) && (!best || shuffle.width > best->width))
        best = shuffle;
    }
  if (!best)
    return std::nullopt;
  // Of direct stores, lanes with the same row write neighbouring runs.
  int64_t piece = direct * bytes, shuffledPiece = best->along * size[dim] * bytes;
  if (direct == layout.getRun())
    piece *= waveSize / size[1 - dim];
  bool longer = best->width == direct && piece < kLineBytes && shuffledPiece >= 2 * piece;
  if (best->width > direct || (widest > 1 && longer))
    return best;
  return std::nullopt;
}
