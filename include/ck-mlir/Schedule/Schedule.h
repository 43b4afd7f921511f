//===- Schedule.h - How a GEMM is tiled, mapped to waves and partitioned -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule as a plain value, its text form (the tuning key), its legality and its selection.
//
//   tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_SCHEDULE_H
#define CK_MLIR_SCHEDULE_SCHEDULE_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Problem/DataType.h"
#include "ck-mlir/Schedule/DirectTile.h"
#include "ck-mlir/Schedule/WorkPartition.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlir::ck {

struct DirectWork;

/// The largest size, number of slices or of slots, in a schedule string as in the IR. Larger ones
/// are no tiles of any chip; the bound keeps products of sizes in range.
constexpr int64_t kMaxScheduleSize = 65536;

/// Every tile is the work of one workgroup.
struct DataParallel {
  bool operator==(const DataParallel &) const { return true; }
};

/// The K steps of every tile are cut into slices, each the work of one workgroup.
struct SplitK {
  int64_t factor = 0;    // number of slices; 0 for auto
  bool twoStage = false; // a second kernel adds up the slices, instead of atomics in any order

  bool operator==(const SplitK &other) const {
    return factor == other.factor && twoStage == other.twoStage;
  }
};

/// The iterations of the tiles that do not fill the chip are dealt out evenly.
struct StreamK {
  Reduction reduction = Reduction::Linear; // of the sums of a shared tile
  /// A workgroup computes whole tiles one after the other; not with Reduction::Parallel, whose sums
  /// are the work of others.
  bool persistent = false;

  bool operator==(const StreamK &other) const {
    return reduction == other.reduction && persistent == other.persistent;
  }
};

/// How work is distributed over workgroups.
using Partition = std::variant<DataParallel, SplitK, StreamK>;

/// True if slices of a tile are added up in memory, in any order.
bool addsInMemory(const Partition &partition);
/// True if a second kernel adds up the slices of a tile.
bool hasSecondStage(const Partition &partition);
/// True if tiles are shared by streams of iterations.
bool hasStreams(const Partition &partition);

/// Waves that load and waves that compute. `load == 0` is a uniform kernel: every wave does both.
struct Roles {
  int64_t load = 0;
  int64_t math = 0;

  bool operator==(const Roles &other) const { return load == other.load && math == other.math; }
};

/// What the instruction scheduler is told about waves of split roles.
struct Hints {
  bool loads = false;    // global loads go before the address arithmetic of the next step
  bool priority = false; // math waves issue before load waves

  bool operator==(const Hints &other) const {
    return loads == other.loads && priority == other.priority;
  }
};

/// How operand tiles get from global memory to LDS.
enum class Copies {
  Staged, ///< loads to registers, writes from there
  Async,  ///< loads that write to LDS themselves, several K steps ahead
};

/// When the waves that multiply read operands from LDS.
enum class Reads {
  Step, ///< in the K step that they multiply, as the compiler orders it
  Ahead ///< a K unit before they multiply it, while they multiply another, across steps
};

/// Slots of the LDS ring for tiles of A (`rows`) and of B (`columns`).
struct Stages {
  int64_t rows = 2, columns = 2;

  Stages() = default;
  /// As many for both.
  Stages(int64_t both) : rows(both), columns(both) {}
  Stages(int64_t rows, int64_t columns) : rows(rows), columns(columns) {}

  bool isEven() const { return rows == columns; }
  bool operator==(const Stages &other) const {
    return rows == other.rows && columns == other.columns;
  }
};

llvm::hash_code hash_value(const Partition &partition);
llvm::hash_code hash_value(const WorkgroupMapping &mapping);
llvm::hash_code hash_value(const Roles &roles);
llvm::hash_code hash_value(const Hints &hints);
llvm::hash_code hash_value(const Stages &stages);

/// What a user asked for; unset fields are chosen by `resolveSchedule`.
struct ScheduleRequest {
  std::optional<std::array<int64_t, 3>> tile;  // M, N, K of the block tile
  std::optional<std::array<int64_t, 2>> waves; // math waves over M and N
  std::optional<std::array<int64_t, 3>> mma;   // M, N, K of the matrix instruction
  std::optional<Roles> roles;
  std::optional<Stages> stages;
  std::optional<Partition> partition;
  std::optional<WorkgroupMapping> mapping;
  std::optional<bool> deterministic;
  std::optional<Hints> hints;
  std::optional<Copies> copies;
  std::optional<Reads> reads;
  std::optional<DirectTile> direct; // excludes all fields above but `partition`, `deterministic`
  /// How often the choice is repeated among schedules that need by a fifth fewer registers and
  /// loads than the last choice, which was seen to spill. Not part of the schedule string.
  int64_t relief = 0;
};

/// A complete schedule.
struct Schedule {
  std::array<int64_t, 3> tile = {128, 128, 32};
  std::array<int64_t, 2> waves = {2, 2};
  std::array<int64_t, 3> mma = {32, 32, 8};
  Roles roles;
  Stages stages;
  Partition partition;
  WorkgroupMapping mapping;
  bool deterministic = false;
  std::optional<Hints> hints; // unset: the default of the roles
  Copies copies = Copies::Staged;
  Reads reads = Reads::Step;
  /// Lanes load operands, multiply and add by themselves, without tiles: of the other fields only
  /// `partition` and `deterministic` mean something.
  std::optional<DirectTile> direct;

  /// Waves of a workgroup.
  int64_t getNumWaves() const;
  /// The hints, or those of the roles: the priority with load waves, none without.
  Hints getHints() const;
};

/// What the schedule depends on: the sizes of the implicit GEMM and, per operand, along which
/// dimension memory is contiguous, how many consecutive elements may be loaded at once and how many
/// vector operations the address of a load takes in a K step.
struct GemmShape {
  int64_t g = 1, m = 1, n = 1, k = 1;
  DataType aType = DataType::F16, bType = DataType::F16, cType = DataType::F16;
  /// Of the tensors that A and B are views of; fewer than those of a view that has elements more
  /// than once, as im2col does. 0: as many as those of the view.
  int64_t aElements = 0, bElements = 0;
  int64_t aVector = 1, bVector = 1;
  bool aContiguousK = false, bContiguousK = false; // false: contiguous along M or N
  int64_t aAddressOps = 0, bAddressOps = 0; // of one load; 0 for one that moves by a constant
  /// Along the dimension that loads go along: how many elements lie at the same distance from one
  /// another (0: all), and that distance in elements.
  int64_t aRun = 0, bRun = 0, aStride = 1, bStride = 1;
  /// The distance in elements from one run of loads to the next: that of neighbours along the other
  /// dimension. 0: far.
  int64_t aPitch = 0, bPitch = 0;
  /// Elements of the tensor from the first to the last one of a row of A: what rows have in common
  /// with those before them lies within as many.
  int64_t aSpan = 0;
  /// B lies in units of 16 bytes along K, those of 16 or 32 columns side by side: math waves load
  /// it into their registers, past LDS.
  bool bShuffled = false;
  /// The tiles with which lanes can compute the results by themselves; null for none.
  std::shared_ptr<const std::vector<DirectWork>> direct;

  /// What is done with `tile`, or null if it is none of them.
  const DirectWork *findDirect(const DirectTile &tile) const;
};

/// Waves that copy operands to LDS: the load waves, or all.
int64_t getCopyWaves(const Schedule &schedule);

/// How the threads of a workgroup copy one operand tile of `mn` x `k` elements from global memory
/// to LDS: every thread moves `passes` micro tiles of `vectorMN` x `vectorK` elements. Loads are
/// `vectorMN` (or `vectorK`) wide along the contiguous dimension, LDS writes `vectorK` wide.
struct CopyShape {
  int64_t vectorMN = 1, vectorK = 1, passes = 1;

  /// Loads and LDS writes of one thread.
  int64_t getLoads(bool contiguousK) const { return passes * (contiguousK ? vectorMN : vectorK); }
  int64_t getWrites() const { return passes * vectorMN; }
};

/// The copy shape with the fewest memory instructions (ties: the squarest), or nothing when the
/// tile cannot be divided evenly among `threads`. Loads are at most `maxVector` elements wide, LDS
/// writes at most `kPack`.
std::optional<CopyShape> getCopyShape(int64_t mn, int64_t k, int64_t threads, int64_t maxVector,
                                      bool contiguousK, int64_t kPack);

/// The copy shapes of the A and B tile of a legal schedule; none of a B that is shuffled, which is
/// not copied.
std::optional<CopyShape> getCopyShapeA(const Schedule &schedule, const GemmShape &shape,
                                       const ChipInfo &chip);
std::optional<CopyShape> getCopyShapeB(const Schedule &schedule, const GemmShape &shape,
                                       const ChipInfo &chip);

/// Consecutive K elements of one LDS unit (8 or 4 for f16): the widest, up to 16 bytes, that the
/// lanes of the matrix instruction can consume with this tile K; `type` is that of the operands.
/// The LDS tile of an operand is [k / kPack][mn][kPack]. The matrix instruction must exist on
/// `chip`.
int64_t getKPack(const Schedule &schedule, DataType type, const ChipInfo &chip);
int64_t getKPack(int64_t tileK, const MatrixInstruction &mma);

/// K units of a step: what one LDS read, or those of one matrix instruction, gives all lanes.
int64_t getKUnits(int64_t tileK, const MatrixInstruction &mma);

/// Units of K of one row that neighbouring lanes copy, 64 bytes at most, before those of another
/// row, where a lane copies one row at a time.
int64_t getUnitRun(int64_t tileK, const MatrixInstruction &mma);

/// Micro tiles of `vectorMN` rows, elements of `bytes` bytes, that neighbouring lanes copy, 64
/// bytes of each K at most, before other K of the same rows, where memory runs along the `mn` rows.
int64_t getRowRun(int64_t mn, int64_t vectorMN, int64_t bytes);

/// Loads of shuffled B, 16 bytes each, by one lane of a math wave in a K step; 0 if B is not
/// shuffled. The matrix instruction must exist on `chip`.
int64_t getShuffledLoads(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

/// LDS bytes of the operand ring: slots of A tiles, and of B tiles unless B is shuffled, of what
/// the matrix instruction, which must exist on `chip`, multiplies.
int64_t getLdsBytes(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

/// The waves of a workgroup that add up together what one of them holds of a tile, where `adders`
/// workgroups add it up (see Reduction::Parallel): as many as have one of their number there, if
/// the LDS of the operands holds the sums. 1 if each wave does so for itself.
int64_t getWavesOfSum(int64_t adders, const Schedule &schedule, const GemmShape &shape,
                      const ChipInfo &chip);

/// The request for exactly `schedule`.
ScheduleRequest makeRequest(const Schedule &schedule);

/// Parses a schedule string; errors name key and value and what was expected.
llvm::Expected<ScheduleRequest> parseSchedule(llvm::StringRef text);

/// The value of `partition` in a schedule string.
std::string toString(const Partition &partition);

/// The reduction in the value of `partition` in a schedule string.
llvm::StringRef toString(Reduction reduction);

/// The value of `copies` in a schedule string.
llvm::StringRef toString(Copies copies);

/// The value of `reads` in a schedule string.
llvm::StringRef toString(Reads reads);

/// The value of `mapping` in a schedule string.
std::string toString(const WorkgroupMapping &mapping);

/// The canonical string with every field (`deterministic` and `hints` when set, `mapping`, `copies`
/// and `reads` when not the default); parses back to the same schedule.
std::string toString(const Schedule &schedule);

/// Success if `schedule` can be generated for `shape` on `chip`, otherwise the reason: tile not
/// divisible into waves, LDS over the limit, registers over the limit, no such matrix instruction,
/// a feature that is not supported yet.
llvm::Error checkSchedule(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

/// Success if lanes of `chip` can compute by themselves with `tile`, otherwise the reason.
llvm::Error checkDirectTile(const DirectTile &tile, const ChipInfo &chip);

/// Completes `request` for the GEMMs of `shapes`, which run in one launch, on `chip`. With an empty
/// request this always succeeds.
llvm::Expected<Schedule> resolveSchedule(const ScheduleRequest &request,
                                         llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_SCHEDULE_H
