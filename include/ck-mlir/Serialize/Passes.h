//===- Passes.h - Passes and pipelines of the compiler driver -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ck-opt registers and what other compilers add to their pass managers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SERIALIZE_PASSES_H
#define CK_MLIR_SERIALIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ck {

#define GEN_PASS_DECL
#include "ck-mlir/Serialize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ck-mlir/Serialize/Passes.h.inc"

} // namespace mlir::ck

#endif // CK_MLIR_SERIALIZE_PASSES_H
