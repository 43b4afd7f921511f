//===- Passes.h - Passes of tests -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded by ck-opt as a plugin, or linked.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_LIB_PASSES_H
#define CK_MLIR_TEST_LIB_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ck::test {

#define GEN_PASS_DECL
#include "test/lib/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "test/lib/Passes.h.inc"

} // namespace mlir::ck::test

#endif // CK_MLIR_TEST_LIB_PASSES_H
