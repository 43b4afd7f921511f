//===- Passes.td - Passes over several rungs -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must see the end of the ladder to decide about its beginning.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PASSES_TD
#define CK_MLIR_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

def CompileProblemsPass : Pass<"ck-compile-problems", "::mlir::ModuleOp"> {
  let summary = "Compile the problems of a program to kernels that keep their registers";
  let description = [{
    Runs the whole lowering and the serializer over the problems of a module. Only the compiled code
    shows whether a kernel spills registers to memory. If one does, the pass starts again with
    schedules that need fewer registers, up to three times. It is an error at the launch if the
    kernel still spills, or if it spills with a schedule that the user gave. Workspaces are
    allocated around the launches. Other `gpu.module` ops are left alone.

    Requires: problem. Establishes: rocdl, with each new `gpu.module` replaced by a `gpu.binary`.
    Example: test/Compiler/compile-problems.mlir

    Before:
    ```mlir
    func.func @two(%x: memref<1x64x32xf16>, %w: memref<1x32x48xf16>, %v: memref<1x48x16xf16>,
                   %t: memref<1x64x48xf16>, %y: memref<1x64x16xf16>) {
      ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x48xf16>)
        outs(%t : memref<1x64x48xf16>) layout "rrr"
      ck.batched_gemm ins(%t, %v : memref<1x64x48xf16>, memref<1x48x16xf16>)
        outs(%y : memref<1x64x16xf16>) layout "rrr"
      return
    ```

    After:
    ```mlir
    func.func @two(%arg0: memref<1x64x32xf16>, %arg1: memref<1x32x48xf16>, %arg2:
        memref<1x48x16xf16>, %arg3: memref<1x64x48xf16>, %arg4: memref<1x64x16xf16>) {
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c384 = arith.constant 384 : index
      gpu.launch_func  @kernels::@two_0 blocks in (%c6, %c1, %c1) threads in (%c384, %c1, %c1)
          args(%arg0 : memref<1x64x32xf16>, %arg1 : memref<1x32x48xf16>, %arg3 :
          memref<1x64x48xf16>)
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c384_1 = arith.constant 384 : index
      gpu.launch_func  @kernels::@two_1 blocks in (%c2, %c1_0, %c1_0) threads in (%c384_1,
          %c1_0, %c1_0)  args(%arg2 : memref<1x48x16xf16>, %arg3 : memref<1x64x48xf16>, %arg4 :
          memref<1x64x16xf16>)
      return
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"gfx942\"", "chip of the chip table">,
    Option<"schedule", "schedule", "std::string", "\"\"",
           "schedule string of every problem; fields left out are chosen">,
    Option<"residents", "residents", "int64_t", "0",
           "workgroups that can be resident at the same time; 0: one on every compute unit">,
    Option<"format", "format", "std::string", "\"binary\"",
           "what the gpu.binary holds: isa, object or binary">,
    Option<"tuningFile", "tuning-file", "std::string", "\"\"", "file of tuned schedules">
  ];
}

def VerifyProgramPass : Pass<"ck-verify-program", "::mlir::ModuleOp"> {
  let summary = "Check that the code of a program is in functions of its module";
  let description = [{
    Passes over programs lower the functions of the module that they run on. Functions and kernels of
    nested modules would be left as they are, so they are an error.

    Requires: nothing. Establishes: nothing. Example: test/Compiler/verify-program.mlir

    Before:
    ```mlir
    func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    ```
  }];
}

#endif // CK_MLIR_COMPILER_PASSES_TD
