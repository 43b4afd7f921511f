// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Matrix products: named, transposed by their maps, as contractions and as generics.

// CHECK-LABEL: func.func @matmul
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<1x32x64xf16>, tensor<1x64x16xf16>)
// CHECK-SAME: layout "rrr" -> tensor<1x32x16xf32>
func.func @matmul(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<32x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x16xf16>)
    outs(%zeros : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// CHECK-LABEL: func.func @matmul_transposed
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<1x64x32xf16>, tensor<1x16x64xf16>)
// CHECK-SAME: layout "ccr"
func.func @matmul_transposed(%a: tensor<64x32xf16>, %b: tensor<16x64xf16>) -> tensor<32x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<32x16xf32>
  %0 = linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<64x32xf16>, tensor<16x64xf16>)
    outs(%zeros : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// CHECK-LABEL: func.func @batch_matmul_transposed
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<4x8x16xbf16>, tensor<4x32x16xbf16>)
// CHECK-SAME: layout "rcr"
func.func @batch_matmul_transposed(%a: tensor<4x8x16xbf16>, %b: tensor<4x32x16xbf16>)
    -> tensor<4x8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %0 = linalg.batch_matmul
    indexing_maps = [affine_map<(g, m, n, k) -> (g, m, k)>, affine_map<(g, m, n, k) -> (g, n, k)>,
                     affine_map<(g, m, n, k) -> (g, m, n)>]
    ins(%a, %b : tensor<4x8x16xbf16>, tensor<4x32x16xbf16>)
    outs(%zeros : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// The batch of the reduction is a filter that covers all of a space.
// CHECK-LABEL: func.func @batch_reduce
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<4x8x1x16xf32>, tensor<1x4x16x32xf32>)
// CHECK-SAME: layout <WNGC, GXCK, NWGK> strides [1] dilations [1] pad_low [0] pad_high [0]
func.func @batch_reduce(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>)
    outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// Vectors are matrices of one row or column.
// CHECK-LABEL: func.func @vectors
// CHECK: ck.batched_gemm {{.*}} tensor<1x32x64xf32>, tensor<1x1x64xf32>) outs(%{{.*}} : tensor<1x32x1xf32>) layout "rcr"
// CHECK: ck.batched_gemm {{.*}} tensor<1x1x32xf32>, tensor<1x32x64xf32>) outs(%{{.*}} : tensor<1x1x64xf32>) layout "rrr"
// CHECK: ck.batched_gemm {{.*}} tensor<1x1x64xf32>, tensor<1x1x64xf32>) outs(%{{.*}} : tensor<1x1x1xf32>) layout "rcr"
// CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x1x1xf32> into tensor<f32>
func.func @vectors(%a: tensor<32x64xf32>, %x: tensor<64xf32>) -> tensor<f32> {
  %zeros = arith.constant dense<0.0> : tensor<32xf32>
  %zeros_64 = arith.constant dense<0.0> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.matvec ins(%a, %x : tensor<32x64xf32>, tensor<64xf32>) outs(%zeros : tensor<32xf32>)
    -> tensor<32xf32>
  %1 = linalg.vecmat ins(%0, %a : tensor<32xf32>, tensor<32x64xf32>)
    outs(%zeros_64 : tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.dot ins(%1, %x : tensor<64xf32>, tensor<64xf32>) outs(%zero : tensor<f32>)
    -> tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @batch_matvec
// CHECK: ck.batched_gemm {{.*}} tensor<4x32x64xf32>, tensor<4x1x64xf32>) outs(%{{.*}} : tensor<4x32x1xf32>) layout "rcr"
func.func @batch_matvec(%a: tensor<4x32x64xf32>, %x: tensor<4x64xf32>) -> tensor<4x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x32xf32>
  %0 = linalg.batch_matvec ins(%a, %x : tensor<4x32x64xf32>, tensor<4x64xf32>)
    outs(%zeros : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// Loops that stand side by side everywhere are one: two of the batch, two of the rows.
// CHECK-LABEL: func.func @contract
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2], [3]] : tensor<2x3x16x8xf16> into tensor<6x16x8xf16>
// CHECK: ck.batched_gemm {{.*}} tensor<6x16x8xf16>, tensor<6x4x8xf16>) outs(%{{.*}} : tensor<6x16x4xf32>) layout "rcr"
func.func @contract(%q: tensor<2x3x16x8xf16>, %k: tensor<2x3x4x8xf16>) -> tensor<2x3x16x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x16x4xf32>
  %0 = linalg.contract
    indexing_maps = [affine_map<(b, h, q, k, d) -> (b, h, q, d)>,
                     affine_map<(b, h, q, k, d) -> (b, h, k, d)>,
                     affine_map<(b, h, q, k, d) -> (b, h, q, k)>]
    ins(%q, %k : tensor<2x3x16x8xf16>, tensor<2x3x4x8xf16>)
    outs(%zeros : tensor<2x3x16x4xf32>) -> tensor<2x3x16x4xf32>
  return %0 : tensor<2x3x16x4xf32>
}

// A result in column order is the product of the operands in the other order.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[A:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<64x16xf32>
// CHECK-DAG: %[[A3:.*]] = tensor.expand_shape %[[A]]
// CHECK-DAG: %[[B3:.*]] = tensor.expand_shape %[[B]]
// CHECK: ck.batched_gemm ins(%[[B3]], %[[A3]] : tensor<1x64x16xf32>, tensor<1x32x64xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x16x32xf32>) layout "ccr"
func.func @columns(%a: tensor<32x64xf32>, %b: tensor<64x16xf32>) -> tensor<16x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (n, m)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<32x64xf32>, tensor<64x16xf32>) outs(%zeros : tensor<16x32xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %p = arith.mulf %in, %other : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// A product over an image whose channels come first is a convolution with a filter of one element.
// CHECK-LABEL: func.func @pointwise
// CHECK: ck.conv_fwd {{.*}} tensor<2x1x8x25xf32>, tensor<1x16x1x8xf32>)
// CHECK-SAME: layout <NGCW, GKXC, NGKW>
func.func @pointwise(%w: tensor<16x8xf32>, %x: tensor<2x8x5x5xf32>) -> tensor<2x16x5x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x16x5x5xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, k, h, w, c) -> (k, c)>,
                     affine_map<(n, k, h, w, c) -> (n, c, h, w)>,
                     affine_map<(n, k, h, w, c) -> (n, k, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%w, %x : tensor<16x8xf32>, tensor<2x8x5x5xf32>) outs(%zeros : tensor<2x16x5x5xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %p = arith.mulf %in, %other : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x16x5x5xf32>
  return %0 : tensor<2x16x5x5xf32>
}
