// RUN: %run-program %s --kernels=1 | FileCheck %s
// CHECK: loop.mlir: 1 kernels, 3 launches
// CHECK: loop.mlir: equal

// A loop that hands on a tensor: the kernel is launched in each turn.
func.func @forward(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> tensor<8x8xf32> {
    %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
      outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
