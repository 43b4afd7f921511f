// RUN: ck-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// A ck.conv_bwd_weight on tensors writes the buffer of its outs in place, without a copy.

// CHECK-LABEL: func.func @conv
// CHECK-SAME: %[[X:.*]]: memref<8x14x14x1x64xf16>, %[[DY:.*]]: memref<8x14x14x1x64xf16>, %[[DW:.*]]: memref<1x64x3x3x64xf32>
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: ck.conv_bwd_weight ins(%[[X]], %[[DY]] : {{.*}}) outs(%[[DW]] : memref<1x64x3x3x64xf32>)
// CHECK-SAME: epilogue {
// CHECK: return %[[DW]]
func.func @conv(%x: tensor<8x14x14x1x64xf16>, %dy: tensor<8x14x14x1x64xf16>,
                %dw: tensor<1x64x3x3x64xf32> {bufferization.writable = true})
    -> tensor<1x64x3x3x64xf32> {
  %0 = ck.conv_bwd_weight ins(%x, %dy : tensor<8x14x14x1x64xf16>, tensor<8x14x14x1x64xf16>)
    outs(%dw : tensor<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] epilogue {
  ^bb0(%acc: f32):
    %two = arith.constant 2.0 : f32
    %out = arith.mulf %acc, %two : f32
    ck.yield %out : f32
  } -> tensor<1x64x3x3x64xf32>
  return %0 : tensor<1x64x3x3x64xf32>
}

// Nothing that is read may be the buffer that is written: no workgroup reads what another one writes.
// CHECK-LABEL: func.func @residual_stays
// CHECK-SAME: %[[X:.*]]: memref<2x8x8x1x16xf32>, %[[W:.*]]: memref<1x16x3x3x16xf32>, %[[R:.*]]: memref<2x8x8x1x16xf32>
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<2x8x8x1x16xf32>
// CHECK: ck.conv_fwd ins(%[[X]], %[[W]] : {{.*}}) outs(%[[NEW]] : {{.*}}) ds(%[[R]] :
func.func @residual_stays(%x: tensor<2x8x8x1x16xf32>, %w: tensor<1x16x3x3x16xf32>,
                             %r: tensor<2x8x8x1x16xf32> {bufferization.writable = true})
    -> tensor<2x8x8x1x16xf32> {
  %0 = ck.conv_fwd ins(%x, %w : tensor<2x8x8x1x16xf32>, tensor<1x16x3x3x16xf32>)
    outs(%r : tensor<2x8x8x1x16xf32>) ds(%r : tensor<2x8x8x1x16xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1]
    pad_low [1, 1] pad_high [1, 1] epilogue {
  ^bb0(%acc: f32, %d: f32):
    %sum = arith.addf %acc, %d : f32
    ck.yield %sum : f32
  } -> tensor<2x8x8x1x16xf32>
  return %0 : tensor<2x8x8x1x16xf32>
}

// CHECK-LABEL: func.func @input_stays
// CHECK-SAME: %[[X:.*]]: memref<2x8x8x1x16xf32>, %[[W:.*]]: memref<1x16x3x3x16xf32>
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<2x8x8x1x16xf32>
// CHECK: ck.conv_fwd ins(%[[X]], %[[W]] : {{.*}}) outs(%[[NEW]] :
func.func @input_stays(%x: tensor<2x8x8x1x16xf32> {bufferization.writable = true},
                       %w: tensor<1x16x3x3x16xf32>) -> tensor<2x8x8x1x16xf32> {
  %0 = ck.conv_fwd ins(%x, %w : tensor<2x8x8x1x16xf32>, tensor<1x16x3x3x16xf32>)
    outs(%x : tensor<2x8x8x1x16xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1]
    pad_low [1, 1] pad_high [1, 1] -> tensor<2x8x8x1x16xf32>
  return %0 : tensor<2x8x8x1x16xf32>
}
