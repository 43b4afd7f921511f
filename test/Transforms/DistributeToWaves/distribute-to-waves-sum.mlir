// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Sums that the waves of a workgroup share. Of a tile of 64x64 each of four waves holds 16
// accumulators in a lane, four groups of four.

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!acc = !ck.acc<64x64xf32, #layout>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
#eight = #ck.acc_layout<waves = 4x2, mma = #ck.mma<16x16x16xf16>, along = rows>
!of_eight = !ck.acc<64x64xf32, #eight>
!ring_of_eight = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x1 along rows>, !ck.fragment<64x32xf16, 4x1 along rows>]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @two
  // CHECK-SAME: (%[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index, %[[N:.*]]: index, %[[P:.*]]: index)
  // CHECK-DAG: %[[LANE:.*]] = arith.remui %{{.*}}, %c64
  // CHECK-DAG: %[[WAVE:.*]] = arith.index_cast %{{.*}} : i32 to index
  // Waves 0 and 1 add what wave 0 or 1 holds of all tiles, two of the groups each.
  // CHECK: %[[PLACE:.*]] = arith.remui %[[WAVE]], %c2
  // CHECK: %[[PAIR:.*]] = arith.subi %[[WAVE]], %[[PLACE]]
  // CHECK: %[[HOLDER:.*]] = arith.addi %[[PAIR]], %[[P]]
  // CHECK: %[[HALF:.*]] = arith.muli %[[PLACE]], %c2
  // CHECK: %[[GROUP:.*]] = arith.minsi %[[HALF]], %c2
  // CHECK: arith.muli %[[HOLDER]], %c4096
  // CHECK: arith.muli %[[GROUP]], %c1024
  // CHECK: %[[SUMS:.*]]:2 = scf.for %{{.*}} = %c0 to %{{.*}} step %c8 iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>)
  // CHECK-COUNT-16: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xf32>
  // CHECK: rocdl.sched.barrier 0
  // CHECK-COUNT-16: arith.addf {{.*}} : vector<4xf32>
  // CHECK: %[[LDS:.*]] = memref.view %{{.*}}[%c0][] : memref<16384xi8, #gpu.address_space<workgroup>> to memref<2x4x1x64x4xf32, #gpu.address_space<workgroup>>
  // CHECK: %[[PAIR_NUMBER:.*]] = arith.divui %[[WAVE]], %c2
  // CHECK: vector.store %[[SUMS]]#0, %[[LDS]][%[[PAIR_NUMBER]], %[[GROUP]], %{{.*}}, %[[LANE]], %c0]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[GROUP]], %c1
  // CHECK: vector.store %[[SUMS]]#1, %[[LDS]][%[[PAIR_NUMBER]], %[[NEXT]], %{{.*}}, %[[LANE]], %c0]
  // CHECK: amdgpu.lds_barrier
  // The wave reads all four groups of its pair.
  // CHECK-COUNT-4: vector.load {{.*}} : memref<2x4x1x64x4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  gpu.func @two(%ws: memref<16512xi32>, %i: index, %n: index, %p: index) kernel {
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%ws, %i, %n, %p, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index, %count: index, %part: index, %r: !ring):
      ck.sum_partials %w[%index] count %count part %part of 2 first 128 through %r
        : !acc, memref<16512xi32> through !ring
      ck.sync
      %sum = ck.gather_sum of 2 through %r : !acc through !ring
      ck.store_partial %sum, %w[%index] first 128 : !acc, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index, index, index, !ring
    gpu.return
  }

  // Eight waves have two groups each. Four waves add the same group, of a quarter of the tiles each,
  // and who reads the sums adds these.
  // CHECK-LABEL: gpu.func @pieces
  // CHECK-SAME: (%[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index, %[[N:.*]]: index, %[[P:.*]]: index)
  // CHECK: %[[PLACE:.*]] = arith.remui %{{.*}}, %c8
  // CHECK: %[[QUARTER:.*]] = arith.divui %[[PLACE]], %c4
  // CHECK: arith.minsi %[[QUARTER]], %c1
  // CHECK: %[[PIECE:.*]] = arith.remui %[[PLACE]], %c4
  // CHECK: %[[MORE:.*]] = arith.addi %[[N]], %c3
  // CHECK: %[[LENGTH:.*]] = arith.divui %[[MORE]], %c4
  // CHECK: %[[BEGIN:.*]] = arith.muli %[[PIECE]], %[[LENGTH]]
  // CHECK: %[[BEHIND:.*]] = arith.addi %[[BEGIN]], %[[LENGTH]]
  // CHECK: %[[END:.*]] = arith.minsi %[[BEHIND]], %[[N]]
  // CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c16
  // CHECK: vector.store {{.*}} : memref<1x2x4x64x4xf32, #gpu.address_space<workgroup>>
  // CHECK: amdgpu.lds_barrier
  // CHECK: vector.load
  // CHECK-COUNT-3: arith.addf {{.*}} : vector<4xf32>
  // CHECK: vector.load
  // CHECK-COUNT-3: arith.addf {{.*}} : vector<4xf32>
  gpu.func @pieces(%ws: memref<16512xi32>, %i: index, %n: index, %p: index) kernel {
    %ring = ck.lds_ring : !ring_of_eight
    ck.wave_specialize(%ws, %i, %n, %p, %ring) roles [#ck.role<uniform, 8>] layout #eight {
    ^bb0(%w: memref<16512xi32>, %index: index, %count: index, %part: index, %r: !ring_of_eight):
      ck.sum_partials %w[%index] count %count part %part of 8 first 128 through %r
        : !of_eight, memref<16512xi32> through !ring_of_eight
      ck.sync
      %sum = ck.gather_sum of 8 through %r : !of_eight through !ring_of_eight
      ck.store_partial %sum, %w[%index] first 128 : !of_eight, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index, index, index, !ring_of_eight
    gpu.return
  }
}
