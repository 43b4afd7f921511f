// RUN: %run-program %s --batch=3,1,3,0,2 --compiled=4 --kernels=10 | FileCheck %s
// CHECK: dynamic-batch.mlir: equal

// What was not called for long enough is compiled again.
// RUN: env CK_JIT_ENTRIES=1 %run-program %s --batch=2,1,2 --compiled=3 | FileCheck %s

// RUN: ck-opt %s --ck-compile-program=at-call=false | FileCheck %s --check-prefix=HOST
// HOST-NOT: ckMlirCallSpecialized

// The function is compiled when it is called, once for each size of its batch, together with what it
// calls. The product whose sizes are known is part of it. An argument that is returned is a copy.

func.func private @head(%y: tensor<?x4x4x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4x4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %y, %c0 : tensor<?x4x4x8xf32>
  %rows = arith.constant 16 : index
  %m = arith.muli %n, %rows : index
  %flat = tensor.collapse_shape %y [[0, 1, 2], [3]] : tensor<?x4x4x8xf32> into tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<?x8xf32>, tensor<8x4xf32>)
    outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = tensor.expand_shape %p [[0, 1, 2], [3]] output_shape [%n, 4, 4, 4]
    : tensor<?x4xf32> into tensor<?x4x4x4xf32>
  return %r : tensor<?x4x4x4xf32>
}

func.func @forward(%x: tensor<?x6x6x4xf32>, %w: tensor<3x3x4x8xf32>, %a: tensor<8x16xf32>,
                   %b: tensor<16x4xf32>, %residual: tensor<?x4x4x8xf32>)
    -> (tensor<?x4x4x4xf32>, tensor<8x4xf32>, tensor<?x4x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x6x4xf32>
  %e = tensor.empty(%n) : tensor<?x4x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<?x6x6x4xf32>, tensor<3x3x4x8xf32>)
    outs(%z : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %s = linalg.add ins(%y, %residual : tensor<?x4x4x8xf32>, tensor<?x4x4x8xf32>)
    outs(%e : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>)
    outs(%z1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %h = call @head(%s, %p) : (tensor<?x4x4x8xf32>, tensor<8x4xf32>) -> tensor<?x4x4x4xf32>
  return %h, %p, %residual : tensor<?x4x4x4xf32>, tensor<8x4xf32>, tensor<?x4x4x8xf32>
}
