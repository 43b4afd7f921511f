//===- MatrixInstructions.cpp - Matrix instructions and their lane layouts -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a lane holds of A, B and D decides how tiles are laid out in LDS and in registers, so it is
// stated once, here. Sources: "AMD Instinct MI100/MI200/MI300/CDNA4 Instruction Set Architecture",
// chapter "Matrix Arithmetic Instructions" (MFMA); "RDNA3/RDNA4 Instruction Set Architecture",
// chapter "Wave Matrix Multiply Accumulate" (WMMA); each instruction also exists as an LLVM
// intrinsic llvm.amdgcn.{mfma,wmma}.*. Only dense instructions that reduce over K within one block
// are listed.
//
//===----------------------------------------------------------------------===//

#include "Chip/MatrixInstructions.h"
#include <vector>

using namespace mlir::ck;

/// Rows of D per group of consecutive accumulator registers of an MFMA.
static constexpr int64_t kMfmaGroupRows = 4;
static constexpr int64_t kMfmaWaveSize = 64;

int64_t MatrixInstruction::getAccRow(int64_t lane, int64_t reg) const {
  int64_t block = lane / n;
  if (unit == MatrixUnit::Mfma) {
    int64_t blocks = kMfmaWaveSize / n;
    int64_t group = reg / kMfmaGroupRows;
    return (group * blocks + block) * kMfmaGroupRows + reg % kMfmaGroupRows;
  }
  // gfx11 (a lane holds all of K) interleaves the rows of both half waves; gfx12 stacks them, and
  // so do we where we choose.
  return isAccInterleaved() ? 2 * reg + block : accPerLane * block + reg;
}

int64_t MatrixInstruction::getAccRun() const {
  // Lanes beside the first hold the same pattern of rows, moved by that of their first register.
  int64_t run = 1;
  while (run < accPerLane && getAccRow(0, run) == run)
    ++run;
  return run & -run;
}

const MatrixInstruction *ChipInfo::findMatrixInstruction(std::array<int64_t, 3> shape,
                                                         DataType type) const {
  for (const MatrixInstruction &inst : matrixInstructions)
    if (inst.m == shape[0] && inst.n == shape[1] && inst.k == shape[2] && inst.aType == type)
      return &inst;
  return nullptr;
}

/// The type in which `type` is accumulated.
static DataType getAccType(DataType type) {
  return isInteger(type) ? DataType::I32 : DataType::F32;
}

static MatrixInstruction mfma(int64_t mn, int64_t k, DataType type) {
  return {MatrixUnit::Mfma,
          mn,
          mn,
          k,
          type,
          type,
          getAccType(type),
          /*heldType=*/type,
          /*kPerLane=*/mn * k / kMfmaWaveSize,
          /*accPerLane=*/mn * mn / kMfmaWaveSize};
}

static MatrixInstruction wmma(int64_t kPerLane, DataType type) {
  return {MatrixUnit::Wmma,  16,       16, 16, type, type, getAccType(type),
          /*heldType=*/type, kPerLane,
          /*accPerLane=*/8};
}

/// The outer product of a wave of 32 lanes.
static MatrixInstruction fma(DataType type) {
  return {MatrixUnit::Fma,   16, 16, 1, type, type, getAccType(type),
          /*heldType=*/type,
          /*kPerLane=*/1,
          /*accPerLane=*/8};
}

/// The forms of f32 that round their operands.
static MatrixInstruction xf32(int64_t mn, int64_t k) {
  MatrixInstruction inst = mfma(mn, k, DataType::F32);
  inst.reducedPrecision = true;
  return inst;
}

using Instructions = std::vector<MatrixInstruction>;

/// `base` with `added` in front, so that wider instructions of a newer family come first.
static Instructions derive(llvm::ArrayRef<MatrixInstruction> base, Instructions added) {
  added.insert(added.end(), base.begin(), base.end());
  return added;
}

/// `base` and its instructions for bf16 once more for 8-bit floats, of a chip without any. All of
/// these are bf16 numbers, and no subnormal ones, which some matrix instructions flush.
static Instructions addConverted(const Instructions &base) {
  Instructions all = base;
  for (const MatrixInstruction &inst : base)
    for (DataType type : {DataType::FP8, DataType::BF8})
      if (inst.aType == DataType::BF16) {
        all.push_back(inst);
        all.back().aType = all.back().bType = type;
      }
  return all;
}

/// The instructions of CDNA1, which CDNA2 has as well.
static Instructions getFirstInstructions() {
  return {mfma(32, 8, DataType::F16), mfma(16, 16, DataType::F16), mfma(32, 2, DataType::F32),
          mfma(16, 4, DataType::F32), mfma(32, 4, DataType::BF16), mfma(16, 8, DataType::BF16),
          mfma(32, 8, DataType::I8),  mfma(16, 16, DataType::I8)};
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx908Instructions() {
  static const Instructions instructions = addConverted(getFirstInstructions());
  return instructions;
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx90aInstructions() {
  // The "_1k" forms of bf16.
  static const Instructions instructions = addConverted(
      derive(getFirstInstructions(), {mfma(32, 8, DataType::BF16), mfma(16, 16, DataType::BF16)}));
  return instructions;
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx942Instructions() {
  // 8-bit types hold 8 values a lane; the 4-byte i8 forms of gfx908 are gone, xf32 is here only.
  static const Instructions instructions = {xf32(32, 4),
                                            xf32(16, 8),
                                            mfma(32, 8, DataType::F16),
                                            mfma(16, 16, DataType::F16),
                                            mfma(32, 8, DataType::BF16),
                                            mfma(16, 16, DataType::BF16),
                                            mfma(32, 2, DataType::F32),
                                            mfma(16, 4, DataType::F32),
                                            mfma(32, 16, DataType::I8),
                                            mfma(16, 32, DataType::I8),
                                            mfma(32, 16, DataType::FP8),
                                            mfma(16, 32, DataType::FP8),
                                            mfma(32, 16, DataType::BF8),
                                            mfma(16, 32, DataType::BF8)};
  return instructions;
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx950Instructions() {
  auto inherited = llvm::to_vector(
      llvm::make_filter_range(getGfx942Instructions(), [](const MatrixInstruction &inst) {
        return !inst.reducedPrecision;
      }));
  static const Instructions instructions =
      derive(inherited, {mfma(32, 16, DataType::F16), mfma(16, 32, DataType::F16),
                         mfma(32, 16, DataType::BF16), mfma(16, 32, DataType::BF16),
                         mfma(32, 32, DataType::I8), mfma(16, 64, DataType::I8),
                         mfma(32, 64, DataType::FP8), mfma(16, 128, DataType::FP8),
                         mfma(32, 64, DataType::BF8), mfma(16, 128, DataType::BF8)});
  return instructions;
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx11Instructions() {
  static const Instructions instructions =
      addConverted({wmma(16, DataType::F16), wmma(16, DataType::BF16), wmma(16, DataType::I8),
                    fma(DataType::F32)});
  return instructions;
}

llvm::ArrayRef<MatrixInstruction> mlir::ck::getGfx12Instructions() {
  static const Instructions instructions = {wmma(8, DataType::F16), wmma(8, DataType::BF16),
                                            wmma(8, DataType::I8),  wmma(8, DataType::FP8),
                                            wmma(8, DataType::BF8), fma(DataType::F32)};
  return instructions;
}
