// RUN: ck-opt %s --transform-interpreter | FileCheck %s
// RUN: %stock-opt %s --pass-pipeline="builtin.module(transform-interpreter)" | FileCheck %s

// The patterns beside upstream's, on a function that a script chooses.

// CHECK-LABEL: func.func @chosen
// CHECK:         ck.batched_gemm
// CHECK-NOT:     linalg.matmul
func.func @chosen(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
    outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @other
// CHECK:         linalg.matmul
func.func @other(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
    outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %function = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "chosen"} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %function {
      transform.apply_patterns.ck.linalg_to_ck
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
