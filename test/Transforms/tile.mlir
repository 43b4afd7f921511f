// RUN: ck-opt %s --transform-interpreter --canonicalize --split-input-file | FileCheck %s
// Upstream's transform.structured.tile_using_for cuts problems into smaller ones of the same kind.

// The batch of a convolution: slices of the input, the residual and the result; filter and bias as
// they are.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: %[[X:.*]]: tensor<4x8x8x1x16xf16>, %[[W:.*]]: tensor<1x32x3x3x16xf16>, %[[B:.*]]: tensor<1x32xf32>, %[[R:.*]]: tensor<4x8x8x1x32xf16>
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[Y:.*]] =
// CHECK-DAG: %[[XS:.*]] = tensor.extract_slice %[[X]][%[[I]], 0, 0, 0, 0] [2, 8, 8, 1, 16]
// CHECK-DAG: %[[YS:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0, 0, 0, 0] [2, 8, 8, 1, 32]
// CHECK-DAG: %[[RS:.*]] = tensor.extract_slice %[[R]][%[[I]], 0, 0, 0, 0] [2, 8, 8, 1, 32]
// CHECK: %[[T:.*]] = ck.conv_fwd ins(%[[XS]], %[[W]] : {{.*}}) outs(%[[YS]] : {{.*}}) ds(%[[B]], %[[RS]] :
// CHECK: ^bb0(
// CHECK: tensor.insert_slice %[[T]] into %[[Y]][%[[I]], 0, 0, 0, 0]
func.func @batch(%x: tensor<4x8x8x1x16xf16>, %w: tensor<1x32x3x3x16xf16>, %b: tensor<1x32xf32>,
                 %r: tensor<4x8x8x1x32xf16>) -> tensor<4x8x8x1x32xf16> {
  %y = tensor.empty() : tensor<4x8x8x1x32xf16>
  %0 = ck.conv_fwd ins(%x, %w : tensor<4x8x8x1x16xf16>, tensor<1x32x3x3x16xf16>)
    outs(%y : tensor<4x8x8x1x32xf16>) ds(%b, %r : tensor<1x32xf32>, tensor<4x8x8x1x32xf16>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1]
    pad_low [1, 1] pad_high [1, 1] epilogue {
  ^bb0(%acc: f32, %bias: f32, %res: f16):
    %sum = arith.addf %acc, %bias : f32
    %wide = arith.extf %res : f16 to f32
    %all = arith.addf %sum, %wide : f32
    %out = arith.truncf %all : f32 to f16
    ck.yield %out : f16
  } -> tensor<4x8x8x1x32xf16>
  return %0 : tensor<4x8x8x1x32xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["ck.conv_fwd"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Groups and channels of the weight gradient: the input has no output channels, the output gradient
// no input channels.
// CHECK-LABEL: func.func @weight_gradient
// CHECK-SAME: %[[X:.*]]: tensor<4x8x8x2x16xf16>, %[[DY:.*]]: tensor<4x8x8x2x32xf16>
// CHECK: scf.for %[[G:[a-z0-9]+]] =
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK-DAG: tensor.extract_slice %[[X]][0, 0, 0, %[[G]], 0] [4, 8, 8, 1, 16]
// CHECK-DAG: tensor.extract_slice %[[DY]][0, 0, 0, %[[G]], %[[K]]] [4, 8, 8, 1, 8]
// CHECK: ck.conv_bwd_weight {{.*}} outs(%{{.*}} : tensor<1x8x3x3x16xf32>)
func.func @weight_gradient(%x: tensor<4x8x8x2x16xf16>, %dy: tensor<4x8x8x2x32xf16>)
    -> tensor<2x32x3x3x16xf32> {
  %dw = tensor.empty() : tensor<2x32x3x3x16xf32>
  %0 = ck.conv_bwd_weight ins(%x, %dy : tensor<4x8x8x2x16xf16>, tensor<4x8x8x2x32xf16>)
    outs(%dw : tensor<2x32x3x3x16xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1]
    pad_low [1, 1] pad_high [1, 1] -> tensor<2x32x3x3x16xf32>
  return %0 : tensor<2x32x3x3x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["ck.conv_bwd_weight"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %conv tile_sizes [1, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Rows and columns of a product; its bias has one value per column.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: tensor<1x64x32xf16>, %[[B:.*]]: tensor<1x48x32xf16>, %[[D:.*]]: tensor<1x48xf32>
// CHECK: scf.for %[[M:[a-z0-9]+]] =
// CHECK: scf.for %[[N:[a-z0-9]+]] =
// CHECK-DAG: tensor.extract_slice %[[A]][0, %[[M]], 0] [1, 16, 32]
// CHECK-DAG: tensor.extract_slice %[[B]][0, %[[N]], 0] [1, 24, 32]
// CHECK-DAG: tensor.extract_slice %[[D]][0, %[[N]]] [1, 24]
// CHECK: ck.batched_gemm {{.*}} outs(%{{.*}} : tensor<1x16x24xf32>)
func.func @product(%a: tensor<1x64x32xf16>, %b: tensor<1x48x32xf16>, %d: tensor<1x48xf32>)
    -> tensor<1x64x48xf32> {
  %c = tensor.empty() : tensor<1x64x48xf32>
  %0 = ck.batched_gemm ins(%a, %b : tensor<1x64x32xf16>, tensor<1x48x32xf16>)
    outs(%c : tensor<1x64x48xf32>) ds(%d : tensor<1x48xf32>) layout "rcr" epilogue {
  ^bb0(%acc: f32, %bias: f32):
    %sum = arith.addf %acc, %bias : f32
    ck.yield %sum : f32
  } -> tensor<1x64x48xf32>
  return %0 : tensor<1x64x48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %gemm = transform.structured.match ops{["ck.batched_gemm"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %gemm tile_sizes [0, 16, 24]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
