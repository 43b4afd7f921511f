// RUN: ck-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @memrefs
// CHECK: ck.conv_bwd_weight ins(%{{.*}}, %{{.*}} : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>) outs(%{{.*}} : memref<1x64x3x3x64xf32>) layout <NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
func.func @memrefs(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x14x14x1x64xf16>,
                   %dw: memref<1x64x3x3x64xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// Destination style on tensors, with strides, dilations and asymmetric padding in 1D.
// CHECK-LABEL: @tensors
// CHECK: ck.conv_bwd_weight
// CHECK-SAME: strides [2] dilations [3] pad_low [1] pad_high [0]
// CHECK-SAME: -> tensor<4x8x3x16xf16>
func.func @tensors(%x: tensor<2x20x4x16xf16>, %dy: tensor<2x8x4x8xf16>,
                   %dw: tensor<4x8x3x16xf16>) -> tensor<4x8x3x16xf16> {
  %0 = ck.conv_bwd_weight ins(%x, %dy : tensor<2x20x4x16xf16>, tensor<2x8x4x8xf16>)
    outs(%dw : tensor<4x8x3x16xf16>) layout #ck.conv_layout<NWGC, GKXC, NWGK>
    strides [2] dilations [3] pad_low [1] pad_high [0] -> tensor<4x8x3x16xf16>
  return %0 : tensor<4x8x3x16xf16>
}

// CHECK-LABEL: @epilogue
// CHECK: epilogue {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32):
// CHECK: ck.yield %{{.*}} : f16
func.func @epilogue(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                    %dw: memref<1x8x1x1x8xf16>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f32):
    %half = arith.constant 5.000000e-01 : f32
    %scaled = arith.mulf %acc, %half : f32
    %out = arith.truncf %scaled : f32 to f16
    ck.yield %out : f16
  }
  return
}
