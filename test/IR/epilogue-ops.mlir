// RUN: ck-opt %s --verify-roundtrip | FileCheck %s

// The activations stand on scalars and, in kernels, on vectors.
// CHECK-LABEL: @activations
// CHECK: ck.gelu %{{.*}} : f32
// CHECK: ck.silu %{{.*}} : f32
// CHECK: ck.sigmoid %{{.*}} : f32
// CHECK: ck.gelu %{{.*}} : vector<16xf32>
func.func @activations(%x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>) {
  %0 = ck.gelu %x : f32
  %1 = ck.silu %0 : f32
  %2 = ck.sigmoid %1 : f32
  %3 = ck.gelu %v : vector<16xf32>
  return %2, %3 : f32, vector<16xf32>
}

// An epilogue may mix them with arithmetic, functions and conversions that lower.
// CHECK-LABEL: @epilogue
// CHECK: epilogue {
// CHECK: math.erf
func.func @epilogue(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>, %d: memref<1x4xi8>,
                    %c: memref<1x4x4xbf16>) {
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xbf16>)
      ds(%d : memref<1x4xi8>) layout "rcr" epilogue {
  ^bb0(%acc: f32, %e: i8):
    %bias = arith.sitofp %e : i8 to f32
    %sum = arith.addf %acc, %bias : f32
    %erf = math.erf %sum : f32
    %silu = ck.silu %erf : f32
    %less = arith.cmpf olt, %silu, %bias : f32
    %chosen = arith.select %less, %silu, %bias : f32
    %fma = math.fma %chosen, %sum, %erf : f32
    %result = arith.truncf %fma : f32 to bf16
    ck.yield %result : bf16
  }
  return
}
