// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// A convolution with the padding of its input, its bias and the relu of its result is one op. The
// tensors get the dimensions that the op does not have.

// EXAMPLE-BEFORE: func.func @conv .. return
// EXAMPLE-AFTER: func.func @conv .. return

// CHECK-LABEL: func.func @conv
// CHECK-SAME: %[[X:.*]]: tensor<2x8x8x16xf16>, %[[W:.*]]: tensor<3x3x16x32xf16>, %[[BIAS:.*]]: tensor<32xf32>
// CHECK-DAG: %[[X5:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<2x8x8x1x16xf16>
// CHECK-DAG: %[[W5:.*]] = tensor.expand_shape %[[W]] {{.*}} into tensor<1x3x3x16x32xf16>
// CHECK-DAG: %[[D:.*]] = tensor.expand_shape %[[BIAS]] {{.*}} into tensor<1x32xf32>
// CHECK: %[[Y:.*]] = ck.conv_fwd ins(%[[X5]], %[[W5]] :
// CHECK-SAME: ds(%[[D]] : tensor<1x32xf32>)
// CHECK-SAME: layout <NHWGC, GYXCK, NHWGK> strides [2, 2] dilations [1, 1]
// CHECK-SAME: pad_low [0, 0] pad_high [1, 1]
// CHECK: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[B]] : f32
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]] : f32
// CHECK: ck.yield %[[RELU]] : f32
// CHECK: tensor.collapse_shape %[[Y]]
// CHECK-NOT: linalg.
func.func @conv(%x: tensor<2x8x8x16xf16>, %w: tensor<3x3x16x32xf16>, %bias: tensor<32xf32>)
    -> tensor<2x4x4x32xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w0: index, %c: index):
    tensor.yield %zero : f16
  } : tensor<2x8x8x16xf16> to tensor<2x9x9x16xf16>
  %empty = tensor.empty() : tensor<2x4x4x32xf32>
  %init = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%empty : tensor<2x4x4x32xf32>)
    dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
    ins(%padded, %w : tensor<2x9x9x16xf16>, tensor<3x3x16x32xf16>)
    outs(%init : tensor<2x4x4x32xf32>) -> tensor<2x4x4x32xf32>
  %low = arith.constant 0.0 : f32
  %relu = linalg.map ins(%y : tensor<2x4x4x32xf32>) outs(%empty : tensor<2x4x4x32xf32>)
    (%in: f32, %out: f32) {
      %max = arith.maximumf %in, %low : f32
      linalg.yield %max : f32
    }
  return %relu : tensor<2x4x4x32xf32>
}
