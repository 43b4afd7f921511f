//===- DirectSums.cpp - Few results that lanes sum over positions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/DirectSums.h"
#include "IR/Direct/LaneSteps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::detail;

std::array<int64_t, 3> SumGeometry::getOffset(DirectView view, const SumPlace &place) const {
  const int64_t batch = place.group / merged, inner = place.group % merged;
  const int64_t row = inner * outputs + place.output;
  const int64_t column = (place.tap * merged + inner) * channels + place.channel;
  const int64_t position = place.row * columns + place.column;
  switch (view) {
  case DirectView::A:
    return {batch, row, position};
  case DirectView::B:
    return {batch, column, position};
  case DirectView::C:
    return {batch, row, column};
  }
  llvm_unreachable("all views handled");
}

/// Input channels that lie side by side, of `size` columns of a group.
static int64_t getChannels(const ViewAnalysis &b, int64_t size) {
  const unsigned fastest = b.getDigitsOf(1).back();
  const Digit &digit = b.digits[fastest];
  const bool isChecked = llvm::any_of(
      b.checks, [&](const RangeCheck &check) { return check.form.coefficients[fastest] != 0; });
  const int64_t values = std::min(digit.size, size);
  const bool isRun = !isChecked && b.offset.coefficients[fastest] == 1 && size % values == 0;
  return isRun ? values : 1;
}

/// Splits positions where the view of A or B does.
static llvm::Error splitPositions(const DirectViews &views, SumGeometry &geometry) {
  const int64_t positions = views.a->view.getShape()[2];
  llvm::SmallVector<int64_t> borders = {positions};
  for (const ViewAnalysis *analysis : {&*views.a, &*views.b})
    for (const Digit &digit : analysis->digits)
      if (digit.dim == 2 && digit.divisor > 1 && digit.divisor < positions)
        borders.push_back(digit.divisor);
  llvm::sort(borders);
  borders.erase(llvm::unique(borders), borders.end());
  for (size_t i = 1; i < borders.size(); ++i)
    if (borders[i] % borders[i - 1] != 0)
      return llvm::createStringError("views split K at " + llvm::Twine(borders[i - 1]) +
                                     " and at " + llvm::Twine(borders[i]));
  geometry.columns = borders[0];
  geometry.lines = borders.size() > 1 ? borders[1] / borders[0] : 1;
  geometry.planes = positions / (geometry.columns * geometry.lines);
  return llvm::Error::success();
}

llvm::Expected<SumGeometry> ck::getSumGeometry(const DirectViews &views) {
  if (!views.a)
    return llvm::createStringError("nothing is summed");
  ArrayRef<int64_t> sizes = views.c.view.getShape();
  if (views.a->view.getShape()[2] == 0)
    return llvm::createStringError("there are no positions");
  SumGeometry geometry;
  geometry.batchGroups = sizes[0];
  geometry.outputs = sizes[1];
  if (auto diagonal = findDiagonal(views.c)) {
    const auto [rows, groups] = *diagonal;
    geometry.merged = rows->size;
    geometry.outputs = rows->divisor;
    geometry.channels = groups->divisor;
    if (geometry.merged * geometry.outputs != sizes[1] || groups->size != geometry.merged ||
        sizes[2] % (geometry.merged * geometry.channels) != 0)
      return llvm::createStringError("groups are not the slowest of rows");
  } else {
    geometry.channels = getChannels(*views.b, sizes[2]);
  }
  geometry.taps = sizes[2] / (geometry.merged * geometry.channels);
  if (llvm::Error error = splitPositions(views, geometry))
    return std::move(error);
  return geometry;
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

/// How good `count` lanes, of which each `sharers` load the same `blockBytes`, are for a workgroup:
/// lanes that work, in whole blocks of `lineBytes`.
static double rateUnits(int64_t count, int64_t total, int64_t blockBytes, int64_t sharers,
                        int64_t lineBytes) {
  const double active = double(kSumThreads / count * count) / double(kSumThreads);
  const int64_t bytes = std::max<int64_t>(1, count * blockBytes / sharers);
  const bool isWhole = count == total || bytes % lineBytes == 0;
  return active * (isWhole ? 1 : double(bytes) / double(bytes + lineBytes));
}

SumShares ck::getSumShares(const SumGeometry &geometry, const DirectTile &tile,
                           int64_t elementBytes) {
  // More would leave too few registers for what lanes load.
  constexpr int64_t kManyResults = 100;
  SumShares shares;
  const int64_t ofOutput = tile.channels * geometry.taps;
  for (int64_t outputs = 1; outputs <= geometry.outputs; ++outputs)
    if (geometry.outputs % outputs == 0 && outputs * ofOutput <= kManyResults)
      shares.outputs = outputs;
  if (tile.mfma == kMfmaVector) // the rows of all blocks of the group
    shares.outputs = geometry.outputs;
  else if (tile.mfma) // a quarter of those of the wave's block
    shares.outputs = geometry.outputs / tile.getLanesOfColumn();
  shares.results = shares.outputs * ofOutput;
  const int64_t blocks = geometry.outputs / shares.outputs; // of output channels
  const int64_t total = geometry.getGroups() * geometry.channels / tile.channels * blocks;
  // Waves of fewer groups share more of the sums of each, which are much of what memory moves.
  const int64_t lineBytes = tile.getLanesOfColumn() > 1 ? 64 : 128;
  double best = 0;
  for (int64_t count = 1; count <= std::min<int64_t>(total, kSumThreads); ++count) {
    if (total % count != 0 || (count % blocks != 0 && blocks % count != 0) ||
        (tile.mfma && count % kMfmaLanes != 0))
      continue;
    // Lanes with other outputs of the same channels load the same.
    const double rate = rateUnits(count, total, tile.channels * elementBytes, blocks, lineBytes);
    constexpr double kBetter = 1.02; // few results of a workgroup are few sums to add
    if (rate < kBetter * best)
      continue;
    best = rate;
    shares.units = count;
  }
  shares.tiles = total / shares.units;
  shares.steps = geometry.getBlocks(tile) / tile.getLanesOfColumn();
  return shares;
}

int64_t ck::getSumLoadAlignment(const ViewAnalysis &analysis, DirectView view,
                                const SumGeometry &geometry, const DirectTile &tile,
                                int64_t outputs) {
  LaneSteps steps;
  const int64_t groups = geometry.getGroupsOf(tile), inner = std::min(groups, geometry.merged);
  steps.add(0, groups / inner, geometry.batchGroups);
  const bool isA = view == DirectView::A;
  const int64_t ofGroup = isA ? geometry.outputs : geometry.channels;
  outputs = getLoadedOutputs(tile, view, outputs);
  steps.add(1, inner * ofGroup, geometry.merged * ofGroup);
  if (isA)
    steps.add(1, outputs, geometry.outputs);
  else
    steps.add(1, geometry.getChannelsOf(tile), geometry.channels);
  const int64_t plane = geometry.lines * geometry.columns;
  steps.add(2, tile.columns, geometry.columns);
  steps.add(2, tile.rows * geometry.columns, plane);
  steps.add(2, plane, geometry.planes * plane);
  const int64_t bits = analysis.view.getElementType().getIntOrFloatBitWidth();
  return getAlignment(analysis, steps, kMaxAccessBytes * 8 / bits);
}

void ck::forEachSum(const SumGeometry &geometry, const DirectTile &tile, int64_t outputs,
                    llvm::function_ref<void(const SumPlace &)> use) {
  const int64_t channels = geometry.getChannelsOf(tile);
  for (int64_t element = 0; element < tile.channels; ++element)
    for (int64_t output = 0; output < outputs; ++output)
      for (int64_t tap = 0; tap < geometry.taps; ++tap)
        use({.group = element / channels,
             .output = output,
             .tap = tap,
             .channel = element % channels});
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

/// Results of a lane that adds, which it loads at once: as many as leave workgroups for half of the
/// compute units of a large chip. More of a lane take fewer flags and workgroups.
static int64_t getLaneResults(const SumShares &shares, int64_t lanes) {
  constexpr int64_t kFewestAdders = 128;
  for (int64_t results : {4, 2})
    if (shares.getResults() % results == 0 &&
        shares.tiles * llvm::divideCeil(shares.getResults(), lanes * results) >= kFewestAdders)
      return results;
  return 1;
}

SumWorkspace ck::getSumWorkspace(const SumShares &shares, int64_t slices, int64_t waveSize) {
  SumWorkspace workspace;
  workspace.lanes = waveSize;
  workspace.waves = kSumThreads / waveSize;
  if (slices == 1)
    return workspace;
  constexpr int64_t kLineWords = 32;
  workspace.laneResults = getLaneResults(shares, waveSize);
  workspace.adders = llvm::divideCeil(shares.getResults(), workspace.getAdderResults());
  workspace.waveFlags = llvm::alignTo(llvm::divideCeil(slices, workspace.waves), kLineWords);
  workspace.flagWords = shares.tiles * workspace.adders * workspace.waves * workspace.waveFlags;
  workspace.sumWords = shares.tiles * slices * shares.getResults();
  return workspace;
}

int64_t ck::getSummingGroups(const SumShares &shares, int64_t slices, int64_t xcds) {
  return llvm::alignTo(shares.tiles * slices, xcds);
}

int64_t ck::getSumGridSize(const SumShares &shares, int64_t slices, int64_t waveSize,
                           int64_t xcds) {
  return getSummingGroups(shares, slices, xcds) +
         shares.tiles * getSumWorkspace(shares, slices, waveSize).adders;
}
