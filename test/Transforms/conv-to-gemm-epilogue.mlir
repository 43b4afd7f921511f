// RUN: ck-opt %s --canonicalize --cse --ck-conv-to-gemm | FileCheck %s

// Canonicalization and CSE move constants out of epilogues; kernels get them back.
// CHECK-LABEL: func.func @constants
// CHECK:         ck.gemm {{.*}} epilogue {
// CHECK-NEXT:    ^bb0(%[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[TWO:.*]] = arith.constant 2.0
// CHECK:           arith.mulf %[[ACC]], %[[TWO]]
func.func @constants(%a: memref<1x64x32xf16>, %c: memref<1x64x64xf16>) -> f32 {
  ck.batched_gemm ins(%a, %a : memref<1x64x32xf16>, memref<1x64x32xf16>)
    outs(%c : memref<1x64x64xf16>) layout "rcr" epilogue {
  ^bb0(%acc: f32):
    %two = arith.constant 2.0 : f32
    %0 = arith.mulf %acc, %two : f32
    %1 = arith.truncf %0 : f32 to f16
    ck.yield %1 : f16
  }
  %other = arith.constant 2.0 : f32
  return %other : f32
}
