//===- ChipJson.h - The chip table as JSON -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tools and the C API say about a chip.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CHIP_CHIPJSON_H
#define CK_MLIR_CHIP_CHIPJSON_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "llvm/Support/JSON.h"

namespace mlir::ck {

/// "none", "fnuz" or "ocp".
llvm::StringRef getName(Fp8Kind kind);

/// A row of the table with its matrix instructions.
llvm::json::Object toJson(const ChipInfo &chip);

} // namespace mlir::ck

#endif // CK_MLIR_CHIP_CHIPJSON_H
