//===- ChipInfo.h - The chip table and capability questions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row per chip; passes ask questions and never compare chip names.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CHIP_CHIPINFO_H
#define CK_MLIR_CHIP_CHIPINFO_H

#include "ck-mlir/Problem/DataType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>

namespace mlir::ck {

/// What multiplies: a matrix unit of its own (MFMA), matrix instructions of the vector ALU (WMMA),
/// or multiply-adds of single elements (FMA).
enum class MatrixUnit : uint8_t { Mfma, Wmma, Fma };

/// A dense matrix instruction D = A * B + C of one wave and the layout of its operands in lanes.
///
/// A: row i = lane % m, k = kPerLane * (lane / m) + j. B: column n = lane % n, same k. Where one
/// lane holds all of K (gfx11's WMMA), the upper half of the wave repeats the lower half.
/// D: column = lane % n, row = (8 or 4 rows a group, see `getAccRow`).
///
/// An FMA instruction is an outer product that every lane computes by as many multiply-adds as it
/// has accumulators: B and D as above, but of A a lane holds the rows of all its accumulators.
struct MatrixInstruction {
  MatrixUnit unit = MatrixUnit::Mfma;
  int64_t m = 0, n = 0, k = 0;
  DataType aType = DataType::F16, bType = DataType::F16, accType = DataType::F32;
  /// What the instruction multiplies. Operands of another type, `aType`, are converted to it, which
  /// is exact, on their way to LDS.
  DataType heldType = DataType::F16;
  int64_t kPerLane = 0;   // elements of A (and of B) that one lane holds
  int64_t accPerLane = 0; // accumulator registers of one lane
  /// Operands are rounded to 10 bits of mantissa (xf32): for schedules that name it only.
  bool reducedPrecision = false;

  /// Number of lanes that hold different K of the same row.
  int64_t getLanesOverK() const { return k / kPerLane; }
  /// Rows of A that one lane holds; of B it always holds one column.
  int64_t getRowsPerLane() const { return unit == MatrixUnit::Fma ? accPerLane : 1; }
  /// Row `i` of the rows of A (for `i` = 0 also the column of B) that `lane` holds.
  int64_t getOperandRow(int64_t lane, int64_t i = 0) const {
    return unit == MatrixUnit::Fma ? getAccRow(lane, i) : lane % m;
  }
  /// K of element `j` of A (and of B) of `lane`.
  int64_t getOperandK(int64_t lane, int64_t j) const {
    return kPerLane * (lane / m % getLanesOverK()) + j;
  }
  /// Row of accumulator register `reg` of `lane`.
  int64_t getAccRow(int64_t lane, int64_t reg) const;
  /// Column of every accumulator register of `lane`.
  int64_t getAccColumn(int64_t lane) const { return lane % n; }
  /// The power of two of consecutive accumulator registers of a lane, starting at a multiple of it,
  /// that hold consecutive rows, the first of them a multiple of it as well.
  int64_t getAccRun() const;
  /// True if the halves of a wave of 32 hold the even and the odd rows of D.
  bool isAccInterleaved() const { return unit == MatrixUnit::Wmma && kPerLane == k; }
};

/// The 8-bit floats that a chip has instructions for: none, those without infinities and negative
/// zero (FNUZ), or those of the Open Compute Project (OCP). Without instructions `fp8` and `bf8`
/// mean those of OCP.
enum class Fp8Kind : uint8_t { None, Fnuz, Ocp };

/// Facts about one chip. Sources stand beside the rows in ChipTable.cpp.
struct ChipInfo {
  llvm::StringRef name;          // "gfx942"
  llvm::StringRef marketingName; // "MI300X"
  int64_t waveSize = 64;
  int64_t ldsBytes = 65536;  // LDS limit of one workgroup
  int64_t maxThreads = 1024; // threads of one workgroup
  int64_t vgprs = 512;       // registers of one lane that a wave can use, AGPRs included
  int64_t simdVgprs = 512;   // registers of one lane of a SIMD, shared by its waves
  int64_t numCus = 304;
  /// Dies with an L2 each, among which the CUs are divided; workgroups go to them in turn.
  int64_t numXcds = 1;
  int64_t simdsPerCu = 4;
  int64_t ldsBanks = 32;
  /// Bytes that each lane of a load can write to LDS without registers; 0 where no load can.
  int64_t asyncCopyBytes = 0;
  /// Reads of LDS by which 16 lanes transpose 4 rows of 16 elements of 16 bits: each lane reads 4
  /// of a row and gets 4 of a column.
  bool hasTransposingReads = false;
  uint32_t bufferFlags = 0; // word 3 of a raw buffer descriptor
  /// Cache policy of stores that write through the L2 of their XCD; 0 where all CUs share an L2.
  uint32_t writeThrough = 0;
  /// The hardware can load a kernel's arguments into registers before it starts.
  bool preloadsArguments = false;
  bool hasMfma = false;
  bool hasWmma = false;
  /// A barrier waits for the other waves only, not for memory accesses of its own wave.
  bool hasBackOffBarrier = true;
  /// Buffer atomics that add two halves at once; all chips have those for f32 and i32.
  bool hasAtomicF16 = false, hasAtomicBF16 = false;
  Fp8Kind fp8 = Fp8Kind::None;
  llvm::StringRef features; // LLVM's subtarget features, beside the chip's own
  llvm::ArrayRef<MatrixInstruction> matrixInstructions;

  /// Registers of one lane when `waves` waves of one workgroup are resident on the CU.
  int64_t getVgprBudget(int64_t waves) const;

  /// Elements of `type` that one atomic instruction adds to memory; 0 if there is none.
  int64_t getAtomicWidth(DataType type) const;

  /// The matrix instruction of this shape and operand type, or null.
  const MatrixInstruction *findMatrixInstruction(std::array<int64_t, 3> shape, DataType type) const;
};

/// All known chips in ascending order.
llvm::ArrayRef<ChipInfo> getChips();

/// The row of `name`, or an error that lists the known chips.
llvm::Expected<const ChipInfo *> getChip(llvm::StringRef name);

} // namespace mlir::ck

#endif // CK_MLIR_CHIP_CHIPINFO_H
