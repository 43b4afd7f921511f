//===- ScheduleSelect.cpp - Completing a schedule request -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every legal problem must get a schedule without tuning data. All legal candidates are ranked by
// an estimate of the cycles of one K step; only their order matters, so the constants are round.
//
//===----------------------------------------------------------------------===//

#include "ScheduleCheck.h"
#include "ck-mlir/Target/Schedule.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;

/// Multiply-accumulates of one SIMD per cycle: 8192 of a 32x32x8 f16 MFMA in 32 cycles [CDNA3 ISA].
static constexpr int64_t kMacsPerCycle = 256;
/// Cycles to issue an MFMA beside its execution.
static constexpr int64_t kMmaIssueCycles = 4;
/// Latency of a global load; a step cannot be shorter with two LDS slots.
static constexpr int64_t kLoadLatency = 500;
/// Issue cycles of one load with its address, and of one LDS access.
static constexpr int64_t kLoadCycles = 12;
static constexpr int64_t kLdsCycles = 8;
/// Barrier and loop overhead of a step.
static constexpr int64_t kStepOverhead = 100;
/// Weight of the work of all tiles against the time of the slowest CU: prefers tiles that leave the
/// chip to others when both finish at about the same time.
static constexpr int64_t kWorkWeight = 4;

/// A K step of one workgroup: cycles from start to end, and the issue cycles of its waves together.
struct StepCost {
  int64_t elapsed = 0;
  int64_t work = 0;
};

static StepCost estimateStep(const Schedule &schedule, const GemmShape &shape,
                             const ChipInfo &chip) {
  int64_t waves = schedule.getNumWaves();
  int64_t wavesPerSimd = llvm::divideCeil(waves, chip.simdsPerCu);
  int64_t macs = schedule.tile[0] * schedule.tile[1] * schedule.tile[2];
  int64_t mmas = macs / (schedule.mma[0] * schedule.mma[1] * schedule.mma[2]) / waves;
  int64_t mathCycles = wavesPerSimd * (macs / waves / kMacsPerCycle + mmas * kMmaIssueCycles);

  CopyShape a = *getCopyShapeA(schedule, shape, chip);
  CopyShape b = *getCopyShapeB(schedule, shape, chip);
  int64_t loads = a.getLoads(shape.aContiguousK) + b.getLoads(shape.bContiguousK);
  int64_t writes = a.getWrites() + b.getWrites();
  int64_t fragmentElements =
      (schedule.tile[0] / schedule.waves[0] + schedule.tile[1] / schedule.waves[1]) *
      schedule.tile[2] / chip.waveSize;
  int64_t reads = llvm::divideCeil(fragmentElements, getKPack(schedule, shape.aType, chip));
  int64_t memoryCycles = wavesPerSimd * (loads * kLoadCycles + (writes + reads) * kLdsCycles);

  StepCost cost;
  cost.elapsed = std::max(mathCycles, kLoadLatency) + memoryCycles + kStepOverhead;
  cost.work = waves * ((mathCycles + memoryCycles) / wavesPerSimd + kStepOverhead);
  return cost;
}

/// Cycles of one GEMM times the number of CUs; smaller is better.
static int64_t estimateCost(const Schedule &schedule, const GemmShape &shape,
                            const ChipInfo &chip) {
  StepCost step = estimateStep(schedule, shape, chip);
  int64_t tiles = shape.g * llvm::divideCeil(shape.m, schedule.tile[0]) *
                  llvm::divideCeil(shape.n, schedule.tile[1]);
  int64_t steps = llvm::divideCeil(shape.k, schedule.tile[2]);
  int64_t rounds = llvm::divideCeil(tiles, chip.numCus);
  int64_t perStep =
      rounds * chip.numCus * step.elapsed + kWorkWeight * tiles * step.work / chip.simdsPerCu;
  // Saturate: problems of more than 2^63 estimated cycles rank equal.
  return llvm::SaturatingMultiply<uint64_t>(steps, perStep) >> 1;
}

static bool divides(const Schedule &schedule) {
  return schedule.tile[0] % (schedule.waves[0] * schedule.mma[0]) == 0 &&
         schedule.tile[1] % (schedule.waves[1] * schedule.mma[1]) == 0 &&
         schedule.tile[2] % schedule.mma[2] == 0;
}

/// Values of the fields to try, best first; a field of the request has one value.
struct Candidates {
  SmallVector<std::array<int64_t, 3>> tiles;
  /// Groups of the same number of waves; a group counts only if none before it is legal.
  SmallVector<SmallVector<std::array<int64_t, 2>, 3>> waves;
  SmallVector<std::array<int64_t, 3>> mmas;
};

/// The tiles to choose from: two slots in at most half of the LDS, so that a second workgroup fits
/// on the CU, and no tile of which half would hold the whole dimension, unless the waves or the
/// matrix instruction of the request may need it.
static SmallVector<std::array<int64_t, 3>>
enumerateTiles(const ScheduleRequest &request, const GemmShape &shape, const ChipInfo &chip) {
  bool mayBeWasteful = request.waves || request.mma;
  auto fits = [&](int64_t tile, int64_t size) {
    return mayBeWasteful || tile == 16 || tile / 2 < size;
  };
  SmallVector<std::array<int64_t, 3>> tiles;
  SmallVector<int64_t> lengths = {32, 64, 16};
  if (getSizeInBytes(shape.aType) == 1) // of which one instruction may take 128
    lengths.push_back(128);
  for (int64_t k : lengths)
    for (int64_t m : {128, 64, 32, 16})
      for (int64_t n : {128, 64, 32, 16})
        if (2 * 2 * (m + n) * k * getSizeInBytes(shape.aType) <= chip.ldsBytes &&
            fits(m, shape.m) && fits(n, shape.n))
          tiles.push_back({m, n, k});
  return tiles;
}

/// All ways to stand `waves` waves over the tile.
static SmallVector<std::array<int64_t, 2>, 3> enumerateWaves(int64_t waves) {
  SmallVector<std::array<int64_t, 2>, 3> shapes;
  for (int64_t rows = 1; rows <= waves; ++rows)
    if (waves % rows == 0)
      shapes.push_back({rows, waves / rows});
  return shapes;
}

static Candidates enumerate(const ScheduleRequest &request, const GemmShape &shape,
                            const ChipInfo &chip) {
  Candidates candidates;
  if (request.tile)
    candidates.tiles = {*request.tile};
  else
    candidates.tiles = enumerateTiles(request, shape, chip);
  if (request.waves)
    candidates.waves = {{*request.waves}};
  else if (request.roles && request.roles->load > 0)
    candidates.waves = {enumerateWaves(request.roles->math)};
  else // One wave for each SIMD of a CU if the tile can be divided so; large tiles need more.
    candidates.waves = {
        {{2, 2}, {1, 4}, {4, 1}}, {{1, 2}, {2, 1}}, {{1, 1}}, {{2, 4}, {4, 2}}, {{4, 4}}};
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
  schedule.deterministic = request.deterministic.value_or(false);
  return schedule;
}

namespace {
/// Keeps the cheapest legal schedule, and the refusal that came closest to legality.
class Selection {
public:
  Selection(llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip, int64_t relief)
      : shapes(shapes), chip(chip), relief(relief) {}
  ~Selection() { llvm::consumeError(std::move(reason)); }

  /// Returns whether `schedule` is legal.
  bool consider(const Schedule &schedule) {
    if (best && !divides(schedule))
      return false;
    for (const GemmShape &shape : shapes) {
      int64_t passed = 0;
      if (Error error = detail::checkSchedule(schedule, shape, chip, passed)) {
        keepReason(std::move(error), passed, schedule);
        return false;
      }
      if (Error error = detail::checkRelief(schedule, shape, chip, relief)) {
        keepReason(std::move(error), passed, schedule);
        return false;
      }
    }
    uint64_t cost = 0;
    for (const GemmShape &shape : shapes)
      cost = llvm::SaturatingAdd<uint64_t>(cost, estimateCost(schedule, shape, chip));
    if (!best || cost < bestCost) {
      best = schedule;
      bestCost = cost;
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
  std::optional<Schedule> best;
  uint64_t bestCost = std::numeric_limits<uint64_t>::max();
  Error reason = Error::success();
  std::pair<int64_t, int64_t> reasonRank;
};
} // namespace

Expected<Schedule> mlir::ck::resolveSchedule(const ScheduleRequest &request,
                                             llvm::ArrayRef<GemmShape> shapes,
                                             const ChipInfo &chip) {
  const GemmShape &largest = *llvm::max_element(
      shapes, [](const GemmShape &a, const GemmShape &b) { return a.m * a.k < b.m * b.k; });
  Candidates candidates = enumerate(request, largest, chip);
  if (candidates.mmas.empty())
    return llvm::createStringError(chip.name + " has no matrix instruction for " +
                                   getName(largest.aType));
  Selection selection(shapes, chip, request.relief);
  Schedule schedule = getFixedFields(request);
  for (const auto &tile : candidates.tiles) {
    schedule.tile = tile;
    for (const auto &group : candidates.waves) {
      bool anyLegal = false;
      for (const auto &waves : group) {
        schedule.waves = waves;
        for (const auto &mma : candidates.mmas) {
          schedule.mma = mma;
          anyLegal |= selection.consider(schedule);
        }
      }
      if (anyLegal)
        break;
    }
  }
  return selection.take();
}
