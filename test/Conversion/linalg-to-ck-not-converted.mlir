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

// CHECK-LABEL: func.func @memref(
// CHECK: linalg.matmul
func.func @memref(%a: memref<8x16xf32>, %b: memref<16x32xf32>, %c: memref<8x32xf32>) {
  // expected-remark @+1 {{not converted: expected tensors, not memrefs}}
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x32xf32>) outs(%c : memref<8x32xf32>)
  return
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
