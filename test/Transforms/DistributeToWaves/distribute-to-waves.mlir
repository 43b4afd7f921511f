// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// EXAMPLE-BEFORE: %f = ck.load_tile .. ck.store_tile
// EXAMPLE-AFTER: ck.cursor .. ck.load
// EXAMPLE-AFTER: vector.store
// EXAMPLE-AFTER: amdgpu.lds_barrier
// EXAMPLE-AFTER: vector.load
// EXAMPLE-AFTER: vector.load
// EXAMPLE-AFTER: amdgpu.mfma
// EXAMPLE-AFTER: ck.cursor .. ck.store
// Tiles become what one lane holds of them: the ring an LDS buffer of both slots, fragments the
// vectors of a lane's loads, accumulators the vectors of the matrix instruction.

#a_map = #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>
#c_map = #ck.transform_map<(m: 64, n: 64) by [broadcast g : 1] to (g: 1, m: 64, n: 64)>
!a_view = !ck.view<1x64x64xf16, #a_map>
!c_view = !ck.view<1x64x64xf32, #c_map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!fragment = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!fragment, !fragment]>
!slot = !ck.slot<!ring>
!cursor = !ck.cursor<!a_view, !fragment>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // 2 slots x 2 tiles x 64 x 32 x 2 bytes; the wave is uniform for all lanes.
  // CHECK-LABEL: gpu.func @kernel
  // CHECK-SAME: workgroup(%[[LDS:.*]] : memref<16384xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // CHECK: gpu.thread_id x
  // CHECK: rocdl.readfirstlane
  // CHECK-NOT: ck.wave_specialize

  // A micro tile of 4 x 2 is two loads of 4 elements; it leaves as four vectors of 2.
  // CHECK: ck.load %{{.*}} offset [0, 0, 0] : {{.*}} -> vector<4xf16>
  // CHECK: ck.load %{{.*}} offset [0, 0, {{[01]}}] : {{.*}} -> vector<4xf16>

  // The slot is chosen by the step; rows are swizzled by XOR; writes need no barrier before them.
  // They stay behind matrix instructions, for they wait for the loads.
  // CHECK-NOT: amdgpu.lds_barrier
  // CHECK: rocdl.sched.barrier 0
  // CHECK: arith.remui %{{.*}}, %c2
  // CHECK: memref.view %[[LDS]]{{.*}} to memref<4x64x8xf16, #gpu.address_space<workgroup>>
  // CHECK: arith.xori
  // CHECK-COUNT-4: vector.store %{{.*}} : memref<4x64x8xf16, #gpu.address_space<workgroup>>, vector<2xf16>

  // The barrier between writers and readers is that of the wait.
  // CHECK: amdgpu.lds_barrier
  // CHECK: vector.load %{{.*}} : memref<4x64x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
  // An LDS unit of 8 feeds two matrix instructions of 4.
  // CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3]
  // CHECK: amdgpu.mfma 32x32x8 {{.*}} vector<4xf16>, vector<4xf16>, vector<16xf32>
  // CHECK: vector.shuffle %{{.*}} [4, 5, 6, 7]
  // CHECK: amdgpu.mfma 32x32x8
  // CHECK-NOT: amdgpu.lds_barrier
  // CHECK: gpu.return
  gpu.func @kernel(%a: memref<64x64xf16>, %c: memref<64x64xf32>, %k: index) kernel {
    %va = ck.transform %a : memref<64x64xf16> -> !a_view
    %vc = ck.transform %c : memref<64x64xf32> -> !c_view
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%va, %vc, %ring, %k) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !a_view, %w: !c_view, %r: !ring, %i: index):
      %zero = arith.constant 0 : index
      %p = ck.cursor %v[%zero, %zero, %zero] : !a_view -> !cursor
      %f = ck.load_tile %p : !cursor -> !fragment
      %slot = ck.acquire %r[%i] : !ring
      ck.write_tile %f, %slot[0] : !fragment, !slot
      ck.write_tile %f, %slot[1] : !fragment, !slot
      ck.commit %slot : !slot
      %acc = ck.zero_acc : <64x64xf32, #layout>
      %full = ck.wait %r[%i] : !ring
      %next = ck.mma_tile %full, %acc : !slot, <64x64xf32, #layout>
      ck.release %full : !slot
      ck.store_tile %next, %w[%zero, %zero, %zero] : <64x64xf32, #layout>, !c_view
      ck.yield
    } : !a_view, !c_view, !ring, index
    gpu.return
  }
}
