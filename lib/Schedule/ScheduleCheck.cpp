//===- ScheduleCheck.cpp - What makes a schedule legal -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a later pass takes for granted about a schedule is checked here, with the reason,
// before any code is generated: nothing illegal may reach the backend, which would abort.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::createStringError;
using llvm::Error;
using llvm::Twine;

/// That a first level cache takes of neighbouring lanes at once.
static constexpr int64_t kBlockBytes = 64;
/// Loads of one thread in a K step. Each may keep a mask in a pair of scalar registers, of which a
/// wave has about 100: with 36 loads kernels were seen to spill.
static constexpr int64_t kMaxLoads = 32;
static constexpr int64_t kVectorWidths[] = {16, 8, 4, 2, 1};

static std::optional<CopyShape> findCopyShape(int64_t mn, int64_t k, int64_t threads,
                                              int64_t maxVector, bool contiguousK, int64_t kPack) {
  std::optional<CopyShape> best;
  auto getCost = [&](const CopyShape &shape) {
    int64_t squareness = std::abs(shape.vectorMN - shape.vectorK);
    // Along a contiguous K several rows a micro tile save nothing: prefer single rows.
    return std::make_pair(shape.getLoads(contiguousK) + shape.getWrites(),
                          contiguousK ? shape.vectorMN : squareness);
  };
  const auto elements = uint32_t(mn * k); // of a tile: selection asks for very many of them
  for (int64_t vectorMN : kVectorWidths) {
    if ((mn & (vectorMN - 1)) != 0)
      continue;
    for (int64_t vectorK : kVectorWidths) {
      int64_t loadWidth = contiguousK ? vectorK : vectorMN;
      if (loadWidth > maxVector || vectorK > kPack || (k & (vectorK - 1)) != 0 ||
          maxVector % loadWidth != 0)
        continue;
      const uint32_t perPass = uint32_t(threads) * uint32_t(vectorMN * vectorK);
      if (elements % perPass != 0)
        continue;
      CopyShape shape{vectorMN, vectorK, elements / perPass};
      if (!best || getCost(shape) < getCost(*best))
        best = shape;
    }
  }
  return best;
}

std::optional<CopyShape> mlir::ck::getCopyShape(int64_t mn, int64_t k, int64_t threads,
                                                int64_t maxVector, bool contiguousK,
                                                int64_t kPack) {
  // Selection asks for the same shapes very many times: a thread keeps those that it found last.
  struct Found {
    std::tuple<int64_t, int64_t, int64_t, int64_t, bool, int64_t> key;
    std::optional<CopyShape> shape;
  };
  constexpr size_t kFound = 1024;
  static thread_local std::array<Found, kFound> lastFound;
  const auto key = std::tuple(mn, k, threads, maxVector, contiguousK, kPack);
  const auto hash = uint64_t(mn) * 31 + uint64_t(k) * 7 + uint64_t(threads) * 13 +
                    uint64_t(maxVector) * 197 + uint64_t(kPack) * 389 + uint64_t(contiguousK);
  Found &found = lastFound[hash % kFound];
  if (found.key != key)
    found = {key, findCopyShape(mn, k, threads, maxVector, contiguousK, kPack)};
  return found.shape;
}

int64_t mlir::ck::getCopyWaves(const Schedule &schedule) {
  return schedule.roles.load > 0 ? schedule.roles.load : schedule.getNumWaves();
}

int64_t detail::getCopyThreads(const Schedule &schedule, const ChipInfo &chip) {
  return getCopyWaves(schedule) * chip.waveSize;
}

/// Async copies of a tile of `mn` rows: each lane loads as much as the chip allows, and
/// neighbouring lanes the rest of a row, or of one K where memory runs along the rows.
static std::optional<CopyShape> getAsyncCopyShape(const Schedule &schedule, int64_t mn,
                                                  DataType type, bool contiguousK,
                                                  const ChipInfo &chip) {
  int64_t width = chip.asyncCopyBytes / getSizeInBytes(type);
  int64_t loaded = width * getCopyThreads(schedule, chip);
  if (loaded == 0 || mn * schedule.tile[2] % loaded != 0)
    return std::nullopt;
  int64_t passes = mn * schedule.tile[2] / loaded;
  return contiguousK ? CopyShape{/*vectorMN=*/1, width, passes}
                     : CopyShape{width, /*vectorK=*/1, passes};
}

std::optional<CopyShape> mlir::ck::getCopyShapeA(const Schedule &schedule, const GemmShape &shape,
                                                 const ChipInfo &chip) {
  if (schedule.copies == Copies::Async)
    return getAsyncCopyShape(schedule, schedule.tile[0], shape.aType, shape.aContiguousK, chip);
  return getCopyShape(schedule.tile[0], schedule.tile[2], getCopyThreads(schedule, chip),
                      shape.aVector, shape.aContiguousK, getKPack(schedule, shape.aType, chip));
}

std::optional<CopyShape> mlir::ck::getCopyShapeB(const Schedule &schedule, const GemmShape &shape,
                                                 const ChipInfo &chip) {
  if (shape.bShuffled)
    return std::nullopt;
  if (schedule.copies == Copies::Async)
    return getAsyncCopyShape(schedule, schedule.tile[1], shape.bType, shape.bContiguousK, chip);
  return getCopyShape(schedule.tile[1], schedule.tile[2], getCopyThreads(schedule, chip),
                      shape.bVector, shape.bContiguousK, getKPack(schedule, shape.bType, chip));
}

int64_t mlir::ck::getKPack(const Schedule &schedule, DataType type, const ChipInfo &chip) {
  return getKPack(schedule.tile[2], *chip.findMatrixInstruction(schedule.mma, type));
}

int64_t mlir::ck::getKPack(int64_t tileK, const MatrixInstruction &mma) {
  int64_t pack = kMaxLoadBytes / getSizeInBytes(mma.heldType);
  int64_t smallest = std::min(pack, mma.kPerLane);
  auto fits = [&](int64_t width) {
    return tileK % (std::max(width, mma.kPerLane) * mma.getLanesOverK()) == 0;
  };
  while (pack > smallest && !fits(pack))
    pack /= 2;
  return pack;
}

int64_t mlir::ck::getKUnits(int64_t tileK, const MatrixInstruction &mma) {
  return tileK / (std::max(getKPack(tileK, mma), mma.kPerLane) * mma.getLanesOverK());
}

int64_t mlir::ck::getUnitRun(int64_t tileK, const MatrixInstruction &mma) {
  // A lane that holds all K of a row reads all units of a run itself, each at an address of its
  // own.
  if (mma.unit == MatrixUnit::Wmma && mma.getLanesOverK() == 1)
    return 1;
  // The rows of a block are permuted, of an outer product those of a lane.
  int64_t rows = mma.getRowsPerLane() > 1 ? mma.getRowsPerLane() : std::min(mma.m, mma.n);
  int64_t kPack = getKPack(tileK, mma), units = tileK / kPack;
  return std::min({rows, kBlockBytes / (kPack * getSizeInBytes(mma.aType)), units & -units});
}

int64_t mlir::ck::getRowRun(int64_t mn, int64_t vectorMN, int64_t bytes) {
  constexpr int64_t kMostTiles = 8; // whose writes to LDS meet all banks, one part of a unit each
  int64_t tiles = mn / vectorMN, block = std::max<int64_t>(kBlockBytes / (vectorMN * bytes), 1);
  return std::min({block, kMostTiles, tiles & -tiles});
}

int64_t mlir::ck::getShuffledLoads(const Schedule &schedule, const GemmShape &shape,
                                   const ChipInfo &chip) {
  if (!shape.bShuffled)
    return 0;
  const MatrixInstruction *mma = chip.findMatrixInstruction(schedule.mma, shape.bType);
  int64_t columns = schedule.tile[1] / (schedule.waves[1] * schedule.mma[1]);
  int64_t unit = kMaxLoadBytes / getSizeInBytes(shape.bType);
  return columns * schedule.tile[2] / (unit * mma->getLanesOverK());
}

int64_t mlir::ck::getLdsBytes(const Schedule &schedule, const GemmShape &shape,
                              const ChipInfo &chip) {
  const MatrixInstruction *mma = chip.findMatrixInstruction(schedule.mma, shape.aType);
  const int64_t columns = shape.bShuffled ? 0 : schedule.stages.columns * schedule.tile[1];
  return (schedule.stages.rows * schedule.tile[0] + columns) * schedule.tile[2] *
         getSizeInBytes(mma->heldType);
}

int64_t mlir::ck::getWavesOfSum(int64_t adders, const Schedule &schedule, const GemmShape &shape,
                                const ChipInfo &chip) {
  const int64_t mathWaves = schedule.waves[0] * schedule.waves[1];
  const int64_t waves = std::min(adders, mathWaves);
  if (waves < 2 || mathWaves % waves != 0)
    return 1;
  const int64_t elements = schedule.tile[0] * schedule.tile[1];
  const int64_t bytes = getSumBytes(elements, mathWaves, waves, chip.waveSize);
  return bytes <= getLdsBytes(schedule, shape, chip) ? waves : 1;
}

/// Atomic additions meet in any order.
static Error checkDeterminism(const Schedule &schedule) {
  const Partition &partition = schedule.partition;
  if (!schedule.deterministic || !addsInMemory(partition))
    return Error::success();
  return createStringError("deterministic=true and partition=" + toString(partition) +
                           ", whose slices are added by atomics in any order; expected " +
                           toString(partition) + ":two_stage");
}

/// Chunks keep neighbouring tiles together that would go to different XCDs.
static Error checkMapping(const Schedule &schedule, const ChipInfo &chip) {
  const WorkgroupMapping &mapping = schedule.mapping;
  if (mapping.chunk == 1 || chip.numXcds > 1)
    return Error::success();
  return createStringError("mapping=" + toString(mapping) + " gives chunks of " +
                           Twine(mapping.chunk) + " tiles to XCDs, " + chip.name +
                           " has one; expected mapping=" + Twine(mapping.window));
}

static Error checkRoles(const Schedule &schedule) {
  int64_t math = schedule.waves[0] * schedule.waves[1];
  if (schedule.roles.load > 0 && schedule.roles.math != math)
    return createStringError("roles=" + Twine(schedule.roles.load) + "+" +
                             Twine(schedule.roles.math) + " has " + Twine(schedule.roles.math) +
                             " math waves, waves=" + Twine(schedule.waves[0]) + "x" +
                             Twine(schedule.waves[1]) + " has " + Twine(math));
  Hints hints = schedule.getHints();
  if (schedule.roles.load == 0 && (hints.loads || hints.priority))
    return createStringError("hints require load waves, got roles=uniform");
  return Error::success();
}

static Error checkStages(const Schedule &schedule, const GemmShape &shape) {
  const auto [rows, columns] = schedule.stages;
  for (int64_t stages : {rows, columns}) // one slot could not be written while it is read
    if (stages < 2 || stages > 4)
      return createStringError("stages must be in [2, 4], got " + Twine(stages));
  if (rows != columns && (schedule.roles.load > 0 || schedule.copies != Copies::Async ||
                          schedule.reads != Reads::Ahead || shape.bShuffled))
    return createStringError("different stages of rows and columns require roles=uniform, "
                             "copies=async and reads=ahead");
  if (columns == rows || columns == rows + 1)
    return Error::success();
  return createStringError("expected as many stages of columns as of rows or one more, got " +
                           Twine(rows) + "+" + Twine(columns));
}

static Error checkMatrixInstruction(const Schedule &schedule, const GemmShape &shape,
                                    const ChipInfo &chip) {
  if (shape.aType != shape.bType)
    return createStringError("not supported yet: operands of different types " +
                             getName(shape.aType) + " and " + getName(shape.bType));
  if (chip.findMatrixInstruction(schedule.mma, shape.aType))
    return Error::success();
  llvm::SmallVector<std::string, 4> known;
  for (const MatrixInstruction &inst : chip.matrixInstructions)
    if (inst.aType == shape.aType)
      known.push_back((Twine(inst.m) + "x" + Twine(inst.n) + "x" + Twine(inst.k)).str());
  if (known.empty())
    return createStringError(chip.name + " has no matrix instruction for " + getName(shape.aType));
  return createStringError(chip.name + " has no matrix instruction " + Twine(schedule.mma[0]) +
                           "x" + Twine(schedule.mma[1]) + "x" + Twine(schedule.mma[2]) + " for " +
                           getName(shape.aType) + "; expected one of " + llvm::join(known, ", "));
}

static Error checkTile(const Schedule &schedule) {
  for (auto [index, letter] : llvm::enumerate(llvm::StringRef("MN"))) {
    int64_t unit = schedule.waves[index] * schedule.mma[index];
    if (schedule.tile[index] % unit != 0)
      return createStringError("tile " + Twine(letter) + " must be a multiple of " +
                               Twine(schedule.waves[index]) + " waves x " +
                               Twine(schedule.mma[index]) + " = " + Twine(unit) + ", got " +
                               Twine(schedule.tile[index]));
  }
  if (schedule.tile[2] % schedule.mma[2] != 0)
    return createStringError("tile K must be a multiple of the matrix instruction's K = " +
                             Twine(schedule.mma[2]) + ", got " + Twine(schedule.tile[2]));
  return Error::success();
}

/// Lanes take whole units of shuffled weights, as matrix instructions multiply them.
static Error checkShuffle(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  if (!shape.bShuffled)
    return Error::success();
  const MatrixInstruction &mma = *chip.findMatrixInstruction(schedule.mma, shape.bType);
  if (mma.unit == MatrixUnit::Fma)
    return createStringError("weights that are shuffled ahead of time are not supported for " +
                             getName(shape.bType) + " on " + chip.name +
                             ", which has no matrix instruction for it");
  if (mma.heldType != shape.bType)
    return createStringError("weights that are shuffled ahead of time are not supported for " +
                             getName(shape.bType) + " on " + chip.name +
                             ", which multiplies them as " + getName(mma.heldType));
  int64_t unit = kMaxLoadBytes / getSizeInBytes(shape.bType);
  int64_t step = std::max(unit, mma.kPerLane) * mma.getLanesOverK();
  if (schedule.tile[2] % step != 0)
    return createStringError("tile K must be a multiple of " + Twine(step) +
                             ", of which lanes hold whole units of 16 bytes of shuffled weights, "
                             "got " +
                             Twine(schedule.tile[2]));
  return Error::success();
}

/// Units are read ahead by waves that do not write LDS themselves.
static Error checkReads(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  if (schedule.reads != Reads::Ahead)
    return Error::success();
  const MatrixInstruction &mma = *chip.findMatrixInstruction(schedule.mma, shape.aType);
  if (shape.bShuffled)
    return createStringError(
        "reads=ahead cannot be combined with weights that are shuffled ahead of time");
  if (schedule.roles.load == 0 && schedule.copies != Copies::Async)
    return createStringError("reads=ahead requires load waves or copies=async");
  if (mma.unit == MatrixUnit::Fma)
    return createStringError("reads=ahead requires a matrix instruction, which " +
                             Twine(chip.name) + " does not have for " + getName(shape.aType));
  if (getKUnits(schedule.tile[2], mma) >= 2)
    return Error::success();
  return createStringError("reads=ahead requires a tile K of at least two units of " +
                           Twine(schedule.tile[2] / getKUnits(schedule.tile[2], mma)) +
                           " elements, got " + Twine(schedule.tile[2]));
}

static Error checkLds(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  int64_t bytes = getLdsBytes(schedule, shape, chip);
  if (bytes > chip.ldsBytes)
    return createStringError("schedule needs " + Twine(bytes) + " bytes of LDS, " + chip.name +
                             " has " + Twine(chip.ldsBytes) + " for a workgroup");
  return Error::success();
}

static Error checkThreads(const Schedule &schedule, const ChipInfo &chip) {
  int64_t threads = schedule.getNumWaves() * chip.waveSize;
  if (threads > chip.maxThreads)
    return createStringError("schedule needs " + Twine(threads) + " threads, " + chip.name +
                             " has at most " + Twine(chip.maxThreads) + " in a workgroup");
  return Error::success();
}

/// Loads of a thread in a K step, the most of any role, of a legal copy of A and one of B, if any.
static int64_t getMostLoads(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip,
                            const CopyShape &a, const std::optional<CopyShape> &b) {
  int64_t copies = a.getLoads(shape.aContiguousK);
  if (b)
    copies += b->getLoads(shape.bContiguousK);
  int64_t shuffled = getShuffledLoads(schedule, shape, chip);
  return schedule.roles.load > 0 ? std::max(copies, shuffled) : copies + shuffled;
}

static Error checkCopies(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  auto makeError = [&](llvm::StringRef operand, int64_t mn) {
    return createStringError("cannot divide the " + operand + " tile of " + Twine(mn) + "x" +
                             Twine(schedule.tile[2]) + " elements evenly among " +
                             Twine(getCopyThreads(schedule, chip)) + " threads");
  };
  const std::optional<CopyShape> a = getCopyShapeA(schedule, shape, chip);
  if (!a)
    return makeError("A", schedule.tile[0]);
  const std::optional<CopyShape> b = getCopyShapeB(schedule, shape, chip);
  if (!shape.bShuffled && !b)
    return makeError("B", schedule.tile[1]);
  int64_t loads = getMostLoads(schedule, shape, chip, *a, b);
  if (loads > kMaxLoads)
    return createStringError("a thread issues " + Twine(loads) +
                             " loads for a K step, expected at most " + Twine(kMaxLoads) +
                             "; use more waves or a smaller tile");
  return Error::success();
}

double mlir::ck::detail::getPressure(const Schedule &schedule, const GemmShape &shape,
                                     const ChipInfo &chip) {
  int64_t loads = getMostLoads(schedule, shape, chip, *getCopyShapeA(schedule, shape, chip),
                               getCopyShapeB(schedule, shape, chip));
  int64_t budget = chip.getVgprBudget(schedule.getNumWaves());
  return std::max(double(loads) / double(kMaxLoads),
                  double(estimateRegisters(schedule, shape, chip)) / double(budget));
}

Error mlir::ck::detail::checkSchedule(const Schedule &schedule, const GemmShape &shape,
                                      const ChipInfo &chip, int64_t &passed) {
  passed = 0;
  auto count = [&](Error error) {
    passed += error ? 0 : 1;
    return error;
  };
  if (Error error = count(checkDeterminism(schedule)))
    return error;
  if (Error error = count(checkMapping(schedule, chip)))
    return error;
  if (Error error = count(checkRoles(schedule)))
    return error;
  if (Error error = count(checkStages(schedule, shape)))
    return error;
  if (Error error = count(checkMatrixInstruction(schedule, shape, chip)))
    return error;
  if (Error error = count(checkTile(schedule)))
    return error;
  if (Error error = count(checkShuffle(schedule, shape, chip)))
    return error;
  if (Error error = count(detail::checkAsyncCopies(schedule, shape, chip)))
    return error;
  if (Error error = count(checkReads(schedule, shape, chip)))
    return error;
  if (Error error = count(checkLds(schedule, shape, chip)))
    return error;
  if (Error error = count(checkThreads(schedule, chip)))
    return error;
  if (Error error = count(checkAccumulators(schedule, shape, chip)))
    return error;
  if (Error error = count(checkRegisters(schedule, shape, chip)))
    return error;
  return count(checkCopies(schedule, shape, chip));
}

Error mlir::ck::checkSchedule(const Schedule &schedule, const GemmShape &shape,
                              const ChipInfo &chip) {
  int64_t passed;
  return detail::checkSchedule(schedule, shape, chip, passed);
}

Error mlir::ck::checkDirectTile(const DirectTile &tile, const ChipInfo &chip) {
  // Chips whose MFMA take four bf16 of a lane also have those of 4x4 blocks, of bf16 and of f16.
  if (!tile.mfma || chip.findMatrixInstruction({32, 32, 8}, DataType::BF16))
    return Error::success();
  return createStringError("direct=" + toString(tile) +
                           " needs MFMA of four bf16 of a lane, which " + chip.name +
                           " does not have");
}
