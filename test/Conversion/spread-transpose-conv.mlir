// RUN: ck-opt %s --ck-spread-transpose-conv | FileCheck %s
// RUN: ck-opt %s --ck-bufferize-program | FileCheck %s --check-prefix=PROBLEM

// EXAMPLE-BEFORE: func.func @transposed .. return
// EXAMPLE-AFTER: func.func @transposed .. return

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x5x16xf32>
// CHECK:         %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<1x10x9x16xf32>
// CHECK:         %[[SPREAD:.*]] = tensor.insert_slice %[[X]] into %[[ZEROS]][0, 0, 0, 0] [1, 4, 5, 16] [1, 3, 2, 1]
// CHECK:         tosa.transpose_conv2d %[[SPREAD]], {{.*}} out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 1, 1>

// PROBLEM-LABEL: func.func @transposed(
// PROBLEM:         ck.conv_bwd_data {{.*}} strides [3, 2]
func.func @transposed(%x: tensor<1x4x5x16xf32>, %w: tensor<8x3x3x16xf32>, %b: tensor<8xf32>)
    -> tensor<1x11x12x8xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %b, %zero, %zero {acc_type = f32,
      out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 3, 2>}
    : (tensor<1x4x5x16xf32>, tensor<8x3x3x16xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<1x11x12x8xf32>
  return %y : tensor<1x11x12x8xf32>
}

// What counts as zero is the zero point.
// CHECK-LABEL: func.func @zero_point(
// CHECK:         arith.constant dense<3> : tensor<1x7x9x16xi8>
// CHECK:         stride = array<i64: 1, 1>
// PROBLEM-LABEL: func.func @zero_point(
// PROBLEM:         ck.conv_fwd
func.func @zero_point(%x: tensor<1x4x5x16xi8>, %w: tensor<8x3x3x16xi8>, %b: tensor<8xi32>)
    -> tensor<1x9x11x8xi32> {
  %none = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %three = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.transpose_conv2d %x, %w, %b, %three, %none {acc_type = i32,
      out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x5x16xi8>, tensor<8x3x3x16xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>)
    -> tensor<1x9x11x8xi32>
  return %y : tensor<1x9x11x8xi32>
}

// Without strides there is nothing to do.
// CHECK-LABEL: func.func @left(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @left(%x: tensor<1x4x5x16xf32>, %w: tensor<8x3x3x16xf32>, %b: tensor<8xf32>)
    -> tensor<1x6x7x8xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %b, %zero, %zero {acc_type = f32,
      out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x4x5x16xf32>, tensor<8x3x3x16xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<1x6x7x8xf32>
  return %y : tensor<1x6x7x8xf32>
}
