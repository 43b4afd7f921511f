//===- Selection.h - The fastest of the schedules considered -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Judges the candidates that selection goes through, and keeps the fastest of those that are legal.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_SELECTION_H
#define CK_MLIR_LIB_SCHEDULE_SELECTION_H

#include "Schedule/ScheduleCandidates.h"
#include "Schedule/SchedulePartitions.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include <limits>
#include <utility>

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// The time of what is not legal.
constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
/// Of how many schedules all mappings are considered.
constexpr size_t kMostMapped = 6;
/// The limit where nothing has spilled.
constexpr double kAnyPressure = std::numeric_limits<double>::infinity();

/// What schedules that have spilled leave to others.
struct SpillLimits {
  double mostPressure = kAnyPressure;
  llvm::SmallVector<Schedule, 2> spilled;

  bool areMetBy(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) const;
};

/// A tile with what partitions make of it.
struct TileCandidate {
  std::array<int64_t, 3> tile;
  PartitionChoice partitions;
  llvm::SmallVector<uint64_t> times; ///< the shortest of each partition with plain roles
  size_t number = 0;                 ///< in the order of enumeration

  uint64_t getTime() const { return times.empty() ? kNever : *llvm::min_element(times); }
  void keepBestPartitions();
  /// True if streams are among the partitions, but no legal schedule had registers for them.
  bool lacksStreams() const;
};

/// A schedule with the shortest time of its partitions and paths.
struct TimedRoles {
  uint64_t time;
  size_t number; ///< in the order of enumeration
  Schedule schedule;
};

/// The schedule for lanes that compute results of `tile` by themselves.
llvm::Expected<Schedule> makeDirectSchedule(const DirectTile &tile,
                                            llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip);

/// Keeps the fastest legal schedules, and the refusal that came closest to legality.
class Selection {
public:
  Selection(const ScheduleRequest &request, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
            const TimeEstimator &estimator, const SpillLimits &limits)
      : request(request), shapes(shapes), chip(chip), estimator(estimator), limits(limits) {}
  ~Selection() { llvm::consumeError(std::move(reason)); }

  /// Considers the tile with `roles`, and notes the times of its partitions. Returns the legal
  /// ones of the roles with their matrix instructions. Of waves that stand differently over the
  /// tile, `onlyFirstWaves` takes the first that are legal; so do tiles with a time of more than
  /// `mostTime`.
  llvm::SmallVector<TimedRoles> consider(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                                         llvm::ArrayRef<std::array<int64_t, 3>> mmas,
                                         llvm::ArrayRef<DataPath> paths,
                                         bool onlyFirstWaves = false, uint64_t mostTime = kNever);
  /// Considers the tile with `roles` and the first path of each kind, then the fastest of the roles
  /// with all paths, and where the mapping is open, with the best one of the tile.
  void considerPaths(TileCandidate &tile, llvm::ArrayRef<RoleCandidate> roles,
                     llvm::ArrayRef<std::array<int64_t, 3>> mmas, llvm::ArrayRef<DataPath> paths,
                     bool mayMap);
  /// Those of `paths` whose slots LDS can hold, or all if there is none, for the reason.
  llvm::SmallVector<DataPath> getFittingPaths(const std::array<int64_t, 3> &tile,
                                              const std::array<int64_t, 3> &mma,
                                              llvm::ArrayRef<DataPath> paths) const;
  /// Considers lanes that compute by themselves, without `allowWorkspace` only where they need
  /// none.
  void considerDirect(bool allowWorkspace);
  /// Considers the fastest schedules with other mappings.
  void considerMappings();
  llvm::Expected<Schedule> take() {
    if (!fastest.empty())
      return fastest.front().schedule;
    return std::exchange(reason, llvm::Error::success());
  }

private:
  void considerDirect(const DirectTile &tile);
  struct Timed {
    uint64_t time;
    Schedule schedule;
    WorkEstimate work;
  };
  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule,
                                       llvm::ArrayRef<WorkEstimate> works) const;
  uint64_t consider(const Schedule &schedule, TileCandidate &tile);
  uint64_t consider(Schedule schedule, TileCandidate &tile, llvm::ArrayRef<DataPath> paths);
  void considerMapped(llvm::ArrayRef<TimedRoles> roles, TileCandidate &tile,
                      llvm::ArrayRef<DataPath> paths);
  llvm::Error check(const Schedule &schedule, int64_t &passed) const;
  bool haveRegistersOfStreams(const Schedule &schedule) const;
  void keep(uint64_t time, const Schedule &schedule, const WorkEstimate &work);
  void keepReason(llvm::Error error, int64_t passed, const Schedule &schedule);

  const ScheduleRequest &request;
  llvm::ArrayRef<GemmShape> shapes;
  const ChipInfo &chip;
  const TimeEstimator &estimator;
  const SpillLimits &limits;
  llvm::SmallVector<Timed, kMostMapped + 1> fastest; ///< by time
  llvm::Error reason = llvm::Error::success();
  std::pair<int64_t, int64_t> reasonRank;
};
} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_SELECTION_H
