// RUN: ck-opt %s --ck-expand-math | FileCheck %s
// RUN: ck-opt %s --ck-expand-math --verify-roundtrip -o /dev/null
// EXAMPLE-BEFORE: func.func @vector .. ^}
// EXAMPLE-AFTER: func.func @vector .. arith.select
// EXAMPLE-AFTER: math.fma

// Nothing but arithmetic and functions with an instruction is left. test/Unit/Transforms measures
// how accurate it is.
// CHECK-LABEL: @every_function
// CHECK-NOT: math.{{(exp|log|rsqrt|tanh|erf|sin|cos|pow)}}
// CHECK-NOT: ck.
// CHECK: return
func.func @every_function(%x: f32, %y: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.exp2 %0 : f32
  %2 = math.expm1 %1 : f32
  %3 = math.log %2 : f32
  %4 = math.log2 %3 : f32
  %5 = math.log10 %4 : f32
  %6 = math.log1p %5 : f32
  %7 = math.rsqrt %6 : f32
  %8 = math.tanh %7 : f32
  %9 = math.erf %8 : f32
  %10 = math.erfc %9 : f32
  %11 = math.sin %10 : f32
  %12 = math.cos %11 : f32
  %13 = math.powf %12, %y : f32
  %14 = ck.gelu %13 : f32
  %15 = ck.silu %14 : f32
  %16 = ck.sigmoid %15 : f32
  return %16 : f32
}

// Vectors keep their shape. exp: n = round(x / ln 2) by a shift into the low bits.
// CHECK-LABEL: @vector
// CHECK-SAME: %[[X:.*]]: vector<4xf32>
// CHECK: %[[SHIFTED:.*]] = math.fma {{.*}} : vector<4xf32>
// CHECK: %[[N:.*]] = arith.subf %[[SHIFTED]]
// CHECK: arith.bitcast %[[SHIFTED]] : vector<4xf32> to vector<4xi32>
// CHECK: math.fma %[[N]]
func.func @vector(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// What has an instruction stays; floor and ceil become truncations; other types stay.
// CHECK-LABEL: @unchanged
// CHECK: math.sqrt
// CHECK: math.fma
// CHECK: math.roundeven
// CHECK: %[[DOWN:.*]] = math.trunc
// CHECK: arith.cmpf ogt, %[[DOWN]]
// CHECK: %[[UP:.*]] = math.trunc
// CHECK: arith.cmpf olt, %[[UP]]
// CHECK: math.exp %{{.*}} : f64
func.func @unchanged(%x: f32, %d: f64) -> (f32, f64) {
  %0 = math.sqrt %x : f32
  %1 = math.fma %0, %x, %x : f32
  %2 = math.roundeven %1 : f32
  %3 = math.floor %2 : f32
  %4 = math.ceil %3 : f32
  %5 = math.exp %d : f64
  return %4, %5 : f32, f64
}
