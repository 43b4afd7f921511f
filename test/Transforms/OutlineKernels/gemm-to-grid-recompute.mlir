// RUN: ck-opt %s --ck-gemm-to-grid --ck-verify-form=form=grid | FileCheck %s
// A GEMM that leaves out the products of padding stores tiles whose elements can be computed again,
// also where a second kernel adds up slices of K.

#a_map = #ck.transform_map<(g: 2, m: 100, k: 50) by [] to (g: 2, m: 100, k: 50)>
#b_map = #ck.transform_map<(g: 2, n: 130, k: 48) by [pad k 1 : 1] to (g: 2, n: 130, k: 50)>
#c_map = #ck.transform_map<(g: 2, m: 100, n: 130) by [] to (g: 2, m: 100, n: 130)>
!a_view = !ck.view<2x100x50xf16, #a_map>
!b_view = !ck.view<2x130x50xf16, #b_map>
!c_view = !ck.view<2x100x130xf16, #c_map>
#layout = #ck.acc_layout<waves = 2x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 64x32x16, waves = 2x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = split_k<2, two_stage>>

module attributes {ck.target = #ck.target<"gfx942">} {
  // CHECK-LABEL: gpu.func @omit_padding(
  // CHECK: %[[A:.*]] = ck.transform %{{.*}} : memref<2x100x50xf16>
  // CHECK: %[[B:.*]] = ck.transform %{{.*}} : memref<2x130x48xf16>
  // CHECK: ck.store_tile %{{.*}} recompute(%[[A]], %[[B]])
  // CHECK-LABEL: gpu.func @omit_padding_reduce(
  // CHECK: %[[RA:.*]] = ck.transform %{{.*}} : memref<2x100x50xf16>
  // CHECK: %[[RB:.*]] = ck.transform %{{.*}} : memref<2x130x48xf16>
  // CHECK: ck.add_partial
  // CHECK: ck.store_tile %{{.*}} recompute(%[[RA]], %[[RB]])
  func.func @omit_padding(%a: memref<2x100x50xf16>, %b: memref<2x130x48xf16>, %c: memref<2x100x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x48xf16> -> !b_view
    %vc = ck.transform %c : memref<2x100x130xf16> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) omit_padding schedule #s layout #layout
    return
  }
}
