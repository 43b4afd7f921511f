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
