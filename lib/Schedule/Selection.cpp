//===- Selection.cpp - The fastest of the schedules considered -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/Selection.h"
#include "Schedule/ScheduleCheck.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// In how many partitions all roles of a tile are considered; of how many roles of a tile all
/// paths, and these with the best mapping of the tile.
static constexpr size_t kMostPartitions = 3, kMostRoles = 6, kMostMappedRoles = 3;
/// Products of a lane of a direct kernel when nothing has spilled.
static constexpr int64_t kMostDirectProducts = 4096;
/// Registers for sums and operands of a lane that sums over positions when nothing has spilled, and
/// by how much that falls with each schedule that has.
static constexpr double kMostSumRegisters = 224, kFewerSumRegisters = 0.8;
/// Workgroups of such lanes for each compute unit.
static constexpr int64_t kMostSumsPerCu = 4;

static bool divides(const Schedule &schedule) {
  return schedule.tile[0] % (schedule.waves[0] * schedule.mma[0]) == 0 &&
         schedule.tile[1] % (schedule.waves[1] * schedule.mma[1]) == 0 &&
         schedule.tile[2] % schedule.mma[2] == 0;
}

void TileCandidate::keepBestPartitions() {
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(partitions.works.size()));
  llvm::sort(order,
             [&](size_t a, size_t b) { return std::tie(times[a], a) < std::tie(times[b], b); });
  order.truncate(std::min(order.size(), kMostPartitions));
  llvm::sort(order); // simplest first
  partitions.works = llvm::map_to_vector(order, [&](size_t i) { return partitions.works[i]; });
  times = llvm::map_to_vector(order, [&](size_t i) { return times[i]; });
}

/// Whether workgroups execute the same loop, whatever tiles they have.
static bool haveSameLoop(const Schedule &a, const Schedule &b) {
  auto getLoop = [](const Schedule &schedule) {
    return std::tie(schedule.tile, schedule.waves, schedule.mma, schedule.roles.load,
                    schedule.roles.math, schedule.stages, schedule.copies, schedule.reads);
  };
  return getLoop(a) == getLoop(b);
}

/// Whether two schedules with matrix instructions are the same; direct ones have different tiles.
static bool areSame(const Schedule &a, const Schedule &b) {
  return haveSameLoop(a, b) && a.direct == b.direct && a.partition == b.partition &&
         a.mapping == b.mapping;
}

bool SpillLimits::areMetBy(const Schedule &schedule, const GemmShape &shape,
                           const ChipInfo &chip) const {
  if (mostPressure < kAnyPressure && getPressure(schedule, shape, chip) > mostPressure)
    return false;
  return llvm::none_of(spilled,
                       [&](const Schedule &other) { return haveSameLoop(schedule, other); });
}

/// The schedule with the fixed fields of `request`.
static Schedule getFixedFields(const ScheduleRequest &request) {
  Schedule schedule;
  schedule.roles = request.roles.value_or(Roles());
  schedule.partition = request.partition.value_or(Partition());
  schedule.mapping = request.mapping.value_or(WorkgroupMapping());
  schedule.deterministic = request.deterministic.value_or(false);
  return schedule;
}

Expected<Schedule> detail::makeDirectSchedule(const DirectTile &tile,
                                              llvm::ArrayRef<GemmShape> shapes,
                                              const ChipInfo &chip) {
  if (Error error = checkDirectTile(tile, chip))
    return std::move(error);
  Schedule schedule;
  schedule.direct = tile;
  for (const GemmShape &shape : shapes) {
    const DirectWork *work = shape.findDirect(tile);
    if (!work)
      return llvm::createStringError("direct=" + toString(tile) +
                                     " is not possible for the problem");
    if (&shape == shapes.begin())
      schedule.tile = work->block;
  }
  return schedule;
}

Error Selection::check(const Schedule &schedule, int64_t &passed) const {
  for (const GemmShape &shape : shapes) {
    if (shape.k == 0)
      continue;
    if (Error error = checkSchedule(schedule, shape, chip, passed))
      return error;
    if (!limits.areMetBy(schedule, shape, chip))
      return llvm::createStringError(
          "schedule needs as many registers or loads as one that spills; "
          "use more waves or a smaller tile");
  }
  return Error::success();
}

/// The places of LDS that copies past registers go to, in all slots: scalar registers hold them.
static int64_t countCopyPlaces(const Schedule &schedule, const GemmShape &shape,
                               const ChipInfo &chip) {
  if (schedule.copies != Copies::Async)
    return 0;
  const auto a = getCopyShapeA(schedule, shape, chip), b = getCopyShapeB(schedule, shape, chip);
  return (a ? a->getLoads(shape.aContiguousK) * schedule.stages.rows : 0) +
         (b ? b->getLoads(shape.bContiguousK) * schedule.stages.columns : 0);
}

/// Of uniform waves that read ahead, whose loops have the places of all slots in registers.
/// Accumulators that only matrix instructions reach cannot be added up. Whether the places of
/// copies fit into scalar registers is a guess, which a request may overrule.
bool Selection::haveRegistersOfStreams(const Schedule &schedule) const {
  constexpr int64_t kAddedUp = 128;
  if (getAccRegisters(schedule, chip) > kAddedUp)
    return false;
  if (schedule.roles.load > 0 || schedule.reads != Reads::Ahead)
    return true;
  constexpr int64_t kStreamRegisters = 24, kStreamPlaces = 32;
  const int64_t budget = chip.getVgprBudget(schedule.getNumWaves()) - kStreamRegisters;
  return llvm::all_of(shapes, [&](const GemmShape &shape) {
    return shape.k == 0 ||
           (estimateRegisters(schedule, shape, chip) <= budget &&
            (request.partition || countCopyPlaces(schedule, shape, chip) <= kStreamPlaces));
  });
}

/// Keeps the reason of the schedule that passed the most checks, of those the least demanding.
void Selection::keepReason(Error error, int64_t passed, const Schedule &schedule) {
  int64_t demand = schedule.getNumWaves() * schedule.mma[0] * schedule.mma[1];
  std::pair<int64_t, int64_t> rank = {passed, -demand};
  if (!reason || rank > reasonRank) {
    std::swap(reason, error);
    reasonRank = rank;
  }
  llvm::consumeError(std::move(error));
}

/// Of schedules with the same time the one that came first goes first.
void Selection::keep(uint64_t time, const Schedule &schedule, const WorkEstimate &work) {
  if (fastest.size() == kMostMapped && time >= fastest.back().time)
    return;
  const bool isKnown = llvm::any_of(fastest, [&](const Timed &other) {
    return other.time == time && areSame(other.schedule, schedule);
  });
  if (isKnown)
    return;
  auto *place = llvm::find_if(fastest, [&](const Timed &other) { return time < other.time; });
  fastest.insert(place, {time, schedule, work});
  if (fastest.size() > kMostMapped)
    fastest.pop_back();
}

static bool isStream(const WorkEstimate &work) { return hasStreams(work.partition); }

bool TileCandidate::lacksStreams() const {
  return !times.empty() && isStream(partitions.works.back()) && times.back() == kNever;
}

/// The estimated times, by which schedules are compared. Where a lane copies 16 bytes past
/// registers at once (gfx950), tiles between others must be 5 % faster: of 40 products their
/// estimate was 2 % too short in the mean, and of some that come from memory 10 %.
SmallVector<uint64_t> Selection::estimate(const Schedule &schedule,
                                          llvm::ArrayRef<WorkEstimate> works) const {
  constexpr double kCaution = 1.05;
  SmallVector<uint64_t> times = estimator.estimate(schedule, shapes, chip, works);
  if (isBetween(schedule.tile) && chip.asyncCopyBytes >= kMaxLoadBytes)
    for (uint64_t &time : times)
      time = time == kNever ? kNever : uint64_t(kCaution * double(time));
  return times;
}

uint64_t Selection::consider(const Schedule &schedule, TileCandidate &tile) {
  if (!fastest.empty() && !divides(schedule))
    return kNever;
  int64_t passed = 0;
  if (Error error = check(schedule, passed)) {
    keepReason(std::move(error), passed, schedule);
    return kNever;
  }
  llvm::ArrayRef<WorkEstimate> works = tile.partitions.works;
  if (works.empty()) {
    keepReason(llvm::createStringError(tile.partitions.reason), passed + 1, schedule);
    return kNever;
  }
  tile.times.resize(works.size(), kNever);
  // Streams, which come last, keep more in registers and have no mappings but those of a request.
  const bool mayStream =
      haveRegistersOfStreams(schedule) && (request.mapping || schedule.mapping.isDefault());
  if (isStream(works.back()) && !mayStream)
    works = works.take_until(isStream);
  if (works.empty()) {
    keepReason(llvm::createStringError("streams leave too few registers for the tile; use more "
                                       "waves or a smaller tile"),
               passed + 1, schedule);
    return kNever;
  }
  uint64_t best = kNever;
  SmallVector<uint64_t> times = estimate(schedule, works);
  for (auto [work, time, shortest] : llvm::zip_first(works, times, tile.times)) {
    Schedule shared = schedule;
    shared.partition = work.partition;
    keep(time, shared, work);
    shortest = std::min(shortest, time);
    best = std::min(best, time);
  }
  return best;
}

/// The hints of a schedule whose request has none; unset: what `Schedule` has by default. A WMMA
/// takes the vector unit, so that math waves with priority keep load waves from the operations
/// between their loads. Eight math waves of a gfx11, whose WMMAs take twice as long, gain by it all
/// the same.
static std::optional<Hints> getUsualHints(const Schedule &schedule, const ChipInfo &chip) {
  constexpr int64_t kManyMathWaves = 8;
  if (!chip.hasWmma || schedule.roles.load == 0 ||
      (hasLongWmmas(chip) && schedule.roles.math >= kManyMathWaves))
    return std::nullopt;
  return Hints();
}

/// The shortest time of all `paths`.
uint64_t Selection::consider(Schedule schedule, TileCandidate &tile,
                             llvm::ArrayRef<DataPath> paths) {
  uint64_t best = kNever;
  for (const DataPath &path : paths) {
    schedule.copies = path.copies;
    schedule.reads = path.reads;
    schedule.stages = path.stages;
    if (paths.size() > 1 && fitsEvenly(schedule, shapes, chip))
      continue;
    best = std::min(best, consider(schedule, tile));
  }
  return best;
}

SmallVector<TimedRoles> Selection::consider(TileCandidate &tile,
                                            llvm::ArrayRef<RoleCandidate> roles,
                                            llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                                            llvm::ArrayRef<DataPath> paths, bool onlyFirstWaves,
                                            uint64_t mostTime) {
  SmallVector<TimedRoles> legal;
  Schedule schedule = getFixedFields(request);
  schedule.tile = tile.tile;
  for (const RoleCandidate &candidate : roles)
    for (const WaveShapes &group : candidate.waves) {
      const size_t before = legal.size();
      for (const auto &waves : group) {
        if (legal.size() > before && (onlyFirstWaves || legal.back().time > mostTime))
          break;
        schedule.waves = waves;
        schedule.roles = Roles();
        if (candidate.load > 0)
          schedule.roles = request.roles.value_or(Roles{candidate.load, waves[0] * waves[1]});
        schedule.hints = getUsualHints(schedule, chip);
        if (request.hints && !(*request.hints == schedule.getHints()))
          schedule.hints = request.hints; // what is usual is not named
        for (const auto &mma : mmas) {
          schedule.mma = mma;
          const uint64_t time = consider(schedule, tile, paths);
          if (time == kNever)
            continue;
          legal.push_back({time, legal.size(), schedule});
          if (!tile.lacksStreams())
            tile.keepBestPartitions(); // of the first roles, which the others share
        }
      }
      if (legal.size() > before && !tile.lacksStreams())
        break;
    }
  return legal;
}

/// Puts the first path of each kind in front, and returns how many there are.
static size_t putFirstOfKinds(SmallVectorImpl<DataPath> &paths) {
  size_t count = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    const DataPath path = paths[i];
    const auto isKnown = [&](const DataPath &other) {
      return other.copies == path.copies && other.reads == path.reads;
    };
    if (std::none_of(paths.begin(), paths.begin() + count, isKnown))
      std::swap(paths[i], paths[count++]);
  }
  return count;
}

SmallVector<DataPath> Selection::getFittingPaths(const std::array<int64_t, 3> &tile,
                                                 const std::array<int64_t, 3> &mma,
                                                 llvm::ArrayRef<DataPath> paths) const {
  Schedule schedule;
  schedule.tile = tile;
  schedule.mma = mma;
  auto fits = [&](const DataPath &path) {
    schedule.stages = path.stages;
    return llvm::all_of(shapes, [&](const GemmShape &shape) {
      return !chip.findMatrixInstruction(mma, shape.aType) ||
             getLdsBytes(schedule, shape, chip) <= chip.ldsBytes;
    });
  };
  SmallVector<DataPath> fitting;
  llvm::copy_if(paths, std::back_inserter(fitting), fits);
  return fitting.empty() ? SmallVector<DataPath>(paths) : fitting;
}

void Selection::considerPaths(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                              llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                              llvm::ArrayRef<DataPath> paths, bool mayMap) {
  SmallVector<DataPath> ordered = getFittingPaths(tile.tile, mmas.front(), paths);
  const size_t numFirst = putFirstOfKinds(ordered);
  const llvm::ArrayRef<DataPath> all(ordered);
  SmallVector<TimedRoles> legal = consider(tile, roles, mmas, all.take_front(numFirst));
  llvm::sort(legal, [](const TimedRoles &a, const TimedRoles &b) {
    return std::tie(a.time, a.number) < std::tie(b.time, b.number);
  });
  for (const TimedRoles &timed : llvm::ArrayRef(legal).take_front(kMostRoles))
    consider(timed.schedule, tile, all.drop_front(numFirst));
  if (mayMap)
    considerMapped(llvm::ArrayRef(legal).take_front(kMostMappedRoles), tile, all);
}

/// The best mapping may be worth more for one tile than for others, so that they are not compared
/// without. Streams have their own.
void Selection::considerMapped(llvm::ArrayRef<TimedRoles> roles, TileCandidate &tile,
                               llvm::ArrayRef<DataPath> paths) {
  const auto &works = tile.partitions.works;
  const auto *whole = llvm::find_if(works, [](const WorkEstimate &work) {
    return std::holds_alternative<DataParallel>(work.partition);
  });
  if (roles.empty() || whole == works.end())
    return;
  Schedule schedule = roles.front().schedule;
  uint64_t shortest = kNever;
  WorkgroupMapping best;
  for (const WorkgroupMapping &mapping :
       enumerateMappings(getWorkShapes(tile.tile, shapes), whole->partition, chip.numXcds)) {
    schedule.mapping = mapping;
    const uint64_t time = estimate(schedule, {*whole}).front();
    if (time < shortest)
      std::tie(shortest, best) = std::tie(time, mapping);
  }
  if (best.isDefault())
    return;
  for (const TimedRoles &timed : roles) {
    schedule = timed.schedule;
    schedule.mapping = best;
    consider(schedule, tile, paths);
  }
}

/// Numbers of slices for which all compute units have as much to do, and those with which all lanes
/// have as many steps.
static SmallVector<int64_t> enumerateSlices(const SumShares &shares, const ChipInfo &chip) {
  const int64_t most = std::min<int64_t>(shares.steps, kMostSumsPerCu * chip.numCus / shares.tiles);
  SmallVector<int64_t> numbers = {1};
  auto add = [&](int64_t slices) {
    if (slices > 1 && slices <= most && !llvm::is_contained(numbers, slices))
      numbers.push_back(slices);
  };
  for (int64_t groups = chip.numCus / 4; groups <= kMostSumsPerCu * chip.numCus; groups *= 2)
    add(groups / shares.tiles);
  constexpr int64_t kMostSteps = 8;
  for (int64_t steps = 1; steps <= kMostSteps; ++steps)
    add(int64_t(llvm::divideCeil(shares.steps, shares.getPositions() * steps)));
  return numbers;
}

/// Considers `tile` for lanes that compute by themselves.
void Selection::considerDirect(const DirectTile &tile) {
  Expected<Schedule> schedule = makeDirectSchedule(tile, shapes, chip);
  if (!schedule) {
    llvm::consumeError(schedule.takeError());
    return;
  }
  schedule->deterministic = request.deterministic.value_or(false);
  Expected<WorkPlan> plan = WorkPlan::create(getWorkShapes(schedule->tile, shapes),
                                             schedule->partition, chip.numCus, chip.numXcds);
  if (!plan) {
    llvm::consumeError(plan.takeError());
    return;
  }
  const WorkEstimate estimate = estimateWork(*plan);
  keep(estimator.estimate(*schedule, shapes, chip, {estimate}).front(), *schedule, estimate);
}

void Selection::considerDirect(bool allowWorkspace) {
  const bool isParallel =
      !request.partition || std::holds_alternative<DataParallel>(*request.partition);
  if (!isParallel || !leavesTilesOpen(request) || !shapes.front().direct)
    return;
  const double mostSumRegisters =
      kMostSumRegisters * std::pow(kFewerSumRegisters, double(request.relief));
  for (const DirectWork &work : *shapes.front().direct) {
    if (!work.tile.isSum()) {
      // Tiles load once what each part of a large group's channels would load again.
      const bool loadsAgain = work.tile.getLanesOfColumn() > 1 && work.partsOfGroup > 1;
      if (!loadsAgain && work.products <= kMostDirectProducts >> request.relief)
        considerDirect(work.tile);
      continue;
    }
    if (double(work.registers) > mostSumRegisters)
      continue;
    DirectTile tile = work.tile;
    for (int64_t slices : enumerateSlices(work.sums, chip)) {
      tile.slices = slices;
      if (slices == 1 || allowWorkspace)
        considerDirect(tile);
    }
  }
}

void Selection::considerMappings() {
  const SmallVector<Timed, kMostMapped + 1> found = fastest;
  for (const Timed &timed : found) {
    if (timed.schedule.direct)
      continue;
    const SmallVector<WorkShape> works = getWorkShapes(timed.schedule.tile, shapes);
    Schedule schedule = timed.schedule;
    for (const WorkgroupMapping &mapping :
         enumerateMappings(works, schedule.partition, chip.numXcds)) {
      schedule.mapping = mapping;
      keep(estimate(schedule, {timed.work}).front(), schedule, timed.work);
    }
  }
}
