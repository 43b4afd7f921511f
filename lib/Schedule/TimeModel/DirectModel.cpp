//===- DirectModel.cpp - What a direct kernel takes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane does the same, so that instructions and bytes can be counted. The numbers below are
// those of the code that is generated, none is calibrated.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/DirectModel.h"
#include "Schedule/TimeModel/ChipRates.h"
#include "Schedule/TimeModel/StepModel.h"
#include "Schedule/TimeModel/Traffic.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;
using namespace mlir::ck::detail;

/// Vector operations of a lane: before the first load, for the address of a load and of a store,
/// and to round a result.
static constexpr double kStartOps = 60, kLoadOps = 2, kStoreOps = 2, kRoundOps = 1;
/// Cycles of a workgroup in which it waits: for its start, its loads, LDS and the barrier.
static constexpr double kChainCycles = 2500;
/// The same where lanes exchange what they load, and then results; and of the cycles in which the
/// L1 and the LDS serve such a workgroup, those in which it waits for them.
static constexpr double kExchangeCycles = 300, kServedShare = 0.25;
/// The same for its results where the chip has one L2. On chips with several, they go past it.
static constexpr double kResultCycles = 500;
/// Cycles in which the L1 takes lanes whose bytes do not fill whole blocks of 64, of 1.
static constexpr double kSplitBlocks = 1.6;
/// What narrow accesses, which keep the queues of the L1 full, make of the traffic behind it.
static constexpr double kNarrowCost = 1.6;
/// Of lines that several lanes touch at different times, those that the L2 has lost meanwhile.
static constexpr double kSharedLines = 0.4;
/// What an L2 takes to read and to write, of its peak rate.
static constexpr double kReadCost = 1.27, kWriteCost = 4.4;
/// Registers of a lane beside operands and sums, and the share of the operands that are live at the
/// same time.
static constexpr double kOtherRegisters = 16, kLiveShare = 0.8;

std::pair<double, double> detail::getProductOps(DataType type) {
  switch (type) {
  case DataType::F16:
  case DataType::F32:
    return {1, 0};
  case DataType::BF16:
  case DataType::I8:
    return {1, 1};
  default:
    return {1, 4};
  }
}

double detail::getMfmaCycles(const DirectTile &tile, const ChipRates &rates) {
  constexpr double kLeast = 16, kSmall = 8; // of 16x16x16, which has 4096 products, and of 4x4x4
  return tile.mfma == 16 ? std::max(kLeast, 4096 / rates.macs16) : kSmall;
}

namespace {
/// Of one launch: what a unit has to do, in cycles, if all have the same.
struct DirectCosts {
  double valu = 0, matrix = 0, l1 = 0, lds = 0;
  double loaded = 0, stored = 0; ///< bytes, of all
  double split = 1;              ///< lines that lanes touch, of those that they fill
  double narrow = 1;             ///< what narrow accesses make of the traffic
  double pieces = 1;             ///< stores that write a part each of the same blocks
  double waves = 0, workgroups = 0;
  double registers = 0; ///< of a lane
  double chain = 0;     ///< cycles of one workgroup
  double fetch = 0;     ///< cycles in which its instructions are fetched the first time
};
} // namespace

/// Lines that lanes touch, of those that they fill.
static double getSplit(const DirectWork &work, const ChipRates &rates) {
  const double lines = rates.l1Line / double(work.rowBytes);
  if (work.tile.getLanesOfColumn() > 1)
    return std::max(1.0, lines);
  // Columns of one lane keep the positions of neighbouring lanes apart.
  const bool arePartial = work.rowBytes % int64_t(rates.l1Line) != 0;
  return work.tile.columns > 1 && arePartial ? 1 + lines : 1;
}

static void addCosts(DirectCosts &costs, const DirectWork &work, const GemmShape &shape,
                     DataType resultType, const ChipInfo &chip, const ChipRates &rates) {
  const auto lanes = double(chip.waveSize), groups = double(work.workgroups);
  const double waves = groups * double(kDirectThreads) / lanes;
  const double units = double(rates.getUnits(chip));
  const auto bytes = double(getSizeInBytes(shape.aType));
  const double results = double(work.tile.channels * work.tile.columns * work.tile.rows);
  const double loadedBytes = double(work.loads * work.loadBytes);
  auto [product, convert] = getProductOps(shape.aType);
  if (work.tile.mfma)
    convert = 0;
  const double ops = kStartOps + kLoadOps * double(work.loads) + kStoreOps * double(work.stores) +
                     kRoundOps * results + product * double(work.products) +
                     convert * (loadedBytes / bytes + double(work.weights)) +
                     double(work.conversions);
  const double simds = double(rates.getSimdsPerUnit(chip)) * units;
  costs.valu += waves * ops * rates.valuCycles / simds;
  costs.matrix += waves * getMfmaCycles(work.tile, rates) * double(work.mfmas) / simds;
  const double split = work.rowBytes % 64 == 0 ? 1 : kSplitBlocks;
  // Accesses of less than a dword take as long as those of one.
  auto getL1 = [&](double count, double size) {
    return count * split * lanes * std::max(size, 4.0) / rates.l1BytesPerCycle;
  };
  const double resultBytes = results * double(getSizeInBytes(resultType));
  const double storeBytes = resultBytes / std::max(1.0, double(work.stores));
  const double l1 =
      getL1(double(work.loads), double(work.loadBytes)) + getL1(double(work.stores), storeBytes);
  costs.l1 += waves / units * l1;
  constexpr double kCountedLanes = 64, kCountedRate = 128; // of `bankCycles`
  double lds = lanes / kCountedLanes * double(work.weightLoads) * double(work.bankCycles) *
               kCountedRate / rates.ldsBytesPerCycle;
  if (work.tile.mfma) // lanes exchange what they load and store, a dword at a time
    lds += lanes * (loadedBytes + resultBytes) / rates.ldsBytesPerCycle;
  costs.lds += waves / units * lds;
  costs.loaded += waves * lanes * work.activeLanes * loadedBytes;
  costs.stored += waves * lanes * work.activeLanes * resultBytes;
  costs.split = std::max(costs.split, getSplit(work, rates));
  if (work.loads > 0 && work.loadBytes < 8)
    costs.narrow = kNarrowCost;
  constexpr double kMostStoreBytes = 16;
  const double run = double(work.tile.channels * getSizeInBytes(resultType));
  costs.pieces = std::max(costs.pieces, run / kMostStoreBytes);
  costs.waves += waves;
  costs.workgroups += groups;
  const double operands = (loadedBytes + double(work.weights) * bytes) / 4;
  costs.registers = std::max(costs.registers, kOtherRegisters + results + kLiveShare * operands);
  const double waits = kChainCycles + (chip.numXcds > 1 ? 0 : kResultCycles);
  double exchanges = 0, together = work.tile.mfma ? kExchangeCycles : 0;
  if (work.tile.getLanesOfColumn() > 1) {
    // Fewer workgroups do more: what the waves of one do at the same time counts.
    exchanges = (loadedBytes + resultBytes) / 4;
    together += kServedShare * waves / groups * (l1 + lds);
  }
  const double mfmas = double(work.mfmas), mfmaCycles = mfmas * getMfmaCycles(work.tile, rates);
  costs.chain = std::max(costs.chain, ops * rates.valuCycles + mfmaCycles + waits + together);
  costs.fetch = std::max(costs.fetch, (ops + mfmas + exchanges) * kFetchCycles);
}

/// What the MALL and the memory take for the `footprint` of workgroups in `rounds`, in bytes.
static void estimateMemory(double footprint, double rounds, const ChipRates &rates,
                           TimeEstimate &result) {
  double missed = 1;
  if (rates.mallGigabytes > 0) {
    result.mall = footprint / (rates.mallGigabytes * 1e3);
    missed = getMissedShare({footprint, rounds, /*ordered=*/0, /*slices=*/1}, rates.mallBytes);
  }
  result.memory = missed * footprint / (kMemoryShare * rates.memoryGigabytes * 1e3);
}

TimeEstimate detail::estimateDirect(const DirectTile &tile, llvm::ArrayRef<GemmShape> shapes,
                                    const ChipInfo &chip, const TimeModelConstants &c) {
  if (tile.isSum())
    return estimateSum(tile, shapes.front(), chip, c);
  const ChipRates &rates = getChipRates(chip);
  const auto units = double(rates.getUnits(chip)), simds = double(rates.getSimdsPerUnit(chip));
  DirectCosts costs;
  double operands = 0;
  for (const GemmShape &shape : shapes) {
    const DataType resultType = shape.k == 0 ? shapes.front().cType : shape.cType;
    const DirectWork &work = *shape.findDirect(tile);
    addCosts(costs, work, shape, resultType, chip, rates);
    if (shape.k > 0)
      operands += double(work.partsOfGroup) * getOperandBytes(shape);
  }
  const double results = costs.stored;
  auto toMicroseconds = [&](double cycles) { return cycles / rates.clockMHz; };
  const double fitting =
      std::min(rates.mostWaves, std::floor(double(chip.simdVgprs) / costs.registers));
  const double perSimd = costs.waves / (units * simds);
  const double resident = std::max(1.0, std::min(fitting, perSimd));
  // The last workgroups leave compute units idle.
  const double perUnit = costs.workgroups / units;
  const double uneven = std::ceil(perUnit) / perUnit;
  TimeEstimate result;
  result.fixup = 0;
  result.groupsPerUnit =
      std::max<int64_t>(1, int64_t(fitting * simds * double(chip.waveSize)) / kDirectThreads);
  result.valu = toMicroseconds(costs.valu * std::min(uneven, 2.0));
  result.matrix = toMicroseconds(costs.matrix * std::min(uneven, 2.0));
  result.l1 = toMicroseconds(costs.l1);
  result.lds = toMicroseconds(costs.lds);
  // The L1 finds some of what a lane loads again in what its neighbours have loaded.
  const double reread = std::sqrt(std::max(1.0, costs.loaded / std::max(1.0, operands)));
  result.l2 = toMicroseconds(costs.split *
                             (kReadCost * reread * operands + kWriteCost * costs.pieces * results) /
                             (rates.l2BytesPerCycle * double(chip.numXcds)));
  const double footprint =
      costs.narrow * (1 + kSharedLines * (costs.split - 1)) * (operands + results);
  const double rounds = costs.workgroups / (units * double(result.groupsPerUnit));
  estimateMemory(footprint, rounds, rates, result);
  const double dispatch = costs.waves * rates.dispatchCycles / double(chip.numXcds);
  // The last wave that starts has all of its own before it.
  result.latency = toMicroseconds(std::max(
      costs.chain * std::max(1.0, perSimd / resident) + costs.fetch, dispatch + costs.chain));
  // The first loads and the last sums overlap with nothing: the more waves, the less of all.
  result.ends = toMicroseconds(c.groupCycles / 4) + (result.valu + result.matrix) / resident;
  auto getKernel = [&](double memory, double latency) {
    return combine({result.matrix, result.valu, result.l1, result.lds, result.l2, result.mall,
                    memory, latency}) +
           result.ends;
  };
  result.kernel = getKernel(result.memory, result.latency);
  result.total = result.kernel;
  result.fromMemory = getKernel(
      std::max(result.memory, footprint / (kMemoryShare * rates.memoryGigabytes * 1e3)),
      result.latency + toMicroseconds(c.memoryLatency * (rates.memoryCycles - rates.cachedCycles)));
  return result;
}
