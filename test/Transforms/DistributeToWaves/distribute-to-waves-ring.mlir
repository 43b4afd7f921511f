// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves))' | FileCheck %s
// A ring of one slot needs a barrier before it is overwritten as well as one before it is read.

#map = #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>
!view = !ck.view<1x64x64xf16, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!fragment = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<1 x [!fragment, !fragment]>
!slot = !ck.slot<!ring>
!cursor = !ck.cursor<!view, !fragment>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @one_slot
  // CHECK-SAME: memref<8192xi8
  // CHECK: ck.load
  // CHECK: amdgpu.lds_barrier
  // CHECK: vector.store
  // CHECK: amdgpu.lds_barrier
  // CHECK: vector.load
  gpu.func @one_slot(%a: memref<64x64xf16>, %k: index) kernel {
    %va = ck.transform %a : memref<64x64xf16> -> !view
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%va, %ring, %k) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !view, %r: !ring, %i: index):
      %zero = arith.constant 0 : index
      %p = ck.cursor %v[%zero, %zero, %zero] : !view -> !cursor
      %f = ck.load_tile %p : !cursor -> !fragment
      %slot = ck.acquire %r[%i] : !ring
      ck.write_tile %f, %slot[0] : !fragment, !slot
      ck.write_tile %f, %slot[1] : !fragment, !slot
      ck.commit %slot : !slot
      %acc = ck.zero_acc : <64x64xf32, #layout>
      %full = ck.wait %r[%i] : !ring
      %next = ck.mma_tile %full, %acc : !slot, <64x64xf32, #layout>
      ck.release %full : !slot
      ck.yield
    } : !view, !ring, index
    gpu.return
  }
}
