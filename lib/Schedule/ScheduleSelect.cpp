//===- ScheduleSelect.cpp - Completing a schedule request -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every legal problem must get a schedule without tuning data: of the legal candidates the one of
// the shortest estimated time. To be quick, all tiles are compared with the plainest roles of waves
// first, then the best of them with all roles in their best partitions, then the best of these with
// all paths of operands, and the best of all with all mappings.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "Schedule/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;

/// Of how many tiles all roles are considered, with fewer of them for several GEMMs, each of which
/// is estimated.
static constexpr size_t kMostTiles = 8, kMostTilesOfTable = 5;
/// How many more tiles are considered for eight math waves that read ahead.
static constexpr size_t kMostTilesAhead = 4;
/// Tiles that take so many times as long as the best one are not looked at any closer.
static constexpr double kMostOfShortest = 1.25;
/// By how much the limit falls with each schedule that spills.
static constexpr double kRelief = 0.9;

/// The schedule with the tile of `request` for lanes that compute by themselves.
static Expected<Schedule> resolveDirect(const ScheduleRequest &request,
                                        llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                        const SelectionOptions &options) {
  if (request.partition && !std::holds_alternative<DataParallel>(*request.partition))
    return llvm::createStringError("cannot combine direct=" + toString(*request.direct) +
                                   " and partition=" + toString(*request.partition) +
                                   "; expected partition=data_parallel");
  Expected<Schedule> schedule = makeDirectSchedule(*request.direct, shapes, chip);
  if (!schedule)
    return schedule;
  schedule->deterministic = request.deterministic.value_or(false);
  Expected<WorkPlan> plan = WorkPlan::create(getWorkShapes(schedule->tile, shapes),
                                             schedule->partition, chip.numCus, chip.numXcds);
  if (!plan)
    return plan.takeError();
  // There is nothing to choose, but the estimator may be one that explains.
  if (options.estimator)
    options.estimator->estimate(*schedule, shapes, chip, {estimateWork(*plan)});
  return schedule;
}

/// Tiles of so many results are large enough for eight math waves beside load waves.
static constexpr int64_t kLargeTile = 8192, kMostMathWaves = 8;

static bool isLarge(const std::array<int64_t, 3> &tile) { return tile[0] * tile[1] >= kLargeTile; }

/// `mmas` without those that have a twin with more K that divides `tileK` as well.
static SmallVector<std::array<int64_t, 3>>
getPlainInstructions(llvm::ArrayRef<std::array<int64_t, 3>> mmas, int64_t tileK) {
  SmallVector<std::array<int64_t, 3>> plain(mmas);
  llvm::erase_if(plain, [&](const std::array<int64_t, 3> &mma) {
    return llvm::any_of(mmas, [&](const std::array<int64_t, 3> &other) {
      return other[0] == mma[0] && other[1] == mma[1] && other[2] > mma[2] && tileK % other[2] == 0;
    });
  });
  return plain;
}

/// The sums of a tile of so many results leave too few registers for operands on their way.
static constexpr int64_t kHugeTile = 65536;

static bool isHuge(const std::array<int64_t, 3> &tile) { return tile[0] * tile[1] >= kHugeTile; }

/// The paths past registers that the best kernels have; none if the request has fields of paths.
static SmallVector<DataPath> getPathsPastRegisters(const ScheduleRequest &request,
                                                   const ChipInfo &chip) {
  if (chip.asyncCopyBytes == 0 || request.copies || request.reads || request.stages)
    return {};
  ScheduleRequest ahead = request;
  ahead.copies = Copies::Async;
  ahead.reads = Reads::Ahead;
  return enumeratePaths(ahead, chip, /*plain=*/false);
}

/// The tiles with the times of plain roles, the fastest first.
static std::vector<TileCandidate>
considerTiles(Selection &selection, const ScheduleRequest &request,
              llvm::ArrayRef<GemmShape> shapes, const GemmShape &largest, const ChipInfo &chip,
              const SelectionOptions &options, llvm::ArrayRef<std::array<int64_t, 3>> mmas) {
  std::vector<TileCandidate> tiles;
  uint64_t shortest = kNever;
  const auto plain = enumerateRoles(request, chip, /*plain=*/true);
  // Large tiles may be good with eight math waves alone. The estimate of these is too short on a
  // gfx11 if they read in each step.
  const auto plainOfLarge =
      hasLongWmmas(chip) ? plain : enumerateRoles(request, chip, /*plain=*/true, kMostMathWaves);
  const auto plainPaths = enumeratePaths(request, chip, /*plain=*/true);
  const auto pastRegisters = getPathsPastRegisters(request, chip);
  // Where a lane copies as much at once past registers as through them, the best kernels of most
  // tiles do; elsewhere those of huge tiles.
  const bool copiesWhole = chip.asyncCopyBytes >= kMaxLoadBytes;
  auto considerPlain = [&](TileCandidate &tile, llvm::ArrayRef<DataPath> paths) {
    selection.consider(tile, isLarge(tile.tile) ? plainOfLarge : plain,
                       getPlainInstructions(mmas, tile.tile[2]), paths,
                       /*onlyFirstWaves=*/shapes.size() > 1,
                       shortest == kNever ? kNever : uint64_t(kMostOfShortest * double(shortest)));
  };
  for (const auto &tile : request.tile ? SmallVector<std::array<int64_t, 3>>{*request.tile}
                                       : enumerateTiles(request, largest, chip)) {
    tiles.push_back({tile,
                     choosePartitions(request, options.allowWorkspace, tile, shapes, chip),
                     {},
                     tiles.size()});
    if (!pastRegisters.empty() && (copiesWhole || isHuge(tile)))
      considerPlain(tiles.back(),
                    selection.getFittingPaths(tile, mmas.front(), pastRegisters).front());
    if (!copiesWhole || tiles.back().getTime() == kNever)
      considerPlain(tiles.back(), plainPaths);
    shortest = std::min(shortest, tiles.back().getTime());
  }
  // By time; of those with the same time the one that came first goes first.
  llvm::sort(tiles, [](const TileCandidate &a, const TileCandidate &b) {
    return std::tuple(a.getTime(), a.number) < std::tuple(b.getTime(), b.number);
  });
  return tiles;
}

/// Where eight math waves beside load waves are not compared with plain ones, considers them for
/// the best of the large tiles of `others`, if they read ahead.
static void considerEightAhead(Selection &selection, const ScheduleRequest &request,
                               const ChipInfo &chip, llvm::ArrayRef<TileCandidate> others,
                               llvm::ArrayRef<std::array<int64_t, 3>> mmas, bool mayMap) {
  if (!hasLongWmmas(chip) || request.roles || request.waves || request.reads || request.stages)
    return;
  ScheduleRequest ahead = request;
  ahead.reads = Reads::Ahead;
  const auto firstPaths = enumeratePaths(ahead, chip, /*plain=*/true);
  const auto paths = enumeratePaths(ahead, chip, /*plain=*/false);
  SmallVector<RoleCandidate> roles;
  for (int64_t load : {kMostMathWaves / 2, kMostMathWaves}) {
    ahead.roles = Roles{load, kMostMathWaves};
    roles.append(enumerateRoles(ahead, chip, /*plain=*/true, kMostMathWaves));
  }
  std::vector<std::pair<uint64_t, TileCandidate>> tiles;
  for (const TileCandidate &tile : others) {
    if (!isLarge(tile.tile))
      continue;
    TileCandidate copy = tile;
    uint64_t time = kNever;
    for (const TimedRoles &timed :
         selection.consider(copy, roles.front(), getPlainInstructions(mmas, tile.tile[2]),
                            selection.getFittingPaths(tile.tile, mmas.front(), firstPaths).front()))
      time = std::min(time, timed.time);
    if (time != kNever)
      tiles.emplace_back(time, std::move(copy));
  }
  llvm::sort(tiles, [](const auto &a, const auto &b) {
    return std::tie(a.first, a.second.number) < std::tie(b.first, b.second.number);
  });
  tiles.resize(std::min(tiles.size(), kMostTilesAhead));
  for (auto &[time, tile] : tiles)
    selection.considerPaths(tile, roles, getPlainInstructions(mmas, tile.tile[2]), paths, mayMap);
}

/// The best of the schedules that meet `limits`.
static Expected<Schedule> select(const ScheduleRequest &request, llvm::ArrayRef<GemmShape> shapes,
                                 const ChipInfo &chip, const SelectionOptions &options,
                                 const SpillLimits &limits) {
  const GemmShape &largest = *llvm::max_element(
      shapes, [](const GemmShape &a, const GemmShape &b) { return a.m * a.k < b.m * b.k; });
  const auto mmas = enumerateInstructions(request, largest.aType, chip);
  if (mmas.empty())
    return llvm::createStringError(chip.name + " has no matrix instruction for " +
                                   getName(largest.aType));
  const auto &estimator = options.estimator ? *options.estimator : getModelEstimator();
  Selection selection(request, shapes, chip, estimator, limits);
  std::vector<TileCandidate> tiles =
      considerTiles(selection, request, shapes, largest, chip, options, mmas);
  const auto all = enumerateRoles(request, chip, /*plain=*/false);
  const auto ofLarge = enumerateRoles(request, chip, /*plain=*/false, kMostMathWaves);
  // The text of a schedule has all other fields, and no paths or mapping where those are the
  // default.
  const bool isComplete = request.tile && request.waves && request.mma && request.roles &&
                          request.stages && request.partition;
  const bool mayMap = !request.mapping && !isComplete;
  const auto allPaths = enumeratePaths(request, chip, /*plain=*/isComplete);
  const bool anyLegal = !tiles.empty() && tiles.front().getTime() != kNever;
  const size_t mostTiles = shapes.size() > 1 ? kMostTilesOfTable : kMostTiles;
  for (TileCandidate &tile : tiles) {
    if (anyLegal && (tile.getTime() == kNever || &tile - tiles.data() >= ptrdiff_t(mostTiles)))
      break;
    selection.considerPaths(tile, isLarge(tile.tile) ? ofLarge : all,
                            anyLegal ? getPlainInstructions(mmas, tile.tile[2]) : mmas, allPaths,
                            mayMap);
  }
  if (anyLegal && shapes.size() == 1)
    considerEightAhead(selection, request, chip,
                       llvm::ArrayRef(tiles).drop_front(std::min(mostTiles, tiles.size())), mmas,
                       mayMap);
  selection.considerDirect(options.allowWorkspace);
  if (mayMap)
    selection.considerMappings();
  return selection.take();
}

Expected<Schedule> mlir::ck::resolveSchedule(const ScheduleRequest &request,
                                             llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                             const SelectionOptions &options) {
  if (request.direct)
    return resolveDirect(request, shapes, chip, options);
  SpillLimits limits;
  for (int64_t i = 0;; ++i) {
    Expected<Schedule> schedule = select(request, shapes, chip, options, limits);
    if (!schedule && limits.mostPressure < kAnyPressure) { // Others may do with as many registers.
      limits.mostPressure = kAnyPressure;
      llvm::consumeError(schedule.takeError());
      schedule = select(request, shapes, chip, options, limits);
    }
    if (!schedule || i == request.relief)
      return schedule;
    if (schedule->direct)
      continue;
    double pressure = 0;
    for (const GemmShape &shape : shapes)
      if (shape.k > 0)
        pressure = std::max(pressure, getPressure(*schedule, shape, chip));
    limits.mostPressure = kRelief * pressure;
    limits.spilled.push_back(*schedule);
  }
}

Expected<Schedule> mlir::ck::resolveSchedule(const ScheduleRequest &request,
                                             llvm::ArrayRef<GemmShape> shapes,
                                             const ChipInfo &chip) {
  return resolveSchedule(request, shapes, chip, SelectionOptions());
}
