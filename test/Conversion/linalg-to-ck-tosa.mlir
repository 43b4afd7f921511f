// RUN: ck-opt %s --pass-pipeline='builtin.module(func.func(tosa-optional-decompositions),canonicalize,func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),canonicalize,convert-linalg-to-ck,canonicalize)' | FileCheck %s
// TOSA as TFLite's and torch-mlir's importers print it comes through upstream's conversion to linalg.

// Padding, bias and clamp.
// CHECK-LABEL: func.func @conv2d
// CHECK-NOT: tensor.pad
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x14x14x1x16xf32>, tensor<1x32x3x3x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x7x7x1x32xf32>) ds(%{{.*}} : tensor<1x32xf32>)
// CHECK-SAME: layout <NHWGC, GKYXC, NHWGK> strides [2, 2] dilations [1, 1]
// CHECK-SAME: pad_low [0, 0] pad_high [1, 1]
// CHECK: arith.addf
// CHECK: arith.minimumf
// CHECK: arith.maximumf
// CHECK-NOT: linalg.
func.func @conv2d(%x: tensor<1x14x14x16xf32>, %w: tensor<32x3x3x16xf32>, %bias: tensor<32xf32>)
    -> tensor<1x7x7x32xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %bias, %zero, %zero
    {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>,
     stride = array<i64: 2, 2>}
    : (tensor<1x14x14x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>,
       tensor<1xf32>) -> tensor<1x7x7x32xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32}
    : (tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %1 : tensor<1x7x7x32xf32>
}

// A depthwise convolution with a multiplier: the bias is added behind a reshape.
// CHECK-LABEL: func.func @depthwise
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x8x8x16x1xf32>, tensor<3x3x16x2x1xf32>)
// CHECK-SAME: ds(%{{.*}} : tensor<16x2xf32>)
// CHECK-SAME: pad_low [1, 1] pad_high [1, 1]
// CHECK-NOT: linalg.
func.func @depthwise(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16x2xf32>, %bias: tensor<32xf32>)
    -> tensor<1x8x8x32xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %bias, %zero, %zero
    {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>,
     stride = array<i64: 1, 1>}
    : (tensor<1x8x8x16xf32>, tensor<3x3x16x2xf32>, tensor<32xf32>, tensor<1xf32>,
       tensor<1xf32>) -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// CHECK-LABEL: func.func @conv3d
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x4x6x8x1x4xf32>, tensor<
// CHECK-SAME: ds(%{{.*}} : tensor<1x8xf32>)
// CHECK-SAME: strides [1, 1, 1] dilations [1, 1, 1] pad_low [1, 1, 1] pad_high [1, 1, 1]
func.func @conv3d(%x: tensor<1x4x6x8x4xf32>, %w: tensor<8x3x3x3x4xf32>, %bias: tensor<8xf32>)
    -> tensor<1x4x6x8x8xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %bias, %zero, %zero
    {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 1, 1, 1, 1, 1, 1>,
     stride = array<i64: 1, 1, 1>}
    : (tensor<1x4x6x8x4xf32>, tensor<8x3x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>,
       tensor<1xf32>) -> tensor<1x4x6x8x8xf32>
  return %0 : tensor<1x4x6x8x8xf32>
}

// Upstream makes a convolution of a reversed filter of it, which is a gradient again.
// CHECK-LABEL: func.func @transpose_conv2d
// CHECK: ck.conv_bwd_data ins(%{{.*}}, %{{.*}} : tensor<1x8x8x1x16xf32>, tensor<1x32x3x3x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x10x10x1x32xf32>)
// CHECK-SAME: layout <NHWGC, GCYXK, NHWGK> strides [1, 1]
func.func @transpose_conv2d(%x: tensor<1x8x8x16xf32>, %w: tensor<32x3x3x16xf32>,
                            %bias: tensor<32xf32>) -> tensor<1x10x10x32xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %bias, %zero, %zero
    {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>,
       tensor<1xf32>) -> tensor<1x10x10x32xf32>
  return %0 : tensor<1x10x10x32xf32>
}

// With a stride it makes one of stride 1 for all phases of the result, and puts these together.
// CHECK-LABEL: func.func @strided_transpose_conv2d
// CHECK: ck.conv_{{fwd|bwd_data}} ins(%{{.*}}, %{{.*}} : tensor<1x8x8x1x16xf32>, tensor<1x128x2x2x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x9x9x1x128xf32>)
func.func @strided_transpose_conv2d(%x: tensor<1x8x8x16xf32>, %w: tensor<32x3x3x16xf32>,
                                    %bias: tensor<32xf32>) -> tensor<1x17x17x32xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %bias, %zero, %zero
    {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>,
       tensor<1xf32>) -> tensor<1x17x17x32xf32>
  return %0 : tensor<1x17x17x32xf32>
}

// CHECK-LABEL: func.func @matmul
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<2x8x16xf16>, tensor<2x16x4xf16>)
// CHECK-SAME: layout "rrr" -> tensor<2x8x4xf32>
func.func @matmul(%a: tensor<2x8x16xf16>, %b: tensor<2x16x4xf16>) -> tensor<2x8x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.matmul %a, %b, %zero, %zero
    : (tensor<2x8x16xf16>, tensor<2x16x4xf16>, tensor<1xf16>, tensor<1xf16>)
    -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// A quantized convolution: the zero point of the input is the sums of the filter, and a scale and a
// shift per channel take the result to i8.
// CHECK-LABEL: func.func @quantized
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x10x10x1x16xi8>, tensor<1x4x3x3x16xi8>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x8x8x1x4xi8>)
// CHECK-SAME: ds(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi8>)
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[SUMS:.*]]: i32, %[[BIAS:.*]]: i32, %[[SCALE:.*]]: i32, %[[SHIFT:.*]]: i8):
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: arith.shrsi %{{.*}}, %{{.*}} : i64
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: ck.yield %{{.*}} : i8
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x8x8x4xi8>
// CHECK-NEXT: return
func.func @quantized(%x: tensor<1x8x8x16xi8>, %w: tensor<4x3x3x16xi8>, %bias: tensor<4xi32>)
    -> tensor<1x8x8x4xi8> {
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %bias, %xz, %wz
    {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>,
     stride = array<i64: 1, 1>}
    : (tensor<1x8x8x16xi8>, tensor<4x3x3x16xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>)
    -> tensor<1x8x8x4xi32>
  %scale = "tosa.const"() <{values = dense<[1073741824, 1610612736, 1342177280, 1207959552]>
    : tensor<4xi32>}> : () -> tensor<4xi32>
  %shift = "tosa.const"() <{values = dense<[38, 39, 37, 38]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %scale, %shift, %iz, %oz
    {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false,
     output_unsigned = false}
    : (tensor<1x8x8x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>)
    -> tensor<1x8x8x4xi8>
  return %1 : tensor<1x8x8x4xi8>
}
