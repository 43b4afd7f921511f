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
