//===- ScheduleCost.cpp - What a K step costs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves with both roles issue everything one after the other; load and math waves issue side by
// side, and the slower ones decide. docs/WaveSpecialization.md tells when that pays.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCost.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::ck;

/// Multiply-accumulates of one SIMD per cycle: 8192 of a 32x32x8 f16 MFMA in 32 cycles [CDNA3 ISA].
static constexpr int64_t kMacsPerCycle = 256;
/// Cycles to issue an MFMA beside its execution.
static constexpr int64_t kMmaIssueCycles = 4;
/// Latency of a global load; a step cannot be shorter with two LDS slots.
static constexpr int64_t kLoadLatency = 500;
/// Issue cycles of one load, and of one LDS access.
static constexpr int64_t kLoadCycles = 12;
static constexpr int64_t kLdsCycles = 8;
/// Cycles of one operation of an address computation, where each waits for the one before, and of
/// one of a transposition, where none does.
static constexpr int64_t kAddressCycles = 8;
static constexpr int64_t kTransposeCycles = 4;
/// Barrier and loop overhead of a step; load and math waves of a SIMD have theirs at the same time.
static constexpr int64_t kStepOverhead = 100;
/// What a wave of a workgroup with load waves costs a step: more waves meet at the barrier, and
/// they take the registers of another workgroup, whose waves would fill gaps as well.
static constexpr int64_t kRoleCycles = 50;

namespace {
/// Issue cycles of one wave in a K step.
struct CopyCost {
  int64_t memory = 0; // loads and LDS writes
  int64_t valu = 0;   // addresses and transpositions
};
} // namespace

/// Registers of 2 or 4 elements along M or N become registers along K: an operation each for every
/// halving of the elements.
static int64_t getTransposeOps(const CopyShape &copy, bool contiguousK, DataType type) {
  if (contiguousK || copy.vectorK == 1)
    return 0;
  int64_t bytes = getSizeInBytes(type);
  int64_t registers = copy.passes * copy.vectorMN * copy.vectorK * bytes / 4;
  return registers * llvm::Log2_64(std::max<int64_t>(4 / bytes, 1));
}

static CopyCost estimateCopies(const Schedule &schedule, const GemmShape &shape,
                               const ChipInfo &chip) {
  CopyShape a = *getCopyShapeA(schedule, shape, chip);
  // Nothing is copied of a B that is shuffled.
  CopyShape b = getCopyShapeB(schedule, shape, chip).value_or(CopyShape{1, 1, 0});
  int64_t aLoads = a.getLoads(shape.aContiguousK), bLoads = b.getLoads(shape.bContiguousK);
  int64_t addressOps = aLoads * shape.aAddressOps + bLoads * shape.bAddressOps;
  int64_t transposeOps = getTransposeOps(a, shape.aContiguousK, shape.aType) +
                         getTransposeOps(b, shape.bContiguousK, shape.bType);
  CopyCost cost;
  cost.memory = (aLoads + bLoads) * kLoadCycles + (a.getWrites() + b.getWrites()) * kLdsCycles;
  cost.valu = addressOps * kAddressCycles + transposeOps * kTransposeCycles;
  return cost;
}

detail::StepCost mlir::ck::detail::estimateStep(const Schedule &schedule, const GemmShape &shape,
                                                const ChipInfo &chip) {
  int64_t mathWaves = schedule.waves[0] * schedule.waves[1];
  int64_t mathPerSimd = llvm::divideCeil(mathWaves, chip.simdsPerCu);
  int64_t macs = schedule.tile[0] * schedule.tile[1] * schedule.tile[2];
  int64_t mmas = macs / (schedule.mma[0] * schedule.mma[1] * schedule.mma[2]) / mathWaves;
  int64_t math = mathPerSimd * (macs / mathWaves / kMacsPerCycle + mmas * kMmaIssueCycles);
  int64_t columns = shape.bShuffled ? 0 : schedule.tile[1] / schedule.waves[1];
  int64_t fragmentElements =
      (schedule.tile[0] / schedule.waves[0] + columns) * schedule.tile[2] / chip.waveSize;
  int64_t reads =
      mathPerSimd *
      (kLdsCycles * llvm::divideCeil(fragmentElements, getKPack(schedule, shape.aType, chip)) +
       kLoadCycles * getShuffledLoads(schedule, shape, chip));

  CopyCost copy = estimateCopies(schedule, shape, chip);
  int64_t copyWaves = getCopyWaves(schedule);
  int64_t copies = llvm::divideCeil(copyWaves, chip.simdsPerCu) * (copy.memory + copy.valu);
  StepCost cost;
  cost.work = mathWaves * (math + reads) / mathPerSimd + copyWaves * (copy.memory + copy.valu) +
              std::max(mathWaves, copyWaves) * kStepOverhead;
  if (schedule.roles.load == 0)
    cost.elapsed = std::max(math, kLoadLatency) + reads + copies + kStepOverhead;
  else
    cost.elapsed = std::max({math + reads, copies, kLoadLatency}) + kStepOverhead +
                   schedule.getNumWaves() * kRoleCycles;
  return cost;
}
