//===- MatrixInstructions.h - Matrix instructions per chip family -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the chip table: the instruction lists that its rows refer to.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CHIP_MATRIXINSTRUCTIONS_H
#define CK_MLIR_LIB_CHIP_MATRIXINSTRUCTIONS_H

#include "ck-mlir/Chip/ChipInfo.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The dense matrix instructions of a family, larger tiles first.
llvm::ArrayRef<MatrixInstruction> getGfx908Instructions();
llvm::ArrayRef<MatrixInstruction> getGfx90aInstructions();
llvm::ArrayRef<MatrixInstruction> getGfx942Instructions();
llvm::ArrayRef<MatrixInstruction> getGfx950Instructions();
llvm::ArrayRef<MatrixInstruction> getGfx11Instructions();
llvm::ArrayRef<MatrixInstruction> getGfx12Instructions();

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CHIP_MATRIXINSTRUCTIONS_H
