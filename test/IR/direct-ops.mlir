// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// Eight groups of one channel, 3x3 taps, a 4x4 image.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>

// The same groups, summed over positions.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>

// CHECK-LABEL: @direct
// CHECK: ck.direct_gemm %{{.*}} ins(%{{.*}}, %{{.*}} : !view, !view1) outs(%{{.*}} : !view2)
// CHECK-SAME: direct <channels = 8, columns = 4, rows = 1>
func.func @direct(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      direct <channels = 8, columns = 4, rows = 1>
  return
}

// CHECK-LABEL: @epilogue
// CHECK: ck.direct_gemm %{{.*}} outs(%{{.*}} : !view2) ds(%{{.*}} : !view2)
// CHECK-SAME: direct <channels = 4, columns = 2, rows = 1> xcds 8 epilogue {
func.func @epilogue(%w: index, %c: !c_view) {
  ck.direct_gemm %w outs(%c : !c_view) ds(%c : !c_view)
      direct <channels = 4, columns = 2, rows = 1> xcds 8 epilogue {
  ^bb0(%acc: f32, %old: f16):
    ck.yield %old : f16
  }
  return
}

// CHECK-LABEL: @scheduled
// CHECK: ck.gemm ins(%{{.*}}, %{{.*}} : !view, !view1) outs(%{{.*}} : !view2) direct <channels = 2, columns = 1, rows = 4>
func.func @scheduled(%a: !a_view, %b: !b_view, %c: !c_view) {
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) direct <channels = 2, columns = 1, rows = 4>
  return
}

// CHECK-LABEL: @sum
// CHECK: ck.direct_sum %{{.*}} ins(%{{.*}}, %{{.*}} : !view3, !view4) outs(%{{.*}} : !view5) workspace(%{{.*}} : memref<4096xi32>)
// CHECK-SAME: direct <channels = 4, columns = 2, rows = 1, slices = 2>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      workspace(%ws : memref<4096xi32>) direct <channels = 4, columns = 2, rows = 1, slices = 2>
  return
}

// CHECK-LABEL: @sum_epilogue
// CHECK: ck.direct_sum %{{.*}} ins(%{{.*}}) outs(%{{.*}} : !view5) ds(%{{.*}} : !view5)
// CHECK-SAME: direct <channels = 8, columns = 1, rows = 4, slices = 1> xcds 8 epilogue {
func.func @sum_epilogue(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view) {
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view) ds(%c : !dw_view)
      direct <channels = 8, columns = 1, rows = 4, slices = 1> xcds 8 epilogue {
  ^bb0(%acc: f32, %old: f32):
    %sum = arith.addf %acc, %old : f32
    ck.yield %sum : f32
  }
  return
}
