//===- Passes.td - Passes of the compiler driver -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step from the last rung to bytes, as a pass, so that ck-opt and the driver share it.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PASSES
#define CK_MLIR_COMPILER_PASSES

include "mlir/Pass/PassBase.td"

def SerializeKernelsPass : Pass<"ck-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Serialize gpu.module into gpu.binary";
  let description = [{
    Replaces each `gpu.module` of the form `rocdl` by a `gpu.binary` of the same name. The module is
    translated to LLVM IR, compiled by the AMDGPU backend for the chip of its `#rocdl.target` and
    linked by lld, all in process. An intrinsic that the chip does not have, LDS over the chip's
    limit or an undefined symbol is an error at the `gpu.module`.

    With `format=binary` the result holds the linked code object, which the HIP runtime loads; with
    `format=object` it holds the relocatable object for a linker; with `format=isa` the assembly.

    Requires: rocdl. Establishes: rocdl, with each `gpu.module` replaced by a `gpu.binary`.
    Example: test/Compiler/serialize-kernels.mlir

    Before:
    ```mlir
    gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx942">] {
        // ...
        %d = rocdl.mfma.f32.32x32x8f16 %a, %a, %zero, %c0, %c0, %c0
        // ...
        llvm.return
    ```

    After:
    ```mlir
    gpu.binary @kernels  [#gpu.object<#rocdl.target<O = 3, chip = "gfx942">, bin =
        "\7FELF\02\01\01@\04\00\00\00\00\00\00\00\03\00\E0\00\01\00\00\00\00\00\00\00\00\00\0...
        \00\00\00AMDGPU\00\00\83\AEamdhsa.kernels\91\DE\00\11\AB.agpr_count\00\A5.args\92\85\...
        ...
    ```
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"binary\"",
           "What the gpu.binary holds: isa, object or binary">
  ];
  let statistics = [
    Statistic<"numCodeBytes", "code-bytes", "Bytes of machine code of all kernels">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif // CK_MLIR_COMPILER_PASSES
