// RUN: ck-opt %s --split-input-file --ck-conv-to-gemm --ck-verify-form=form=implicit-gemm | FileCheck %s
// Forward, backward-data and matrix products differ in their maps only.

// Rows are output positions, columns channels, K runs over taps and input channels.
// CHECK-DAG: #[[A:.*]] = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge M = (n, ho, wo), merge K = (y, x, c)] to (G: 1, M: 1568, K: 576)>
// CHECK-DAG: #[[B:.*]] = #ck.transform_map<(g: 1, k: 32, y: 3, x: 3, c: 64) by [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 1, N: 32, K: 576)>
// CHECK-DAG: #[[C:.*]] = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, k: 32) by [pass G = g, merge M = (n, h, w), pass N = k] to (G: 1, M: 1568, N: 32)>
// One value per channel does not move with the rows.
// CHECK-DAG: #[[D:.*]] = #ck.transform_map<(g: 1, k: 32) by [pass G = g, pass N = k, broadcast M : 1568] to (G: 1, M: 1568, N: 32)>
// CHECK-DAG: !ck.view<1x1568x576xf16, #[[A]]>
// CHECK-DAG: !ck.view<1x32x576xf16, #[[B]]>
// CHECK-DAG: !ck.view<1x1568x32xf16, #[[C]]>
// CHECK-DAG: !ck.view<1x1568x32xf32, #[[D]]>
// CHECK-LABEL: @forward
// CHECK-SAME: (%[[X:.*]]: memref<8x14x14x1x64xf16>, %[[W:.*]]: memref<1x32x3x3x64xf16>, %[[Y:.*]]: memref<8x14x14x1x32xf16>, %[[BIAS:.*]]: memref<1x32xf32>)
// CHECK-DAG: %[[VA:.*]] = ck.transform %[[X]]
// CHECK-DAG: %[[VB:.*]] = ck.transform %[[W]]
// CHECK-DAG: %[[VC:.*]] = ck.transform %[[Y]]
// CHECK-DAG: %[[VD:.*]] = ck.transform %[[BIAS]]
// CHECK: ck.gemm ins(%[[VA]], %[[VB]] : {{.*}}) outs(%[[VC]] : {{.*}}) ds(%[[VD]] : {{.*}}) epilogue {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
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

// -----

// A stride of 2 cuts the positions of each dimension into those of one tap and those of two: four
// GEMMs in one table, with 1, 2, 2 and 4 taps of 32 channels each.
// CHECK-DAG: ![[$A1:.*]] = !ck.view<1x392x32xf16,
// CHECK-DAG: ![[$A4:.*]] = !ck.view<1x392x128xf16,
// CHECK-LABEL: @strided
// CHECK-COUNT-12: ck.transform
// CHECK: ck.gemm_table {
// CHECK-NEXT: ck.gemm ins({{.*}} : ![[$A4]], ![[B4:.*]])
// CHECK-NEXT: ck.gemm ins(
// CHECK-NEXT: ck.gemm ins(
// CHECK-NEXT: ck.gemm ins({{.*}} : ![[$A1]], ![[B1:.*]])
// CHECK-NEXT: }
func.func @strided(%dy: memref<8x7x7x1x32xf16>, %w: memref<1x32x3x3x64xf16>,
                   %dx: memref<8x14x14x1x64xf16>) {
  ck.conv_bwd_data ins(%dy, %w : memref<8x7x7x1x32xf16>, memref<1x32x3x3x64xf16>)
    outs(%dx : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// A stride that a filter does not bridge leaves positions without products; they are filled. Every
// second position of h, all of w, and then the rest.
// CHECK-DAG: #[[FILL:.*]] = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by [embed h = (yr: 1 * 1, hp: 7 * 2) + 1, embed w = (xr: 1 * 1, wp: 14 * 1), pass go = g, merge G = (go, yr, xr), merge M = (n, hp, wp), pass N = c] to (G: 1, M: 784, N: 64)>
// CHECK-DAG: ![[$VIEW:.*]] = !ck.view<1x784x64xf16, #[[FILL]]>
// CHECK-LABEL: @holes
// CHECK: ck.gemm_table {
// CHECK-NEXT: ck.gemm ins(
// CHECK-NEXT: ck.fill outs({{.*}} : ![[$VIEW]])
// CHECK-NEXT: ck.fill outs(
// CHECK-NEXT: }
func.func @holes(%dy: memref<8x7x7x1x32xf16>, %w: memref<1x32x1x1x64xf16>,
                 %dx: memref<8x14x14x1x64xf16>) {
  ck.conv_bwd_data ins(%dy, %w : memref<8x7x7x1x32xf16>, memref<1x32x1x1x64xf16>)
    outs(%dx : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}

// -----

// Column-major A and row-major B.
// CHECK-DAG: (g: 2, k: 24, m: 40) by [pass G = g, pass M = m, pass K = k] to (G: 2, M: 40, K: 24)
// CHECK-DAG: (g: 2, k: 24, n: 56) by [pass G = g, pass N = n, pass K = k] to (G: 2, N: 56, K: 24)
// CHECK-LABEL: @product
// CHECK: ck.gemm ins(
func.func @product(%a: memref<2x24x40xf16>, %b: memref<2x24x56xf16>, %c: memref<2x40x56xf16>) {
  ck.batched_gemm ins(%a, %b : memref<2x24x40xf16>, memref<2x24x56xf16>)
    outs(%c : memref<2x40x56xf16>) layout "crr"
  return
}

// -----

// Sixteen of 32 depthwise groups make one GEMM; the filter has no elements off the diagonal.
// CHECK-DAG: (n: 2, h: 9, w: 9, g: 32, c: 1) by [{{.*}}unmerge g = (G: 2, gn: 16), merge N = (y, x, gn, c)
// CHECK-DAG: (g: 32, k: 1, y: 3, x: 3, c: 1) by [unmerge g = (G: 2, gi: 16), diagonal gi = (gm, gn), merge M = (gm, k), merge N = (y, x, gn, c)] to (G: 2, M: 16, N: 144)
// CHECK-LABEL: @depthwise
// CHECK: ck.gemm ins(
func.func @depthwise(%x: memref<2x9x9x32x1xf16>, %dy: memref<2x7x7x32x1xf16>,
                     %dw: memref<32x1x3x3x1xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x9x9x32x1xf16>, memref<2x7x7x32x1xf16>)
    outs(%dw : memref<32x1x3x3x1xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
