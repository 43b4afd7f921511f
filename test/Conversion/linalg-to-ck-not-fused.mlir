// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// What does not fit into an epilogue stays behind the problem; on request a remark says why.

// What is used twice is computed once.
// CHECK-LABEL: func.func @two_uses(
// CHECK: linalg.exp
func.func @two_uses(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>)
  -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: the result of 'ck.batched_gemm' has other uses}}
  %1 = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// D operands are whole, or per channel.
// CHECK-LABEL: func.func @row(
// CHECK: linalg.generic
func.func @row(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %r: tensor<8xf32>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: operand 1 has neither one element for each element of the result, nor one for each channel}}
  %1 = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>,
    affine_map<(m,n)->(m)>,
    affine_map<(m,n)->(m,n)>],
    iterator_types = ["parallel","parallel"]} ins(%0, %r : tensor<8x32xf32>, tensor<8xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: f32, %z: f32, %y: f32):
    %f = arith.addf %x, %z : f32
    linalg.yield %f : f32
  } -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// An epilogue does not know where it is.
// CHECK-LABEL: func.func @index(
// CHECK: linalg.generic
func.func @index(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %r: tensor<8xf32>)
  -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: cannot lower 'linalg.index' in the epilogue: expected scalar arithmetic, conversions or functions of f32}}
  %1 = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>,
    affine_map<(m,n)->(m,n)>],
    iterator_types = ["parallel","parallel"]} ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %f = arith.addf %x, %k : f32
    linalg.yield %f : f32
  } -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
