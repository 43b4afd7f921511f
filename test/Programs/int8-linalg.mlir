// REQUIRES: wide
// RUN: %run-program %s --kernels=2 | FileCheck %s
// CHECK: 2 launches
// CHECK: int8-linalg.mlir: equal

// A quantized block: products of i8 summed in i32, a bias, and back to i8 by a multiplier and a
// shift, rounded and clamped. The second convolution reads what the first one wrote.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @block(%x: tensor<1x8x8x16xi8>, %w0: tensor<3x3x16x32xi8>, %b0: tensor<32xi32>,
                 %w1: tensor<1x1x32x16xi8>, %b1: tensor<16xi32>) -> tensor<1x6x6x16xi8> {
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<1x6x6x32xi32>
  %z0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<1x6x6x32xi32>) -> tensor<1x6x6x32xi32>
  %c0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w0 : tensor<1x8x8x16xi8>, tensor<3x3x16x32xi8>)
    outs(%z0 : tensor<1x6x6x32xi32>) -> tensor<1x6x6x32xi32>
  %q0 = tensor.empty() : tensor<1x6x6x32xi8>
  %r0 = linalg.generic {indexing_maps = [#id, #channel, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c0, %b0 : tensor<1x6x6x32xi32>, tensor<32xi32>) outs(%q0 : tensor<1x6x6x32xi8>) {
  ^bb0(%acc: i32, %bias: i32, %out: i8):
    %sum = arith.addi %acc, %bias : i32
    %factor = arith.constant 11 : i32
    %product = arith.muli %sum, %factor : i32
    %half = arith.constant 32 : i32
    %rounded = arith.addi %product, %half : i32
    %places = arith.constant 6 : i32
    %shifted = arith.shrsi %rounded, %places : i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %at_least = arith.maxsi %shifted, %low : i32
    %clamped = arith.minsi %at_least, %high : i32
    %narrow = arith.trunci %clamped : i32 to i8
    linalg.yield %narrow : i8
  } -> tensor<1x6x6x32xi8>
  %e1 = tensor.empty() : tensor<1x6x6x16xi32>
  %z1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%r0, %w1 : tensor<1x6x6x32xi8>, tensor<1x1x32x16xi8>)
    outs(%z1 : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  %q1 = tensor.empty() : tensor<1x6x6x16xi8>
  %r1 = linalg.generic {indexing_maps = [#id, #channel, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c1, %b1 : tensor<1x6x6x16xi32>, tensor<16xi32>) outs(%q1 : tensor<1x6x6x16xi8>) {
  ^bb0(%acc: i32, %bias: i32, %out: i8):
    %sum = arith.addi %acc, %bias : i32
    %places = arith.constant 2 : i32
    %shifted = arith.shrsi %sum, %places : i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %at_least = arith.maxsi %shifted, %low : i32
    %clamped = arith.minsi %at_least, %high : i32
    %narrow = arith.trunci %clamped : i32 to i8
    linalg.yield %narrow : i8
  } -> tensor<1x6x6x16xi8>
  return %r1 : tensor<1x6x6x16xi8>
}
