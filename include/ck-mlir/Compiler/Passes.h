//===- Passes.h - Passes over several rungs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creation and registration of the passes; Passes.td describes them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PASSES_H
#define CK_MLIR_COMPILER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ck {

#define GEN_PASS_DECL
#include "ck-mlir/Compiler/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ck-mlir/Compiler/Passes.h.inc"

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_PASSES_H
