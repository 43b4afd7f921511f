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

#include "Transforms/DistributeToWaves/StoreLayout.h"

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

/// The region of `along` x `across` blocks whose rows have `widest` consecutive elements, or
/// nothing where the lanes of a wave cannot share it out evenly, or it is too large for their part
/// of LDS.
static std::optional<StoreShuffle> makeShuffle(const Config &config, int64_t along, int64_t across,
                                               int64_t widest, int64_t bytes, int64_t waveBytes) {
  const MatrixInstruction &mma = *config.mma;
  int64_t rows = across * config.getBlockSize(1 - config.accDim),
          elements = along * config.getBlockSize(config.accDim);
  int64_t lineBytes = config.chip->ldsBanks * 4, waveSize = config.chip->waveSize;
  StoreShuffle shuffle;
  shuffle.along = along;
  shuffle.across = across;
  shuffle.width = std::min(widest, rows * elements / waveSize);
  shuffle.written = std::min(AccLayout(mma).getRun(), kMaxBytes / bytes);
  shuffle.waveBytes = waveBytes;
  // Lines fill the banks. The lanes that write at once have different rows, and beyond these
  // neighbouring places in them: line by line they must be that much further.
  int64_t written = shuffle.written * bytes, lanesAtOnce = lineBytes / written;
  int64_t gap = written * std::max<int64_t>(1, lanesAtOnce / mma.n);
  shuffle.pitch = (lineBytes + gap) / bytes;
  shuffle.rowsPerLine = lineBytes / (elements * bytes);
  if (shuffle.rowsPerLine == 0 || rows % shuffle.rowsPerLine != 0 ||
      rows / shuffle.rowsPerLine * (lineBytes + gap) > waveBytes)
    return std::nullopt;
  int64_t lanes = elements / shuffle.width; // of one row
  if (lanes > waveSize || rows % (waveSize / lanes) != 0 ||
      waveSize / lanes % shuffle.rowsPerLine != 0)
    return std::nullopt;
  return shuffle;
}

std::optional<StoreShuffle> ck::distribution::getStoreShuffle(const ViewAnalysis &view,
                                                              const Config &config,
                                                              int64_t ldsBytes) {
  unsigned dim = config.accDim;
  int64_t waves = config.schedule.waves[0] * config.schedule.waves[1];
  int64_t waveBytes = ldsBytes / waves / kMaxBytes * kMaxBytes;
  int64_t bytes = getSizeInBytes(*getDataType(view.view.getElementType()));
  int64_t direct = getAccWidth(view, *config.mma, dim), widest = view.getMaxVector(dim + 1);
  std::optional<StoreShuffle> best;
  int64_t blocks = config.getBlocks(dim);
  for (int64_t along = blocks & -blocks; along > 0; along /= 2)
    for (int64_t across = 1; config.getBlocks(1 - dim) % across == 0; across *= 2) {
      auto shuffle = makeShuffle(config, along, across, widest, bytes, waveBytes);
      if (shuffle && (!best || shuffle->width > best->width))
        best = shuffle;
    }
  if (!best)
    return std::nullopt;
  // Of direct stores, lanes with the same row write neighbouring runs.
  int64_t piece = direct * bytes;
  int64_t shuffledPiece = best->along * config.getBlockSize(dim) * bytes;
  if (direct == AccLayout(*config.mma).getRun())
    piece *= config.chip->waveSize / config.getBlockSize(1 - dim);
  bool longer = best->width == direct && piece < kLineBytes && shuffledPiece >= 2 * piece;
  if (best->width > direct || (widest > 1 && longer))
    return best;
  return std::nullopt;
}
