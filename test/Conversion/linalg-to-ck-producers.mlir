// RUN: ck-opt %s --convert-linalg-to-ck --canonicalize | FileCheck %s
// Producers that only move or widen elements, or surround them with zeros, become the layout, the
// element type and the padding of the op.

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

// An input in another order, widened and padded; a filter in another order.
// CHECK-LABEL: func.func @all
// CHECK-SAME: %[[X:.*]]: tensor<2x16x8x8xf16>, %[[W:.*]]: tensor<32x16x3x3xf16>
// CHECK-DAG: %[[X5:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<2x1x16x8x8xf16>
// CHECK-DAG: %[[W5:.*]] = tensor.expand_shape %[[W]] {{.*}} into tensor<1x32x16x3x3xf16>
// CHECK: ck.conv_fwd ins(%[[X5]], %[[W5]] :
// CHECK-SAME: layout <NGCHW, GKCYX, NHWGK> strides [1, 1] dilations [1, 1]
// CHECK-SAME: pad_low [1, 1] pad_high [1, 1]
// CHECK-NOT: linalg.
// CHECK-NOT: tensor.pad
func.func @all(%x: tensor<2x16x8x8xf16>, %w: tensor<32x16x3x3xf16>) -> tensor<2x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x8x8x16xf16>
  %moved = linalg.transpose ins(%x : tensor<2x16x8x8xf16>) outs(%e0 : tensor<2x8x8x16xf16>)
    permutation = [0, 2, 3, 1]
  %e1 = tensor.empty() : tensor<2x8x8x16xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%moved : tensor<2x8x8x16xf16>) outs(%e1 : tensor<2x8x8x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<2x8x8x16xf32>
  %padded = tensor.pad %wide low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x8x8x16xf32> to tensor<2x10x10x16xf32>
  %e2 = tensor.empty() : tensor<3x3x16x32xf32>
  %filter = linalg.generic {
    indexing_maps = [affine_map<(y, x, c, k) -> (k, c, y, x)>,
                     affine_map<(y, x, c, k) -> (y, x, c, k)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%w : tensor<32x16x3x3xf16>) outs(%e2 : tensor<3x3x16x32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<3x3x16x32xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x8x8x32xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
    ins(%padded, %filter : tensor<2x10x10x16xf32>, tensor<3x3x16x32xf32>)
    outs(%zeros : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  return %y : tensor<2x8x8x32xf32>
}

// One operand that was widened does not help: the other is of f32.
// CHECK-LABEL: func.func @one_wide
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK: tensor.expand_shape %[[WIDE]]
// CHECK: ck.batched_gemm {{.*}} tensor<1x8x16xf32>, tensor<1x16x32xf32>
func.func @one_wide(%a: tensor<8x16xf16>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %wide = linalg.generic {
    indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<8x16xf16>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<8x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%wide, %b : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// Padding with another value stays, and so does padding that is used elsewhere.
// CHECK-LABEL: func.func @other_padding
// CHECK: %[[ONES:.*]] = tensor.pad
// CHECK: %[[ZEROS:.*]] = tensor.pad
// CHECK: tensor.expand_shape %[[ONES]]
// CHECK: ck.conv_fwd {{.*}} pad_low [0] pad_high [0]
// CHECK: ck.conv_fwd {{.*}} pad_low [1] pad_high [1]
// CHECK: return %{{.*}}, %{{.*}}, %[[ZEROS]]
func.func @other_padding(%x: tensor<2x8x16xf32>, %w: tensor<3x16x32xf32>)
    -> (tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<2x10x16xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %ones = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<2x8x16xf32> to tensor<2x10x16xf32>
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x8x16xf32> to tensor<2x10x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x8x32xf32>
  %0 = linalg.conv_1d_nwc_wcf {strides = dense<1> : tensor<1xi64>,
                               dilations = dense<1> : tensor<1xi64>}
    ins(%ones, %w : tensor<2x10x16xf32>, tensor<3x16x32xf32>)
    outs(%zeros : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %1 = linalg.conv_1d_nwc_wcf {strides = dense<1> : tensor<1xi64>,
                               dilations = dense<1> : tensor<1xi64>}
    ins(%padded, %w : tensor<2x10x16xf32>, tensor<3x16x32xf32>)
    outs(%zeros : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  return %0, %1, %padded : tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<2x10x16xf32>
}

// Whole numbers in floats are multiplied as the i8 that they were.
// CHECK-LABEL: func.func @whole_numbers
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<1x8x16xi8>, tensor<1x16x32xi8>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x8x32xf32>)
// CHECK: ^bb0(%[[ACC:.*]]: i32):
// CHECK: %[[F:.*]] = arith.sitofp %[[ACC]] : i32 to f32
// CHECK: ck.yield %[[F]] : f32
// CHECK-NOT: linalg.
func.func @whole_numbers(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32>
  %empty = tensor.empty() : tensor<16x32xf32>
  %wide = linalg.generic {
    indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<16x32xi8>) outs(%empty : tensor<16x32xf32>) {
  ^bb0(%in: i8, %out: f32):
    %e = arith.sitofp %in : i8 to f32
    linalg.yield %e : f32
  } -> tensor<16x32xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %wide : tensor<8x16xi8>, tensor<16x32xf32>) outs(%zeros : tensor<8x32xf32>) {
  ^bb0(%x: i8, %y: f32, %out: f32):
    %f = arith.sitofp %x : i8 to f32
    %p = arith.mulf %f, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
