//===- AtCallPasses.td - Passes for programs that wait for sizes -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of functions whose batch is known when they are called. See
// docs/decisions/0018-dynamic-batch.md.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_ATCALLPASSES_TD
#define CK_MLIR_TRANSFORMS_ATCALLPASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeAtCallPass : Pass<"ck-specialize-at-call", "::mlir::ModuleOp"> {
  let summary = "Compile functions of unknown batch size when they are called";
  let description = [{
    A kernel is compiled for its sizes. This pass handles functions that multiply tensors whose
    dimension 0, the batch, is unknown. Such a function becomes a declaration that holds, as text,
    the program with this function as its entry. After `ck-convert-at-call-to-llvm`, a call of the
    function compiles this program for the sizes of the call, once for each combination of sizes.

    A function keeps its body if other sizes are unknown, if an argument or result is neither a
    ranked tensor nor a scalar, or if it calls itself; an optimization remark says why. The options
    are the options of `--ck-compile-program` with which the program is compiled.

    Requires: linalg or TOSA on tensors. Establishes: problem.
    Example: test/Transforms/AtCall/specialize-at-call.mlir

    Before:
    ```mlir
    func.func @forward(%x: tensor<?x16xf32>, %w: tensor<16x4xf32>) -> tensor<?x4xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x16xf32>
      %e = tensor.empty(%n) : tensor<?x4xf32>
      %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x4xf32>)
        outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
      %r = call @relu(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
      return %r : tensor<?x4xf32>
    ```

    After:
    ```mlir
    func.func private @forward(tensor<?x16xf32> {bufferization.access = "read"},
        tensor<16x4xf32> {bufferization.access = "read"}) -> tensor<?x4xf32> attributes
        {ck.at_call = {arguments = 2 : i64, program = "module attributes {ck.at_call = {chip =
        ...
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"gfx942\"", "chip of the chip table">,
    Option<"schedule", "schedule", "std::string", "\"\"", "schedule string of every problem">,
    Option<"host", "host", "std::string", "\"cpu\"", "where code runs that is no problem">,
    Option<"residents", "residents", "int64_t", "0", "workgroups that can be resident">
  ];
}

def SetSizesPass : Pass<"ck-set-sizes", "::mlir::ModuleOp"> {
  let summary = "Set the unknown sizes of a function's arguments";
  let description = [{
    Replaces each `?` in the arguments of the function `entry`, in order, by a size of the list.
    Canonicalization and TOSA's shape inference propagate the sizes into the function. The results
    keep their types, so that callers of the compiled function need not change. The library that
    compiles a function when it is called runs this pass first.

    Requires: linalg or TOSA on tensors. Establishes: linalg or TOSA on tensors.
    Example: test/Transforms/AtCall/set-sizes.mlir

    Before:
    ```mlir
    func.func @forward(%x: tensor<?x4xf32>, %f: f32, %y: tensor<4x?xf32>) -> tensor<?x4xf32> {
      %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      %n = tosa.negate %x, %zero, %zero : (tensor<?x4xf32>, tensor<1xf32>, tensor<1xf32>) ->
          tensor<?x4xf32>
      return %x : tensor<?x4xf32>
    }
    ```

    After:
    ```mlir
    func.func @forward(%arg0: tensor<3x4xf32>, %arg1: f32, %arg2: tensor<4x3xf32>) ->
        tensor<?x4xf32> {
      %cast = tensor.cast %arg0 : tensor<3x4xf32> to tensor<?x4xf32>
      %cast_0 = tensor.cast %arg2 : tensor<4x3xf32> to tensor<4x?xf32>
      %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
      %1 = tosa.negate %arg0, %0, %0 : (tensor<3x4xf32>, tensor<1xf32>, tensor<1xf32>) ->
          tensor<?x4xf32>
      return %cast : tensor<?x4xf32>
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "name of the function">,
    ListOption<"sizes", "sizes", "int64_t", "a size for each '?' of the arguments">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ConvertAtCallToLLVMPass : Pass<"ck-convert-at-call-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert functions that are compiled when called to calls of the JIT library";
  let description = [{
    Works on functions that `ck-specialize-at-call` has turned into declarations, and gives their C
    interface a body. The body passes the text of the program, its digest, the sizes in the
    descriptors and the addresses of the arguments to `ckMlirCallSpecialized` of
    `libck_mlir_jit.so`. The pass runs after upstream's conversions to the llvm dialect.

    Requires: rocdl. Establishes: rocdl. Example: test/Transforms/AtCall/at-call-to-llvm.mlir

    Before:
    ```mlir
    func.func private @scale(f32, memref<?x4xf32>) -> memref<?x4xf32> attributes
        {llvm.emit_c_interface,
      ck.at_call = {arguments = 2 : i64, program = "module {}", public, sizes = array<i64: 1,
          0>}}
    ```

    After:
    ```mlir
    llvm.func @_mlir_ciface_scale(%arg0: !llvm.ptr, %arg1: f32, %arg2: !llvm.ptr) attributes
        {llvm.emit_c_interface, sym_visibility = "private"} {
      // ...
      %0 = llvm.getelementptr %arg2[0, 3, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr,
          i64, array<1 x i64>)>
      %1 = llvm.load %0 : !llvm.ptr -> i64
      // ...
      llvm.call @ckMlirCallSpecialized(%2, %3, %4, %5, %6, %7) : (!llvm.ptr, i64, !llvm.ptr,
          !llvm.ptr, i64, !llvm.ptr) -> ()
      llvm.return
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CK_MLIR_TRANSFORMS_ATCALLPASSES_TD
