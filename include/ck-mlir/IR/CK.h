//===- CK.h - The ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Umbrella header of the dialect: attributes, types, interfaces and ops.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CK_H
#define CK_MLIR_IR_CK_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Schedule/WorkPlan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ck-mlir/IR/CKDialect.h.inc"
#include "ck-mlir/IR/CKEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ck-mlir/IR/CKAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ck-mlir/IR/CKTypes.h.inc"

namespace mlir::ck {
class ConvOpInterface;

/// The problem of a convolution whose attributes and shapes agree.
ConvProblem makeConvProblem(ConvOpInterface conv);
/// Verifies what every convolution has in common (ConvOps.td, C1 to C7).
LogicalResult verifyConv(ConvOpInterface conv);
} // namespace mlir::ck

#include "ck-mlir/IR/CKInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ck-mlir/IR/CKOps.h.inc"

namespace mlir::ck {

/// The element type of `type` in MLIR. FP8/BF8 are the OCP types, or FNUZ with `fnuz`.
Type getElementType(MLIRContext *context, DataType type, bool fnuz = false);

/// The type in which products of `operandType` are accumulated: f32, or i32 for i8.
Type getAccumulatorType(Type operandType);

/// The problem data type of an MLIR element type, or nothing.
std::optional<DataType> getDataType(Type type);

/// The row of the chip table for `op`: of the `#rocdl.target` of its gpu.module, or of the
/// `ck.target` of its module. Emits an error at `op` when there is none or it is unknown.
FailureOr<const ChipInfo *> getTargetChip(Operation *op);

/// The same without an error: null where there is no target, or one that is unknown.
const ChipInfo *findTargetChip(Operation *op);

/// Success if `chip` takes elements of `type`, a type of a problem or of its epilogue. 8-bit floats
/// differ between chips.
llvm::Error checkElementType(Type type, const ChipInfo &chip);

} // namespace mlir::ck

#endif // CK_MLIR_IR_CK_H
