//===- RegisterCheck.cpp - The registers that a schedule needs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that spills is refused when it has been compiled. What would spill in any case is
// refused here, by what was seen in generated kernels.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::createStringError;
using llvm::Error;
using llvm::Twine;

static constexpr int64_t kRegisterBytes = 4;
/// Accumulators that leave room for everything else: with 256 of them kernels were seen to spill.
static constexpr int64_t kMaxAccRegisters = 128;
/// Of a lane whose other values are few: operands go past its registers and are read as needed.
static constexpr int64_t kMaxMatrixRegisters = 256;
/// Elements of the accumulator tile: eight waves then have the most accumulators.
static constexpr int64_t kMaxTileElements = 256 * 256;
/// Registers for addresses, loop counters and temporaries, as seen in generated kernels.
static constexpr int64_t kAddressRegisters = 32;
/// Registers of uniform waves for a copy without registers: its address, or what that is computed
/// from; and for reads that transpose a tile. With fewer of them kernels were seen to spill, but
/// not those whose accumulators are all AGPRs.
static constexpr int64_t kCopyRegisters = 1, kComputedCopyRegisters = 8, kTransposeRegisters = 12;
static constexpr int64_t kComputedCopyBesideAgprs = 4;

int64_t detail::getAccRegisters(const Schedule &schedule, const ChipInfo &chip) {
  return schedule.tile[0] * schedule.tile[1] /
         (schedule.waves[0] * schedule.waves[1] * chip.waveSize);
}

/// Registers of one lane of uniform waves that copy without registers.
static int64_t getAsyncRegisters(const Schedule &schedule, const GemmShape &shape,
                                 const ChipInfo &chip) {
  const int64_t computed = getAccRegisters(schedule, chip) > kMaxAccRegisters
                               ? kComputedCopyBesideAgprs
                               : kComputedCopyRegisters;
  auto count = [=](const std::optional<CopyShape> &copy, bool contiguousK, int64_t addressOps) {
    if (!copy)
      return int64_t(0);
    return copy->getLoads(contiguousK) * (addressOps > 0 ? computed : kCopyRegisters) +
           (contiguousK ? 0 : kTransposeRegisters);
  };
  return count(getCopyShapeA(schedule, shape, chip), shape.aContiguousK, shape.aAddressOps) +
         count(getCopyShapeB(schedule, shape, chip), shape.bContiguousK, shape.bAddressOps);
}

/// Registers of one lane for the next tile on its way to LDS.
static int64_t getStagedRegisters(const Schedule &schedule, const GemmShape &shape,
                                  const ChipInfo &chip) {
  if (schedule.copies == Copies::Async)
    return schedule.roles.load > 0 ? 0 : getAsyncRegisters(schedule, shape, chip);
  int64_t rows = schedule.tile[0] + (shape.bShuffled ? 0 : schedule.tile[1]);
  int64_t elements = rows * schedule.tile[2];
  return elements * getSizeInBytes(shape.aType) / getCopyThreads(schedule, chip) / kRegisterBytes;
}

/// Registers of one lane for the fragments of one K unit of A and B. Of outer products the rows of
/// two blocks, one being loaded, meet all columns (or the other way round). Shuffled B is held for
/// a whole K step while that of the next one is loaded.
static int64_t getFragmentRegisters(const Schedule &schedule, const GemmShape &shape,
                                    const ChipInfo &chip) {
  int64_t rows = schedule.tile[0] / (schedule.waves[0] * schedule.mma[0]);
  int64_t columns = schedule.tile[1] / (schedule.waves[1] * schedule.mma[1]);
  const MatrixInstruction *mma = chip.findMatrixInstruction(schedule.mma, shape.aType);
  int64_t fragments = rows + (shape.bShuffled ? 0 : columns);
  if (mma->unit == MatrixUnit::Fma)
    fragments = std::max(rows, columns) + 2 * mma->getRowsPerLane();
  int64_t held = std::max(getKPack(schedule, shape.aType, chip), mma->kPerLane);
  int64_t ahead = 2 * getShuffledLoads(schedule, shape, chip) * kMaxLoadBytes;
  if (schedule.reads == Reads::Ahead) // rows of the unit that is multiplied end one by one
    fragments += columns + 1;
  return (fragments * held * getSizeInBytes(mma->heldType) + ahead) / kRegisterBytes;
}

Error detail::checkAccumulators(const Schedule &schedule, const GemmShape &shape,
                                const ChipInfo &chip) {
  const int64_t acc = getAccRegisters(schedule, chip);
  const MatrixInstruction &mma = *chip.findMatrixInstruction(schedule.mma, shape.aType);
  const bool isAhead = schedule.copies == Copies::Async && schedule.reads == Reads::Ahead;
  const bool mayFill = isAhead && mma.unit == MatrixUnit::Mfma;
  const int64_t most = mayFill ? kMaxMatrixRegisters : kMaxAccRegisters;
  if (acc > most)
    return createStringError(
        "accumulators need " + Twine(acc) + " registers a lane, expected at most " + Twine(most) +
        (mayFill ? "" : " without async copies and reads ahead") + "; use more waves");
  return Error::success();
}

int64_t detail::estimateRegisters(const Schedule &schedule, const GemmShape &shape,
                                  const ChipInfo &chip) {
  const int64_t math = getAccRegisters(schedule, chip) +
                       getFragmentRegisters(schedule, shape, chip) + kAddressRegisters;
  const int64_t staged = getStagedRegisters(schedule, shape, chip);
  return schedule.roles.load > 0 ? std::max(math, staged + kAddressRegisters) : math + staged;
}

/// All waves have as many registers as the most demanding role needs.
Error detail::checkRegisters(const Schedule &schedule, const GemmShape &shape,
                             const ChipInfo &chip) {
  int64_t acc = getAccRegisters(schedule, chip);
  int64_t operands = getFragmentRegisters(schedule, shape, chip) + kAddressRegisters;
  int64_t staged = getStagedRegisters(schedule, shape, chip);
  bool split = schedule.roles.load > 0;
  if (!split)
    operands += staged;
  int64_t budget = chip.getVgprBudget(schedule.getNumWaves());
  auto getLimit = [&] {
    return (Twine(chip.name) + " has " + Twine(budget) + " with " + Twine(schedule.getNumWaves()) +
            " waves")
        .str();
  };
  if (acc + operands > budget)
    return createStringError("schedule needs " + Twine(acc) + " accumulator and " +
                             Twine(operands) + " operand registers a lane, " + getLimit());
  if (split && staged + kAddressRegisters > budget)
    return createStringError("load waves need " + Twine(staged + kAddressRegisters) +
                             " registers a lane, " + getLimit());
  int64_t elements = schedule.tile[0] * schedule.tile[1];
  if (elements > kMaxTileElements)
    return createStringError("tile M x N must be at most " + Twine(kMaxTileElements) +
                             " elements, got " + Twine(elements));
  return Error::success();
}
