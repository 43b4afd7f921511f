//===- Passes.td - Conversions out of the ck dialect's ladder -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CONVERSION_PASSES_TD
#define CK_MLIR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertToRocdlPass : Pass<"ck-convert-to-rocdl", "::mlir::ModuleOp"> {
  let summary = "Convert lane-level kernels to the llvm and rocdl dialects";
  let description = [{
    Runs upstream's conversions on every `gpu.module` with the options that our kernels need: the
    chip of the module's target, 32-bit indices, bare pointers as kernel arguments. Conversions of
    8-bit floats become arithmetic on bits where the chip has no instructions for them. Takes
    `ck.target` off the module, so that tools without the ck dialect can go on.

    Requires: lane. Establishes: rocdl. Example: test/Conversion/convert-to-rocdl.mlir
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // CK_MLIR_CONVERSION_PASSES_TD
