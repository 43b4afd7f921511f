//===- CKInterfaces.td - Interfaces of the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKINTERFACES_TD
#define CK_MLIR_IR_CKINTERFACES_TD

include "mlir/IR/OpBase.td"

def CK_ConvOpInterface : OpInterface<"ConvOpInterface"> {
  let cppNamespace = "::mlir::ck";
  let description = [{
    What the passes need to know of a convolution, whatever its direction and rank.
  }];
  let methods = [
    InterfaceMethod<"The problem as a value; defined for a verified op with memref or tensor operands.",
                    "::mlir::ck::ConvProblem", "getProblem">,
    InterfaceMethod<"The three tensors under their forward roles.", "::mlir::Value", "getConvInput">,
    InterfaceMethod<"The filter or its gradient.", "::mlir::Value", "getConvFilter">,
    InterfaceMethod<"The output or its gradient.", "::mlir::Value", "getConvOutput">,
    InterfaceMethod<"The epilogue, possibly empty.", "::mlir::Region &", "getEpilogueRegion">,
  ];
}

#endif // CK_MLIR_IR_CKINTERFACES_TD
