// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Bodies that are no sum of products stay as they are; on request a remark says why.

// CHECK-LABEL: func.func @pool(
// CHECK: linalg.pooling_nhwc_sum
func.func @pool(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3xf32>, %y: tensor<1x4x4x4xf32>)
  -> tensor<1x4x4x4xf32> {
  // expected-remark @+1 {{not converted: expected a body that adds a product of two operands to its result}}
  %0 = linalg.pooling_nhwc_sum
    {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3xf32>) outs(%y : tensor<1x4x4x4xf32>)
    -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// Another semiring.
// CHECK-LABEL: func.func @max_plus(
// CHECK: linalg.generic
func.func @max_plus(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: expected a body that adds a product of two operands to its result}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>,
    affine_map<(m,n,k)->(k,n)>,
    affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]}
   ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.maximumf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// Digits that linalg drops would be part of a product.
// CHECK-LABEL: func.func @truncating(
// CHECK: linalg.generic
func.func @truncating(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf16>)
  -> tensor<8x32xf16> {
  // expected-remark @+1 {{not converted: the elements of operand 0 lose digits before the product}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>,
    affine_map<(m,n,k)->(k,n)>,
    affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]}
   ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf16>) {
  ^bb0(%x: f32, %y: f32, %z: f16):
    %x1 = arith.truncf %x : f32 to f16
    %y1 = arith.truncf %y : f32 to f16
    %p = arith.mulf %x1, %y1 : f16
    %s = arith.addf %z, %p : f16
    linalg.yield %s : f16
  } -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}
