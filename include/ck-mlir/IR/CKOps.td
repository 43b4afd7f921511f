//===- CKOps.td - All ops of the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKOPS_TD
#define CK_MLIR_IR_CKOPS_TD

include "ck-mlir/IR/ConvOps.td"
include "ck-mlir/IR/GemmOps.td"
include "ck-mlir/IR/GridOps.td"
include "ck-mlir/IR/BlockOps.td"
include "ck-mlir/IR/LaneOps.td"
include "ck-mlir/IR/PartialOps.td"
include "ck-mlir/IR/DirectOps.td"
include "ck-mlir/IR/EpilogueOps.td"

#endif // CK_MLIR_IR_CKOPS_TD
