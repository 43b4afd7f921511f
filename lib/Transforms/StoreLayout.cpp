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

#include "Transforms/StoreLayout.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ck;

static constexpr int64_t kMaxBytes = 16; // of one access

int64_t ck::getAccWidth(const ViewAnalysis &view, const MatrixInstruction &mma, unsigned dim) {
  return std::min(AccPlaces(mma).getRun(), view.getMaxVector(dim + 1));
}

/// Of `width` consecutive elements of `result`, those that are written at once.
static int64_t limitToAtomics(const StoredResult &result, int64_t width, const ChipInfo &chip) {
  if (!result.isAdded)
    return width;
  DataType type = *getDataType(result.view.view.getElementType());
  return std::min<int64_t>(width, chip.getAtomicWidth(type));
}

/// Elements of `result` that a lane writes at once where it holds accumulators along `dim`.
static int64_t getStoredWidth(const StoredResult &result, const MatrixInstruction &mma,
                              unsigned dim, const ChipInfo &chip) {
  return limitToAtomics(result, getAccWidth(result.view, mma, dim), chip);
}

bool ck::fillsBlocks(const ViewAnalysis &view, unsigned dim, int64_t run) {
  int64_t bytes = getSizeInBytes(*getDataType(view.view.getElementType()));
  return std::gcd(view.getAlignedRun(dim + 1), run) * bytes >= kBlockBytes;
}

AccDim ck::chooseAccDim(ArrayRef<StoredResult> results, const MatrixInstruction &mma,
                        const ChipInfo &chip) {
  if (mma.m != mma.n) // the layouts of its operands differ
    return AccDim::Rows;
  // Wide stores come first; of single elements, neighbouring lanes store neighbours.
  int64_t along[2] = {0, 0};
  for (const StoredResult &result : results)
    for (unsigned dim : {0, 1})
      along[dim] += 2 * getStoredWidth(result, mma, dim, chip) +
                    (result.view.getStride(2 - dim) == 1 ? 1 : 0);
  return along[1] > along[0] ? AccDim::Columns : AccDim::Rows;
}

/// Rows of the block of a matrix instruction along the dimension of accumulators, or across it.
static int64_t getBlockSize(AccType acc, bool along) {
  unsigned dim = along ? acc.getAccDim() : 1 - acc.getAccDim();
  return acc.getLayout().getMma().getSizes()[dim];
}

std::optional<ShufflePlaces> ck::getShufflePlaces(ShuffleAttr shuffle, AccType acc, Type element,
                                                  const ChipInfo &chip, int64_t ldsBytes) {
  const MatrixInstruction &mma = *acc.getLayout().getMma().find(chip);
  ArrayRef<int64_t> waves = acc.getLayout().getWaves();
  int64_t bytes = getSizeInBytes(*getDataType(element)), width = shuffle.getWidth();
  int64_t elements = shuffle.getBlocks()[0] * getBlockSize(acc, /*along=*/true);
  int64_t rows = shuffle.getBlocks()[1] * getBlockSize(acc, /*along=*/false);
  int64_t lineBytes = chip.ldsBanks * 4, waveSize = chip.waveSize;
  if (elements % width != 0 || width * bytes > kMaxBytes)
    return std::nullopt;
  ShufflePlaces places;
  places.written = std::min(AccPlaces(mma).getRun(), kMaxBytes / bytes);
  places.waveBytes = ldsBytes / (waves[0] * waves[1]) / kMaxBytes * kMaxBytes;
  // Lines fill the banks. The lanes that write at once have different rows, and beyond these
  // neighbouring places in them: line by line they must be that much further.
  int64_t written = places.written * bytes, lanesAtOnce = lineBytes / written;
  int64_t gap = written * std::max<int64_t>(1, lanesAtOnce / mma.n);
  places.pitch = (lineBytes + gap) / bytes;
  places.rowsPerLine = lineBytes / (elements * bytes);
  if (places.rowsPerLine == 0 || rows % places.rowsPerLine != 0 ||
      rows / places.rowsPerLine * (lineBytes + gap) > places.waveBytes)
    return std::nullopt;
  int64_t lanes = elements / width; // of one row
  if (lanes > waveSize || waveSize % lanes != 0 || rows % (waveSize / lanes) != 0 ||
      waveSize / lanes % places.rowsPerLine != 0)
    return std::nullopt;
  return places;
}

ShuffleAttr ck::chooseShuffle(const StoredResult &result, AccType acc, const ChipInfo &chip,
                              int64_t ldsBytes) {
  unsigned dim = acc.getAccDim();
  const MatrixInstruction &mma = *acc.getLayout().getMma().find(chip);
  Type element = result.view.view.getElementType();
  int64_t bytes = getSizeInBytes(*getDataType(element));
  int64_t size = getBlockSize(acc, /*along=*/true), rows = getBlockSize(acc, /*along=*/false);
  int64_t direct = getStoredWidth(result, mma, dim, chip);
  int64_t widest = limitToAtomics(result, result.view.getMaxVector(dim + 1), chip);
  ShuffleAttr best;
  int64_t blocks = acc.getBlocks(dim);
  for (int64_t along = blocks & -blocks; along > 0; along /= 2)
    for (int64_t across = 1; acc.getBlocks(1 - dim) % across == 0; across *= 2) {
      int64_t width = std::min(widest, along * size * across * rows / chip.waveSize);
      if (width == 0)
        continue;
      auto shuffle = ShuffleAttr::get(acc.getContext(), {along, across}, width);
      if (getShufflePlaces(shuffle, acc, element, chip, ldsBytes) &&
          (!best || width > best.getWidth()))
        best = shuffle;
    }
  if (!best)
    return {};
  // Of direct stores, lanes with the same row write neighbouring runs.
  int64_t piece = direct * bytes, shuffledPiece = best.getBlocks()[0] * size * bytes;
  if (direct == AccPlaces(mma).getRun())
    piece *= chip.waveSize / rows;
  bool longer = best.getWidth() == direct && piece < kBlockBytes && shuffledPiece >= 2 * piece;
  if (best.getWidth() > direct || (widest > 1 && longer))
    return best;
  return {};
}
