// RUN: %run-program %s --kernels=3 | FileCheck %s
// CHECK: transposed-tosa.mlir: equal

// Strided transposed convolutions: a crop and a pad of the result, strides that differ, and numbers
// with a zero point. Filters are multiples of the strides
// where upstream's decomposition, with which the results are compared, demands it.
func.func @forward(%x: tensor<2x4x5x8xf32>, %w: tensor<8x6x4x8xf32>, %b: tensor<8xf32>,
                   %v: tensor<4x2x2x8xf32>, %c: tensor<4xf32>,
                   %q: tensor<1x4x5x8xi8>, %u: tensor<8x4x4x8xi8>, %d: tensor<8xi32>)
    -> (tensor<2x14x13x8xf32>, tensor<2x8x10x4xf32>, tensor<1x10x12x8xi32>) {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %none = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %three = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.transpose_conv2d %x, %w, %b, %zero, %zero {acc_type = f32,
      out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 3, 2>}
    : (tensor<2x4x5x8xf32>, tensor<8x6x4x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<2x14x13x8xf32>
  %z = tosa.transpose_conv2d %x, %v, %c, %zero, %zero {acc_type = f32,
      out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<2x4x5x8xf32>, tensor<4x2x2x8xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<2x8x10x4xf32>
  %i = tosa.transpose_conv2d %q, %u, %d, %three, %none {acc_type = i32,
      out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x5x8xi8>, tensor<8x4x4x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>)
    -> tensor<1x10x12x8xi32>
  return %y, %z, %i : tensor<2x14x13x8xf32>, tensor<2x8x10x4xf32>, tensor<1x10x12x8xi32>
}
