//===- DirectWork.cpp - What tiles of direct kernels take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts, from the views, what a lane loads, multiplies and stores: schedules are compared by it.
//
//===----------------------------------------------------------------------===//

#include "IR/Direct/LaneSteps.h"
#include "ck-mlir/IR/DirectSums.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::ck;

static constexpr int64_t kMostLdsBytes = 32768; // of a workgroup, so that two fit on any chip

/// The sizes of tiles.
static constexpr int64_t kChannels[] = {16, 8, 4, 2, 1}, kColumns[] = {8, 7, 4, 2, 1},
                         kRows[] = {4, 2, 1};
/// Rows of a matrix instruction's blocks, or none.
static constexpr int64_t kBlocks[] = {0, 4, 16};

/// Of a lane: more make too much code, and need too many registers.
static constexpr int64_t kMostMacs = 2400, kMostAccumulators = 96, kMostWeights = 640;
/// The same with matrix instructions; of the weights a lane has those of one row of a block.
static constexpr int64_t kMostMfmas = 600, kMostRowWeights = 320, kMostBlockAccumulators = 128;
/// Results of a launch that 64 bits can count beside other factors.
static constexpr double kMostResults = double(int64_t(1) << 60);
/// Registers of a lane for all that it loads before it multiplies. With more than it has,
/// allocating them takes minutes.
static constexpr int64_t kMostLoadRegisters = 320;

namespace {
/// Counts what a tile takes of one GEMM or fill.
class WorkCounter {
public:
  WorkCounter(const DirectViews &views, const DirectGeometry &geometry)
      : views(views), geometry(geometry),
        bytes(getSizeInBytes(*getDataType((views.a ? *views.a : views.c).view.getElementType()))) {
    if (views.a && geometry.depth <= kMostWeights)
      for (int64_t k = 0; k < geometry.depth; ++k)
        movesOfK.push_back(
            views.a->getMove(views.a->offset, geometry.getOffset(DirectView::A, {.k = k})));
  }

  /// Whether the products of one result are few enough for any tile.
  bool isPossible() const { return geometry.depth <= kMostWeights; }
  /// Of the whole launch; more than 64 bits can count where the problem is only described.
  double getResults() const {
    return double(geometry.getPositions()) * double(geometry.residues) *
           double(geometry.getGroups()) * double(geometry.channels);
  }
  /// The work with `tile`, or why it is not possible.
  llvm::Expected<DirectWork> count(const DirectTile &tile) const;

private:
  llvm::Error check(const DirectTile &tile) const;
  llvm::Error checkLimits(const DirectTile &tile) const;
  llvm::Error checkMfma(const DirectTile &tile) const;
  bool areChannelsConsecutive(const DirectTile &tile) const;
  llvm::Error countLoads(DirectWork &work) const;
  int64_t countPairs(const ViewAnalysis &a, int64_t alignment) const;
  int64_t countBankCycles(const DirectWeights &weights, const DirectTile &tile,
                          const DirectBlocks &blocks, int64_t width) const;
  llvm::Error countWeights(DirectWork &work, const DirectBlocks &blocks) const;

  const DirectViews &views;
  const DirectGeometry &geometry;
  int64_t bytes;
  llvm::SmallVector<int64_t> movesOfK; ///< of the first operand
};
} // namespace

bool WorkCounter::areChannelsConsecutive(const DirectTile &tile) const {
  const ViewAnalysis &analysis = views.c;
  const int64_t channels = geometry.getChannelsOf(tile);
  for (int64_t group = 0; group < geometry.getGroupsOf(tile); ++group)
    for (int64_t channel = 0; channel < channels; ++channel) {
      const auto offset = geometry.getOffset(DirectView::C, {.group = group, .channel = channel});
      if (analysis.getMove(analysis.offset, offset) != group * channels + channel)
        return false;
    }
  return true;
}

llvm::Error WorkCounter::countLoads(DirectWork &work) const {
  const DirectTile &tile = work.tile;
  const ViewAnalysis &a = *views.a;
  // Nothing is carried, so distances add up.
  llvm::SmallVector<int64_t> ofPlaces;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t column = 0; column < tile.columns; ++column)
      for (int64_t group = 0; group < geometry.getGroupsOf(tile); ++group)
        ofPlaces.push_back(a.getMove(
            a.offset,
            geometry.getOffset(DirectView::A, {.group = group, .row = row, .column = column})));
  llvm::SmallVector<int64_t> offsets;
  for (int64_t number = 0; number < geometry.getLaneDepth(tile); ++number)
    for (int64_t ofPlace : ofPlaces)
      offsets.push_back(movesOfK[size_t(geometry.getLaneK(tile, number))] + ofPlace);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(llvm::unique(offsets), offsets.end());
  const int64_t widest = getDirectLoadAlignment(a, DirectView::A, geometry, tile);
  // Runs of neighbours, in aligned pieces.
  int64_t run = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    run = i > 0 && offsets[i] == offsets[i - 1] + 1 ? run + 1 : 1;
    if (run % widest == 1 || widest == 1)
      ++work.loads;
  }
  const int64_t elements = int64_t(offsets.size());
  work.loadBytes = elements / std::max<int64_t>(1, work.loads) * bytes;
  const int64_t positions = tile.rows * tile.columns;
  const int64_t sums = positions * tile.channels;
  if (tile.mfma)
    work.mfmas = sums / kMfmaVector * geometry.getLaneDepth(tile) / kMfmaVector;
  else
    work.products = sums * (geometry.depth - countPairs(a, widest));
  constexpr int64_t kDword = 4;
  const int64_t registers = work.loads * llvm::divideCeil(work.loadBytes, kDword);
  if (registers > kMostLoadRegisters)
    return ck::detail::refuse(tile, "has a lane load " + llvm::Twine(registers) +
                                        " registers, expected at most " +
                                        llvm::Twine(kMostLoadRegisters));
  return llvm::Error::success();
}

/// Neighbours in K that one instruction multiplies: halves of one register.
int64_t WorkCounter::countPairs(const ViewAnalysis &a, int64_t alignment) const {
  if (!a.view.getElementType().isF16() || alignment < 2)
    return 0;
  int64_t pairs = 0;
  for (int64_t k = 0; k + 1 < geometry.depth; ++k)
    if ((a.offset.constant + movesOfK[k]) % 2 == 0 && movesOfK[k + 1] == movesOfK[k] + 1) {
      ++pairs;
      ++k;
    }
  return pairs;
}

/// Cycles of the LDS in which 64 lanes read `width` elements each: banks give a dword at a time.
int64_t WorkCounter::countBankCycles(const DirectWeights &weights, const DirectTile &tile,
                                     const DirectBlocks &blocks, int64_t width) const {
  constexpr int64_t kLanes = 64, kBanks = 32, kDword = 4;
  std::array<llvm::SmallVector<int64_t>, kBanks> wanted;
  const int64_t ofColumn = tile.getLanesOfColumn();
  const int64_t kStride = getKStride(*views.b);
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    // Those of a block have its rows, and a part of K.
    const int64_t block = lane / (blocks.neighbours * ofColumn);
    const int64_t row = lane % blocks.neighbours, part = lane / blocks.neighbours % ofColumn;
    const int64_t unit = (block * ofColumn + row / kMfmaVector) % blocks.ofGroup;
    const int64_t channel = unit * tile.channels + row % kMfmaVector;
    const int64_t place = weights.getLdsPlace(channel / geometry.channels,
                                              channel % geometry.channels, geometry.channels) +
                          part * geometry.getLaneRun(tile) * kStride;
    for (int64_t dword = place * bytes / kDword; dword < (place + width) * bytes / kDword; ++dword)
      wanted[dword % kBanks].push_back(dword);
  }
  int64_t most = llvm::divideCeil(kLanes * width * bytes, kBanks * kDword);
  for (auto &dwords : wanted) {
    llvm::sort(dwords);
    most = std::max<int64_t>(most, llvm::unique(dwords) - dwords.begin());
  }
  return most;
}

llvm::Error WorkCounter::countWeights(DirectWork &work, const DirectBlocks &blocks) const {
  constexpr int64_t kDword = 4, kDwordCycles = 2; // of the LDS, for one of each of 64 lanes
  llvm::Expected<DirectWeights> weights = getDirectWeights(*views.b, geometry, work.tile, blocks);
  if (!weights)
    return weights.takeError();
  work.weights =
      work.tile.channels * geometry.getLaneDepth(work.tile) / (work.tile.mfma ? kMfmaVector : 1);
  work.ldsBytes = weights->getLdsElements() * bytes;
  if (work.ldsBytes > kMostLdsBytes)
    return ck::detail::refuse(work.tile, "needs weights that span " + llvm::Twine(work.ldsBytes) +
                                             " bytes of a workgroup's LDS, expected at most " +
                                             llvm::Twine(kMostLdsBytes));
  if (work.tile.mfma) {
    const int64_t ofRow = getRowWidth(*views.b, geometry, work.tile, *weights);
    work.weightLoads = work.weights / ofRow;
    work.bankCycles = std::max<int64_t>(kDwordCycles * llvm::divideCeil(ofRow * bytes, kDword),
                                        countBankCycles(*weights, work.tile, blocks, ofRow));
    // What is read alone is put into registers with others.
    work.conversions = ofRow == 1 ? work.weights : 0;
    return llvm::Error::success();
  }
  // The backend reads at once what is aligned in the block of one lane.
  const int64_t most = kMaxAccessBytes / bytes;
  const bool isOwn = weights->pitch != 0 && weights->blockChannels == work.tile.channels;
  const int64_t width =
      isOwn ? std::max(weights->readVector, std::gcd(most, weights->pitch)) : weights->readVector;
  work.weightLoads = llvm::divideCeil(work.weights, width);
  work.bankCycles = countBankCycles(*weights, work.tile, blocks, width);
  return llvm::Error::success();
}

llvm::Error WorkCounter::check(const DirectTile &tile) const {
  const int64_t channels = geometry.channels, merged = geometry.merged;
  const int64_t groups = geometry.getGroupsOf(tile);
  auto refuse = [&](const llvm::Twine &reason) { return ck::detail::refuse(tile, reason); };
  const std::tuple<int64_t, ArrayRef<int64_t>, StringRef> sizes[] = {
      {tile.channels, kChannels, "channels"},
      {tile.columns, kColumns, "columns"},
      {tile.rows, kRows, "rows"}};
  for (auto [size, known, what] : sizes)
    if (!llvm::is_contained(known, size))
      return refuse(
          "has " + llvm::Twine(size) + " " + what + ", expected one of " +
          llvm::join(llvm::map_range(known, [](int64_t n) { return std::to_string(n); }), ", "));
  const bool divides =
      tile.channels <= channels ? channels % tile.channels == 0 : tile.channels % channels == 0;
  if (!divides || geometry.getGroups() % groups != 0 ||
      (groups <= merged ? merged % groups : groups % merged) != 0)
    return refuse("does not divide " + llvm::Twine(geometry.getGroups()) + " groups of " +
                  llvm::Twine(channels) + " channels evenly");
  if (tile.columns > geometry.columns || tile.rows > geometry.lines)
    return refuse("has more than " + llvm::Twine(geometry.columns) + " x " +
                  llvm::Twine(geometry.lines) + " positions");
  // Workgroups are fewer than results, and 64 bits count them.
  if (getResults() > kMostResults)
    return refuse("has more results than can be counted");
  if (llvm::Error error = checkLimits(tile))
    return error;
  if (llvm::Error error = views.checkDigits(geometry, tile))
    return error;
  if (!areChannelsConsecutive(tile))
    return refuse("needs results of neighbouring channels side by side in memory");
  return tile.mfma ? checkMfma(tile) : llvm::Error::success();
}

llvm::Error WorkCounter::checkLimits(const DirectTile &tile) const {
  const int64_t accumulators = tile.channels * tile.rows * tile.columns;
  const int64_t depth = geometry.getLaneDepth(tile);
  const int64_t products = accumulators * depth, weights = tile.channels * depth;
  if (!tile.mfma)
    return ck::detail::checkLimits(tile, {{accumulators, kMostAccumulators, "accumulators"},
                                          {products, kMostMacs, "products"},
                                          {weights, kMostWeights, "weights"}});
  const int64_t mfmas = products / (kMfmaVector * kMfmaVector);
  const int64_t most = tile.getLanesOfColumn() > 1 ? kMostBlockAccumulators : kMostAccumulators;
  return ck::detail::checkLimits(tile, {{accumulators, most, "accumulators"},
                                        {mfmas, kMostMfmas, "matrix instructions"},
                                        {weights / kMfmaVector, kMostRowWeights, "weights"}});
}

/// Fails where a lane cannot load what a block multiplies at once, all of one group, as it is.
llvm::Error WorkCounter::checkMfma(const DirectTile &tile) const {
  auto refuse = [&](const llvm::Twine &reason) { return ck::detail::refuse(tile, reason); };
  const int64_t ofColumn = tile.getLanesOfColumn();
  if (tile.channels % kMfmaVector != 0 || geometry.channels % kMfmaVector != 0)
    return refuse("needs multiples of " + llvm::Twine(kMfmaVector) + " channels, got " +
                  llvm::Twine(tile.channels) + " of " + llvm::Twine(geometry.channels));
  if (ofColumn > 1 && geometry.channels % (ofColumn * tile.channels) != 0)
    return refuse("needs groups whose channels are a multiple of " +
                  llvm::Twine(ofColumn * tile.channels) + ", got " +
                  llvm::Twine(geometry.channels));
  if (!views.a)
    return llvm::Error::success();
  const ViewAnalysis &a = *views.a;
  if (llvm::Error error = ck::detail::checkBlockType(tile, a.view.getElementType()))
    return error;
  if (ofColumn > 1 && geometry.run % (ofColumn * kMfmaVector) != 0)
    return refuse("needs a multiple of " + llvm::Twine(ofColumn * kMfmaVector) +
                  " neighbours in K that views do not split, got " + llvm::Twine(geometry.run));
  const int64_t widest = getDirectLoadAlignment(a, DirectView::A, geometry, tile);
  bool areRuns = geometry.depth % kMfmaVector == 0 && widest % kMfmaVector == 0;
  for (int64_t k = 0; areRuns && k < geometry.depth; k += kMfmaVector) {
    areRuns = (a.offset.constant + movesOfK[k]) % kMfmaVector == 0;
    for (int64_t i = 1; areRuns && i < kMfmaVector; ++i) {
      const auto first = geometry.getOffset(DirectView::A, {.k = k}),
                 next = geometry.getOffset(DirectView::A, {.k = k + i});
      areRuns = movesOfK[k + i] == movesOfK[k] + i &&
                llvm::all_of(a.checks, [&](const RangeCheck &check) {
                  return a.getMove(check.form, first) == a.getMove(check.form, next);
                });
    }
  }
  if (!areRuns)
    return refuse("needs " + llvm::Twine(kMfmaVector) +
                  " neighbours in K side by side in memory, aligned");
  return llvm::Error::success();
}

llvm::Expected<DirectWork> WorkCounter::count(const DirectTile &tile) const {
  if (llvm::Error error = check(tile))
    return std::move(error);
  DirectWork work;
  work.tile = tile;
  const int64_t accumulators = tile.channels * tile.rows * tile.columns;
  const DirectBlocks blocks = getDirectBlocks(geometry, tile, bytes, views.b);
  const int64_t tiles = geometry.planes * llvm::divideCeil(geometry.lines, tile.rows) *
                        llvm::divideCeil(geometry.columns, tile.columns);
  work.block = {blocks.getPositions() * tile.rows * tile.columns, blocks.ofGroup * tile.channels,
                std::max<int64_t>(1, geometry.depth)};
  work.partsOfGroup = llvm::divideCeil(geometry.channels, work.block[1]);
  work.workgroups = geometry.residues * (blocks.total / blocks.ofGroup) *
                    llvm::divideCeil(tiles, blocks.getPositions());
  work.activeLanes =
      getResults() / (double(work.workgroups) * double(kDirectThreads) * double(accumulators));
  work.rowBytes = blocks.ofGroup * tile.channels * bytes;
  if (tile.getLanesOfColumn() > 1 && tile.columns == 1 && blocks.ofGroup == blocks.total)
    work.rowBytes *= blocks.neighbours; // positions of lanes follow each other
  const int64_t resultBytes = getSizeInBytes(*getDataType(views.c.view.getElementType()));
  work.stores =
      accumulators / getDirectAlignment(views.c, DirectView::C, geometry, tile,
                                        std::min(tile.channels, kMaxAccessBytes / resultBytes));
  if (views.a) {
    if (llvm::Error error = countWeights(work, blocks))
      return std::move(error);
    if (llvm::Error error = countLoads(work))
      return std::move(error);
  }
  return work;
}

/// Calls `use` with the counter for `part`.
template <typename Result>
static llvm::Expected<Result> withCounter(Operation *part,
                                          function_ref<llvm::Expected<Result>(WorkCounter)> use) {
  llvm::Expected<DirectViews> views = DirectViews::create(part);
  if (!views)
    return views.takeError();
  llvm::Expected<DirectGeometry> geometry = views->getGeometry();
  if (!geometry)
    return geometry.takeError();
  return use(WorkCounter(*views, *geometry));
}

llvm::Expected<DirectWork> ck::getDirectWork(Operation *part, const DirectTile &tile) {
  if (tile.isSum())
    return getSumWork(part, tile);
  return withCounter<DirectWork>(part,
                                 [&](const WorkCounter &counter) { return counter.count(tile); });
}

std::vector<DirectWork> ck::getDirectWorks(Operation *part) {
  using Works = std::vector<DirectWork>;
  llvm::Expected<Works> works = withCounter<Works>(part, [](const WorkCounter &counter) {
    return ck::detail::countTiles(counter, kChannels, kColumns, kRows, /*slices=*/0, kBlocks);
  });
  std::vector<DirectWork> sums = getSumWorks(part);
  if (!works) {
    llvm::consumeError(works.takeError());
    return sums;
  }
  llvm::append_range(*works, sums);
  return *works;
}

Schedule ck::getAssignedSchedule(GemmOp gemm) {
  if (!gemm.getDirect())
    return gemm.getSchedule()->getValue();
  Schedule schedule;
  schedule.direct = gemm.getDirect()->getValue();
  // The form `scheduled` has checked that it is possible.
  schedule.tile = llvm::cantFail(getDirectWork(gemm, *schedule.direct)).block;
  return schedule;
}
