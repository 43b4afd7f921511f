//===- Passes.td - Conversions into and out of the ck dialect -*- tablegen -*-===//
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
    8-bit floats become arithmetic on bits where the chip has no instructions for them. Removes
    `ck.target` from the module, so that tools without the ck dialect can read the result.

    Requires: upstream. Establishes: rocdl. Example: test/Conversion/convert-to-rocdl.mlir

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
    llvm.func @kernel(%arg0: !llvm.ptr {llvm.inreg}) attributes {gpu.kernel,
        gpu.known_block_size = array<i32: 64, 1, 1>, rocdl.flat_work_group_size = "64,64",
        rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
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

def ExpandFloat8Pass : Pass<"ck-expand-float8"> {
  let summary = "Expand conversions of 8-bit floats into arithmetic";
  let description = [{
    Replaces `arith.extf` from 8-bit floats, of OCP and FNUZ, and `arith.truncf` to them by arithmetic
    on i32 and f32, of scalars and vectors. It is for code that no instruction of a chip does them for:
    that of hosts. Extensions are exact; truncations round to the nearest, ties to even, and saturate.

    Requires: nothing. Establishes: no conversions of 8-bit floats from and to f32 and narrower.
    Example: test/Conversion/expand-float8.mlir

    Before:
    ```mlir
    func.func @widen(%x: f8E4M3FN) -> f32 {
      %0 = arith.extf %x : f8E4M3FN to f32
      return %0 : f32
    ```

    After:
    ```mlir
    func.func @widen(%arg0: f8E4M3FN) -> f32 {
      %0 = arith.bitcast %arg0 : f8E4M3FN to i8
      // ...
      %1 = arith.mulf %2, %3 : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ConvertLinalgToCKPass : Pass<"convert-linalg-to-ck"> {
  let summary = "Convert convolutions and matrix products of linalg to ck problems";
  let description = [{
    Recognises convolutions of one to three spatial dimensions, their two gradients and matrix
    products by what they compute: named ops of every layout, `linalg.contract`, `linalg.generic`.
    Runs on tensors, before bufferization. Initial elements other than zero, and elementwise ops on
    the result, become an epilogue; `tensor.pad`, transposes and widening conversions of the
    operands become padding, layout and element type. All other ops stay unchanged, also those on
    sparse tensors and, if the module has a `ck.target`, those of types that the chip lacks; with
    `report`, each product, convolution and elementwise consumer that stays gets a remark with the
    reason.

    Requires: linalg on tensors. Establishes: problem. Example: test/Conversion/linalg-to-ck.mlir

    Before:
    ```mlir
    func.func @conv(%x: tensor<2x8x8x16xf16>, %w: tensor<3x3x16x32xf16>, %bias: tensor<32xf32>)
        -> tensor<2x4x4x32xf32> {
      %zero = arith.constant 0.0 : f16
      %padded = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
      ^bb0(%n: index, %h: index, %w0: index, %c: index):
        tensor.yield %zero : f16
      } : tensor<2x8x8x16xf16> to tensor<2x9x9x16xf16>
      %empty = tensor.empty() : tensor<2x4x4x32xf32>
      %init = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%empty : tensor<2x4x4x32xf32>)
        dimensions = [0, 1, 2]
      %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>,
                                     dilations = dense<1> : tensor<2xi64>}
        ins(%padded, %w : tensor<2x9x9x16xf16>, tensor<3x3x16x32xf16>)
        outs(%init : tensor<2x4x4x32xf32>) -> tensor<2x4x4x32xf32>
      %low = arith.constant 0.0 : f32
      %relu = linalg.map ins(%y : tensor<2x4x4x32xf32>) outs(%empty : tensor<2x4x4x32xf32>)
        (%in: f32, %out: f32) {
          %max = arith.maximumf %in, %low : f32
          linalg.yield %max : f32
        }
      return %relu : tensor<2x4x4x32xf32>
    ```

    After:
    ```mlir
    func.func @conv(%arg0: tensor<2x8x8x16xf16>, %arg1: tensor<3x3x16x32xf16>, %arg2:
        tensor<32xf32>) -> tensor<2x4x4x32xf32> {
      %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into
          tensor<1x32xf32>
      %expanded_0 = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 8, 8, 1,
          16] : tensor<2x8x8x16xf16> into tensor<2x8x8x1x16xf16>
      %expanded_1 = tensor.expand_shape %arg1 [[0, 1], [2], [3], [4]] output_shape [1, 3, 3, 16,
          32] : tensor<3x3x16x32xf16> into tensor<1x3x3x16x32xf16>
      %0 = tensor.empty() : tensor<2x4x4x1x32xf32>
      %1 = ck.conv_fwd ins(%expanded_0, %expanded_1 : tensor<2x8x8x1x16xf16>,
          tensor<1x3x3x16x32xf16>) outs(%0 : tensor<2x4x4x1x32xf32>) ds(%expanded :
          tensor<1x32xf32>) layout <NHWGC, GYXCK, NHWGK> strides [2, 2] dilations [1, 1] pad_low
          ...
      ^bb0(%arg3: f32, %arg4: f32):
        %2 = arith.addf %arg3, %arg4 : f32
        %cst = arith.constant 0.000000e+00 : f32
        %3 = arith.maximumf %2, %cst : f32
        ck.yield %3 : f32
      } -> tensor<2x4x4x1x32xf32>
      %collapsed = tensor.collapse_shape %1 [[0], [1], [2], [3, 4]] : tensor<2x4x4x1x32xf32>
          into tensor<2x4x4x32xf32>
      return %collapsed : tensor<2x4x4x32xf32>
    ```
  }];
  let options = [Option<"report", "report", "bool", /*default=*/"false",
                        "emit a remark that says why, at each op that is left">];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SpreadTransposeConvPass : Pass<"ck-spread-transpose-conv"> {
  let summary = "Write the strides of transposed convolutions of TOSA as zeros";
  let description = [{
    Inserts zeros between the elements of the input of a `tosa.transpose_conv2d` with strides, and
    sets the strides to 1; if the input has a zero point, it inserts the zero point instead.
    Upstream decomposes the resulting op to a convolution with a reversed filter.
    `convert-linalg-to-ck` turns this convolution into one `ck.conv_bwd_data` with the strides, or
    into a `ck.conv_fwd` if there is a zero point. An op with dynamic sizes, or with types that
    kernels do not have, stays unchanged; upstream decomposes it into all phases of the result.

    Requires: TOSA. Establishes: TOSA. Example: test/Conversion/spread-transpose-conv.mlir

    Before:
    ```mlir
    func.func @transposed(%x: tensor<1x4x5x16xf32>, %w: tensor<8x3x3x16xf32>, %b: tensor<8xf32>)
        -> tensor<1x11x12x8xf32> {
      %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      %y = tosa.transpose_conv2d %x, %w, %b, %zero, %zero {acc_type = f32,
          out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 3, 2>}
        : (tensor<1x4x5x16xf32>, tensor<8x3x3x16xf32>, tensor<8xf32>, tensor<1xf32>,
            tensor<1xf32>)
        -> tensor<1x11x12x8xf32>
      return %y : tensor<1x11x12x8xf32>
    ```

    After:
    ```mlir
    func.func @transposed(%arg0: tensor<1x4x5x16xf32>, %arg1: tensor<8x3x3x16xf32>, %arg2:
        tensor<8xf32>) -> tensor<1x11x12x8xf32> {
      %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
      %cst = arith.constant dense<0.000000e+00> : tensor<1x10x9x16xf32>
      %inserted_slice = tensor.insert_slice %arg0 into %cst[0, 0, 0, 0] [1, 4, 5, 16] [1, 3, 2,
          1] : tensor<1x4x5x16xf32> into tensor<1x10x9x16xf32>
      %1 = tosa.transpose_conv2d %inserted_slice, %arg1, %arg2, %0, %0 {acc_type = f32, out_pad
          = array<i64: -1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x10x9x16xf32>,
          tensor<8x3x3x16xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) ->
          ...
      return %1 : tensor<1x11x12x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // CK_MLIR_CONVERSION_PASSES_TD
