// RUN: %run-program %s --kernels=1 --batch=3 | FileCheck %s
// CHECK: dynamic-batch.mlir: equal

// A convolution of a batch of unknown size is none of our problems: it takes upstream's path. The
// product behind it, whose sizes are known, becomes a kernel.

func.func @forward(%x: tensor<?x6x6x4xf32>, %w: tensor<3x3x4x8xf32>, %a: tensor<8x16xf32>,
                   %b: tensor<16x4xf32>) -> (tensor<?x4x4x8xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x6x4xf32>
  %e = tensor.empty(%n) : tensor<?x4x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<?x6x6x4xf32>, tensor<3x3x4x8xf32>)
    outs(%z : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>)
    outs(%z1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y, %p : tensor<?x4x4x8xf32>, tensor<8x4xf32>
}
