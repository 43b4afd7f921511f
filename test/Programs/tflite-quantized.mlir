// REQUIRES: wide
// RUN: %run-program %s --kernels=2 | FileCheck %s
// CHECK: tflite-quantized.mlir: equal

// A quantized depthwise-separable block as TensorFlow Lite's importer leaves it in TOSA: i8 with
// zero points, biases in i32, a rescale behind each convolution.

module attributes {tf_saved_model.semantics, tfl.description = "MLIR Converted.", tfl.schema_version = 3 : i32} {
  func.func @main(%arg0: tensor<1x8x8x16xi8> {tf_saved_model.index_path = ["x"]}, %arg1: tensor<32x3x3x16xi8>, %arg2: tensor<16x1x1x32xi8>) -> (tensor<1x8x8x16xi8> {tf_saved_model.index_path = ["y"]}) attributes {tf_saved_model.exported_names = ["serving_default"]} {
    %0 = "tosa.const"() <{values = dense<[3, -5, 7, 0, 12, -9, 1, 2, 3, -5, 7, 0, 12, -9, 1, 2, 3, -5, 7, 0, 12, -9, 1, 2, 3, -5, 7, 0, 12, -9, 1, 2]> : tensor<32xi32>}> : () -> tensor<32xi32>
    %1 = "tosa.const"() <{values = dense<[3, -5, 7, 0, 12, -9, 1, 2, 3, -5, 7, 0, 12, -9, 1, 2]> : tensor<16xi32>}> : () -> tensor<16xi32>
    %2 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<1342177280> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = tosa.conv2d %arg0, %arg1, %0, %2, %3 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<32x3x3x16xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x32xi32>
    %8 = tosa.rescale %7, %4, %5, %6, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x8x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x32xi8>
    %9 = tosa.clamp %8 {max_val = 100 : i8, min_val = 0 : i8} : (tensor<1x8x8x32xi8>) -> tensor<1x8x8x32xi8>
    %10 = tosa.conv2d %9, %arg2, %1, %3, %3 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x32xi8>, tensor<16x1x1x32xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
    %11 = tosa.rescale %10, %4, %5, %6, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
    return %11 : tensor<1x8x8x16xi8>
  }
}
