//===- Npy.h - Tensors in .npy files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file format of NumPy arrays, versions 1 to 3, little endian, C order. bf16 has no NumPy type
// and is stored as u2; fp8 and bf8 are stored as u1.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUN_NPY_H
#define CK_MLIR_LIB_RUN_NPY_H

#include "ck-mlir/Reference/TensorData.h"
#include "llvm/Support/Error.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The NumPy type of an element type: "<f2", "<u2" (bf16), "<f4", "|i1", "|u1" (fp8, bf8), "<i4".
llvm::StringRef getNpyType(DataType type);

/// Reads a file into a tensor of the same type and shape (sizes in memory order). Errors name the
/// file and what differs.
llvm::Error readNpy(llvm::StringRef path, TensorData &tensor);

/// Writes a tensor as a whole.
llvm::Error writeNpy(llvm::StringRef path, const TensorData &tensor);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_RUN_NPY_H
