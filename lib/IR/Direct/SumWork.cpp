//===- SumWork.cpp - What tiles take that sum over positions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts, from the views, what a lane loads and multiplies in a step.
//
//===----------------------------------------------------------------------===//

#include "IR/Direct/LaneSteps.h"
#include "ck-mlir/IR/DirectSums.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::detail;

/// The sizes of tiles.
static constexpr int64_t kChannels[] = {16, 8, 4, 2, 1}, kColumns[] = {8, 7, 4, 2, 1},
                         kRows[] = {4, 2, 1};
/// Rows of a matrix instruction's blocks, or none.
static constexpr int64_t kBlocks[] = {0, 4, 16};
/// Of a lane: more make too much code, and need too many registers.
static constexpr int64_t kMostProducts = 4000, kMostResults = 200, kMostRegisters = 224;
/// Products of a group at a position beyond which tiles are always better.
static constexpr int64_t kFewProducts = 256;
/// Workgroups with the same results.
static constexpr int64_t kMostSlices = 4096;
/// Positions and results of a launch that 64 bits can count beside other factors.
static constexpr double kMostCounted = double(int64_t(1) << 60);
/// Words of a workspace that 32 bits can count in bytes.
static constexpr double kMostSumBytes = double(int64_t(1) << 31);

namespace {
/// Counts what a tile takes of one GEMM.
class SumCounter {
public:
  SumCounter(const DirectViews &views, const SumGeometry &geometry)
      : views(views), geometry(geometry),
        bytes(getSizeInBytes(*getDataType(views.a->view.getElementType()))) {}

  bool isPossible() const { return geometry.outputs * geometry.channels <= kFewProducts; }
  /// The work with `tile`, or why it is not possible.
  llvm::Expected<DirectWork> count(const DirectTile &tile) const;

private:
  llvm::Error check(const DirectTile &tile) const;
  llvm::Error checkLimits(const DirectTile &tile) const;
  llvm::Error checkViews(const DirectTile &tile, int64_t outputs) const;
  llvm::Error checkMfma(const DirectTile &tile) const;
  llvm::Error checkLargeBlocks(const DirectTile &tile) const;
  /// Loads of elements of `view` in a step, and how many elements there are.
  std::pair<int64_t, int64_t> countLoads(DirectView view, const DirectTile &tile,
                                         int64_t outputs) const;
  int64_t countFactors(DirectView view, const DirectTile &tile, int64_t outputs) const;
  void countStep(DirectWork &work) const;

  const DirectViews &views;
  const SumGeometry &geometry;
  int64_t bytes;
};
} // namespace

/// Fails where sizes of the tile are not known or do not divide the problem.
llvm::Error SumCounter::check(const DirectTile &tile) const {
  const std::tuple<int64_t, ArrayRef<int64_t>, StringRef> sizes[] = {
      {tile.channels, kChannels, "channels"},
      {tile.columns, kColumns, "columns"},
      {tile.rows, kRows, "rows"}};
  for (auto [size, known, what] : sizes)
    if (!llvm::is_contained(known, size))
      return refuse(
          tile, "has " + llvm::Twine(size) + " " + what + ", expected one of " +
                    llvm::join(llvm::map_range(known, [](int64_t n) { return std::to_string(n); }),
                               ", "));
  const int64_t channels = geometry.channels, groups = geometry.getGroupsOf(tile);
  const int64_t merged = geometry.merged;
  const bool divides =
      tile.channels <= channels ? channels % tile.channels == 0 : tile.channels % channels == 0;
  if (!divides || geometry.getGroups() % groups != 0 ||
      (groups <= merged ? merged % groups : groups % merged) != 0)
    return refuse(tile, "does not divide " + llvm::Twine(geometry.getGroups()) + " groups of " +
                            llvm::Twine(channels) + " channels evenly");
  if (geometry.columns % tile.columns != 0 || geometry.lines % tile.rows != 0)
    return refuse(tile, "does not divide " + llvm::Twine(geometry.columns) + " x " +
                            llvm::Twine(geometry.lines) + " positions evenly");
  return tile.mfma ? checkMfma(tile) : llvm::Error::success();
}

/// Fails where the lanes of a wave do not hold whole groups, one input channel and one output
/// channel each.
llvm::Error SumCounter::checkMfma(const DirectTile &tile) const {
  if (llvm::Error error = checkBlockType(tile, views.a->view.getElementType()))
    return error;
  const int64_t channels = geometry.channels;
  if (tile.channels != 1)
    return refuse(tile, "has " + llvm::Twine(tile.channels) + " channels, expected 1 of a lane");
  if (tile.getLanesOfColumn() > 1)
    return checkLargeBlocks(tile);
  if (geometry.outputs != channels || (channels != 4 && channels != 8 && channels != 16))
    return refuse(tile, "needs groups of 4, 8 or 16 channels, of as many in as out, got " +
                            llvm::Twine(channels) + " in and " + llvm::Twine(geometry.outputs) +
                            " out");
  if (geometry.getGroups() * channels % kMfmaLanes != 0)
    return refuse(tile, "needs a multiple of " + llvm::Twine(kMfmaLanes) + " channels, got " +
                            llvm::Twine(geometry.getGroups() * channels));
  return llvm::Error::success();
}

/// The same for blocks of 16x16, of a group and the positions of four steps each.
llvm::Error SumCounter::checkLargeBlocks(const DirectTile &tile) const {
  const int64_t ofColumn = tile.getLanesOfColumn();
  if (geometry.outputs != tile.mfma || geometry.channels != tile.mfma)
    return refuse(tile, "needs groups of " + llvm::Twine(tile.mfma) +
                            " channels, in and out, got " + llvm::Twine(geometry.channels) +
                            " in and " + llvm::Twine(geometry.outputs) + " out");
  if (const int64_t blocks = geometry.getBlocks(tile); blocks % ofColumn != 0)
    return refuse(tile, "needs a multiple of " + llvm::Twine(ofColumn) +
                            " blocks of positions, got " + llvm::Twine(blocks));
  return llvm::Error::success();
}

llvm::Error SumCounter::checkLimits(const DirectTile &tile) const {
  const double results = double(geometry.getGroups()) * double(geometry.outputs) *
                         double(geometry.taps) * double(geometry.channels);
  if (double(geometry.getPositions()) * results > kMostCounted)
    return refuse(tile, "has more products than can be counted");
  if (tile.slices > kMostSlices)
    return refuse(tile, "has " + llvm::Twine(tile.slices) + " slices, expected at most " +
                            llvm::Twine(kMostSlices));
  if (geometry.taps > kMostResults)
    return refuse(tile, "gives a lane " + llvm::Twine(tile.channels * geometry.taps) +
                            " results, expected at most " + llvm::Twine(kMostResults));
  const SumShares shares = getSumShares(geometry, tile, bytes);
  const int64_t products =
      shares.results * tile.columns * tile.rows / (tile.mfma ? kMfmaVector : 1);
  if (llvm::Error error =
          ck::detail::checkLimits(tile, {{shares.results, kMostResults, "results"},
                                         {products, kMostProducts, "products in a step"}}))
    return error;
  if (tile.slices > shares.steps)
    return refuse(tile, "has more than the " + llvm::Twine(shares.steps) +
                            " slices of the positions that are possible");
  for (int64_t waveSize : {32, 64})
    if (double(getSumWorkspace(shares, tile.slices, waveSize).getWords()) * 4 > kMostSumBytes)
      return refuse(tile, "needs a workspace of more than 2 GiB");
  return llvm::Error::success();
}

/// Fails where elements of a lane are not at the same distances in all lanes, or where its channels
/// are not side by side.
llvm::Error SumCounter::checkViews(const DirectTile &tile, int64_t outputs) const {
  const int64_t groups = geometry.getGroupsOf(tile), inner = std::min(groups, geometry.merged);
  const int64_t channels = geometry.getChannelsOf(tile);
  auto carriesIn = [&](const ViewAnalysis &view, int64_t ofGroup, int64_t own) {
    return carries(view, 0, 1, groups / inner) || carries(view, 1, ofGroup, inner) ||
           carries(view, 1, 1, own) || carries(view, 2, 1, tile.columns) ||
           carries(view, 2, geometry.columns, tile.rows);
  };
  if (carriesIn(*views.a, geometry.outputs, outputs) ||
      carriesIn(*views.b, geometry.channels, channels))
    return refuse(tile, "needs groups and channels that views split at its multiples");
  auto areConsecutive = [&](const ViewAnalysis &analysis, DirectView view, int64_t ofGroup,
                            SumPlace next) {
    auto getMove = [&](const SumPlace &place) {
      return analysis.getMove(analysis.offset, geometry.getOffset(view, place));
    };
    return (ofGroup == 1 || getMove(next) == 1) &&
           (geometry.getGroups() == 1 || getMove({.group = 1}) == ofGroup) &&
           (geometry.batchGroups == 1 ||
            getMove({.group = geometry.merged}) == ofGroup * geometry.merged);
  };
  if (!areConsecutive(*views.a, DirectView::A, geometry.outputs, {.output = 1}) ||
      !areConsecutive(*views.b, DirectView::B, geometry.channels, {.channel = 1}))
    return refuse(tile, "needs channels side by side in memory");
  return llvm::Error::success();
}

std::pair<int64_t, int64_t> SumCounter::countLoads(DirectView view, const DirectTile &tile,
                                                   int64_t outputs) const {
  const ViewAnalysis &analysis = view == DirectView::A ? *views.a : *views.b;
  outputs = getLoadedOutputs(tile, view, outputs);
  std::set<int64_t> places;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t column = 0; column < tile.columns; ++column)
      forEachSum(geometry, tile, outputs, [&](SumPlace place) {
        place.row = row;
        place.column = column;
        places.insert(analysis.getMove(analysis.offset, geometry.getOffset(view, place)));
      });
  const int64_t widest = getSumLoadAlignment(analysis, view, geometry, tile, outputs);
  int64_t loads = 0, run = 0, last = 0;
  for (int64_t place : places) {
    run = run > 0 && place == last + 1 ? run + 1 : 1;
    last = place;
    if (run % widest == 1 || widest == 1)
      ++loads;
  }
  return {loads, int64_t(places.size())};
}

/// Vectors of four positions of one channel, in two registers, that a step multiplies.
int64_t SumCounter::countFactors(DirectView view, const DirectTile &tile, int64_t outputs) const {
  const ViewAnalysis &analysis = view == DirectView::A ? *views.a : *views.b;
  const int64_t positions = tile.rows * tile.columns;
  std::set<std::vector<int64_t>> factors;
  for (int64_t first = 0; first < positions; first += kMfmaVector)
    forEachSum(geometry, tile, getLoadedOutputs(tile, view, outputs), [&](SumPlace place) {
      std::vector<int64_t> factor;
      for (int64_t i = first; i < std::min(first + kMfmaVector, positions); ++i) {
        place.row = i / tile.columns;
        place.column = i % tile.columns;
        factor.push_back(analysis.getMove(analysis.offset, geometry.getOffset(view, place)));
      }
      factors.insert(factor);
    });
  return int64_t(factors.size());
}

void SumCounter::countStep(DirectWork &work) const {
  const DirectTile &tile = work.tile;
  constexpr int64_t kDword = 4;
  int64_t elements = 0, registers = 0;
  for (DirectView view : {DirectView::A, DirectView::B}) {
    const auto [loads, ofView] = countLoads(view, tile, work.sums.outputs);
    work.loads += loads;
    elements += ofView;
    registers += loads * llvm::divideCeil(ofView / loads * bytes, kDword);
  }
  work.loadBytes = llvm::divideCeil(elements * bytes, work.loads);
  const int64_t positions = tile.columns * tile.rows;
  const bool areHalves = views.a->view.getElementType().isF16();
  work.conversions = elements;
  work.registers = registers + work.sums.results;
  if (tile.mfma) {
    const int64_t blocks = llvm::divideCeil(positions, kMfmaVector);
    work.mfmas = work.sums.results / kMfmaVector * blocks;
    // Four positions of an input channel, in two registers: for each tap, of which those of large
    // blocks share some.
    work.conversions = 2 * blocks * (geometry.taps + 1);
    if (tile.getLanesOfColumn() > 1)
      work.conversions = 2 * (countFactors(DirectView::A, tile, work.sums.outputs) +
                              countFactors(DirectView::B, tile, work.sums.outputs));
    return;
  }
  work.products = work.sums.results * (areHalves ? llvm::divideCeil(positions, 2) : positions);
}

llvm::Expected<DirectWork> SumCounter::count(const DirectTile &tile) const {
  if (llvm::Error error = check(tile))
    return std::move(error);
  if (llvm::Error error = checkLimits(tile))
    return std::move(error);
  DirectWork work;
  work.tile = tile;
  work.sums = getSumShares(geometry, tile, bytes);
  if (llvm::Error error = checkViews(tile, work.sums.outputs))
    return std::move(error);
  countStep(work);
  if (work.registers > kMostRegisters)
    return refuse(tile, "takes " + llvm::Twine(work.registers) +
                            " registers of a lane for sums and operands, expected at most " +
                            llvm::Twine(kMostRegisters));
  work.workgroups = work.sums.tiles * tile.slices;
  ArrayRef<int64_t> c = views.c.view.getShape();
  const int64_t steps = work.sums.getStepsOf(tile.slices);
  work.block = {c[1], int64_t(llvm::divideCeil(c[0] * c[2], work.sums.tiles)),
                steps * tile.columns * tile.rows};
  work.activeLanes = double(work.sums.units * work.sums.getPositions()) / double(kSumThreads);
  work.rowBytes = work.sums.units * tile.channels * work.sums.outputs / geometry.outputs * bytes;
  return work;
}

/// Calls `use` with the counter for `gemm`.
template <typename Result>
static llvm::Expected<Result> withCounter(Operation *gemm,
                                          function_ref<llvm::Expected<Result>(SumCounter)> use) {
  if (isa_and_present<GemmTableOp>(gemm->getParentOp()))
    return llvm::createStringError("GEMMs of a table have workgroups of their own");
  llvm::Expected<DirectViews> views = DirectViews::create(gemm);
  if (!views)
    return views.takeError();
  llvm::Expected<SumGeometry> geometry = getSumGeometry(*views);
  if (!geometry)
    return geometry.takeError();
  return use(SumCounter(*views, *geometry));
}

llvm::Expected<DirectWork> ck::getSumWork(Operation *gemm, const DirectTile &tile) {
  llvm::Error reason = llvm::Error::success();
  auto work =
      withCounter<DirectWork>(gemm, [&](const SumCounter &counter) -> llvm::Expected<DirectWork> {
        llvm::Expected<DirectWork> counted = counter.count(tile);
        if (counted)
          return counted;
        reason = counted.takeError(); // which names the tile
        return DirectWork();
      });
  if (reason)
    return std::move(reason);
  if (!work)
    return refuse(tile, "cannot sum over K: " + llvm::toString(work.takeError()));
  return work;
}

std::vector<DirectWork> ck::getSumWorks(Operation *gemm) {
  using Works = std::vector<DirectWork>;
  llvm::Expected<Works> works = withCounter<Works>(gemm, [](const SumCounter &counter) {
    return countTiles(counter, kChannels, kColumns, kRows, /*slices=*/1, kBlocks);
  });
  if (works)
    return *works;
  llvm::consumeError(works.takeError());
  return {};
}
