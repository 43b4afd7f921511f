// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
#a_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, k: 64) by
                          [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 1, M: 64, K: 1568)>
#b_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1),
                           embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
#c_map = #ck.transform_map<(g: 1, k: 64, y: 3, x: 3, c: 64) by
                          [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 1, M: 64, N: 576)>
!a_view = !ck.view<1x64x1568xf16, #a_map>
!b_view = !ck.view<1x576x1568xf16, #b_map>
!c_view = !ck.view<1x64x576xf32, #c_map>
#s = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>

// CHECK-LABEL: @gemm
// CHECK: %[[A:.*]] = ck.transform %{{.*}} : memref<8x14x14x1x64xf16> -> !view
// CHECK: %[[B:.*]] = ck.transform %{{.*}} : memref<8x14x14x1x64xf16> -> !view1
// CHECK: %[[C:.*]] = ck.transform %{{.*}} : memref<1x64x3x3x64xf32> -> !view2
// CHECK: ck.gemm ins(%[[A]], %[[B]] : !view, !view1) outs(%[[C]] : !view2) epilogue {
// CHECK: ck.yield %{{.*}} : f32
// CHECK: ck.gemm ins(%[[A]], %[[B]] : !view, !view1) outs(%[[C]] : !view2) schedule #schedule{{$}}
// CHECK: ck.gemm {{.*}} schedule #schedule layout #layout shuffle <blocks = 2x1, width = 4>
// CHECK: ck.gemm {{.*}} omit_padding schedule #schedule
func.func @gemm(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x14x14x1x64xf16>,
                %dw: memref<1x64x3x3x64xf32>) {
  %a = ck.transform %dy : memref<8x14x14x1x64xf16> -> !a_view
  %b = ck.transform %x : memref<8x14x14x1x64xf16> -> !b_view
  %c = ck.transform %dw : memref<1x64x3x3x64xf32> -> !c_view
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) epilogue {
  ^bb0(%acc: f32):
    ck.yield %acc : f32
  }
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) schedule #s
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
    schedule #s layout #layout shuffle <blocks = 2x1, width = 4>
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) omit_padding schedule #s
  return
}

// CHECK-LABEL: @table
// CHECK: ck.gemm_table {
// CHECK-NEXT: ck.gemm ins(%{{.*}}, %{{.*}} : !view, !view1) outs(%[[C:.*]] : !view2) ds(%[[C]] : !view2) epilogue {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK: ck.fill outs(%[[C]] : !view2)
func.func @table(%a: !a_view, %b: !b_view, %c: !c_view) {
  ck.gemm_table {
    ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) ds(%c : !c_view) epilogue {
    ^bb0(%acc: f32, %old: f32):
      %sum = arith.addf %acc, %old : f32
      ck.yield %sum : f32
    }
    ck.fill outs(%c : !c_view)
  }
  return
}
