//===- Passes.h - Conversions into and out of the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creation and registration of the passes; Passes.td describes them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CONVERSION_PASSES_H
#define CK_MLIR_CONVERSION_PASSES_H

#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ck {

#define GEN_PASS_DECL
#include "ck-mlir/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ck-mlir/Conversion/Passes.h.inc"

/// Registers the interfaces through which upstream's conversions find the patterns of the dialects
/// that our kernels use.
void registerConversionInterfaces(DialectRegistry &registry);

} // namespace mlir::ck

#endif // CK_MLIR_CONVERSION_PASSES_H
