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

// A D operand of one value per channel.
// CHECK-LABEL: @forward
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : memref<8x14x14x1x64xf16>, memref<1x32x3x3x64xf16>) outs(%{{.*}} : memref<8x14x14x1x32xf16>) ds(%{{.*}} : memref<1x32xf32>) layout <NHWGC, GKYXC, NHWGK>
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
func.func @forward(%x: memref<8x14x14x1x64xf16>, %w: memref<1x32x3x3x64xf16>,
                   %y: memref<8x14x14x1x32xf16>, %bias: memref<1x32xf32>) {
  ck.conv_fwd ins(%x, %w : memref<8x14x14x1x64xf16>, memref<1x32x3x3x64xf16>)
    outs(%y : memref<8x14x14x1x32xf16>) ds(%bias : memref<1x32xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] epilogue {
  ^bb0(%acc: f32, %b: f32):
    %sum = arith.addf %acc, %b : f32
    %out = arith.truncf %sum : f32 to f16
    ck.yield %out : f16
  }
  return
}

// CHECK-LABEL: @backward_data
// CHECK: ck.conv_bwd_data ins(%{{.*}}, %{{.*}} : memref<8x7x7x1x32xf16>, memref<1x32x3x3x64xf16>) outs(%{{.*}} : memref<8x14x14x1x64xf16>)
func.func @backward_data(%dy: memref<8x7x7x1x32xf16>, %w: memref<1x32x3x3x64xf16>,
                         %dx: memref<8x14x14x1x64xf16>) {
  ck.conv_bwd_data ins(%dy, %w : memref<8x7x7x1x32xf16>, memref<1x32x3x3x64xf16>)
    outs(%dx : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// i8 accumulates in i32.
// CHECK-LABEL: @products
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : memref<1x128x64xf16>, memref<1x96x64xf16>) outs(%{{.*}} : memref<1x128x96xf16>) layout "rcr"
// CHECK: ck.batched_gemm
// CHECK-SAME: layout "ccr"
// CHECK: ^bb0(%{{.*}}: i32):
// CHECK: -> tensor<4x8x16xi8>
func.func @products(%a: memref<1x128x64xf16>, %b: memref<1x96x64xf16>, %c: memref<1x128x96xf16>,
                    %s: tensor<4x32x8xi8>, %t: tensor<4x16x32xi8>, %u: tensor<4x8x16xi8>)
    -> tensor<4x8x16xi8> {
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x96x64xf16>)
    outs(%c : memref<1x128x96xf16>) layout "rcr"
  %0 = ck.batched_gemm ins(%s, %t : tensor<4x32x8xi8>, tensor<4x16x32xi8>)
    outs(%u : tensor<4x8x16xi8>) layout "ccr" epilogue {
  ^bb0(%acc: i32):
    %out = arith.trunci %acc : i32 to i8
    ck.yield %out : i8
  } -> tensor<4x8x16xi8>
  return %0 : tensor<4x8x16xi8>
}

// Weights that are shuffled ahead of time have two dimensions more.
// CHECK-LABEL: @shuffled
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : memref<1x128x64xf16>, memref<1x6x8x16x8xf16>) outs(%{{.*}} : memref<1x128x96xf16>) layout "rcr" preshuffle 16
// CHECK: ck.conv_fwd
// CHECK-SAME: pad_high [1, 1] preshuffle 32
func.func @shuffled(%a: memref<1x128x64xf16>, %b: memref<1x6x8x16x8xf16>,
                    %c: memref<1x128x96xf16>, %x: memref<8x14x14x1x64xi8>,
                    %w: memref<1x2x3x3x4x32x16xi8>, %y: memref<8x14x14x1x64xi32>) {
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x6x8x16x8xf16>)
    outs(%c : memref<1x128x96xf16>) layout "rcr" preshuffle 16
  ck.conv_fwd ins(%x, %w : memref<8x14x14x1x64xi8>, memref<1x2x3x3x4x32x16xi8>)
    outs(%y : memref<8x14x14x1x64xi32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] preshuffle 32
  return
}
