// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// 96 rows are shared out by a remainder that is no bit mask where the rows of a pass, 64, do not
// divide them. It is hidden from the optimizer before it becomes part of an address; there is
// nothing to hide in the place of the tile of 128 rows.

#map = #ck.transform_map<(m: 960, k: 64) by [broadcast g : 1] to (g: 1, m: 960, k: 64)>
!view = !ck.view<1x960x64xf16, #map>
#layout = #ck.acc_layout<waves = 1x4, mma = #ck.mma<32x32x8xf16>, along = rows>
!a = !ck.fragment<96x64xf16, 1x8 along k>
!b = !ck.fragment<128x64xf16, 1x8 along k>
!ring = !ck.ring<2 x [!a, !b]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @rows
  // CHECK: %[[ROW:.*]] = arith.remui %{{.*}}, %c96
  // CHECK: %[[HIGH:.*]] = arith.divui %[[ROW]], %c8
  // CHECK: %[[FIRST:.*]] = arith.muli %[[HIGH]], %c8
  // CHECK: %[[ORDERED:.*]] = arith.addi %[[FIRST]], %{{.*}}
  // CHECK: %[[NARROW:.*]] = arith.index_cast %[[ORDERED]] : index to i32
  // CHECK: %[[HIDDEN:.*]] = llvm.inline_asm "", "=v,0" %[[NARROW]] : (i32) -> i32
  // CHECK: %[[WIDE:.*]] = arith.index_cast %[[HIDDEN]] : i32 to index
  // CHECK: ck.cursor %{{.*}}[%{{.*}}, %[[WIDE]], %{{.*}}]
  // CHECK-COUNT-2: llvm.inline_asm
  // CHECK-NOT: llvm.inline_asm
  // CHECK: gpu.return
  gpu.func @rows(%t: memref<960x64xf16>) kernel {
    %vt = ck.transform %t : memref<960x64xf16> -> !view
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vt, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !view, %r: !ring):
      %zero = arith.constant 0 : index
      %pa = ck.cursor %v[%zero, %zero, %zero] : !view -> !ck.cursor<!view, !a>
      %pb = ck.cursor %v[%zero, %zero, %zero] : !view -> !ck.cursor<!view, !b>
      %fa = ck.load_tile %pa : !ck.cursor<!view, !a> -> !a
      %fb = ck.load_tile %pb : !ck.cursor<!view, !b> -> !b
      %slot = ck.acquire %r[%zero] : !ring
      ck.write_tile %fa, %slot[0] : !a, !ck.slot<!ring>
      ck.write_tile %fb, %slot[1] : !b, !ck.slot<!ring>
      ck.commit %slot : !ck.slot<!ring>
      %full = ck.wait %r[%zero] : !ring
      ck.release %full : !ck.slot<!ring>
      ck.yield
    } : !view, !ring
    gpu.return
  }
}
