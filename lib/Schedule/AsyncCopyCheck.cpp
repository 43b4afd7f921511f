//===- AsyncCopyCheck.cpp - What copies without registers require -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads that write to LDS can neither convert nor transpose: operands must lie in memory as lanes
// read them from LDS, or as reads of LDS transpose them.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Twine;

/// What buffer instructions reach.
static constexpr int64_t kMaxAsyncBytes = int64_t(1) << 31;
/// Rows of a tile by whose permutation transposing reads use all banks.
static constexpr int64_t kMinTransposedRows = 32;

/// What copies of operands that are consecutive along M or N require, whose reads transpose them.
static Error checkTransposingReads(const Schedule &schedule, const GemmShape &shape,
                                   const ChipInfo &chip) {
  const bool along[] = {shape.aContiguousK, shape.bContiguousK};
  for (auto [index, letter] : llvm::enumerate(llvm::StringRef("MN"))) {
    if (along[index])
      continue;
    if (!chip.hasTransposingReads)
      return createStringError("copies=async requires operands that are consecutive along K in "
                               "memory, or reads of LDS that transpose them, which " +
                               Twine(chip.name) + " does not have");
    if (getSizeInBytes(shape.aType) != 2)
      return createStringError("copies=async of operands that are consecutive along " +
                               Twine(letter) + " requires elements of 16 bits, got " +
                               getName(shape.aType));
    int64_t rows = schedule.tile[index], most = chip.waveSize * chip.asyncCopyBytes / 2;
    if (!llvm::isPowerOf2_64(uint64_t(rows)) || rows < kMinTransposedRows || rows > most)
      return createStringError("copies=async of operands that are consecutive along " +
                               Twine(letter) + " requires a tile " + Twine(letter) +
                               " of a power of two from " + Twine(kMinTransposedRows) + " to " +
                               Twine(most) + ", got " + Twine(rows));
  }
  return Error::success();
}

Error mlir::ck::detail::checkAsyncCopies(const Schedule &schedule, const GemmShape &shape,
                                         const ChipInfo &chip) {
  if (schedule.copies != Copies::Async)
    return Error::success();
  const MatrixInstruction &mma = *chip.findMatrixInstruction(schedule.mma, shape.aType);
  auto refuse = [](const Twine &reason) { return createStringError("copies=async " + reason); };
  if (chip.asyncCopyBytes == 0)
    return refuse("requires loads that write to LDS, which " + Twine(chip.name) + " does not have");
  if (mma.unit != MatrixUnit::Mfma || mma.heldType != shape.aType)
    return refuse("requires operands that matrix instructions multiply as they are, got " +
                  getName(shape.aType));
  if (shape.bShuffled)
    return refuse("cannot be combined with weights that are shuffled ahead of time");
  int64_t bytes = getSizeInBytes(shape.aType), width = chip.asyncCopyBytes / bytes;
  if (shape.aVector < width || shape.bVector < width)
    return refuse("requires operands with " + Twine(width) + " consecutive elements in memory");
  if (Error error = checkTransposingReads(schedule, shape, chip))
    return error;
  int64_t lanes = schedule.tile[2] / width, rowBytes = schedule.tile[2] * bytes;
  if (!llvm::isPowerOf2_64(uint64_t(schedule.tile[2])) || lanes > chip.waveSize || rowBytes < 64)
    return refuse("requires a tile K of a power of two from " + Twine(64 / bytes) + " to " +
                  Twine(chip.waveSize * width) + " elements, got " + Twine(schedule.tile[2]));
  for (auto [index, elements] :
       {std::pair(0, shape.aElements ? shape.aElements : shape.g * shape.m * shape.k),
        std::pair(1, shape.bElements ? shape.bElements : shape.g * shape.n * shape.k)})
    if (elements > kMaxAsyncBytes / bytes)
      return refuse("requires operands of at most 2 GiB, got " + Twine(index == 0 ? "A" : "B") +
                    " of " + Twine(elements) + " elements of " + getName(shape.aType));
  return Error::success();
}
