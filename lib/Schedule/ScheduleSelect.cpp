//===- ScheduleSelect.cpp - Completing a schedule request -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every legal problem must get a schedule without tuning data: of all legal candidates the one of
// the shortest estimated time. What partitions make of a tile is found once for each tile.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "Schedule/SchedulePartitions.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;

static bool divides(const Schedule &schedule) {
  return schedule.tile[0] % (schedule.waves[0] * schedule.mma[0]) == 0 &&
         schedule.tile[1] % (schedule.waves[1] * schedule.mma[1]) == 0 &&
         schedule.tile[2] % schedule.mma[2] == 0;
}

/// A way to hand out roles and to stand the waves over the tile.
using WaveShapes = SmallVector<std::array<int64_t, 2>, 3>;
namespace {
struct RoleCandidate {
  int64_t load = 0;
  /// Groups of the same number of math waves; a group counts only if none before it is legal.
  SmallVector<WaveShapes> waves;
};

/// Values of the fields to try, best first; a field of the request has one value.
struct Candidates {
  SmallVector<std::array<int64_t, 3>> tiles;
  SmallVector<RoleCandidate> roles;
  SmallVector<std::array<int64_t, 3>> mmas;
};
} // namespace

static int64_t getOddFactor(int64_t value) { return value / (value & -value); }

/// Sizes to try for M, N and K: powers of two, and multiples of the odd factors of numbers of waves
/// that could not share those.
static std::array<SmallVector<int64_t>, 3> enumerateSizes(const ScheduleRequest &request,
                                                          const GemmShape &shape) {
  std::array<SmallVector<int64_t>, 3> sizes = {
      SmallVector<int64_t>{128, 64, 32, 16}, {128, 64, 32, 16}, {32, 64, 16}};
  if (getSizeInBytes(shape.aType) == 1) // of which one instruction may take 128
    sizes[2].push_back(128);
  auto addMultiples = [](SmallVector<int64_t> &sizes, int64_t waves) {
    int64_t odd = getOddFactor(waves);
    if (odd == 1)
      return;
    for (int64_t unit : {64, 32, 16})
      sizes.push_back(odd * unit);
  };
  bool split = request.roles && request.roles->load > 0;
  for (unsigned dim : {0, 1})
    if (request.waves)
      addMultiples(sizes[dim], (*request.waves)[dim]);
    else if (split)
      addMultiples(sizes[dim], request.roles->math);
  if (split)
    addMultiples(sizes[2], request.roles->load);
  else if (request.waves)
    addMultiples(sizes[2], (*request.waves)[0] * (*request.waves)[1]);
  return sizes;
}

/// Bytes of an element of `type` in LDS.
static int64_t getHeldBytes(DataType type, const ChipInfo &chip) {
  for (const MatrixInstruction &inst : chip.matrixInstructions)
    if (inst.aType == type)
      return getSizeInBytes(inst.heldType);
  return getSizeInBytes(type);
}

/// The tiles to choose from: two slots in at most half of the LDS, so that a second workgroup fits
/// on the CU, and no tile of which half would hold the whole dimension, unless the waves or the
/// matrix instruction of the request may need it.
static SmallVector<std::array<int64_t, 3>>
enumerateTiles(const ScheduleRequest &request, const GemmShape &shape, const ChipInfo &chip) {
  bool split = request.roles && request.roles->load > 0;
  bool mayBeWasteful = request.waves || request.mma || split;
  auto fits = [&](int64_t tile, int64_t size) {
    return mayBeWasteful || tile == 16 || tile / 2 < size;
  };
  SmallVector<std::array<int64_t, 3>> tiles;
  std::array<SmallVector<int64_t>, 3> sizes = enumerateSizes(request, shape);
  int64_t bytes = getHeldBytes(shape.aType, chip);
  for (int64_t k : sizes[2])
    for (int64_t m : sizes[0])
      for (int64_t n : sizes[1])
        if (2 * 2 * (m + (shape.bShuffled ? 0 : n)) * k * bytes <= chip.ldsBytes &&
            fits(m, shape.m) && fits(n, shape.n))
          tiles.push_back({m, n, k});
  return tiles;
}

/// All ways to stand `waves` waves over the tile.
static WaveShapes enumerateWaves(int64_t waves) {
  WaveShapes shapes;
  for (int64_t rows = 1; rows <= waves; ++rows)
    if (waves % rows == 0)
      shapes.push_back({rows, waves / rows});
  return shapes;
}

/// Load waves are considered, if the request leaves it open, where matrix instructions have a unit
/// of their own: a WMMA runs on the vector ALU, which the address computation of any wave takes.
static SmallVector<RoleCandidate> enumerateRoles(const ScheduleRequest &request,
                                                 const ChipInfo &chip) {
  SmallVector<RoleCandidate> candidates;
  auto addSplit = [&](const Roles &roles) {
    bool fixed = request.waves && (*request.waves)[0] * (*request.waves)[1] != roles.math;
    if (request.roles || !fixed)
      candidates.push_back(
          {roles.load, {request.waves ? WaveShapes{*request.waves} : enumerateWaves(roles.math)}});
  };
  if (request.roles && request.roles->load > 0) {
    addSplit(*request.roles);
    return candidates;
  }
  if (request.waves)
    candidates.push_back({0, {{*request.waves}}});
  else // One wave for each SIMD of a CU if the tile can be divided so; large tiles need more.
    candidates.push_back(
        {0, {{{2, 2}, {1, 4}, {4, 1}}, {{1, 2}, {2, 1}}, {{1, 1}}, {{2, 4}, {4, 2}}, {{4, 4}}}});
  if (!request.roles && chip.hasMfma)
    for (const Roles &roles : {Roles{4, 4}, Roles{4, 2}})
      addSplit(roles);
  return candidates;
}

static Candidates enumerate(const ScheduleRequest &request, const GemmShape &shape,
                            const ChipInfo &chip) {
  Candidates candidates;
  if (request.tile)
    candidates.tiles = {*request.tile};
  else
    candidates.tiles = enumerateTiles(request, shape, chip);
  candidates.roles = enumerateRoles(request, chip);
  if (request.mma)
    candidates.mmas = {*request.mma};
  else
    for (const MatrixInstruction &inst : chip.matrixInstructions)
      if (inst.aType == shape.aType && !inst.reducedPrecision)
        candidates.mmas.push_back({inst.m, inst.n, inst.k});
  return candidates;
}

/// The schedule with the fixed fields of `request`.
static Schedule getFixedFields(const ScheduleRequest &request) {
  Schedule schedule;
  schedule.roles = request.roles.value_or(Roles());
  schedule.stages = request.stages.value_or(2);
  schedule.partition = request.partition.value_or(Partition());
  schedule.mapping = request.mapping.value_or(WorkgroupMapping());
  schedule.deterministic = request.deterministic.value_or(false);
  schedule.hints = request.hints;
  return schedule;
}

namespace {
/// Keeps the fastest legal schedule, and the refusal that came closest to legality.
class Selection {
public:
  Selection(llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip, int64_t relief,
            const TimeEstimator &estimator)
      : shapes(shapes), chip(chip), relief(relief), estimator(estimator) {}
  ~Selection() { llvm::consumeError(std::move(reason)); }

  /// Returns whether `schedule` is legal; considers it with each of the partitions.
  bool consider(Schedule schedule, const detail::PartitionChoice &choice) {
    if (best && !divides(schedule))
      return false;
    int64_t passed = 0;
    for (const GemmShape &shape : shapes) {
      if (shape.k == 0)
        continue;
      if (Error error = detail::checkSchedule(schedule, shape, chip, passed)) {
        keepReason(std::move(error), passed, schedule);
        return false;
      }
      if (Error error = detail::checkRelief(schedule, shape, chip, relief)) {
        keepReason(std::move(error), passed, schedule);
        return false;
      }
    }
    if (choice.works.empty()) {
      keepReason(llvm::createStringError(choice.reason), passed + 1, schedule);
      return false;
    }
    SmallVector<uint64_t> times = estimator.estimate(schedule, shapes, chip, choice.works);
    for (auto [work, time] : llvm::zip_equal(choice.works, times)) {
      if (best && time >= bestTime)
        continue;
      best = schedule;
      best->partition = work.partition;
      bestTime = time;
    }
    return true;
  }

  Expected<Schedule> take() {
    if (best)
      return *best;
    return std::exchange(reason, Error::success());
  }

private:
  /// Keeps the reason of the schedule that passed the most checks, of those the least demanding.
  void keepReason(Error error, int64_t passed, const Schedule &schedule) {
    int64_t demand = schedule.getNumWaves() * schedule.mma[0] * schedule.mma[1];
    std::pair<int64_t, int64_t> rank = {passed, -demand};
    if (!reason || rank > reasonRank) {
      std::swap(reason, error);
      reasonRank = rank;
    }
    llvm::consumeError(std::move(error));
  }

  llvm::ArrayRef<GemmShape> shapes;
  const ChipInfo &chip;
  int64_t relief;
  const TimeEstimator &estimator;
  std::optional<Schedule> best;
  uint64_t bestTime = 0;
  Error reason = Error::success();
  std::pair<int64_t, int64_t> reasonRank;
};
} // namespace

/// Considers `schedule` with `roles`.
static void considerRoles(Selection &selection, Schedule schedule, const RoleCandidate &roles,
                          const ScheduleRequest &request,
                          llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                          const detail::PartitionChoice &partitions) {
  for (const WaveShapes &group : roles.waves) {
    bool anyLegal = false;
    for (const auto &waves : group) {
      schedule.waves = waves;
      if (roles.load > 0)
        schedule.roles = request.roles.value_or(Roles{roles.load, waves[0] * waves[1]});
      for (const auto &mma : mmas) {
        schedule.mma = mma;
        anyLegal |= selection.consider(schedule, partitions);
      }
    }
    if (anyLegal)
      return;
  }
}

Expected<Schedule> mlir::ck::resolveSchedule(const ScheduleRequest &request,
                                             llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                             const SelectionOptions &options) {
  const GemmShape &largest = *llvm::max_element(
      shapes, [](const GemmShape &a, const GemmShape &b) { return a.m * a.k < b.m * b.k; });
  Candidates candidates = enumerate(request, largest, chip);
  if (candidates.mmas.empty())
    return llvm::createStringError(chip.name + " has no matrix instruction for " +
                                   getName(largest.aType));
  Selection selection(shapes, chip, request.relief,
                      options.estimator ? *options.estimator : getStepEstimator());
  Schedule schedule = getFixedFields(request);
  for (const auto &tile : candidates.tiles) {
    schedule.tile = tile;
    detail::PartitionChoice partitions =
        detail::choosePartitions(request, options.allowWorkspace, tile, shapes, chip);
    for (const RoleCandidate &roles : candidates.roles)
      considerRoles(selection, schedule, roles, request, candidates.mmas, partitions);
  }
  return selection.take();
}

Expected<Schedule> mlir::ck::resolveSchedule(const ScheduleRequest &request,
                                             llvm::ArrayRef<GemmShape> shapes,
                                             const ChipInfo &chip) {
  return resolveSchedule(request, shapes, chip, SelectionOptions());
}
