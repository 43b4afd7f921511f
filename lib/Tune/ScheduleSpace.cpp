//===- ScheduleSpace.cpp - All schedules that a search may try -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ScheduleSpace.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/ScheduleSpace.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>
#include <set>
#include <tuple>

using namespace mlir::ck;
using llvm::Expected;
using llvm::SmallVector;

static constexpr int64_t kSizes[] = {16, 32, 48, 64, 96, 128, 192, 256};
static constexpr int64_t kDepths[] = {16, 32, 64, 128};
/// Load waves beside math waves.
static constexpr std::pair<int64_t, int64_t> kRoles[] = {{1, 4}, {2, 4}, {4, 2}, {4, 4},
                                                         {4, 8}, {8, 4}, {8, 8}};
static constexpr int64_t kMostUniformWaves = 16;
static const Stages kStages[] = {2, 3, 4, {2, 3}, {3, 4}};
static constexpr int64_t kMostSlices = 64;

/// Tiles of which more than half would be empty along M or N are left out.
static bool isWasteful(int64_t tile, int64_t size) { return tile > 16 && tile / 2 >= size; }

static SmallVector<std::array<int64_t, 3>> enumerateTiles(const ScheduleRequest &fixed,
                                                          llvm::ArrayRef<GemmShape> shapes) {
  if (fixed.tile)
    return {*fixed.tile};
  int64_t m = 1, n = 1;
  for (const GemmShape &shape : shapes) {
    m = std::max(m, shape.m);
    n = std::max(n, shape.n);
  }
  SmallVector<std::array<int64_t, 3>> tiles;
  for (int64_t tileM : kSizes)
    for (int64_t tileN : kSizes)
      for (int64_t tileK : kDepths)
        if (!isWasteful(tileM, m) && !isWasteful(tileN, n))
          tiles.push_back({tileM, tileN, tileK});
  return tiles;
}

/// Roles with the ways to stand their math waves over the tile.
static SmallVector<std::pair<Roles, std::array<int64_t, 2>>>
enumerateWaves(const ScheduleRequest &fixed) {
  SmallVector<Roles> roles;
  if (fixed.roles) {
    roles.push_back(*fixed.roles);
  } else {
    roles.push_back(Roles());
    for (auto [load, math] : kRoles)
      roles.push_back({load, math});
  }
  SmallVector<std::pair<Roles, std::array<int64_t, 2>>> result;
  for (const Roles &role : roles) {
    if (fixed.waves) {
      result.push_back({role, *fixed.waves});
      continue;
    }
    for (int64_t waves = 1; waves <= kMostUniformWaves; waves *= 2)
      for (int64_t rows = 1; rows <= waves; rows *= 2)
        if (role.load == 0 || waves == role.math)
          result.push_back({role, {rows, waves / rows}});
  }
  return result;
}

/// Ways of operands to LDS and from there to registers, with numbers of slots.
static SmallVector<std::tuple<Copies, Reads, Stages>> enumeratePaths(const ScheduleRequest &fixed,
                                                                     const ChipInfo &chip) {
  SmallVector<std::tuple<Copies, Reads, Stages>> paths;
  for (Copies copies : {Copies::Staged, Copies::Async})
    for (Reads reads : {Reads::Step, Reads::Ahead})
      for (Stages stages : fixed.stages ? llvm::ArrayRef(*fixed.stages) : llvm::ArrayRef(kStages))
        if (fixed.copies.value_or(copies) == copies && fixed.reads.value_or(reads) == reads &&
            (fixed.copies || copies == Copies::Staged || chip.asyncCopyBytes > 0))
          paths.push_back({copies, reads, stages});
  return paths;
}

bool ScheduleSpace::isLegal(const Schedule &core, std::string &reason) const {
  return llvm::all_of(shapes, [&](const GemmShape &shape) {
    if (shape.k == 0)
      return true;
    llvm::Error error = checkSchedule(core, shape, *chip);
    if (!error)
      return true;
    reason = llvm::toString(std::move(error));
    return false;
  });
}

void ScheduleSpace::addCores(const std::array<int64_t, 3> &tile, std::string &reason) {
  Schedule core;
  core.tile = tile;
  core.deterministic = fixed.deterministic.value_or(false);
  core.hints = fixed.hints;
  for (const auto &[roles, waves] : enumerateWaves(fixed))
    for (const auto &[copies, reads, stages] : enumeratePaths(fixed, *chip))
      for (const MatrixInstruction &inst : chip->matrixInstructions) {
        const std::array<int64_t, 3> mma = {inst.m, inst.n, inst.k};
        if (inst.aType != shapes.front().aType ||
            (fixed.mma ? *fixed.mma != mma : inst.reducedPrecision))
          continue;
        core.roles = roles;
        core.waves = waves;
        core.copies = copies;
        core.reads = reads;
        core.stages = stages;
        core.mma = mma;
        if (isLegal(core, reason))
          cores.push_back(core);
      }
}

/// The tiles of `work` with the slices that are tried, those of `fixed` if there is one; none where
/// that is another tile.
static SmallVector<DirectTile> getDirectTiles(const DirectWork &work,
                                              const std::optional<DirectTile> &fixed,
                                              const ChipInfo &chip) {
  SmallVector<DirectTile> tiles = {work.tile};
  // Half a workgroup for each compute unit, one and two.
  for (int64_t groups = chip.numCus / 2; work.tile.isSum() && groups <= 2 * chip.numCus;
       groups *= 2) {
    DirectTile tile = work.tile;
    tile.slices = std::min(groups / work.sums.tiles, work.sums.steps);
    if (tile.slices > 1 && !(tile == tiles.back()))
      tiles.push_back(tile);
  }
  if (!fixed)
    return tiles;
  DirectTile known = *fixed;
  known.slices = work.tile.slices;
  const bool isKnown = known == work.tile && fixed->isSum() == work.tile.isSum();
  return isKnown ? SmallVector<DirectTile>{*fixed} : SmallVector<DirectTile>();
}

/// Adds the tiles with which lanes compute by themselves.
void ScheduleSpace::addDirect() {
  if (!fixed.direct && !leavesTilesOpen(fixed))
    return;
  for (const DirectWork &work :
       shapes.front().direct ? *shapes.front().direct : std::vector<DirectWork>()) {
    for (const DirectTile &tile : getDirectTiles(work, fixed.direct, *chip)) {
      ScheduleRequest request = fixed;
      request.direct = tile;
      if (Expected<Schedule> core = resolveSchedule(request, shapes, *chip))
        cores.push_back(*core);
      else
        llvm::consumeError(core.takeError());
    }
  }
}

Expected<ScheduleSpace> ScheduleSpace::create(const ScheduleRequest &fixed,
                                              llvm::ArrayRef<GemmShape> shapes,
                                              const ChipInfo &chip) {
  ScheduleSpace space(fixed, shapes, chip);
  std::string reason = "no tile fits";
  if (!fixed.direct)
    for (const std::array<int64_t, 3> &tile : enumerateTiles(fixed, shapes))
      space.addCores(tile, reason);
  space.addDirect();
  if (space.cores.empty())
    return llvm::createStringError("no schedule is legal: " + reason);
  return space;
}

std::vector<WorkEstimate> ScheduleSpace::getPartitions(const Schedule &core) const {
  const SmallVector<WorkShape> works = getWorkShapes(core.tile, shapes);
  SmallVector<Partition> partitions;
  if (core.direct) {
    partitions.push_back(core.partition);
  } else if (fixed.partition) {
    partitions.push_back(*fixed.partition);
  } else {
    int64_t steps = 1;
    for (const WorkShape &work : works)
      steps = std::max(steps, work.kSteps);
    partitions = {DataParallel(), StreamK{Reduction::Tree, false},
                  StreamK{Reduction::Linear, false}};
    if (splitStreams(works, chip->numCus, chip->numXcds).dealtTiles > 0)
      partitions.push_back(StreamK{Reduction::Parallel, false});
    for (int64_t slices = 2; slices <= std::min(steps, kMostSlices); slices *= 2)
      for (int64_t factor : {slices, slices / 2 * 3})
        if (factor <= steps)
          partitions.push_back(SplitK{factor, /*twoStage=*/true});
  }
  std::vector<WorkEstimate> estimates;
  for (const Partition &partition : partitions) {
    Expected<WorkPlan> plan = WorkPlan::create(works, partition, chip->numCus, chip->numXcds);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      continue;
    }
    if (llvm::Error error = checkIndices(*plan, core.tile[0] * core.tile[1])) {
      llvm::consumeError(std::move(error));
      continue;
    }
    estimates.push_back(estimateWork(*plan));
  }
  return estimates;
}

SmallVector<WorkgroupMapping> ScheduleSpace::getMappings(const Schedule &core,
                                                         const Partition &partition) const {
  if (core.direct)
    return {core.mapping};
  if (fixed.mapping)
    return {*fixed.mapping};
  return enumerateMappings(getWorkShapes(core.tile, shapes), partition, chip->numXcds);
}

namespace {
/// A schedule with its estimated time.
struct Ranked {
  double microseconds;
  size_t core;
  WorkEstimate work;
};
} // namespace

/// `core` in the partition of `work`, with the mapping of the shortest estimated time.
Schedule ScheduleSpace::complete(const Schedule &core, const WorkEstimate &work) const {
  Schedule best = core;
  double bestTime = std::numeric_limits<double>::infinity();
  Schedule schedule = core;
  schedule.partition = work.partition;
  for (const WorkgroupMapping &mapping : getMappings(core, work.partition)) {
    schedule.mapping = mapping;
    const double time =
        estimateTimes(schedule, shapes, *chip, {work}, getTimeModelConstants(*chip)).front().total;
    if (time >= bestTime)
      continue;
    bestTime = time;
    best = schedule;
  }
  return best;
}

static bool haveSameTile(const Schedule &a, const Schedule &b) {
  return a.tile == b.tile && a.direct == b.direct;
}

std::vector<Schedule> ScheduleSpace::rank(size_t count) const {
  constexpr unsigned kMostOfTile = 4;
  std::vector<Ranked> ranked;
  std::vector<WorkEstimate> works; // of one tile after the other
  for (size_t i = 0; i < cores.size(); ++i) {
    if (i == 0 || !haveSameTile(cores[i], cores[i - 1]))
      works = getPartitions(cores[i]);
    const auto times = estimateTimes(cores[i], shapes, *chip, works, getTimeModelConstants(*chip));
    for (auto [work, time] : llvm::zip_equal(works, times))
      ranked.push_back({time.total, i, work});
  }
  llvm::sort(ranked, [](const Ranked &a, const Ranked &b) {
    return std::tuple(a.microseconds, a.core, toString(a.work.partition)) <
           std::tuple(b.microseconds, b.core, toString(b.work.partition));
  });
  std::map<std::array<int64_t, 3>, unsigned> ofTile;
  std::set<std::pair<size_t, double>> seen; // a partition that shares no tiles changes nothing
  std::vector<Schedule> result;
  for (const Ranked &entry : ranked) {
    if (result.size() == count)
      break;
    if (!seen.insert({entry.core, entry.microseconds}).second)
      continue;
    if (ofTile[cores[entry.core].tile]++ < kMostOfTile)
      result.push_back(complete(cores[entry.core], entry.work));
  }
  return result;
}

/// How often a tile is drawn: large ones do more for each byte that they load.
static double getWeight(const std::array<int64_t, 3> &tile) {
  const double depth = tile[2] == 32 || tile[2] == 64 ? 1 : 0.4;
  return depth * std::sqrt(double(tile[0] * tile[1]));
}

/// Of partitions that share tiles a chip needs fewer the more tiles there are.
const Partition &ScheduleSpace::drawPartition(llvm::ArrayRef<WorkEstimate> partitions,
                                              std::mt19937_64 &random) const {
  const int64_t tiles = partitions.front().workgroups;
  const unsigned whole = tiles > 4 * chip->numCus ? 8 : tiles > chip->numCus ? 4 : 1;
  const size_t drawn = random() % (whole + 2) < whole ? 0 : random() % partitions.size();
  return partitions[drawn].partition;
}

std::vector<Schedule> ScheduleSpace::draw(size_t count, uint64_t seed) const {
  SmallVector<std::pair<size_t, size_t>> tiles; // begin and end in `cores`
  std::vector<double> weights;
  for (size_t i = 0; i < cores.size(); ++i) {
    if (i == 0 || !haveSameTile(cores[i], cores[i - 1])) {
      tiles.push_back({i, i});
      weights.push_back(getWeight(cores[i].tile));
    }
    tiles.back().second = i + 1;
  }
  std::mt19937_64 random(seed);
  std::discrete_distribution<size_t> drawTile(weights.begin(), weights.end());
  std::set<std::string> seen;
  std::vector<Schedule> drawn;
  for (size_t tries = 0; tries < 20 * count && drawn.size() < count; ++tries) {
    const auto [begin, end] = tiles[drawTile(random)];
    Schedule schedule = cores[begin + random() % (end - begin)];
    const std::vector<WorkEstimate> partitions = getPartitions(schedule);
    if (partitions.empty())
      continue;
    schedule.partition = drawPartition(partitions, random);
    const SmallVector<WorkgroupMapping> mappings = getMappings(schedule, schedule.partition);
    schedule.mapping = mappings[random() % 2 == 0 ? 0 : random() % mappings.size()];
    if (seen.insert(toString(schedule)).second)
      drawn.push_back(schedule);
  }
  return drawn;
}
