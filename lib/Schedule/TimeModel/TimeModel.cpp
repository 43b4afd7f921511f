//===- TimeModel.cpp - What a launch takes, from its schedule -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimeModel.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"
#include "Schedule/ScheduleCheck.h"
#include "Schedule/TimeModel/DirectModel.h"
#include "Schedule/TimeModel/StepModel.h"
#include "Schedule/TimeModel/Traffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;
using namespace mlir::ck::detail;

llvm::StringRef TimeEstimate::getBound() const {
  const std::pair<double, const char *> parts[] = {
      {matrix, "matrix"}, {valu, "valu"},       {lds, "lds"},
      {l1, "l1"},         {l2, "l2"},           {mall, "mall"},
      {memory, "memory"}, {latency, "latency"}, {ends, "begin and end"}};
  return llvm::max_element(parts)->second;
}

/// How much longer an L2 takes to write than to read: a block of 64 bytes in two cycles, while it
/// reads a line of 128 in one.
static constexpr double kL2WriteCost = 4;

/// The blocks of 64 bytes that stores of results write, of those that they fill: the blocks of
/// neighbouring matrix instructions of a wave are joined by twos. Where a wave has too little LDS
/// to put one of them through, of MFMA, its lanes store the four results of a row that they hold.
static double getStoredBlocks(const Schedule &schedule, const GemmShape &shape,
                              const ChipInfo &chip) {
  constexpr int64_t kBlock = 64, kResults = 4;
  const int64_t bytes = getSizeInBytes(shape.cType);
  const int64_t count =
      std::max<int64_t>(1, schedule.tile[1] / (schedule.waves[1] * schedule.mma[1]));
  const int64_t joined = count & -count;
  int64_t piece = joined * schedule.mma[1] * bytes;
  const int64_t ofWave =
      getLdsBytes(schedule, shape, chip) / (schedule.waves[0] * schedule.waves[1]);
  // Lines of LDS have gaps between them.
  if (chip.hasMfma && ofWave <= schedule.mma[0] * schedule.mma[1] * bytes)
    piece = kResults * bytes * chip.waveSize / schedule.mma[1];
  return std::max(1.0, double(kBlock) / double(piece));
}

/// Bytes of the code that a math wave goes through once, about: of the first and last steps by the
/// matrix instructions, and of results. Between those of a loop the next ones are fetched.
static double getCodeBytes(const Schedule &schedule, const ChipInfo &chip, int64_t mostSteps) {
  // An instruction has 8 bytes, and others lie between.
  constexpr double kOfProduct = 8, kOfResult = 24;
  constexpr int64_t kSteps = 4;
  const auto [m, n, k] = schedule.tile;
  const double waves = double(schedule.waves[0] * schedule.waves[1]);
  const double products =
      double(m * n * k) / waves / double(schedule.mma[0] * schedule.mma[1] * schedule.mma[2]);
  return kOfProduct * products * double(std::min(mostSteps, kSteps)) +
         kOfResult * double(m * n) / waves / double(chip.waveSize);
}

namespace {
/// Workgroups follow each other on the compute units.
struct Rounds {
  double full = 0;        ///< in which compute units hold as many as they can
  int64_t ofRest = 0;     ///< that compute units hold in the last one; 0: there is none
  double steps = 0;       ///< of a workgroup
  double ends = 0;        ///< cycles in which workgroups begin and end
  double overlapping = 0; ///< full rounds in which they do so while others are at their steps
  double leastSteps = 0, leastCycles = 0; ///< of the launch
  double groups = 0;                      ///< workgroups of a compute unit, in all rounds

  double getCount() const { return full + (ofRest > 0); }
};

/// What a launch moves, in bytes.
struct LaunchTraffic {
  double footprint = 0; ///< of operands, results and partial tiles
  double partials = 0;
  double misses = 0; ///< of the L2s
  double missed = 0; ///< share of the footprint that comes from memory once
  double again = 0;  ///< that come from memory more than once
  OperandSources sources;
};

/// The estimates of one schedule.
class Model {
public:
  Model(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
        const TimeModelConstants &constants);
  TimeEstimate estimate(const WorkEstimate &work) const;

private:
  const Schedule &schedule;
  llvm::ArrayRef<GemmShape> shapes;
  const ChipInfo &chip;
  const ChipRates &rates;
  const TimeModelConstants &c;
  int64_t groupsPerUnit = 1;
  StepCosts step;                   ///< on average over all steps
  double longest = 0;               ///< steps of a tile
  double fills = 0;                 ///< tiles without steps
  bool movesByConstants = true;     ///< all loads, from step to step
  double operands = 0, results = 0; ///< bytes of the tensors
  /// Of each shape: its tiles and their operands.
  llvm::SmallVector<std::pair<WorkShape, OperandTraffic>, 4> traffic;
  /// What `computeStepCycles` has returned without ends, by numbers of workgroups; 0: nothing yet.
  mutable llvm::SmallVector<BySource<double>, 16> stepCycles;

  double computeStepCycles(int64_t groups, size_t source, double ends) const;
  double getStepCycles(int64_t groups, const BySource<double> &sources, double ends = 0) const;
  /// How long a workgroup takes to begin and to end, but for its stores.
  double getEndCycles() const { return c.groupCycles + step.serial; }
  Rounds getRounds(const WorkEstimate &work) const;
  double getKernelCycles(const Rounds &rounds, const BySource<double> &sources) const;
  void estimateUnits(const WorkEstimate &work, const Rounds &rounds, TimeEstimate &estimate) const;
  double getMissed(const WorkEstimate &work, double bytes, double atATime) const;
  LaunchTraffic estimateTraffic(const WorkEstimate &work) const;
  void estimateCaches(const WorkEstimate &work, const LaunchTraffic &moved,
                      TimeEstimate &estimate) const;
  double getRateBehindL2s() const;
  double getAlone(const Rounds &rounds, const LaunchTraffic &moved) const;
  double countLoads(const WorkEstimate &work) const;
  double estimateSums(const WorkEstimate &work, double tileBytes) const;
  double estimateFixup(const WorkEstimate &work) const;
  double toMicroseconds(double cycles) const { return cycles / rates.clockMHz; }
};
} // namespace

Model::Model(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
             const TimeModelConstants &constants)
    : schedule(schedule), shapes(shapes), chip(chip), rates(getChipRates(chip)), c(constants) {
  double iterations = 0;
  StepCosts sum;
  for (const GemmShape &shape : shapes) {
    const WorkShape tiles = getWorkShape(schedule.tile, shape);
    traffic.push_back({tiles, getOperandTraffic(schedule, shape, chip)});
    operands += traffic.back().second.operands;
    results += getResultBytes(shape);
    if (shape.k == 0) {
      fills += double(tiles.getTiles());
      continue;
    }
    movesByConstants &= shape.aAddressOps == 0 && shape.bAddressOps == 0;
    groupsPerUnit = estimateGroupsPerUnit(schedule, shape, chip);
    const double weight = double(tiles.getTiles()) * double(tiles.kSteps);
    const StepCosts costs = estimateStep(schedule, shape, chip, groupsPerUnit, c);
    sum.add(weight, costs);
    iterations += weight;
    longest = std::max(longest, double(tiles.kSteps));
  }
  step.add(1 / std::max(1.0, iterations), sum);
  stepCycles.resize(size_t(groupsPerUnit) + 1, {});
}

/// The time of two parts of which the shorter one hides in the other, unless both take as long:
/// copies that are asked for all the time and what is computed meanwhile.
static double combineSteady(double a, double b) { return std::sqrt(combineWhole({a * a, b * b})); }

/// A step of each of `groups` workgroups on a compute unit, at most as many as fit, of which each
/// also spends `ends` of its time to begin and to end.
double Model::computeStepCycles(int64_t groups, size_t source, double ends) const {
  const double misses = step.misses[source];
  double fill = step.fillBytes / (c.fillShare * rates.fillBytesPerCycle);
  if (schedule.copies == Copies::Staged)
    fill = std::max(fill, misses);
  const auto factor = double(groups);
  // A WMMA runs on the vector unit, which then computes no addresses.
  const double pipe = chip.hasMfma ? step.matrix : step.matrix + step.valu;
  // While a wave waits for its operands, only others keep the pipe of their SIMD busy. One that
  // reads and copies ahead, all without registers, waits at barriers only.
  const double ofGroup =
      double(schedule.waves[0] * schedule.waves[1]) / double(rates.getSimdsPerUnit(chip));
  const double waves = factor * ofGroup;
  const bool waits = schedule.reads == Reads::Step || schedule.copies == Copies::Staged;
  const double copyGaps = schedule.roles.load == 0 ? c.copyGaps : 0;
  const double gaps = waits ? c.mathGaps / (waves * waves) + copyGaps
                            : c.barrierGaps * std::max(0.0, 1 - 1 / ofGroup);
  // Of groups that end together, some SIMDs have a math wave more than others.
  const double uneven = ends > 0 || waves < 1 ? 1 : std::ceil(waves) / waves;
  const double matrix = factor * pipe * (1 + gaps) * uneven;
  // Uniform waves spread small copies, which are many, over all of a step, but for those of the
  // first steps. Waves that compute addresses in between do not.
  constexpr double kSteadyRounds = 4; // of all slots
  const bool async = schedule.copies == Copies::Async;
  const bool steady = async && chip.asyncCopyBytes < kMaxLoadBytes && schedule.roles.load == 0 &&
                      longest > kSteadyRounds * double(schedule.stages.columns) && movesByConstants;
  auto join = [&](double work, double copies) {
    return steady ? combineSteady(work, copies) : combineWhole({work, copies});
  };
  const double own = join(step.math, step.chain[source]) + ends;
  const double ofPipe = join(matrix, step.chain[source] + ends);
  const double cycles = combineWhole({std::max(own, ofPipe), factor * step.valu, factor * step.lds,
                                      factor * step.l1, factor * fill});
  return async ? combineSteady(cycles, factor * misses) : cycles;
}

/// The same on average over steps whose operands come from `sources`.
double Model::getStepCycles(int64_t groups, const BySource<double> &sources, double ends) const {
  double cycles = 0;
  for (size_t source = 0; source < kNumSources; ++source) {
    if (sources[source] == 0)
      continue;
    if (ends > 0) {
      cycles += sources[source] * computeStepCycles(groups, source, ends);
      continue;
    }
    double &known = stepCycles[size_t(groups)][source];
    if (known == 0)
      known = computeStepCycles(groups, source, ends);
    cycles += sources[source] * known;
  }
  return cycles;
}

Rounds Model::getRounds(const WorkEstimate &work) const {
  // Workgroups that only fill a tile leave their place at once.
  const bool streams = hasStreams(work.partition);
  const double filled = streams ? 0 : fills;
  const double workgroups = std::max(1.0, double(work.workgroups) - filled);
  const double meanSteps = (double(work.iterations) - filled) / workgroups;
  const auto units = double(rates.getUnits(chip));
  const double places = units * double(groupsPerUnit);
  Rounds rounds;
  rounds.steps = streams ? std::ceil(meanSteps) : meanSteps;
  if (work.withinTiles == work.workgroups) // no whole tiles beside the longest stream
    rounds.steps = double(work.longestStream);
  rounds.full = std::floor(workgroups / places);
  rounds.ofRest = int64_t(std::ceil((workgroups - rounds.full * places) / units));
  const double tileBytes = double(schedule.tile[0] * schedule.tile[1] *
                                  (work.reducedTiles > 0 ? 4 : getSizeInBytes(shapes[0].cType)));
  const double blocks = work.reducedTiles > 0 ? 1 : getStoredBlocks(schedule, shapes[0], chip);
  const double store = c.storeFactor * blocks * tileBytes / rates.l1BytesPerCycle;
  rounds.groups = rounds.full * double(groupsPerUnit) + double(rounds.ofRest);
  rounds.ends = rounds.getCount() * getEndCycles() + rounds.groups * store;
  // A workgroup that begins or ends leaves the units to the steps of others, but for its stores.
  if (groupsPerUnit > 1)
    rounds.overlapping = rounds.full - (rounds.ofRest > 0 ? 0 : 1);
  // One wave after the other starts; the last workgroups of the first round begin last.
  const double startCycles =
      double(schedule.getNumWaves()) * rates.dispatchCycles / double(chip.numXcds);
  rounds.ends += (std::min(workgroups, places) + filled) * startCycles;
  rounds.ends += c.codeCycles * getCodeBytes(schedule, chip, int64_t(longest));
  // Streams begin and end each of their items, one after the other. To hand on the sum of their
  // only item takes them as long as another one would; so does it take adders to begin and end.
  const int64_t others = work.items - (work.withinTiles > 0 ? 0 : 1);
  if (streams)
    rounds.ends += double(others) * (step.serial + double(groupsPerUnit) * store);
  // Not all tiles of a table have the same steps, nor have whole tiles as few as the streams beside
  // them: the longest needs its time.
  rounds.leastSteps =
      work.contributors == 1 || (work.withinTiles > 0 && work.items > 1) ? longest : 0;
  rounds.leastCycles = (workgroups + filled) * startCycles;
  return rounds;
}

double Model::getKernelCycles(const Rounds &rounds, const BySource<double> &sources) const {
  const double ends = getEndCycles(), alone = rounds.full - rounds.overlapping;
  double cycles = 0;
  if (rounds.overlapping > 0)
    cycles += rounds.overlapping *
              (rounds.steps * getStepCycles(groupsPerUnit, sources, ends / rounds.steps) - ends);
  if (alone > 0)
    cycles += alone * rounds.steps * getStepCycles(groupsPerUnit, sources);
  if (rounds.ofRest > 0)
    cycles += rounds.steps * getStepCycles(rounds.ofRest, sources);
  if (rounds.leastSteps > 0)
    cycles = std::max(cycles, rounds.leastSteps * getStepCycles(1, sources));
  return std::max(cycles + rounds.ends, rounds.leastCycles);
}

/// What the units would take alone.
void Model::estimateUnits(const WorkEstimate &work, const Rounds &rounds,
                          TimeEstimate &estimate) const {
  estimate.latency =
      toMicroseconds(rounds.getCount() * rounds.steps * std::max(step.chain[0], step.math));
  estimate.ends = toMicroseconds(rounds.ends);
  // All workgroups, evenly spread.
  const double all = double(work.iterations) / double(rates.getUnits(chip));
  estimate.matrix = toMicroseconds(all * step.matrix);
  estimate.valu = toMicroseconds(all * step.valu);
  estimate.lds = toMicroseconds(all * step.lds);
  estimate.l1 = toMicroseconds(all * std::max(step.l1, step.fillBytes / rates.fillBytesPerCycle));
}

/// Of the MALL, or of the memory without one, in bytes in a microsecond.
double Model::getRateBehindL2s() const {
  return 1e3 * (rates.mallGigabytes > 0 ? rates.mallGigabytes * c.mallShare
                                        : rates.memoryGigabytes * c.memoryShare);
}

/// Rounds in which a lane loads all sums of a tile, several at once.
double Model::countLoads(const WorkEstimate &work) const {
  const int64_t waves = schedule.waves[0] * schedule.waves[1];
  const int64_t registers = schedule.tile[0] * schedule.tile[1] / (waves * chip.waveSize);
  const int64_t together = getWavesOfSum(work.addersOfTile, schedule, shapes.front(), chip);
  if (together == 1)
    return double(llvm::divideCeilSigned(work.contributors, getPartialsInFlight(registers)));
  const PartialShares shares = getPartialShares(registers / kPartialGroup, together);
  return double(llvm::divideCeilSigned(work.contributors, shares.pieces * shares.inFlight));
}

/// The time from the last step of streams until their sums, partial tiles of `tileBytes`, are added
/// up.
double Model::estimateSums(const WorkEstimate &work, double tileBytes) const {
  const auto contributors = double(work.contributors);
  const double transfer = tileBytes / rates.l1BytesPerCycle * c.storeFactor;
  double hops = 1, latency = 0, sums = 0; // on the longest way to a result
  double left = tileBytes * double(work.partialTiles);
  if (work.addersOfTile > 0) {
    // Each adder loads what its waves need of all sums, several at once, once the slowest stream
    // has signalled; it begins where a stream has ended.
    const int64_t adders = std::min(schedule.waves[0] * schedule.waves[1], work.addersOfTile);
    sums = contributors / double(adders);
    latency = countLoads(work) * c.reduceLatency;
  } else {
    const bool tree = std::get<StreamK>(work.partition).reduction == Reduction::Tree;
    const int64_t radix = tree ? kTreeRadix : std::max<int64_t>(2, work.contributors);
    hops = 0;
    for (int64_t stride = 1; stride < work.contributors; stride *= radix, ++hops)
      sums += double(std::min(radix, llvm::divideCeilSigned(work.contributors, stride)) - 1);
    left *= 1 - 1 / contributors;
  }
  // Those of XCDs meet behind their L2s. Streams leave their sums at about the same time, and so
  // are these added up, but half of that overlaps with steps of streams that end later.
  const double traffic = chip.numXcds > 1 ? left / (2 * getRateBehindL2s()) : 0;
  return traffic + toMicroseconds(hops * c.flagCycles + latency) +
         combineWhole({toMicroseconds(sums * transfer), traffic});
}

/// What is stored of partial tiles, handed on or added up, and the launches that it takes.
double Model::estimateFixup(const WorkEstimate &work) const {
  const double tileBytes = 4.0 * double(schedule.tile[0] * schedule.tile[1]);
  const double rate = getRateBehindL2s();
  const int64_t waves = schedule.waves[0] * schedule.waves[1];
  double result = 0;
  if (work.reducedTiles > 0) {
    // A workgroup loads several slices of its tile at once, and adds them one after the other.
    const double adding = tileBytes / (double(waves) * c.reduceBytes);
    const double serial = double(work.reducedItems) *
                          (countLoads(work) * c.reduceLatency + double(work.contributors) * adding);
    const double bytes = tileBytes * double(work.partialTiles);
    result = toMicroseconds(c.launchCycles) + combineWhole({toMicroseconds(serial), bytes / rate});
  } else if (work.atomicTiles > 0) {
    result = toMicroseconds(c.launchCycles) + tileBytes * double(work.atomicTiles) / rate;
  } else if (work.flagBytes > 0) {
    result = estimateSums(work, tileBytes);
  }
  return result;
}

/// How many parts of K the XCDs have that they do not share with one another: one if all workgroups
/// of an XCD may be anywhere in K.
static double getPartsSideBySide(const WorkEstimate &work, int64_t xcds) {
  if (!hasStreams(work.partition))
    return double(getSlicesSideBySide(work.contributors, xcds));
  if (work.withinTiles != work.workgroups)
    return 1;
  // XCDs have neighbouring parts of each tile, but that in which one ends and the next begins is
  // not the same in all tiles unless each XCD has as many.
  const double parts = double(work.contributors);
  return double(xcds) * parts / (parts + (work.contributors % xcds == 0 ? 0 : double(xcds) - 1));
}

/// The share of `bytes`, the footprint of a launch, that does not come from the last cache though
/// it may hold all that fits as the launch begins.
double Model::getMissed(const WorkEstimate &work, double bytes, double atATime) const {
  if (rates.mallGigabytes == 0)
    return std::clamp(bytes / (rates.l2Bytes * double(chip.numXcds)) - 1, 0.0, 1.0);
  MemoryWalk walk = {bytes, double(work.workgroups) / atATime, /*ordered=*/0,
                     double(work.contributors)};
  for (const GemmShape &shape : shapes)
    walk.ordered += getBytesAlongK(shape) / bytes;
  return getMissedShare(walk, rates.mallBytes);
}

LaunchTraffic Model::estimateTraffic(const WorkEstimate &work) const {
  LaunchTraffic result;
  const int64_t moved = work.contributors > 1 ? work.partialTiles : 0;
  result.partials = 4.0 * double(schedule.tile[0] * schedule.tile[1] * moved);
  result.footprint = operands + results + result.partials;
  const double iterations = std::max(1.0, double(work.iterations));
  GemmWorkgroups own;
  own.atATime = double(rates.getUnits(chip) * groupsPerUnit);
  own.scattered = double(work.scatteredIterations) / iterations;
  own.streamSteps = work.streamSteps;
  own.sideBySide = getPartsSideBySide(work, chip.numXcds);
  result.missed = getMissed(work, result.footprint, own.atATime);
  own.unknown = result.missed;
  double largest = 0;
  for (const auto &[tiles, bytes] : traffic) {
    const double share = double(tiles.getTiles() * tiles.getTileIterations()) / iterations;
    own.count = double(work.workgroups) * share;
    result.misses += estimateMisses(schedule.mapping, bytes, tiles, own, chip, c);
    const OperandSources sources = getSources(schedule.mapping, bytes, tiles, own, chip);
    result.again += sources.again;
    if (share >= largest) { // those of one launch are alike
      largest = share;
      result.sources = sources;
    }
  }
  return result;
}

/// What the caches and the memory would take alone.
void Model::estimateCaches(const WorkEstimate &work, const LaunchTraffic &moved,
                           TimeEstimate &estimate) const {
  const double xcds = double(chip.numXcds);
  const double stored =
      kL2WriteCost * (results * getStoredBlocks(schedule, shapes[0], chip) + moved.partials);
  estimate.l2 = toMicroseconds((double(work.iterations) * step.fillBytes + stored) /
                               (c.l2Share * rates.l2BytesPerCycle * xcds));
  double behind = moved.misses + results + moved.partials, share = c.memoryShare;
  if (rates.mallGigabytes > 0) {
    estimate.mall = behind / getRateBehindL2s();
    behind = moved.footprint * moved.missed + moved.again;
    share = std::max(share, kMemoryShare);
  }
  estimate.memory = behind / (share * rates.memoryGigabytes * 1e3);
}

/// The time of what moves behind the L2s while nothing else can be done, in microseconds.
double Model::getAlone(const Rounds &rounds, const LaunchTraffic &moved) const {
  // The last results of compute units.
  double bytes = c.storeTail * (results + moved.partials) / rounds.groups;
  // Copies past registers ask for the operands of all slots at once, and those of the first step
  // come with the others.
  if (schedule.copies == Copies::Async) {
    const double steps = rounds.steps * std::max(1.0, rounds.groups / double(groupsPerUnit));
    const double slots = std::min(double(schedule.stages.columns - 1), rounds.steps);
    bytes += moved.misses * slots / std::max(1.0, steps);
  }
  return bytes / getRateBehindL2s();
}

TimeEstimate Model::estimate(const WorkEstimate &work) const {
  TimeEstimate result;
  result.groupsPerUnit = groupsPerUnit;
  const LaunchTraffic moved = estimateTraffic(work);
  estimateCaches(work, moved, result);
  const Rounds rounds = getRounds(work);
  estimateUnits(work, rounds, result);
  const double alone = getAlone(rounds, moved);
  auto getKernel = [&](const BySource<double> &sources, double memory) {
    const double compute = toMicroseconds(getKernelCycles(rounds, sources));
    return combineWhole({compute, result.l2, result.mall, memory}) + alone;
  };
  result.kernel = getKernel(moved.sources.cached, result.memory);
  // The clock while the matrix pipes work.
  const int64_t bytes = getSizeInBytes(shapes[0].aType);
  const double slowdown = bytes == 1   ? rates.slowdown8
                          : bytes == 2 ? rates.slowdown16
                                       : rates.slowdown32;
  const double rows = schedule.mma[0] == 32 ? rates.slowdownRows32 : 1;
  const double slower = slowdown * rows * result.matrix;
  result.kernel += slower;
  result.fixup = estimateFixup(work);
  result.total = result.kernel + result.fixup;
  const double all =
      (moved.footprint + moved.again) / (c.memoryShare * rates.memoryGigabytes * 1e3);
  result.fromMemory =
      slower + result.fixup + getKernel(moved.sources.fromMemory, std::max(all, result.memory));
  return result;
}

llvm::SmallVector<TimeEstimate> mlir::ck::estimateTimes(const Schedule &schedule,
                                                        llvm::ArrayRef<GemmShape> shapes,
                                                        const ChipInfo &chip,
                                                        llvm::ArrayRef<WorkEstimate> works,
                                                        const TimeModelConstants &constants) {
  if (schedule.direct)
    return llvm::SmallVector<TimeEstimate>(
        works.size(), estimateDirect(*schedule.direct, shapes, chip, constants));
  const Model model(schedule, shapes, chip, constants);
  return llvm::map_to_vector(works, [&](const WorkEstimate &work) { return model.estimate(work); });
}
