// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Elementwise consumers become the epilogue; between them values have the types of the tensors.

#id = affine_map<(n, h, w, k) -> (n, h, w, k)>
#channel = affine_map<(n, h, w, k) -> (k)>

// Bias, residual and activation in f16; a function that epilogues have in f32 is computed there.
// CHECK-LABEL: func.func @bias_residual_tanh
// CHECK-SAME: %{{.*}}, %{{.*}}, %[[BIAS:.*]]: tensor<32xf16>, %[[RES:.*]]: tensor<2x8x8x32xf16>
// CHECK-DAG: %[[B:.*]] = tensor.expand_shape %[[BIAS]] {{.*}} into tensor<1x32xf16>
// CHECK-DAG: %[[R:.*]] = tensor.expand_shape %[[RES]] {{.*}} into tensor<2x8x8x1x32xf16>
// CHECK: ck.conv_fwd {{.*}} ds(%[[B]], %[[R]] : tensor<1x32xf16>, tensor<2x8x8x1x32xf16>)
// CHECK: ^bb0(%[[ACC:.*]]: f32, %[[D0:.*]]: f16, %[[D1:.*]]: f16):
// CHECK: %[[V0:.*]] = arith.truncf %[[ACC]] : f32 to f16
// CHECK: %[[V1:.*]] = arith.addf %[[V0]], %[[D0]] : f16
// CHECK: %[[V2:.*]] = arith.addf %[[V1]], %[[D1]] : f16
// CHECK: %[[V3:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK: %[[V4:.*]] = math.tanh %[[V3]] : f32
// CHECK: %[[V5:.*]] = arith.truncf %[[V4]] : f32 to f16
// CHECK: ck.yield %[[V5]] : f16
// CHECK-NOT: linalg.
func.func @bias_residual_tanh(%x: tensor<2x10x10x16xf16>, %w: tensor<3x3x16x32xf16>,
                              %bias: tensor<32xf16>, %res: tensor<2x8x8x32xf16>)
    -> tensor<2x8x8x32xf16> {
  %zeros = arith.constant dense<0.0> : tensor<2x8x8x32xf16>
  %empty = tensor.empty() : tensor<2x8x8x32xf16>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x10x10x16xf16>, tensor<3x3x16x32xf16>)
    outs(%zeros : tensor<2x8x8x32xf16>) -> tensor<2x8x8x32xf16>
  %1 = linalg.generic {indexing_maps = [#id, #channel, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0, %bias : tensor<2x8x8x32xf16>, tensor<32xf16>) outs(%empty : tensor<2x8x8x32xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %s = arith.addf %a, %b : f16
    linalg.yield %s : f16
  } -> tensor<2x8x8x32xf16>
  %2 = linalg.add ins(%1, %res : tensor<2x8x8x32xf16>, tensor<2x8x8x32xf16>)
    outs(%empty : tensor<2x8x8x32xf16>) -> tensor<2x8x8x32xf16>
  %3 = linalg.tanh ins(%2 : tensor<2x8x8x32xf16>) outs(%empty : tensor<2x8x8x32xf16>)
    -> tensor<2x8x8x32xf16>
  return %3 : tensor<2x8x8x32xf16>
}

// A consumer may give the result another type, and a transpose another layout.
// CHECK-LABEL: func.func @narrow_transpose
// CHECK: %[[Y:.*]] = ck.conv_fwd {{.*}} outs(%{{.*}} : tensor<2x1x32x8x8xf16>)
// CHECK-SAME: layout <NHWGC, GYXCK, NGKHW>
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: ck.yield %{{.*}} : f16
// CHECK: tensor.collapse_shape %[[Y]] {{.*}} into tensor<2x32x8x8xf16>
func.func @narrow_transpose(%x: tensor<2x10x10x16xf16>, %w: tensor<3x3x16x32xf16>)
    -> tensor<2x32x8x8xf16> {
  %zeros = arith.constant dense<0.0> : tensor<2x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x10x10x16xf16>, tensor<3x3x16x32xf16>)
    outs(%zeros : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %empty = tensor.empty() : tensor<2x8x8x32xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0 : tensor<2x8x8x32xf32>) outs(%empty : tensor<2x8x8x32xf16>) {
  ^bb0(%a: f32, %out: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x8x8x32xf16>
  %turned = tensor.empty() : tensor<2x32x8x8xf16>
  %2 = linalg.transpose ins(%1 : tensor<2x8x8x32xf16>) outs(%turned : tensor<2x32x8x8xf16>)
    permutation = [0, 3, 1, 2]
  return %2 : tensor<2x32x8x8xf16>
}

// Behind a reshape that merges groups and channels a bias has one value for both.
// CHECK-LABEL: func.func @depthwise
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<32xf32>
// CHECK: %[[D:.*]] = tensor.expand_shape %[[BIAS]] {{.*}} into tensor<16x2xf32>
// CHECK: ck.conv_fwd {{.*}} outs(%{{.*}} : tensor<1x8x8x16x2xf32>) ds(%[[D]] : tensor<16x2xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x8x8x32xf32>
// CHECK-NEXT: return
func.func @depthwise(%x: tensor<1x10x10x16xf32>, %w: tensor<3x3x16x2xf32>, %bias: tensor<32xf32>)
    -> tensor<1x8x8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x8x8x16x2xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>,
                                           dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x10x10x16xf32>, tensor<3x3x16x2xf32>)
    outs(%zeros : tensor<1x8x8x16x2xf32>) -> tensor<1x8x8x16x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4]]
    : tensor<1x8x8x16x2xf32> into tensor<1x8x8x32xf32>
  %empty = tensor.empty() : tensor<1x8x8x32xf32>
  %2 = linalg.generic {indexing_maps = [#channel, #id, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%bias, %1 : tensor<32xf32>, tensor<1x8x8x32xf32>) outs(%empty : tensor<1x8x8x32xf32>) {
  ^bb0(%b: f32, %a: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x32xf32>
  return %2 : tensor<1x8x8x32xf32>
}

// Splat tensors and constants from outside are constants of the epilogue; a consumer may read the
// result twice, and update it in place.
// CHECK-LABEL: func.func @swish_in_place
// CHECK: ck.batched_gemm
// CHECK: ^bb0(%[[ACC:.*]]: f32):
// CHECK: %[[HALF:.*]] = arith.constant 5.0{{.*}}e-01 : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[ACC]], %[[HALF]] : f32
// CHECK: %[[E:.*]] = math.exp %[[SCALED]] : f32
// CHECK: arith.mulf %[[SCALED]], %[[E]] : f32
// CHECK-NOT: linalg.
func.func @swish_in_place(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<32x16xf32>
  %halves = arith.constant dense<0.5> : tensor<32x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x16xf16>)
    outs(%zeros : tensor<32x16xf32>) -> tensor<32x16xf32>
  %1 = linalg.mul ins(%0, %halves : tensor<32x16xf32>, tensor<32x16xf32>)
    outs(%0 : tensor<32x16xf32>) -> tensor<32x16xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<32x16xf32>) {
  ^bb0(%out: f32):
    %e = math.exp %out : f32
    %p = arith.mulf %out, %e : f32
    linalg.yield %p : f32
  } -> tensor<32x16xf32>
  return %2 : tensor<32x16xf32>
}

// Sums of integers become floats.
// CHECK-LABEL: func.func @dequantize
// CHECK: ck.batched_gemm {{.*}} outs(%{{.*}} : tensor<1x8x32xf16>) ds(%{{.*}} : tensor<1x32xf32>)
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[SCALE:.*]]: f32):
// CHECK: %[[F:.*]] = arith.sitofp %[[ACC]] : i32 to f32
// CHECK: arith.mulf %[[F]], %[[SCALE]] : f32
// CHECK-NOT: linalg.
func.func @dequantize(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>, %scale: tensor<32xf32>)
    -> tensor<8x32xf16> {
  %zeros = arith.constant dense<0> : tensor<8x32xi32>
  %empty = tensor.empty() : tensor<8x32xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>)
    outs(%zeros : tensor<8x32xi32>) -> tensor<8x32xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                                        affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%0, %scale : tensor<8x32xi32>, tensor<32xf32>) outs(%empty : tensor<8x32xf16>) {
  ^bb0(%x: i32, %s: f32, %out: f16):
    %f = arith.sitofp %x : i32 to f32
    %p = arith.mulf %f, %s : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x32xf16>
  return %1 : tensor<8x32xf16>
}
