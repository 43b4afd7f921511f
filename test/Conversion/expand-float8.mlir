// RUN: ck-opt %s --ck-expand-float8 | FileCheck %s
// EXAMPLE-BEFORE: func.func @widen .. return
// EXAMPLE-AFTER: func.func @widen
// EXAMPLE-AFTER: arith.bitcast
// EXAMPLE-AFTER: arith.mulf
// Conversions of all 8-bit floats become arithmetic on bits; test/Unit/Transforms/ExpandFloat8Test.cpp
// compares it with the formats.

// CHECK-LABEL: func.func @widen
// CHECK-NOT:     arith.extf
// CHECK:         arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK:         arith.mulf
// CHECK-NOT:     arith.extf
func.func @widen(%x: f8E4M3FN) -> f32 {
  %0 = arith.extf %x : f8E4M3FN to f32
  return %0 : f32
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     arith.truncf
// CHECK:         arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E5M2FNUZ>
func.func @narrow(%x: vector<4xf32>) -> vector<4xf8E5M2FNUZ> {
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf8E5M2FNUZ>
  return %0 : vector<4xf8E5M2FNUZ>
}

// Other conversions stay.
// CHECK-LABEL: func.func @others
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         arith.truncf %{{.*}} : f64 to f8E4M3FN
func.func @others(%x: f16, %y: f64) -> (f32, f8E4M3FN) {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %y : f64 to f8E4M3FN
  return %0, %1 : f32, f8E4M3FN
}
