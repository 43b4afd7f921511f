// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Where memory runs along K, four lanes load the four units of 64 bytes of a row, the next four the
// row four further on. A pass has 64 rows of 128: the second loads the other units of the same rows.
// The rows of LDS are permuted by the unit.

#map = #ck.transform_map<(m: 1024, k: 64) by [broadcast g : 1] to (g: 1, m: 1024, k: 64)>
!view = !ck.view<1x1024x64xf16, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!tile = !ck.fragment<128x64xf16, 1x8 along k>
!ring = !ck.ring<2 x [!tile, !tile]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @along_k
  // CHECK: %[[THREAD:.*]] = gpu.thread_id x
  // CHECK: %[[INDEX:.*]] = arith.divui %[[THREAD]], %c4
  // CHECK: %[[EVEN:.*]] = arith.remui %[[INDEX]], %c2
  // CHECK: %[[HALF:.*]] = arith.muli %[[EVEN]], %c4
  // CHECK: %[[PAIR:.*]] = arith.divui %[[INDEX]], %c2
  // CHECK: %[[NEXT:.*]] = arith.remui %[[PAIR]], %c4
  // CHECK: %[[INSIDE:.*]] = arith.addi %[[HALF]], %[[NEXT]]
  // CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[INSIDE]]
  // CHECK: %[[UNIT:.*]] = arith.remui %[[THREAD]], %c4
  // CHECK: %[[K:.*]] = arith.muli %[[UNIT]], %c8
  // CHECK: ck.cursor %{{.*}}[%c0, %[[ROW]], %[[K]]]
  // CHECK: %[[OTHER:.*]] = arith.addi %[[UNIT]], %c4
  // CHECK: %[[OTHERK:.*]] = arith.muli %[[OTHER]], %c8
  // CHECK: ck.cursor %{{.*}}[%c0, %[[ROW]], %[[OTHERK]]]
  // CHECK: %[[FURTHER:.*]] = arith.addi %[[ROW]], %c64
  // CHECK: ck.cursor %{{.*}}[%c0, %[[FURTHER]], %[[K]]]
  // CHECK: %[[PART:.*]] = arith.remui %[[UNIT]], %c4
  // CHECK: %[[PLACE:.*]] = arith.xori %[[ROW]], %[[PART]]
  // CHECK: vector.store %{{.*}}, %{{.*}}[%[[UNIT]], %[[PLACE]], %c0]
  // CHECK: %[[FURTHERPLACE:.*]] = arith.addi %[[PLACE]], %c64
  // CHECK: vector.store %{{.*}}, %{{.*}}[%[[UNIT]], %[[FURTHERPLACE]], %c0]
  // CHECK: gpu.return
  gpu.func @along_k(%t: memref<1024x64xf16>) kernel {
    %vt = ck.transform %t : memref<1024x64xf16> -> !view
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
