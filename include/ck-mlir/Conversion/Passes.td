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

    Before:
    ```mlir
    gpu.func @kernel(%t: memref<64xf16>) kernel attributes {known_block_size = array<i32: 64, 1,
        1>} {
      // ...
      %a = vector.load %t[%lane] : memref<64xf16>, vector<4xf16>
      %sum = scf.for %i = %zero to %tile#1 step %one iter_args(%acc = %init) -> vector<16xf32> {
        %0 = amdgpu.mfma 32x32x8 %a * %a + %acc { blocks = 1 : i32 } blgp = none
          : vector<4xf16>, vector<4xf16>, vector<16xf32>
        scf.yield %0 : vector<16xf32>
    ```

    After:
    ```mlir
    llvm.func @kernel(%arg0: !llvm.ptr) attributes {gpu.kernel, gpu.known_block_size =
        array<i32: 64, 1, 1>, rocdl.flat_work_group_size = "64,64", rocdl.kernel,
        rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
      // ...
      %0 = llvm.load %1 {alignment = 2 : i64} : !llvm.ptr -> vector<4xf16>
      llvm.br ^bb1(%2, %3 : i32, vector<16xf32>)
      // ...
      %4 = rocdl.mfma.f32.32x32x8f16 %0, %0, %5, %6, %6, %6 : (vector<4xf16>, vector<4xf16>,
          vector<16xf32>, i32, i32, i32) -> vector<16xf32>
      %7 = llvm.add %8, %9 : i32
      llvm.br ^bb1(%7, %4 : i32, vector<16xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // CK_MLIR_CONVERSION_PASSES_TD
