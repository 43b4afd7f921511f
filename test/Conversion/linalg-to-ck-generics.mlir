// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Generics are recognised by what their loops do, in every order of operands and dimensions.

#x = affine_map<(n, k, oh, ow, c, y, x) -> (n, c, oh * 2 + y, ow * 2 + x)>
#w = affine_map<(n, k, oh, ow, c, y, x) -> (k, c, y, x)>
#y = affine_map<(n, k, oh, ow, c, y, x) -> (n, k, oh, ow)>

// The filter first.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[W:.*]]: tensor<4x8x3x3xf32>, %[[X:.*]]: tensor<2x8x9x9xf32>
// CHECK-DAG: %[[X5:.*]] = tensor.expand_shape %[[X]]
// CHECK-DAG: %[[W5:.*]] = tensor.expand_shape %[[W]]
// CHECK: ck.conv_fwd ins(%[[X5]], %[[W5]] : tensor<2x1x8x9x9xf32>, tensor<1x4x8x3x3xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW> strides [2, 2] dilations [1, 1]
func.func @forward(%w: tensor<4x8x3x3xf32>, %x: tensor<2x8x9x9xf32>, %y: tensor<2x4x4x4xf32>)
    -> tensor<2x4x4x4xf32> {
  %0 = linalg.generic {
    indexing_maps = [#w, #x, #y],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction",
                      "reduction"]}
    ins(%w, %x : tensor<4x8x3x3xf32>, tensor<2x8x9x9xf32>) outs(%y : tensor<2x4x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// Windows in the result: the gradient with respect to the input, whose padding is what a slice of
// it leaves out.
// CHECK-LABEL: func.func @backward_data
// CHECK: ck.conv_bwd_data ins(%{{.*}}, %{{.*}} : tensor<2x1x4x4x4xf32>, tensor<1x4x8x3x3xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<2x1x8x8x8xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW> strides [2, 2] dilations [1, 1]
// CHECK-SAME: pad_low [1, 1] pad_high [0, 0]
// CHECK-NOT: extract_slice
func.func @backward_data(%dy: tensor<2x4x4x4xf32>, %w: tensor<4x8x3x3xf32>)
    -> tensor<2x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x8x9x9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8x9x9xf32>) -> tensor<2x8x9x9xf32>
  %0 = linalg.generic {
    indexing_maps = [#y, #w, #x],
    iterator_types = ["parallel", "reduction", "reduction", "reduction", "parallel", "reduction",
                      "reduction"]}
    ins(%dy, %w : tensor<2x4x4x4xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<2x8x9x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8x9x9xf32>
  %dx = tensor.extract_slice %0[0, 0, 1, 1] [2, 8, 8, 8] [1, 1, 1, 1]
    : tensor<2x8x9x9xf32> to tensor<2x8x8x8xf32>
  return %dx : tensor<2x8x8x8xf32>
}

// Windows that move further over the reduction than over the result: the gradient with respect to
// the filter.
// CHECK-LABEL: func.func @backward_weight
// CHECK: ck.conv_bwd_weight ins(%{{.*}}, %{{.*}} : tensor<2x1x8x8x8xf16>, tensor<2x1x4x4x4xf16>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x4x8x3x3xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW> strides [2, 2] dilations [1, 1]
// CHECK-SAME: pad_low [1, 1] pad_high [0, 0]
func.func @backward_weight(%x: tensor<2x8x8x8xf16>, %dy: tensor<2x4x4x4xf16>)
    -> tensor<4x8x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %narrow = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %narrow : f16
  } : tensor<2x8x8x8xf16> to tensor<2x8x9x9xf16>
  %empty = tensor.empty() : tensor<4x8x3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8x3x3xf32>) -> tensor<4x8x3x3xf32>
  %dw = linalg.generic {
    indexing_maps = [#x, #y, #w],
    iterator_types = ["reduction", "parallel", "reduction", "reduction", "parallel", "parallel",
                      "parallel"]}
    ins(%padded, %dy : tensor<2x8x9x9xf16>, tensor<2x4x4x4xf16>)
    outs(%init : tensor<4x8x3x3xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %p = arith.mulf %wa, %wb : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8x3x3xf32>
  return %dw : tensor<4x8x3x3xf32>
}

// A strided transposed convolution as torch-mlir writes it: zeros between the elements of the input
// and a reversed, transposed filter are the gradient of a convolution with a stride.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %[[X:.*]]: tensor<1x8x4x4xf32>, %[[W:.*]]: tensor<8x6x3x3xf32>, %[[BIAS:.*]]: tensor<6xf32>
// CHECK-DAG: %[[X5:.*]] = tensor.expand_shape %[[X]]
// CHECK-DAG: %[[W5:.*]] = tensor.expand_shape %[[W]]
// CHECK-DAG: %[[D:.*]] = tensor.expand_shape %[[BIAS]]
// CHECK-NOT: linalg.
// CHECK: ck.conv_bwd_data ins(%[[X5]], %[[W5]] : tensor<1x1x8x4x4xf32>, tensor<1x8x6x3x3xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x1x6x9x9xf32>) ds(%[[D]] : tensor<1x6xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW> strides [2, 2] dilations [1, 1]
// CHECK-SAME: pad_low [0, 0] pad_high [0, 0]
func.func @transposed(%x: tensor<1x8x4x4xf32>, %w: tensor<8x6x3x3xf32>, %bias: tensor<6xf32>)
    -> tensor<1x6x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 2 : index
  %0 = tensor.empty() : tensor<1x8x11x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x8x11x11xf32>) -> tensor<1x8x11x11xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 2, 2] [1, 8, 4, 4] [1, 1, 2, 2]
    : tensor<1x8x4x4xf32> into tensor<1x8x11x11xf32>
  %1 = tensor.empty() : tensor<6x8x3x3xf32>
  %reversed = linalg.generic {
    indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    outs(%1 : tensor<6x8x3x3xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %r2 = arith.subi %last, %i2 : index
    %r3 = arith.subi %last, %i3 : index
    %v = tensor.extract %w[%i1, %i0, %r2, %r3] : tensor<8x6x3x3xf32>
    linalg.yield %v : f32
  } -> tensor<6x8x3x3xf32>
  %2 = tensor.empty() : tensor<1x6x9x9xf32>
  %init = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%2 : tensor<1x6x9x9xf32>)
    dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
    ins(%spread, %reversed : tensor<1x8x11x11xf32>, tensor<6x8x3x3xf32>)
    outs(%init : tensor<1x6x9x9xf32>) -> tensor<1x6x9x9xf32>
  return %y : tensor<1x6x9x9xf32>
}

// Without the reversal in the program the filter is reversed for the gradient.
// CHECK-LABEL: func.func @spread
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: tensor.extract
// CHECK: tensor.expand_shape %[[R]]
// CHECK: ck.conv_bwd_data
// CHECK-SAME: layout <NGCW, GCKX, NGKW> strides [3] dilations [2] pad_low [3] pad_high [3]
func.func @spread(%x: tensor<1x8x4xf32>, %w: tensor<6x8x3xf32>) -> tensor<1x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x8x12xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x8x12xf32>) -> tensor<1x8x12xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 8, 4] [1, 1, 3]
    : tensor<1x8x4xf32> into tensor<1x8x12xf32>
  %1 = tensor.empty() : tensor<1x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %y = linalg.conv_1d_ncw_fcw {strides = dense<1> : tensor<1xi64>,
                               dilations = dense<2> : tensor<1xi64>}
    ins(%spread, %w : tensor<1x8x12xf32>, tensor<6x8x3xf32>)
    outs(%init : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  return %y : tensor<1x6x8xf32>
}

// A gradient that is written as a gather: positions in the padded output gradient fall with the
// loops of the filter.
// CHECK-LABEL: func.func @gather(
// CHECK:         ck.conv_bwd_data {{.*}} layout <NHWGC, GYXCK, NHWGK> strides [1, 1] dilations [1, 1] pad_low [2, 2] pad_high [2, 2]
func.func @gather(%dy: tensor<2x10x11x8xf32>, %w: tensor<3x3x4x8xf32>, %dx: tensor<2x8x9x4xf32>)
    -> tensor<2x8x9x4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c, r, s, k) -> (n, h - r + 2, w - s + 2, k)>,
                     affine_map<(n, h, w, c, r, s, k) -> (r, s, c, k)>,
                     affine_map<(n, h, w, c, r, s, k) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction",
                      "reduction"]}
    ins(%dy, %w : tensor<2x10x11x8xf32>, tensor<3x3x4x8xf32>) outs(%dx : tensor<2x8x9x4xf32>) {
  ^bb0(%x: f32, %f: f32, %acc: f32):
    %1 = arith.mulf %x, %f : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x9x4xf32>
  return %0 : tensor<2x8x9x4xf32>
}
