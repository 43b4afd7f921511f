//===- CKInterfaces.td - Interfaces of the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKINTERFACES_TD
#define CK_MLIR_IR_CKINTERFACES_TD

include "mlir/IR/OpBase.td"

def CK_ProblemOpInterface : OpInterface<"ProblemOpInterface"> {
  let cppNamespace = "::mlir::ck";
  let description = [{
    The properties of an op of form 'problem' that tools and passes need, whatever it computes.
  }];
  let methods = [
    InterfaceMethod<"The problem as a value; defined for a verified op.", "::mlir::ck::Problem",
                    "getProblem">,
    InterfaceMethod<"The two tensors that are multiplied, in the order of the problem's reads.",
                    "::llvm::SmallVector<::mlir::Value>", "getFactors">,
    InterfaceMethod<"The tensor that is written.", "::mlir::Value", "getWritten">,
    InterfaceMethod<"The D operands of the epilogue.", "::mlir::OperandRange", "getDs">,
    InterfaceMethod<"The epilogue, possibly empty.", "::mlir::Region &", "getEpilogue">,
  ];
}

def CK_ConvOpInterface : OpInterface<"ConvOpInterface", [CK_ProblemOpInterface]> {
  let cppNamespace = "::mlir::ck";
  let description = [{
    The properties of a convolution that passes need, whatever its direction and rank.
  }];
  let methods = [
    InterfaceMethod<"Which of the three tensors is computed.", "::mlir::ck::ConvDirection",
                    "getDirection">,
    InterfaceMethod<"The input or its gradient.", "::mlir::Value", "getConvInput">,
    InterfaceMethod<"The filter or its gradient.", "::mlir::Value", "getConvFilter">,
    InterfaceMethod<"The output or its gradient.", "::mlir::Value", "getConvOutput">,
    InterfaceMethod<"Memory order of the dimensions.", "::mlir::ck::ConvLayoutAttr", "getLayout">,
    InterfaceMethod<"One stride per spatial dimension.", "::llvm::ArrayRef<int64_t>", "getStrides">,
    InterfaceMethod<"One dilation per spatial dimension.", "::llvm::ArrayRef<int64_t>",
                    "getDilations">,
    InterfaceMethod<"Padding before each spatial dimension.", "::llvm::ArrayRef<int64_t>",
                    "getPadLow">,
    InterfaceMethod<"Padding behind each spatial dimension.", "::llvm::ArrayRef<int64_t>",
                    "getPadHigh">,
  ];
  let extraSharedClassDeclaration = [{
    /// The convolution as a value; defined for a verified op.
    ::mlir::ck::ConvProblem getConvProblem() { return ::mlir::ck::makeConvProblem($_op); }
  }];
}

#endif // CK_MLIR_IR_CKINTERFACES_TD
