//===- ScheduleSpace.h - All schedules that a search may try -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wider than what a problem without a schedule chooses from: every legal combination of tile,
// waves, matrix instruction, roles, stages, partition and mapping.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_SCHEDULESPACE_H
#define CK_MLIR_TUNE_SCHEDULESPACE_H

#include "ck-mlir/Schedule/WorkEstimate.h"
#include <random>
#include <vector>

namespace mlir::ck {

/// The legal schedules of the GEMMs of one launch, as far as `fixed` leaves them open.
class ScheduleSpace {
public:
  /// `shapes` and `chip` must outlive the space. Partitions that add in memory in any order are
  /// left out unless `fixed` names one. Errors: no schedule is legal, with the reason of one of
  /// them.
  static llvm::Expected<ScheduleSpace>
  create(const ScheduleRequest &fixed, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip);

  /// Schedules without their partitions and mappings, which all go with each of them.
  llvm::ArrayRef<Schedule> getCores() const { return cores; }
  /// The partitions that are legal with the tile of `core`, with their plans in numbers.
  std::vector<WorkEstimate> getPartitions(const Schedule &core) const;
  /// The mappings that make a difference for `core` with `partition`, the default one first.
  llvm::SmallVector<WorkgroupMapping> getMappings(const Schedule &core,
                                                  const Partition &partition) const;

  /// The `count` schedules of the shortest estimated time, at most, by time: of a tile no more than
  /// four, each with its best mapping, so that they are different enough to be worth a trial.
  std::vector<Schedule> rank(size_t count) const;
  /// `count` different schedules drawn at random, at most: large tiles more often than small ones,
  /// and of a tile every core as often as any other.
  std::vector<Schedule> draw(size_t count, uint64_t seed) const;

private:
  ScheduleSpace(const ScheduleRequest &fixed, llvm::ArrayRef<GemmShape> shapes,
                const ChipInfo &chip)
      : fixed(fixed), shapes(shapes), chip(&chip) {}
  bool isLegal(const Schedule &core, std::string &reason) const;
  void addCores(const std::array<int64_t, 3> &tile, std::string &reason);
  void addDirect();
  Schedule complete(const Schedule &core, const WorkEstimate &work) const;
  const Partition &drawPartition(llvm::ArrayRef<WorkEstimate> partitions,
                                 std::mt19937_64 &random) const;

  ScheduleRequest fixed;
  llvm::ArrayRef<GemmShape> shapes;
  const ChipInfo *chip;
  std::vector<Schedule> cores; ///< those of a tile side by side
};

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_SCHEDULESPACE_H
