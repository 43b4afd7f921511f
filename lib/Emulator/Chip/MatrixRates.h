//===- MatrixRates.h - How fast the chips multiply matrices -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplications a cycle of one SIMD, by the bits of the factors: those of all chips with MFMA are
// 32 for f32, and 128 for xf32.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHIP_MATRIXRATES_H
#define CK_MLIR_LIB_EMULATOR_CHIP_MATRIXRATES_H

namespace ckemu {

/// See above. `deep` ones are those of the instructions with the largest k, which newer chips add;
/// on others they are as fast as all.
struct MatrixRates {
  unsigned f64 = 32; ///< of 16 rows; 16 of four
  unsigned bits16 = 256, bits16Deep = 256;
  unsigned bits8 = 512, bits8Deep = 512;
  /// Cycles of WMMA, which is 16 x 16 x 16, for 32 lanes.
  unsigned wmma16 = 0, wmma8 = 0, wmma4 = 0;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHIP_MATRIXRATES_H
