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

#include "Schedule/ScheduleCandidates.h"
#include "Schedule/ScheduleCheck.h"
#include "Schedule/SchedulePartitions.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

static bool divides(const Schedule &schedule) {
  return schedule.tile[0] % (schedule.waves[0] * schedule.mma[0]) == 0 &&
         schedule.tile[1] % (schedule.waves[1] * schedule.mma[1]) == 0 &&
         schedule.tile[2] % schedule.mma[2] == 0;
}

/// The time of what is not legal.
static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
/// Of how many tiles all roles are considered, with fewer of them for several GEMMs, each of which
/// is estimated, and in how many partitions; of how many roles of a tile all paths, and of how many
/// schedules all mappings.
static constexpr size_t kMostTiles = 8, kMostTilesOfTable = 6, kMostPartitions = 3, kMostRoles = 6,
                        kMostMapped = 6;
/// The limit where nothing has spilled.
static constexpr double kAnyPressure = std::numeric_limits<double>::infinity();
/// By how much the limit falls with each schedule that spills.
static constexpr double kRelief = 0.8;
/// Products of a lane of a direct kernel when nothing has spilled.
static constexpr int64_t kMostDirectProducts = 4096;

namespace {
/// What schedules that have spilled leave to others.
struct SpillLimits {
  double mostPressure = kAnyPressure;
  SmallVector<Schedule, 2> spilled;

  bool areMetBy(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) const;
};

/// A tile with what partitions make of it.
struct TileCandidate {
  std::array<int64_t, 3> tile;
  PartitionChoice partitions;
  SmallVector<uint64_t> times; ///< the shortest of each partition with plain roles
  size_t number = 0;           ///< in the order of enumeration

  uint64_t getTime() const { return times.empty() ? kNever : *llvm::min_element(times); }
  void keepBestPartitions();
};

/// A schedule with the shortest time of its partitions and paths.
struct TimedRoles {
  uint64_t time;
  size_t number; ///< in the order of enumeration
  Schedule schedule;
};
} // namespace

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
  schedule.hints = request.hints;
  return schedule;
}

/// The schedule for lanes that compute results of `tile` by themselves.
static Expected<Schedule> makeDirectSchedule(const DirectTile &tile,
                                             llvm::ArrayRef<GemmShape> shapes) {
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

/// The schedule with the tile of `request` for lanes that compute by themselves.
static Expected<Schedule> resolveDirect(const ScheduleRequest &request,
                                        llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                        const SelectionOptions &options) {
  if (request.partition && !std::holds_alternative<DataParallel>(*request.partition))
    return llvm::createStringError("cannot combine direct=" + toString(*request.direct) +
                                   " and partition=" + toString(*request.partition) +
                                   "; expected partition=data_parallel");
  Expected<Schedule> schedule = makeDirectSchedule(*request.direct, shapes);
  if (!schedule)
    return schedule;
  schedule->deterministic = request.deterministic.value_or(false);
  Expected<WorkPlan> plan =
      WorkPlan::create(getWorkShapes(schedule->tile, shapes), schedule->partition, chip.numCus);
  if (!plan)
    return plan.takeError();
  // There is nothing to choose, but the estimator may be one that explains.
  if (options.estimator)
    options.estimator->estimate(*schedule, shapes, chip, {estimateWork(*plan)});
  return schedule;
}

namespace {
/// Keeps the fastest legal schedules, and the refusal that came closest to legality.
class Selection {
public:
  Selection(const ScheduleRequest &request, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
            const TimeEstimator &estimator, const SpillLimits &limits)
      : request(request), shapes(shapes), chip(chip), estimator(estimator), limits(limits) {}
  ~Selection() { llvm::consumeError(std::move(reason)); }

  /// Considers the tile with `roles`, and notes the times of its partitions. Returns the legal
  /// ones of the roles with their matrix instructions. Of waves that stand differently over the
  /// tile, `onlyFirstWaves` takes the first that are legal.
  SmallVector<TimedRoles> consider(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                                   llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                                   llvm::ArrayRef<DataPath> paths, bool onlyFirstWaves = false);
  /// Considers the tile with `roles` and the first path of each kind, then the fastest of the roles
  /// with all paths.
  void considerPaths(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                     llvm::ArrayRef<std::array<int64_t, 3>> mmas, llvm::ArrayRef<DataPath> paths);
  /// Considers lanes that compute by themselves.
  void considerDirect();
  /// Considers the fastest schedules with other mappings.
  void considerMappings();
  Expected<Schedule> take() {
    if (!fastest.empty())
      return fastest.front().schedule;
    return std::exchange(reason, Error::success());
  }

private:
  struct Timed {
    uint64_t time;
    Schedule schedule;
    WorkEstimate work;
  };
  uint64_t consider(const Schedule &schedule, TileCandidate &tile);
  uint64_t consider(Schedule schedule, TileCandidate &tile, llvm::ArrayRef<DataPath> paths);
  Error check(const Schedule &schedule, int64_t &passed) const;
  void keep(uint64_t time, const Schedule &schedule, const WorkEstimate &work);
  void keepReason(Error error, int64_t passed, const Schedule &schedule);

  const ScheduleRequest &request;
  llvm::ArrayRef<GemmShape> shapes;
  const ChipInfo &chip;
  const TimeEstimator &estimator;
  const SpillLimits &limits;
  SmallVector<Timed, kMostMapped + 1> fastest; ///< by time
  Error reason = Error::success();
  std::pair<int64_t, int64_t> reasonRank;
};
} // namespace

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
    return other.time == time && toString(other.schedule) == toString(schedule);
  });
  if (isKnown)
    return;
  auto *place = llvm::find_if(fastest, [&](const Timed &other) { return time < other.time; });
  fastest.insert(place, {time, schedule, work});
  if (fastest.size() > kMostMapped)
    fastest.pop_back();
}

uint64_t Selection::consider(const Schedule &schedule, TileCandidate &tile) {
  if (!fastest.empty() && !divides(schedule))
    return kNever;
  int64_t passed = 0;
  if (Error error = check(schedule, passed)) {
    keepReason(std::move(error), passed, schedule);
    return kNever;
  }
  const auto &works = tile.partitions.works;
  if (works.empty()) {
    keepReason(llvm::createStringError(tile.partitions.reason), passed + 1, schedule);
    return kNever;
  }
  uint64_t best = kNever;
  tile.times.resize(works.size(), kNever);
  SmallVector<uint64_t> times = estimator.estimate(schedule, shapes, chip, works);
  for (auto [work, time, shortest] : llvm::zip_equal(works, times, tile.times)) {
    Schedule shared = schedule;
    shared.partition = work.partition;
    keep(time, shared, work);
    shortest = std::min(shortest, time);
    best = std::min(best, time);
  }
  return best;
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
                                            llvm::ArrayRef<DataPath> paths, bool onlyFirstWaves) {
  SmallVector<TimedRoles> legal;
  Schedule schedule = getFixedFields(request);
  schedule.tile = tile.tile;
  for (const RoleCandidate &candidate : roles)
    for (const WaveShapes &group : candidate.waves) {
      const size_t before = legal.size();
      for (const auto &waves : group) {
        if (onlyFirstWaves && legal.size() > before)
          break;
        schedule.waves = waves;
        schedule.roles = Roles();
        if (candidate.load > 0)
          schedule.roles = request.roles.value_or(Roles{candidate.load, waves[0] * waves[1]});
        for (const auto &mma : mmas) {
          schedule.mma = mma;
          const uint64_t time = consider(schedule, tile, paths);
          if (time == kNever)
            continue;
          legal.push_back({time, legal.size(), schedule});
          tile.keepBestPartitions(); // of the first roles, which the others share
        }
      }
      if (legal.size() > before)
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

void Selection::considerPaths(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                              llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                              llvm::ArrayRef<DataPath> paths) {
  SmallVector<DataPath> ordered(paths);
  const size_t numFirst = putFirstOfKinds(ordered);
  const llvm::ArrayRef<DataPath> all(ordered);
  SmallVector<TimedRoles> legal = consider(tile, roles, mmas, all.take_front(numFirst));
  if (numFirst == all.size())
    return;
  llvm::sort(legal, [](const TimedRoles &a, const TimedRoles &b) {
    return std::tie(a.time, a.number) < std::tie(b.time, b.number);
  });
  for (const TimedRoles &timed : llvm::ArrayRef(legal).take_front(kMostRoles))
    consider(timed.schedule, tile, all.drop_front(numFirst));
}

void Selection::considerDirect() {
  const bool isParallel =
      !request.partition || std::holds_alternative<DataParallel>(*request.partition);
  if (!isParallel || !leavesTilesOpen(request) || !shapes.front().direct)
    return;
  for (const DirectWork &work : *shapes.front().direct) {
    if (work.products > kMostDirectProducts >> request.relief)
      continue;
    Expected<Schedule> schedule = makeDirectSchedule(work.tile, shapes);
    if (!schedule) {
      llvm::consumeError(schedule.takeError());
      continue;
    }
    schedule->deterministic = request.deterministic.value_or(false);
    Expected<WorkPlan> plan =
        WorkPlan::create(getWorkShapes(schedule->tile, shapes), schedule->partition, chip.numCus);
    if (!plan) {
      llvm::consumeError(plan.takeError());
      continue;
    }
    const WorkEstimate estimate = estimateWork(*plan);
    keep(estimator.estimate(*schedule, shapes, chip, {estimate}).front(), *schedule, estimate);
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
      keep(estimator.estimate(schedule, shapes, chip, {timed.work}).front(), schedule, timed.work);
    }
  }
}

/// Tiles of so many results are large enough for eight math waves beside load waves.
static constexpr int64_t kLargeTile = 8192, kMostMathWaves = 8;

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
  Selection selection(request, shapes, chip,
                      options.estimator ? *options.estimator : getModelEstimator(), limits);
  std::vector<TileCandidate> tiles;
  const auto plain = enumerateRoles(request, chip, /*plain=*/true);
  const auto plainPaths = enumeratePaths(request, chip, /*plain=*/true);
  for (const auto &tile : request.tile ? SmallVector<std::array<int64_t, 3>>{*request.tile}
                                       : enumerateTiles(request, largest, chip)) {
    tiles.push_back({tile,
                     choosePartitions(request, options.allowWorkspace, tile, shapes, chip),
                     {},
                     tiles.size()});
    selection.consider(tiles.back(), plain, getPlainInstructions(mmas, tile[2]), plainPaths,
                       /*onlyFirstWaves=*/shapes.size() > 1);
  }
  // By time; of those with the same time the one that came first goes first.
  llvm::sort(tiles, [](const TileCandidate &a, const TileCandidate &b) {
    return std::tuple(a.getTime(), a.number) < std::tuple(b.getTime(), b.number);
  });
  const auto all = enumerateRoles(request, chip, /*plain=*/false);
  const auto ofLarge = enumerateRoles(request, chip, /*plain=*/false, kMostMathWaves);
  // The text of a schedule has all other fields, and no paths or mapping where those are the
  // default.
  const bool isComplete = request.tile && request.waves && request.mma && request.roles &&
                          request.stages && request.partition;
  const auto allPaths = enumeratePaths(request, chip, /*plain=*/isComplete);
  const bool anyLegal = !tiles.empty() && tiles.front().getTime() != kNever;
  const size_t mostTiles = shapes.size() > 1 ? kMostTilesOfTable : kMostTiles;
  for (TileCandidate &tile : tiles) {
    if (anyLegal && (tile.getTime() == kNever || &tile - tiles.data() >= ptrdiff_t(mostTiles)))
      break;
    const bool large = tile.tile[0] * tile.tile[1] >= kLargeTile;
    selection.considerPaths(tile, large ? ofLarge : all,
                            anyLegal ? getPlainInstructions(mmas, tile.tile[2]) : mmas, allPaths);
  }
  selection.considerDirect();
  if (!request.mapping && !isComplete)
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
