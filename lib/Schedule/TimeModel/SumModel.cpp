//===- SumModel.cpp - What a direct kernel that sums over positions takes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups walk over their positions in steps, and then add their sums. The numbers below are
// those of the code that is generated.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/ChipRates.h"
#include "Schedule/TimeModel/DirectModel.h"
#include "Schedule/TimeModel/StepModel.h"
#include "Schedule/TimeModel/Traffic.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;
using namespace mlir::ck::detail;

/// Vector operations of a lane: before the first step, for the addresses of a step and of a load in
/// it, and to leave a sum in LDS, to add it to others there and to keep the result.
static constexpr double kStartOps = 80, kStepOps = 60, kLoadOps = 1.5, kLaneOps = 4;
/// The same of a step where all lanes of a wave have the same positions.
static constexpr double kWaveStepOps = 10, kWaveLoadOps = 1;
/// Cycles of a workgroup in which it waits: for its start and its end, for the loads of a step, and
/// for LDS and the barrier of some results.
static constexpr double kStartCycles = 1500, kStepCycles = 900, kChunkCycles = 450;
/// Cycles of the loads of a step, each, where the lanes of a wave load four positions from as many
/// lines.
static constexpr double kScatteredCycles = 90;
/// Results of a lane that pass through LDS together.
static constexpr double kChunk = 8;
/// Of the rate of the path to a compute unit, what kernels reach.
static constexpr double kFillShare = 0.6;
/// Registers of a lane for addresses and for pairs and converted operands.
static constexpr double kOtherRegisters = 48, kOtherWaveRegisters = 10;
/// Cycles from the last sum in memory to the results: to make it visible, to wait for the flag, and
/// for a load of those that add; as many loads are on their way together.
static constexpr double kSignalCycles = 3000, kAddCycles = 1600, kAddedTogether = 16;
/// What an L2 takes to read and to write, of its peak rate.
static constexpr double kReadCost = 1.27, kWriteCost = 2;

namespace {
/// What one workgroup does, in cycles of its waves, and all of a launch, in bytes.
struct SumCosts {
  double steps = 0; ///< of each lane
  double ops = 0;   ///< vector operations of a lane
  double mfmas = 0; ///< matrix instructions of a wave
  double l1 = 0;    ///< cycles of a workgroup
  double lds = 0;   ///< the same
  double chain = 0; ///< cycles in which it waits
  double loaded = 0, kept = 0;
};
} // namespace

static SumCosts countCosts(const DirectWork &work, int64_t slices, const GemmShape &shape,
                           const ChipInfo &chip, const ChipRates &rates) {
  const SumShares &shares = work.sums;
  SumCosts costs;
  costs.steps =
      double(llvm::divideCeil(shares.getStepsOf(slices), uint64_t(shares.getPositions())));
  auto [product, convert] = getProductOps(shape.aType);
  if (shape.aType == DataType::F16 || work.tile.mfma)
    convert = 1; // puts two into one register
  costs.mfmas = costs.steps * double(work.mfmas);
  const auto [atOnce, ofLoad] =
      work.tile.mfma ? std::pair(kWaveStepOps, kWaveLoadOps) : std::pair(kStepOps, kLoadOps);
  const double stepOps = atOnce + ofLoad * double(work.loads) + product * double(work.products) +
                         convert * double(work.conversions);
  const double results = double(shares.results), chunks = std::ceil(results / kChunk);
  const double own = std::ceil(double(shares.getResults()) / double(kSumThreads));
  const double added = own * double(shares.getPositions());
  costs.ops = kStartOps + costs.steps * stepOps + kLaneOps * results + 2 * added;
  const double threads = double(kSumThreads), bytes = double(work.loads * work.loadBytes);
  const double access = std::max(4.0, double(work.loadBytes));
  costs.l1 = costs.steps * threads * work.activeLanes * access * double(work.loads) /
             rates.l1BytesPerCycle;
  costs.lds = threads * 4 * (results + added) / rates.ldsBytesPerCycle;
  const double scattered =
      work.tile.getLanesOfColumn() > 1 ? kScatteredCycles * double(work.loads) : 0;
  costs.chain = kStartCycles + costs.steps * (kStepCycles + scattered) + chunks * kChunkCycles;
  const double groups = double(shares.tiles * slices);
  costs.loaded = double(shares.tiles) * double(shares.steps) * double(shares.units) * bytes;
  costs.kept = slices > 1 ? groups * double(shares.getResults()) * 4 : 0;
  return costs;
}

/// Waves of a SIMD for which registers suffice.
static double countWaves(const DirectWork &work, const ChipInfo &chip, const ChipRates &rates) {
  const double others = work.tile.mfma ? kOtherWaveRegisters : kOtherRegisters;
  return std::min(rates.mostWaves,
                  std::floor(double(chip.simdVgprs) / (others + double(work.registers))));
}

TimeEstimate detail::estimateSum(const DirectTile &tile, const GemmShape &shape,
                                 const ChipInfo &chip, const TimeModelConstants &c) {
  const ChipRates &rates = getChipRates(chip);
  const DirectWork &work = *shape.findDirect(tile);
  const SumCosts costs = countCosts(work, tile.slices, shape, chip, rates);
  const auto units = double(rates.getUnits(chip)), simds = double(rates.getSimdsPerUnit(chip));
  const double wavesPerGroup = double(kSumThreads) / double(chip.waveSize);
  const double groups = double(work.sums.tiles * tile.slices);
  const double wavesPerSimd = wavesPerGroup / simds;
  const double resident = std::max(1.0, std::floor(countWaves(work, chip, rates) / wavesPerSimd));
  const double perUnit = std::ceil(groups / units), rounds = std::ceil(groups / (units * resident));
  auto toMicroseconds = [&](double cycles) { return cycles / rates.clockMHz; };
  TimeEstimate result;
  result.groupsPerUnit = int64_t(resident);
  const double opCycles = costs.ops * rates.valuCycles * wavesPerSimd;
  const double mfmaCycles = costs.mfmas * getMfmaCycles(tile, rates) * wavesPerSimd;
  result.matrix = toMicroseconds(perUnit * mfmaCycles);
  result.valu = toMicroseconds(perUnit * opCycles);
  result.lds = toMicroseconds(perUnit * costs.lds);
  const double operands = getOperandBytes(shape);
  // The L1 finds some of what a lane loads again in what its neighbours have loaded.
  const double reread = std::sqrt(std::max(1.0, costs.loaded / std::max(1.0, operands)));
  const double filled = reread * operands / groups;
  result.l1 =
      toMicroseconds(perUnit * std::max(costs.l1, filled / (kFillShare * rates.fillBytesPerCycle)));
  result.l2 =
      toMicroseconds((kReadCost * reread * operands + (kReadCost + kWriteCost) * costs.kept) /
                     (rates.l2BytesPerCycle * double(chip.numXcds)));
  const double footprint = operands + costs.kept;
  const double all = footprint / (kMemoryShare * rates.memoryGigabytes * 1e3);
  if (rates.mallGigabytes > 0) {
    result.mall = (footprint + costs.kept) / (kMemoryShare * rates.mallGigabytes * 1e3);
    const MemoryWalk walk = {footprint, groups / (units * resident), /*ordered=*/0, /*slices=*/1};
    result.memory = getMissedShare(walk, rates.mallBytes) * all;
  } else {
    result.memory = all;
  }
  const double together = std::min(resident, perUnit);
  result.latency = toMicroseconds(rounds * (costs.chain + together * (opCycles + mfmaCycles)));
  result.ends =
      toMicroseconds(c.groupCycles / 4 + costs.ops * kFetchCycles / std::max(1.0, costs.steps));
  if (tile.slices > 1) {
    const double waves = wavesPerGroup;
    const double loads = std::ceil(std::ceil(double(tile.slices) / waves) / kAddedTogether);
    result.fixup = toMicroseconds(kSignalCycles + loads * kAddCycles);
  }
  auto getKernel = [&](double memory, double latency) {
    return combineWhole({result.matrix, result.valu, result.l1, result.lds, result.l2, result.mall,
                         memory, latency}) +
           result.ends + result.fixup;
  };
  result.kernel = getKernel(result.memory, result.latency);
  result.total = result.kernel;
  result.fromMemory = getKernel(
      std::max(result.memory, all),
      result.latency + toMicroseconds(c.memoryLatency * (rates.memoryCycles - rates.cachedCycles)));
  return result;
}
