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
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<128x32xf16, 4x4 along rows>]>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!acc = !ck.acc<64x128xf32, #layout>
#s = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

// CHECK-LABEL: @grid
// CHECK: ck.distribute <data_parallel> {
// CHECK-NEXT: ck.work tiles [1, 1, 5] k_steps 49 {
// CHECK-NEXT: ^bb0(%[[G:.*]]: index, %[[TM:.*]]: index, %[[TN:.*]]: index, %[[K0:.*]]: index, %[[K1:.*]]: index):
// CHECK: %[[ACC:.*]] = ck.block_gemm %{{.*}}[%[[G]], %[[TM]]], %{{.*}}[%[[TN]]] k_steps(%[[K0]] to %[[K1]]) schedule #schedule
// CHECK-SAME: -> !acc
// CHECK: ck.yield %[[ACC]] : !acc
// CHECK: } epilogue {
// CHECK: ck.store_tile %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !acc, !view2
func.func @grid(%a: !a_view, %b: !b_view, %c: !c_view) {
  ck.distribute #ck.partition<data_parallel> {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.block_gemm %a[%g, %tm], %b[%tn] k_steps(%k0 to %k1) schedule #s
        : !a_view, !b_view -> !acc
      ck.yield %acc : !acc
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
      ck.store_tile %acc, %c[%g, %tm, %tn] : !acc, !c_view
    }
  }
  return
}

// CHECK-LABEL: @shared
// CHECK: ck.distribute <stream_k<tree>> residents 4 workspace(%{{.*}} : memref<16512xi32>) {
func.func @shared(%ws: memref<16512xi32>) {
  ck.distribute #ck.partition<stream_k<tree>> residents 4 workspace(%ws : memref<16512xi32>) {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// CHECK-LABEL: @mapped
// CHECK: ck.distribute <data_parallel> mapping <window = 8, chunk = 64, xcds = 8> {
func.func @mapped() {
  ck.distribute #ck.partition<data_parallel> mapping <window = 8, chunk = 64, xcds = 8> {
    ck.work tiles [1, 9, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// CHECK-LABEL: @store
// CHECK-SAME: %{{[^:]*}}: !acc, %[[C:[^:]*]]: !view2
// CHECK: ck.store_tile %{{.*}}, %[[C]][%{{.*}}, %{{.*}}, %{{.*}}] ds(%[[C]]) through %{{.*}} shuffle <blocks = 2x1, width = 4> : !acc, !view2, !view2 through !ring epilogue {
// CHECK: ck.store_tile %{{.*}}, %[[C]][%{{.*}}, %{{.*}}, %{{.*}}] recompute(%{{.*}}, %{{.*}}) shuffle <blocks = 2x1, width = 4> : !acc, !view2 recompute !view, !view1
func.func @store(%acc: !acc, %c: !c_view, %ring: !ring, %i: index, %a: !a_view, %b: !b_view) {
  ck.store_tile %acc, %c[%i, %i, %i] ds(%c) through %ring shuffle <blocks = 2x1, width = 4>
      : !acc, !c_view, !c_view through !ring epilogue {
  ^bb0(%e: f32, %bias: f32):
    %sum = arith.addf %e, %bias : f32
    ck.yield %sum : f32
  }
  ck.store_tile %acc, %c[%i, %i, %i] recompute(%a, %b) shuffle <blocks = 2x1, width = 4>
      : !acc, !c_view recompute !a_view, !b_view
  return
}
