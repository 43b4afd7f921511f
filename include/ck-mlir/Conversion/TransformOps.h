//===- TransformOps.h - Ops of the transform dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TransformOps.td describes them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CONVERSION_TRANSFORMOPS_H
#define CK_MLIR_CONVERSION_TRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::ck {

/// Gives the transform dialect, where it is loaded, the ops of this file.
void registerTransformDialectExtension(DialectRegistry &registry);

} // namespace mlir::ck

#define GET_OP_CLASSES
#include "ck-mlir/Conversion/TransformOps.h.inc"

#endif // CK_MLIR_CONVERSION_TRANSFORMOPS_H
