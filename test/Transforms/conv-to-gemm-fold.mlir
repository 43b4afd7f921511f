// RUN: ck-opt %s --ck-conv-to-gemm=fold-positions=2,4 --ck-verify-form=form=implicit-gemm | FileCheck %s
// RUN: ck-opt %s --ck-conv-to-gemm | FileCheck %s --check-prefix=PLAIN
// RUN: ck-gen conv_fwd:f16:N=8,K=3,C=64,in=256x256,filter=3x3,pad=1 -o %t.forward
// RUN: ck-opt %t.forward --ck-attach-target=chip=gfx942 --ck-conv-to-gemm | FileCheck %s --check-prefix=CHOSEN
// RUN: ck-gen conv_fwd:f16:N=8,K=3,C=3,in=256x256,filter=3x3,pad=1 -o %t.direct
// RUN: ck-opt %t.direct --ck-lower-to-scheduled="chip=gfx942 schedule=direct=1x1x1" | FileCheck %s --check-prefix=DIRECT
// Neighbouring positions of the result become columns of channels: rows have the taps of all of
// them, and the filter is padded for those that are not a column's own.

// Rows of the input are four positions of two lines apart.
// CHECK-DAG: #[[YA:.*]] = #ck.transform_map<(n: 2, h: 56, w: 56, g: 1, c: 16) by [pad h 1 : 1, embed h = (yt: 4 * 1, hp: 28 * 2), pad w 1 : 1, embed w = (xt: 6 * 1, wp: 14 * 4), pass G = g, merge M = (n, hp, wp), merge K = (yt, xt, c)] to (G: 1, M: 784, K: 384)>
// A column's position moves the filter the other way.
// CHECK-DAG: #[[YB:.*]] = #ck.transform_map<(g: 1, k: 3, y: 3, x: 3, c: 16) by [pad y 1 : 1, embed y = (yr: 2 * -1, yt: 4 * 1) + 1, pad x 3 : 3, embed x = (xr: 4 * -1, xt: 6 * 1) + 3, pass G = g, merge N = (yr, xr, k), merge K = (yt, xt, c)] to (G: 1, N: 24, K: 384)>
// CHECK-DAG: #[[YC:.*]] = #ck.transform_map<(n: 2, h: 56, w: 56, g: 1, k: 3) by [embed h = (hp: 28 * 2, yr: 2 * 1), embed w = (wp: 14 * 4, xr: 4 * 1), pass G = g, merge M = (n, hp, wp), merge N = (yr, xr, k)] to (G: 1, M: 784, N: 24)>
// The residues of a stride are such positions, and the first one is aligned.
// CHECK-DAG: #[[DB:.*]] = #ck.transform_map<(g: 1, k: 16, y: 3, x: 3, c: 3) by [pad y 1 : 0, embed y = (yr: 2 * 1, yt: 2 * -2) + 2, pad x 3 : 2, embed x = (xr: 4 * 1, xt: 3 * -2) + 4, pass go = g, pass G = go, merge N = (yr, xr, c), merge K = (yt, xt, k)] to (G: 1, N: 24, K: 96)>
// CHECK-DAG: #[[DC:.*]] = #ck.transform_map<(n: 2, h: 112, w: 112, g: 1, c: 3) by [embed h = (yr: 2 * 1, hp: 56 * 2), embed w = (xr: 4 * 1, wp: 28 * 4), pass go = g, pass G = go, merge M = (n, hp, wp), merge N = (yr, xr, c)] to (G: 1, M: 3136, N: 24)>

// Where the chip is known, the estimate chooses; three channels fill no tile.
// CHOSEN: embed h = (hp: 64 * 4, yr: 4 * 1), embed w = (wp: 64 * 4, xr: 4 * 1), {{.*}}merge N = (yr, xr, k)
// PLAIN-NOT: merge N
// Lanes that compute by themselves have no columns to fill.
// DIRECT-NOT: merge N
// DIRECT: ck.gemm {{.*}}direct

// Products with the padding of the filter do not belong to the sums.
// CHECK-LABEL: @forward
// CHECK: ck.gemm {{.*}} omit_padding
// CHOSEN: ck.gemm {{.*}} omit_padding
func.func @forward(%x: memref<2x56x56x1x16xf16>, %w: memref<1x3x3x3x16xf16>,
                   %y: memref<2x56x56x1x3xf16>) {
  ck.conv_fwd ins(%x, %w : memref<2x56x56x1x16xf16>, memref<1x3x3x3x16xf16>)
    outs(%y : memref<2x56x56x1x3xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// One GEMM instead of a table of four.
// CHECK-LABEL: @backward
// CHECK-NOT: ck.gemm_table
// CHECK: ck.gemm {{.*}} omit_padding
// PLAIN-LABEL: @backward
// PLAIN: ck.gemm_table
func.func @backward(%dy: memref<2x56x56x1x16xf16>, %w: memref<1x16x3x3x3xf16>,
                    %dx: memref<2x112x112x1x3xf16>) {
  ck.conv_bwd_data ins(%dy, %w : memref<2x56x56x1x16xf16>, memref<1x16x3x3x3xf16>)
    outs(%dx : memref<2x112x112x1x3xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// The zeros of integers change no sum.
// CHECK-LABEL: @integers
// CHECK-NOT: omit_padding
func.func @integers(%x: memref<2x56x56x1x16xi8>, %w: memref<1x3x3x3x16xi8>,
                    %y: memref<2x56x56x1x3xi8>) {
  ck.conv_fwd ins(%x, %w : memref<2x56x56x1x16xi8>, memref<1x3x3x3x16xi8>)
    outs(%y : memref<2x56x56x1x3xi8>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
