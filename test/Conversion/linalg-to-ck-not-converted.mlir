// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// What is not recognised stays as it is; on request a remark says why.

// A kernel is compiled for sizes.
// CHECK-LABEL: func.func @dynamic(
// CHECK: linalg.matmul
func.func @dynamic(%a: tensor<?x16xf32>, %b: tensor<16x32xf32>, %c: tensor<?x32xf32>)
  -> tensor<?x32xf32> {
  // expected-remark @+1 {{not converted: expected static shapes}}
  %0 = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x32xf32>)
    outs(%c : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// Products are those of signed numbers.
// CHECK-LABEL: func.func @unsigned(
// CHECK: linalg.matmul
func.func @unsigned(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>, %c: tensor<8x32xi32>)
  -> tensor<8x32xi32> {
  // expected-remark @+1 {{not converted: the elements of operand 0 are unsigned, expected signed ones}}
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %0 : tensor<8x32xi32>
}

// CHECK-LABEL: func.func @f64(
// CHECK: linalg.matmul
func.func @f64(%a: tensor<8x16xf64>, %b: tensor<16x32xf64>, %c: tensor<8x32xf64>)
  -> tensor<8x32xf64> {
  // expected-remark @+1 {{not converted: unsupported element type f64}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf64>, tensor<16x32xf64>)
    outs(%c : tensor<8x32xf64>) -> tensor<8x32xf64>
  return %0 : tensor<8x32xf64>
}

// CHECK-LABEL: func.func @i32(
// CHECK: linalg.matmul
func.func @i32(%a: tensor<8x16xi32>, %b: tensor<16x32xi32>, %c: tensor<8x32xi32>)
  -> tensor<8x32xi32> {
  // expected-remark @+1 {{not converted: expected an input type of f16, bf16, f32, i8, fp8, bf8, got 'i32'}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xi32>, tensor<16x32xi32>)
    outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %0 : tensor<8x32xi32>
}

// CHECK-LABEL: func.func @mixed(
// CHECK: linalg.matmul
func.func @mixed(%a: tensor<8x16xf16>, %b: tensor<16x32xbf16>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: expected operands of one element type, got f16 and bf16}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xbf16>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK: linalg.matmul
func.func @memref(%a: memref<8x16xf32>, %b: memref<16x32xf32>, %c: memref<8x32xf32>) {
  // expected-remark @+1 {{not converted: expected tensors, not memrefs}}
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x32xf32>) outs(%c : memref<8x32xf32>)
  return
}

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

// Tiles of tiles have no layout.
// CHECK-LABEL: func.func @mmt4d(
// CHECK: linalg.mmt4d
func.func @mmt4d(%a: tensor<2x3x4x5xf32>, %b: tensor<6x3x7x5xf32>, %c: tensor<2x6x4x7xf32>)
  -> tensor<2x6x4x7xf32> {
  // expected-remark @+1 {{not converted: the loops of output channels do not stand side by side}}
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>)
    outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %0 : tensor<2x6x4x7xf32>
}

// It would meet another sum of the input at each position.
// CHECK-LABEL: func.func @filter_zp(
// CHECK: linalg.conv_2d_nhwc_hwcf_q
func.func @filter_zp(%x: tensor<1x6x6x16xi8>, %w: tensor<3x3x16x32xi8>,
                     %y: tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  // expected-remark @+1 {{not converted: cannot subtract zero point 3 of the filter}}
  %0 = linalg.conv_2d_nhwc_hwcf_q
    {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zero, %three : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%y : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  return %0 : tensor<1x4x4x32xi32>
}

// CHECK-LABEL: func.func @dyn_zp(
// CHECK: linalg.conv_2d_nhwc_hwcf_q
func.func @dyn_zp(%x: tensor<1x6x6x16xi8>, %w: tensor<3x3x16x32xi8>, %y: tensor<1x4x4x32xi32>,
                  %zp: i32) -> tensor<1x4x4x32xi32> {
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{not converted: expected constant zero points}}
  %0 = linalg.conv_2d_nhwc_hwcf_q
    {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zp, %zero : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%y : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  return %0 : tensor<1x4x4x32xi32>
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

// Positions begin inside of the tensor.
// CHECK-LABEL: func.func @inside(
// CHECK: linalg.generic
func.func @inside(%x: tensor<1x9x4xf32>, %w: tensor<3x4x8xf32>, %y: tensor<1x5x8xf32>)
    -> tensor<1x5x8xf32> {
  // expected-remark @+1 {{not converted: expected positions along dimension 1 to begin at 0}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, o, k, f, c) -> (n, o - f + 4, c)>,
                     affine_map<(n, o, k, f, c) -> (f, c, k)>,
                     affine_map<(n, o, k, f, c) -> (n, o, k)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x8xf32>) outs(%y : tensor<1x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x5x8xf32>
  return %0 : tensor<1x5x8xf32>
}
