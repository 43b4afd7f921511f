// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Where memory runs along the rows, four lanes load 64 bytes of one K, 8 rows each. The next four
// load the other half of the LDS unit of the same rows, the next eight the other 32 of the 64 rows.

#map = #ck.transform_map<(k: 128, m: 1024) by [broadcast g : 1] to (g: 1, m: 1024, k: 128)>
!view = !ck.view<1x1024x128xf16, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!tile = !ck.fragment<64x128xf16, 8x4 along rows>
!ring = !ck.ring<2 x [!tile, !tile]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @along_rows
  // CHECK: %[[THREAD:.*]] = gpu.thread_id x
  // CHECK: %[[PART:.*]] = arith.divui %[[THREAD]], %c4
  // CHECK: %[[PAIR:.*]] = arith.divui %[[PART]], %c2
  // CHECK: %[[BLOCK:.*]] = arith.remui %[[PAIR]], %c2
  // CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c4
  // CHECK: %[[INSIDE:.*]] = arith.remui %[[THREAD]], %c4
  // CHECK: %[[TILE:.*]] = arith.addi %[[FIRST]], %[[INSIDE]]
  // CHECK: %[[ROW:.*]] = arith.muli %[[TILE]], %c8
  // CHECK: %[[UNIT:.*]] = arith.divui %[[PAIR]], %c2
  // CHECK: %[[HALF:.*]] = arith.remui %[[PART]], %c2
  // CHECK: %[[SUB:.*]] = arith.muli %[[HALF]], %c4
  // CHECK: %[[START:.*]] = arith.muli %[[UNIT]], %c8
  // CHECK: %[[K:.*]] = arith.addi %[[START]], %[[SUB]]
  // CHECK: ck.cursor %{{.*}}[%c0, %[[ROW]], %[[K]]]
  // CHECK: vector.store %{{.*}}, %{{.*}}[%[[UNIT]], %{{.*}}, %[[SUB]]]
  // CHECK: gpu.return
  gpu.func @along_rows(%t: memref<128x1024xf16>) kernel {
    %vt = ck.transform %t : memref<128x1024xf16> -> !view
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vt, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !view, %r: !ring):
      %zero = arith.constant 0 : index
      %p = ck.cursor %v[%zero, %zero, %zero] : !view -> !ck.cursor<!view, !tile>
      %f = ck.load_tile %p : !ck.cursor<!view, !tile> -> !tile
      %slot = ck.acquire %r[%zero] : !ring
      ck.write_tile %f, %slot[0] : !tile, !ck.slot<!ring>
      ck.write_tile %f, %slot[1] : !tile, !ck.slot<!ring>
      ck.commit %slot : !ck.slot<!ring>
      %full = ck.wait %r[%zero] : !ring
      ck.release %full : !ck.slot<!ring>
      ck.yield
    } : !view, !ring
    gpu.return
  }
}
