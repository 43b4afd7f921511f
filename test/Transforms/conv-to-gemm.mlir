// RUN: ck-opt %s --ck-conv-to-gemm --ck-verify-form=form=implicit-gemm | FileCheck %s
// EXAMPLE-BEFORE: ck.conv_bwd_weight .. strides
// EXAMPLE-AFTER: ^#map1 =
// EXAMPLE-AFTER: = ck.transform .. ck.gemm
// Convolutions become views and a GEMM; which tensor is A, B and C, and nothing else, is decided here.

// The input is padded, embedded and merged; the other tensors are merged only.
// CHECK-DAG: #[[B:.*]] = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
// CHECK-DAG: #[[A:.*]] = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, k: 32) by [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 1, M: 32, K: 1568)>
// CHECK-DAG: #[[C:.*]] = #ck.transform_map<(g: 1, k: 32, y: 3, x: 3, c: 64) by [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 1, M: 32, N: 576)>
// CHECK-DAG: !ck.view<1x32x1568xf16, #[[A]]>
// CHECK-DAG: !ck.view<1x576x1568xf16, #[[B]]>
// CHECK-DAG: !ck.view<1x32x576xf32, #[[C]]>
// Strides, dilations and both pads reach the map.
// CHECK-DAG: pad h 0 : 1, pad w 2 : 3, embed h = (y: 3 * 2, ho: {{[0-9]+}} * 1), embed w = (x: 2 * 1, wo: {{[0-9]+}} * 3), pass G = g
// A dimension more or less is a step more or less.
// CHECK-DAG: (n: 2, w: 9, g: 1, c: 4) by [pad w 1 : 1, embed w = (x: 3 * 1, wo: 9 * 1), pass G = g, merge N = (x, c), merge K = (n, wo)]

// CHECK-LABEL: @dw(
// CHECK-SAME: %[[X:.*]]: memref<8x14x14x1x64xf16>, %[[DY:.*]]: memref<8x14x14x1x32xf16>, %[[DW:.*]]: memref<1x32x3x3x64xf32>)
// CHECK: %[[VA:.*]] = ck.transform %[[DY]]
// CHECK: %[[VB:.*]] = ck.transform %[[X]]
// CHECK: %[[VC:.*]] = ck.transform %[[DW]]
// CHECK: ck.gemm ins(%[[VA]], %[[VB]] : {{.*}}) outs(%[[VC]] :
// CHECK-NOT: schedule
// CHECK-NOT: ck.conv_bwd_weight
func.func @dw(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x14x14x1x32xf16>,
              %dw: memref<1x32x3x3x64xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x32xf16>)
    outs(%dw : memref<1x32x3x3x64xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// The epilogue moves to the GEMM.
// CHECK-LABEL: @epilogue
// CHECK: ck.gemm
// CHECK-SAME: epilogue {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32):
// CHECK-NEXT: %[[H:.*]] = arith.truncf %[[ACC]] : f32 to f16
// CHECK-NEXT: ck.yield %[[H]] : f16
func.func @epilogue(%x: memref<2x9x20x3x4xf16>, %dy: memref<2x6x8x3x5xf16>,
                    %dw: memref<3x5x3x2x4xf16>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x9x20x3x4xf16>, memref<2x6x8x3x5xf16>)
    outs(%dw : memref<3x5x3x2x4xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 3] dilations [2, 1] pad_low [0, 2] pad_high [1, 3] epilogue {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    ck.yield %0 : f16
  }
  return
}

// CHECK-LABEL: @rank_1
// CHECK: ck.gemm
func.func @rank_1(%x: memref<2x9x1x4xf16>, %dy: memref<2x9x1x4xf16>, %dw: memref<1x4x3x4xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x9x1x4xf16>, memref<2x9x1x4xf16>)
    outs(%dw : memref<1x4x3x4xf32>) layout <NWGC, GKXC, NWGK>
    strides [1] dilations [1] pad_low [1] pad_high [1]
  return
}
