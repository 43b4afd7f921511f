// RUN: %run-program %s --batch=6 --compiled=0 --kernels=0 | FileCheck %s
// CHECK: dynamic-height.mlir: equal
// RUN: ck-opt %s --ck-compile-program --remarks-filter='ck-specialize-at-call' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: NotAtCall{{.*}}expected only dimension 0, the batch, to be unknown, got tensor<1x?x6x4xf32> as argument 0

// Another unknown size than that of the batch takes upstream's path.
func.func @forward(%x: tensor<1x?x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x?x4x8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %x, %c1 : tensor<1x?x6x4xf32>
  %n = arith.subi %h, %c2 : index
  %e = tensor.empty(%n) : tensor<1x?x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x?x4x8xf32>) -> tensor<1x?x4x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x?x6x4xf32>, tensor<3x3x4x8xf32>)
    outs(%z : tensor<1x?x4x8xf32>) -> tensor<1x?x4x8xf32>
  return %y : tensor<1x?x4x8xf32>
}
