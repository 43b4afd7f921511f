//===- StepModel.cpp - What a K step asks of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves with both roles do everything one after the other; load and math waves go side by side, and
// the slower ones decide.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/StepModel.h"
#include "Schedule/ScheduleCheck.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;
using namespace mlir::ck::detail;

/// Bytes that LDS takes of a wave at least for a write or read.
static constexpr double kLeastLdsBytes = 256;
/// Blocks in which the registers of a SIMD are given to waves.
static constexpr int64_t kRegisterBlocks = 64;
/// Lines on their way to the L1 of a compute unit.
static constexpr double kMissLines = 256;
/// How many times as long these take to come when all are asked for at once.
static constexpr double kBurst = 1.3;

/// `sum` to the power of 0.4, with an error of 2e-5 for sums of up to 7 values of at most 1, of
/// which one is 1: choosing takes its time here.
static float takeRoot(float sum) {
  const float fourth = std::sqrt(std::sqrt(sum));
  return ((-0.04423364F * fourth + 0.60586079F) * fourth + 0.52178536F) * fourth - 0.08342765F;
}

double detail::combineWhole(std::initializer_list<double> values) {
  double sum = 0;
  for (double value : values)
    sum += value * value * (value * value);
  return std::sqrt(std::sqrt(sum));
}

double detail::combine(std::initializer_list<double> values) {
  double largest = 0;
  for (double value : values)
    largest = std::max(largest, value);
  if (largest <= 0)
    return 0;
  const auto inverse = float(1 / largest);
  float sum = 0;
  for (double value : values) {
    const float share = float(value) * inverse;
    sum += share * share * std::sqrt(share);
  }
  return largest * double(takeRoot(sum));
}

int64_t detail::estimateGroupsPerUnit(const Schedule &schedule, const GemmShape &shape,
                                      const ChipInfo &chip) {
  const ChipRates &rates = getChipRates(chip);
  const auto registers = int64_t(llvm::alignTo(uint64_t(estimateRegisters(schedule, shape, chip)),
                                               uint64_t(chip.simdVgprs / kRegisterBlocks)));
  const int64_t waves =
      std::min(int64_t(rates.mostWaves), chip.simdVgprs / registers) * rates.getSimdsPerUnit(chip);
  const int64_t byLds = int64_t(rates.ldsBytes) / getLdsBytes(schedule, shape, chip);
  return std::max<int64_t>(1, std::min(waves / schedule.getNumWaves(), byLds));
}

namespace {
/// Parts of a step that waves do.
struct Work {
  double math = 0;      ///< of a SIMD's math waves: the matrix pipe
  double reads = 0;     ///< LDS cycles of all math waves
  double writes = 0;    ///< LDS cycles of all copying waves
  double ops = 0;       ///< vector operations of a copying wave
  double loads = 0;     ///< load instructions of a copying wave
  double addresses = 0; ///< L1 cycles of the addresses of all copying waves
};

/// What is copied of one operand: see GemmShape.
struct Operand {
  int64_t rows; ///< of the tile
  bool contiguousK;
  int64_t addressOps, run, stride, pitch;
  int64_t vector; ///< elements that a load may have
  DataType type;
};
} // namespace

/// Registers of 2 or 4 elements along M or N become registers along K: an operation each for every
/// halving of the elements.
static double getTransposeOps(const CopyShape &copy, bool contiguousK, DataType type) {
  if (contiguousK || copy.vectorK == 1)
    return 0;
  const int64_t bytes = getSizeInBytes(type);
  const int64_t registers = copy.passes * copy.vectorMN * copy.vectorK * bytes / 4;
  return double(registers * llvm::Log2_64(uint64_t(std::max<int64_t>(4 / bytes, 1))));
}

/// Elements along K that neighbouring lanes load of one row.
static int64_t getLoadedTogether(const Schedule &schedule, const CopyShape &copy,
                                 const MatrixInstruction &mma) {
  const int64_t k = schedule.tile[2];
  if (schedule.copies == Copies::Async)
    return k;
  return getKPack(k, mma) * (copy.vectorMN == 1 ? getUnitRun(k, mma) : 1);
}

/// Cycles in which an L1 takes the addresses of an operand's tile: as many lanes at once as would
/// fill a block of 64 bytes, 16 at most, and one block after the other.
static double getAddressCycles(const Schedule &schedule, const CopyShape &copy,
                               const Operand &operand, const MatrixInstruction &mma) {
  constexpr double kBlock = 64;
  const int64_t k = schedule.tile[2];
  const auto bytes = double(getSizeInBytes(operand.type));
  const double access = double(operand.contiguousK ? copy.vectorK : copy.vectorMN) * bytes;
  const double lanes = access > 8 ? 4 : access > 4 ? 8 : 16;
  double piece = 0, pieces = 0; // that the lanes of a cycle touch
  if (operand.contiguousK) {
    const int64_t together = getLoadedTogether(schedule, copy, mma);
    const int64_t run = operand.run ? std::min(operand.run, together) : together;
    piece = std::min(double(run) * bytes, lanes * access);
    pieces = lanes * access / piece;
    piece *= double(operand.stride);
  } else { // Neighbouring lanes load a block of the rows of one K, and then other K.
    const bool whole = schedule.copies == Copies::Async || copy.vectorK == getKPack(k, mma);
    const auto run = double(whole ? operand.rows / copy.vectorMN
                                  : getRowRun(operand.rows, copy.vectorMN, int64_t(bytes)));
    pieces = std::max(lanes / run, 1.0);
    piece = lanes / pieces * access * double(operand.stride);
  }
  // Runs that fill no whole blocks begin anywhere in them.
  const bool aligned = operand.run == 0 || std::fmod(double(operand.run) * bytes, kBlock) == 0;
  const double apart = pieces * std::max(1.0, piece / kBlock + (aligned ? 0.0 : piece / kBlock));
  const double span = (pieces - 1) * double(operand.pitch) * bytes + piece;
  const double together = operand.pitch > 0 ? 1 + (span - bytes) / kBlock : apart;
  const double blocks = std::min({lanes, apart, together});
  return double(operand.rows * k) * bytes / (lanes * access) * blocks;
}

/// How many times as long LDS takes for writes of rows that memory has side by side: units of K lie
/// a multiple of all banks apart, so that only micro tiles of different rows meet different banks,
/// eight of them all.
static double getWriteConflicts(const CopyShape &copy, const Operand &operand) {
  constexpr double kMicroTiles = 8;
  if (operand.contiguousK)
    return 1;
  return std::max(1.0, kMicroTiles * double(copy.vectorMN) / double(operand.rows));
}

/// What the copying waves do for one operand.
static void addCopy(Work &work, const Schedule &schedule, const CopyShape &copy,
                    const Operand &operand, const ChipInfo &chip, const ChipRates &rates,
                    const TimeModelConstants &c) {
  const MatrixInstruction &mma = *chip.findMatrixInstruction(schedule.mma, operand.type);
  const double loads = double(copy.getLoads(operand.contiguousK));
  work.loads += loads;
  work.ops += c.addressCycles * loads * double(operand.addressOps) + loads;
  work.addresses +=
      c.l1Addresses * getAddressCycles(schedule, copy, operand, mma) / double(rates.cusPerUnit);
  if (schedule.copies == Copies::Async)
    return;
  work.ops += getTransposeOps(copy, operand.contiguousK, operand.type);
  const double bytes = double(copy.vectorK * getSizeInBytes(operand.type) * chip.waveSize);
  work.writes += c.ldsWrite * double(copy.getWrites()) * double(getCopyWaves(schedule)) *
                 getWriteConflicts(copy, operand) * std::max(bytes, kLeastLdsBytes) /
                 rates.ldsBytesPerCycle;
}

/// Of the rows and of the columns of a tile.
static std::array<Operand, 2> getOperands(const Schedule &schedule, const GemmShape &shape) {
  return {Operand{schedule.tile[0], shape.aContiguousK, shape.aAddressOps, shape.aRun,
                  shape.aStride, shape.aPitch, shape.aVector, shape.aType},
          Operand{schedule.tile[1], shape.bContiguousK, shape.bAddressOps, shape.bRun,
                  shape.bStride, shape.bPitch, shape.bVector, shape.bType}};
}

/// Lines in which a run of `bytes` bytes lies, on average. Where loads cannot have 16 bytes, runs
/// begin anywhere in a line at a multiple of what these have; others are taken to begin with one.
static double countLines(double bytes, double loadBytes, double line) {
  return loadBytes < kMaxLoadBytes ? 1 + (bytes - loadBytes) / line : std::ceil(bytes / line);
}

/// Bytes of an operand's tile as the L1 gets them in whole lines: what a step leaves of a line, the
/// next one needs, and finds it if the L1 is large enough. Runs of which the next one begins
/// `pitch` elements further share lines.
static double getFill(const Operand &operand, double depth, double bytes, Keeps keeps,
                      const ChipRates &rates) {
  const bool isKept = keeps == Keeps::All || (keeps == Keeps::AlongK && operand.contiguousK);
  const auto rows = double(operand.rows);
  const double run = (operand.contiguousK ? depth : rows) * bytes;
  const double runs = operand.contiguousK ? rows : depth;
  const double lines =
      isKept ? run / rates.l1Line : countLines(run, double(operand.vector) * bytes, rates.l1Line);
  const double apart = runs * lines * rates.l1Line;
  if (operand.pitch <= 0)
    return apart;
  const double span = (runs - 1) * double(operand.pitch) * bytes + run;
  return std::min(apart, std::ceil(span / rates.l1Line) * rates.l1Line);
}

/// The same of the rows and of the columns of a tile.
static std::array<double, 2> getFills(const Schedule &schedule, const GemmShape &shape, Keeps keeps,
                                      const ChipRates &rates) {
  const double bytes = double(getSizeInBytes(shape.aType)), k = double(schedule.tile[2]);
  const auto [a, b] = getOperands(schedule, shape);
  return {getFill(a, k, bytes, keeps, rates), getFill(b, k, bytes, keeps, rates)};
}

double detail::getFillBytes(const Schedule &schedule, const GemmShape &shape, Keeps keeps,
                            const ChipRates &rates) {
  const auto [rows, columns] = getFills(schedule, shape, keeps, rates);
  return rows + columns;
}

void StepCosts::add(double weight, const StepCosts &other) {
  for (auto member : {&StepCosts::matrix, &StepCosts::valu, &StepCosts::lds, &StepCosts::l1,
                      &StepCosts::fillBytes, &StepCosts::serial, &StepCosts::math})
    this->*member += weight * other.*member;
  for (size_t source = 0; source < kNumSources; ++source) {
    misses[source] += weight * other.misses[source];
    chain[source] += weight * other.chain[source];
  }
}

static Work getWork(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip,
                    const ChipRates &rates, const TimeModelConstants &c) {
  Work work;
  const double mathWaves = double(schedule.waves[0] * schedule.waves[1]);
  const int64_t bytes = getSizeInBytes(shape.aType);
  const double macs = bytes == 1 ? rates.macs8 : bytes == 2 ? rates.macs16 : rates.macs32;
  const double m = double(schedule.tile[0]), n = double(schedule.tile[1]),
               k = double(schedule.tile[2]);
  work.math =
      m * n * k / mathWaves / macs * std::ceil(mathWaves / double(rates.getSimdsPerUnit(chip)));
  const double columns = shape.bShuffled ? 0 : double(schedule.waves[0]) * n;
  work.reads = c.ldsRead * (double(schedule.waves[1]) * m + columns) * k * double(bytes) /
               rates.ldsBytesPerCycle;
  work.ops = c.stepOps;
  const auto [a, b] = getOperands(schedule, shape);
  addCopy(work, schedule, *getCopyShapeA(schedule, shape, chip), a, chip, rates, c);
  if (std::optional<CopyShape> copy = getCopyShapeB(schedule, shape, chip))
    addCopy(work, schedule, *copy, b, chip, rates, c);
  work.loads += double(getShuffledLoads(schedule, shape, chip));
  return work;
}

/// By how much uniform waves that are few take longer: they do what they do one after the other.
static double getGaps(const Schedule &schedule, const TimeModelConstants &c) {
  if (schedule.roles.load > 0)
    return 1;
  return 1 + c.uniformGaps / double(schedule.waves[0] * schedule.waves[1]);
}

/// The time of a step when copies past registers are all that takes time: they start when a slot is
/// free, and all of a step arrive before it is multiplied. Of `rows` and `columns` that come from
/// memory each has its slots to wait for that.
static double getFlight(const Schedule &schedule, const StepCosts &costs, double rows,
                        double columns, int64_t groupsPerUnit, const TimeModelConstants &c) {
  const auto rowSlots = double(schedule.stages.rows - 1),
             columnSlots = double(schedule.stages.columns - 1);
  const double cached = c.asyncLatency + double(groupsPerUnit) * costs.l1;
  return cached / ((rowSlots + columnSlots) / 2) + std::max(rows / rowSlots, columns / columnSlots);
}

StepCosts detail::estimateStep(const Schedule &schedule, const GemmShape &shape,
                               const ChipInfo &chip, int64_t groupsPerUnit,
                               const TimeModelConstants &c) {
  const ChipRates &rates = getChipRates(chip);
  const Work work = getWork(schedule, shape, chip, rates, c);
  const double simds = double(rates.getSimdsPerUnit(chip)),
               copyWaves = double(getCopyWaves(schedule));
  const double mathWaves = double(schedule.waves[0] * schedule.waves[1]);
  const double m = double(schedule.tile[0]), n = double(schedule.tile[1]),
               k = double(schedule.tile[2]), bytes = double(getSizeInBytes(shape.aType));
  StepCosts costs;
  costs.matrix = work.math * mathWaves / simds / std::ceil(mathWaves / simds);
  costs.valu = (work.ops * copyWaves + c.stepOps * mathWaves) * rates.valuCycles / simds;
  costs.lds = work.reads + work.writes;
  costs.l1 = std::max((m + n) * k * bytes / rates.l1BytesPerCycle, work.addresses);
  const bool keeps = (m + n) * rates.l1Line * double(groupsPerUnit) <= c.l1Share * rates.l1Bytes;
  const auto fills = getFills(schedule, shape, keeps ? Keeps::AlongK : Keeps::Nothing, rates);
  costs.fillBytes = fills[0] + fills[1];
  // Reads ahead hide behind the matrix instructions of another unit.
  const double math = schedule.reads == Reads::Ahead
                          ? std::max(work.math, work.reads) + c.aheadLatency * c.mathLatency
                          : work.math + work.reads + c.ldsLatency + c.mathLatency;
  const double issue =
      work.ops * rates.valuCycles * std::ceil(copyWaves / simds) + work.loads * c.loadCycles;
  const bool async = schedule.copies == Copies::Async;
  const double writes = async ? 0 : work.writes + c.ldsLatency;
  costs.serial = issue + c.loadLatency + writes + math;
  const double gaps = getGaps(schedule, c);
  costs.serial *= gaps;
  const bool beside = schedule.roles.load > 0 || schedule.reads == Reads::Ahead;
  const double beyond = c.memoryLatency * (rates.memoryCycles - rates.cachedCycles);
  // Waves that share a SIMD start all copies of a step at once if rows have two slots.
  const bool atOnce = async && schedule.roles.load == 0 && schedule.reads == Reads::Ahead &&
                      schedule.stages.rows == 2 && mathWaves > simds;
  const double burst = atOnce ? kBurst : 1;
  if (async)
    costs.math = gaps * (std::max(issue, beside ? math : issue + math) + c.stepCycles);
  else if (schedule.roles.load > 0)
    costs.math = gaps * (math + c.stepCycles);
  for (size_t source = 0; source < kNumSources; ++source) {
    const double rows = source & 1 ? beyond : 0, columns = source & 2 ? beyond : 0;
    // What caches have comes faster than an L1 can take it. Lines take their places in order, so
    // that all wait for those from memory that are among them.
    if (source != 0)
      costs.misses[source] = burst * costs.fillBytes *
                             (rates.cachedCycles + std::max(rows, columns)) /
                             (kMissLines * double(rates.cusPerUnit) * rates.l1Line * c.missShare);
    const double latency = c.loadLatency + std::max(rows, columns);
    double &chain = costs.chain[source];
    if (async) // What is copied for later steps hides behind this one.
      chain = getFlight(schedule, costs, rows, columns, groupsPerUnit, c);
    else if (schedule.roles.load > 0)
      chain = issue + latency + writes;
    else
      chain = issue + std::max(latency, math) + writes;
    chain = gaps * (chain + c.stepCycles);
  }
  return costs;
}
