// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Kernels have dense tensors: an operand with an encoding, and what is made of one, stays as it is.

#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>

// CHECK-LABEL: func.func @factor(
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x16xf32, #{{.*}}>
func.func @factor(%a: tensor<8x16xf32, #csr>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: expected tensors without an encoding, got tensor<8x16xf32, #sparse_tensor.encoding<}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32, #csr>, tensor<16x32xf32>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @result(
// CHECK: linalg.matmul
func.func @result(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32, #csr>)
  -> tensor<8x32xf32, #csr> {
  // expected-remark @+1 {{not converted: expected tensors without an encoding}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%c : tensor<8x32xf32, #csr>) -> tensor<8x32xf32, #csr>
  return %0 : tensor<8x32xf32, #csr>
}

// Any encoding may change what the elements are.
// CHECK-LABEL: func.func @other(
// CHECK: linalg.matmul
func.func @other(%a: tensor<8x16xf32, "tiled">, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: expected tensors without an encoding, got tensor<8x16xf32, "tiled">}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32, "tiled">, tensor<16x32xf32>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// The transpose stays where the problem would read a sparse tensor through it.
// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.transpose
// CHECK: ck.batched_gemm
func.func @transposed(%a: tensor<16x8xf32, #csr>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32, #csr>) outs(%e : tensor<8x16xf32>)
    permutation = [1, 0]
  %0 = linalg.matmul ins(%t, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @residual(
// CHECK: ck.batched_gemm
// CHECK: linalg.map
func.func @residual(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %r: tensor<8x32xf32, #csr>)
  -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: operand 1 is neither a constant nor a dense tensor of static shape}}
  %1 = linalg.map ins(%0, %r : tensor<8x32xf32>, tensor<8x32xf32, #csr>) outs(%e : tensor<8x32xf32>)
    (%x: f32, %y: f32, %out: f32) {
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
    }
  return %1 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @bias(
// CHECK: linalg.broadcast
// CHECK: ck.batched_gemm
func.func @bias(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %bias: tensor<32xf32, "tiled">)
  -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %init = linalg.broadcast ins(%bias : tensor<32xf32, "tiled">) outs(%e : tensor<8x32xf32>)
    dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
