//===- WorkPartition.cpp - The arithmetic of sharing work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function is the expression that its declaration states, because kernels repeat it.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkPartition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::SmallVector;

std::array<int64_t, 3> WorkShape::getTile(int64_t tile, int64_t window) const {
  window = std::min(window, rows);
  const int64_t group = tile / (rows * columns), inGroup = tile % (rows * columns);
  const int64_t number = inGroup / (window * columns), local = inGroup % (window * columns);
  const int64_t height = std::min(window, rows - number * window);
  return {group, number * window + local % height, local / height};
}

int64_t mlir::ck::getChunkedTile(int64_t total, int64_t chunk, int64_t xcds, int64_t item) {
  chunk = std::min(chunk, (total + xcds - 1) / xcds);
  const int64_t block = xcds * chunk, inBlock = item % block, first = item - inBlock;
  return first + getDealtBegin(std::min(block, total - first), xcds, item % xcds) + inBlock / xcds;
}

int64_t mlir::ck::getDealtBegin(int64_t total, int64_t parts, int64_t part) {
  return part * (total / parts) + std::min(part, total % parts);
}

int64_t mlir::ck::getDealtPart(int64_t total, int64_t parts, int64_t item) {
  int64_t quotient = total / parts, remainder = total % parts;
  int64_t part = item / (quotient + 1);
  return part < remainder ? part : (item - remainder) / quotient;
}

bool mlir::ck::areStreamsDealt(int64_t total, int64_t streams) {
  constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
  return total % streams == 0 || total > kLimit / streams;
}

int64_t mlir::ck::getStreamBegin(int64_t total, int64_t streams, int64_t stream) {
  return areStreamsDealt(total, streams) ? getDealtBegin(total, streams, stream)
                                         : stream * total / streams;
}

int64_t mlir::ck::getStreamOf(int64_t total, int64_t streams, int64_t item) {
  return areStreamsDealt(total, streams) ? getDealtPart(total, streams, item)
                                         : ((item + 1) * streams - 1) / total;
}

SmallVector<int64_t> mlir::ck::resolveSlices(ArrayRef<WorkShape> gemms, int64_t factor,
                                             int64_t workgroups) {
  if (factor == 0) {
    int64_t tiles = 0;
    for (const WorkShape &gemm : gemms)
      tiles += gemm.getTiles();
    factor = std::clamp<int64_t>(workgroups / tiles, 1, kMaxAutoSlices);
  }
  SmallVector<int64_t> slices;
  for (const WorkShape &gemm : gemms)
    slices.push_back(std::min(factor, gemm.getTileIterations()));
  return slices;
}

StreamSplit mlir::ck::splitStreams(ArrayRef<WorkShape> gemms, int64_t workgroups, int64_t xcds) {
  int64_t tiles = 0, iterations = 0;
  for (const WorkShape &gemm : gemms) {
    tiles += gemm.getTiles();
    iterations += gemm.getTiles() * gemm.getTileIterations();
  }
  bool uniform = llvm::all_of(
      gemms, [&](const WorkShape &gemm) { return gemm.kSteps == gemms.front().kSteps; });
  int64_t sharedTiles = tiles;
  if (uniform) {
    int64_t remainder = tiles % workgroups;
    if (remainder == 0)
      return {tiles, 0, 0};
    const int64_t steps = gemms.front().getTileIterations();
    const bool enough = remainder * kMostContributors >= workgroups &&
                        remainder * steps >= workgroups * kFewestSharedSteps;
    sharedTiles = enough ? remainder : std::min(workgroups + remainder, tiles);
    iterations = sharedTiles * steps;
  }
  if (iterations < workgroups)
    return {tiles, 0, 0};
  const StreamSplit across = {tiles - sharedTiles, workgroups, iterations};
  if (gemms.size() > 1 || 2 * sharedTiles > workgroups)
    return across;
  StreamSplit within = across;
  within.dealtTiles = sharedTiles;
  const bool isShort = getLongestStream(within) * 8 <= getLongestStream(across) * kMostEighths;
  return isShort || (xcds > 1 && across.wholeTiles == 0) ? within : across;
}

int64_t mlir::ck::getLongestStream(const StreamSplit &split) {
  if (split.dealtTiles == 0)
    return split.streams == 0 ? 0 : llvm::divideCeil(split.sharedIterations, split.streams);
  const int64_t kSteps = split.sharedIterations / split.dealtTiles;
  return llvm::divideCeil(kSteps, split.streams / split.dealtTiles);
}

/// How many numbers below `end` have a remainder by `divisor` that is below `remainder`.
static int64_t countBelow(int64_t end, int64_t remainder, int64_t divisor) {
  return end / divisor * remainder + std::min(end % divisor, remainder);
}

int64_t mlir::ck::getSharedPart(int64_t first, int64_t end, int64_t xcds, int64_t workgroup) {
  const int64_t xcd = workgroup % xcds;
  const int64_t ofOthers = countBelow(end, xcd, xcds) - countBelow(first, xcd, xcds);
  const int64_t ofOwn = workgroup / xcds - first / xcds - (first % xcds > xcd ? 1 : 0);
  return end - first - 1 - ofOthers - ofOwn;
}

int64_t mlir::ck::getTreeLevels(int64_t contributors) {
  int64_t levels = 0;
  for (int64_t stride = 1; stride < contributors; stride *= kTreeRadix)
    ++levels;
  return levels;
}

int64_t mlir::ck::getSlicesSideBySide(int64_t slices, int64_t xcds) {
  return std::gcd(slices, xcds);
}

TileSlice mlir::ck::getTileSlice(int64_t total, int64_t slices, int64_t chunk, int64_t xcds,
                                 int64_t item) {
  const int64_t side = getSlicesSideBySide(slices, xcds), inBlock = item % (total * side);
  return {getChunkedTile(total, chunk, xcds / side, inBlock / side),
          item / (total * side) * side + item % side};
}

int64_t mlir::ck::getPartialsInFlight(int64_t registers) {
  constexpr int64_t kMostTiles = 8;
  return std::clamp<int64_t>(kMostPartialRegisters / registers, 1, kMostTiles);
}

PartialShares mlir::ck::getPartialShares(int64_t groups, int64_t waves) {
  constexpr int64_t kMostTiles = 16;
  PartialShares shares;
  shares.groups = llvm::divideCeil(groups, waves);
  shares.pieces = std::max<int64_t>(waves / groups, 1);
  shares.inFlight =
      std::clamp<int64_t>(kMostPartialRegisters / (shares.groups * kPartialGroup), 1, kMostTiles);
  return shares;
}

int64_t mlir::ck::getSumBytes(int64_t elements, int64_t mathWaves, int64_t waves,
                              int64_t waveSize) {
  constexpr int64_t kAccBytes = 4;
  const int64_t groups = elements / (mathWaves * waveSize * kPartialGroup);
  const PartialShares shares = getPartialShares(groups, waves);
  // Of each wave that holds accumulators which others add up, all groups of all pieces.
  return mathWaves / waves * groups * shares.pieces * waveSize * kPartialGroup * kAccBytes;
}

int64_t mlir::ck::getReceiver(int64_t contributor, Reduction reduction) {
  if (reduction == Reduction::Linear)
    return 0;
  int64_t stride = 1;
  while (contributor % (stride * kTreeRadix) == 0)
    stride *= kTreeRadix;
  return contributor - contributor % (stride * kTreeRadix);
}

SmallVector<int64_t, 4> mlir::ck::getPartners(int64_t contributor, int64_t contributors,
                                              Reduction reduction) {
  SmallVector<int64_t, 4> partners;
  if (reduction == Reduction::Linear) {
    for (int64_t partner = 1; contributor == 0 && partner < contributors; ++partner)
      partners.push_back(partner);
    return partners;
  }
  for (int64_t stride = 1;
       contributor % (kTreeRadix * stride) == 0 && contributor + stride < contributors;
       stride *= kTreeRadix)
    for (int64_t digit = 1; digit < kTreeRadix; ++digit)
      if (int64_t partner = contributor + digit * stride; partner < contributors)
        partners.push_back(partner);
  return partners;
}
