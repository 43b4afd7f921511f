// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// What linalg's sums begin with: nothing for zeros, a constant, one value per channel, or a tensor.

// CHECK-LABEL: func.func @constant
// CHECK: ck.batched_gemm {{.*}} layout "rrr" epilogue {
// CHECK: ^bb0(%[[ACC:.*]]: f32):
// CHECK: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[TWO]] : f32
// CHECK: %[[OUT:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK: ck.yield %[[OUT]] : f16
func.func @constant(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>) -> tensor<8x32xf16> {
  %two = arith.constant 2.0 : f16
  %empty = tensor.empty() : tensor<8x32xf16>
  %init = linalg.fill ins(%two : f16) outs(%empty : tensor<8x32xf16>) -> tensor<8x32xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%init : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}

// The sum is rounded once, from f32.
// CHECK-LABEL: func.func @residual
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<8x32xf16>)
// CHECK: %[[C3:.*]] = tensor.expand_shape %[[C]]
// CHECK: ck.batched_gemm {{.*}} outs(%[[C3]] : tensor<1x8x32xf16>) ds(%[[C3]] : tensor<1x8x32xf16>)
// CHECK: ^bb0(%[[ACC:.*]]: f32, %[[D:.*]]: f16):
// CHECK: %[[WIDE:.*]] = arith.extf %[[D]] : f16 to f32
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[WIDE]] : f32
// CHECK: arith.truncf %[[SUM]] : f32 to f16
func.func @residual(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %c: tensor<8x32xf16>)
    -> tensor<8x32xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%c : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}

// A bias of the columns has one value per channel; one of the rows is a tensor like any other.
// CHECK-LABEL: func.func @columns_and_rows
// CHECK: ck.batched_gemm {{.*}} ds(%{{.*}} : tensor<1x32xf32>)
// CHECK: ck.batched_gemm {{.*}} ds(%{{.*}} : tensor<1x8x32xf32>)
func.func @columns_and_rows(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %n: tensor<32xf32>,
                            %m: tensor<8xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %empty = tensor.empty() : tensor<8x32xf32>
  %columns = linalg.broadcast ins(%n : tensor<32xf32>) outs(%empty : tensor<8x32xf32>)
    dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%columns : tensor<8x32xf32>) -> tensor<8x32xf32>
  %rows = linalg.broadcast ins(%m : tensor<8xf32>) outs(%empty : tensor<8x32xf32>)
    dimensions = [1]
  %1 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%rows : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// Sums of i8 wrap around as those of linalg do.
// CHECK-LABEL: func.func @narrow_integers
// CHECK: ck.batched_gemm {{.*}} outs(%{{.*}} : tensor<1x8x32xi8>)
// CHECK: ^bb0(%[[ACC:.*]]: i32):
// CHECK: %[[OUT:.*]] = arith.trunci %[[ACC]] : i32 to i8
// CHECK: ck.yield %[[OUT]] : i8
func.func @narrow_integers(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>) -> tensor<8x32xi8> {
  %zeros = arith.constant dense<0> : tensor<8x32xi8>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>)
    outs(%zeros : tensor<8x32xi8>) -> tensor<8x32xi8>
  return %0 : tensor<8x32xi8>
}

// Zero points that are zero vanish; one of the input is the sums of the filter, scaled, per channel.
// CHECK-LABEL: func.func @zero_points
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "reduction", "parallel"]
// CHECK: %[[D:.*]] = tensor.expand_shape %[[SUMS]] {{.*}} into tensor<1x32xi32>
// CHECK: ck.conv_fwd {{.*}} ds(%[[D]] : tensor<1x32xi32>)
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK: %[[ZERO:.*]] = arith.constant -5 : i32
// CHECK: %[[SHIFT:.*]] = arith.muli %[[SUM]], %[[ZERO]] : i32
// CHECK: %[[OUT:.*]] = arith.subi %[[ACC]], %[[SHIFT]] : i32
// CHECK: ck.yield %[[OUT]] : i32
// CHECK-NOT: linalg.generic
// CHECK: ck.conv_fwd {{.*}} pad_high [0, 0] -> tensor<1x4x4x1x32xi32>
func.func @zero_points(%x: tensor<1x6x6x16xi8>, %w: tensor<3x3x16x32xi8>)
    -> (tensor<1x4x4x32xi32>, tensor<1x4x4x32xi32>) {
  %five = arith.constant -5 : i32
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<1x4x4x32xi32>
  %0 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>,
                                   dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %five, %zero : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%zeros : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  %1 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>,
                                   dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zero, %zero : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%zeros : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  return %0, %1 : tensor<1x4x4x32xi32>, tensor<1x4x4x32xi32>
}
