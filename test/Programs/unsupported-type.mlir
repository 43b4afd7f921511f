// REQUIRES: wide
// RUN: %run-program %s --kernels=0 | FileCheck %s
// CHECK: unsupported-type.mlir: equal

// Kernels have no products of f64: these run on the host.
func.func @forward(%a: tensor<8x16xf64>, %b: tensor<16x4xf64>) -> tensor<8x4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8x4xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<8x4xf64>) -> tensor<8x4xf64>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf64>, tensor<16x4xf64>)
    outs(%z : tensor<8x4xf64>) -> tensor<8x4xf64>
  return %p : tensor<8x4xf64>
}
