// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves,ck-lower-transforms),canonicalize,cse)' | FileCheck %s --check-prefix=LANE
// A wave whose sums hold a NaN computes its part of the tile one element at a time, from the
// products that are not with padding.

#a_map = #ck.transform_map<(m: 60, k: 12) by [broadcast g : 1] to (g: 1, m: 60, k: 12)>
#b_map = #ck.transform_map<(n: 96, k: 8) by [pad k 1 : 3, broadcast g : 1] to (g: 1, n: 96, k: 12)>
#c_map = #ck.transform_map<(m: 60, n: 96) by [broadcast g : 1] to (g: 1, m: 60, n: 96)>
!a = !ck.view<1x60x12xf16, #a_map>
!b = !ck.view<1x96x12xf16, #b_map>
!c = !ck.view<1x60x96xf16, #c_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
!acc = !ck.acc<32x64xf32, #layout>
!ring = !ck.ring<2 x [!ck.fragment<32x16xf16, 4x2 along rows>, !ck.fragment<64x16xf16, 4x2 along rows>]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @kernel
  // Two blocks of 16 accumulators are compared with each other, and 64 lanes asked.
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %{{.*}}, %{{.*}} : vector<16xf32>
  // CHECK: %[[LANES:.*]] = rocdl.ballot %{{.*}} : i64
  // CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[LANES]], %c0_i64
  // CHECK: scf.if %[[ANY]] {
  // CHECK: scf.for %[[FIRST:.*]] = %c0 to %c2048 step %c64 {
  // CHECK: %[[NUMBER:.*]] = arith.addi %[[FIRST]]
  // CHECK: arith.remui %[[NUMBER]], %c32
  // CHECK: arith.divui %[[NUMBER]], %c32
  // CHECK: arith.cmpi ult, %{{.*}}, %c60
  // CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %c12 step %c1 iter_args(%[[OLD:.*]] = %{{.*}}) -> (f32) {
  // CHECK: %[[A:.*]] = ck.cursor %{{.*}}[%{{.*}}, %{{.*}}, %[[K]]]
  // CHECK: %[[B:.*]] = ck.cursor %{{.*}}[%{{.*}}, %{{.*}}, %[[K]]]
  // CHECK: %[[INSIDE:.*]] = ck.is_inside %[[B]]
  // CHECK: scf.if %[[INSIDE]] -> (f32) {
  // CHECK: ck.load %[[A]] offset [0, 0, 0] in_bounds
  // CHECK: ck.load %[[B]] offset [0, 0, 0] in_bounds
  // CHECK: math.fma
  // CHECK: } else {
  // CHECK: scf.yield %[[OLD]]
  // CHECK: arith.addf
  // CHECK: ck.store %{{.*}} : vector<1xf16>
  // CHECK: } else {
  // CHECK: ck.store %{{.*}} : vector<4xf16>

  // One comparison says whether K is in the filter.
  // LANE-LABEL: gpu.func @kernel
  // LANE: scf.for {{.*}} -> (f32) {
  // LANE: %[[K:.*]] = arith.addi %{{.*}}, %c-1_i32
  // LANE: %[[IN:.*]] = arith.cmpi ult, %[[K]], %c8_i32
  // LANE: scf.if %[[IN]] -> (f32) {
  gpu.func @kernel(%a: memref<60x12xf16>, %b: memref<96x8xf16>, %c: memref<60x96xf16>, %i: index,
                   %sums: memref<1xf32>) kernel {
    %va = ck.transform %a : memref<60x12xf16> -> !a
    %vb = ck.transform %b : memref<96x8xf16> -> !b
    %vc = ck.transform %c : memref<60x96xf16> -> !c
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%va, %vb, %vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #layout {
    ^bb0(%x: !a, %w: !b, %y: !c, %tile: index, %r: !ring):
      %zero = ck.zero_acc : !acc
      ck.store_tile %zero, %y[%tile, %tile, %tile] recompute(%x, %w) : !acc, !c recompute !a, !b epilogue {
      ^bb0(%e: f32):
        %one = arith.constant 1.0 : f16
        %half = arith.truncf %e : f32 to f16
        %0 = arith.addf %half, %one : f16
        ck.yield %0 : f16
      }
      ck.yield
    } : !a, !b, !c, index, !ring
    gpu.return
  }
}
