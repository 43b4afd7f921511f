// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// With a ring, the lanes of a wave exchange results in its part of LDS and store longer pieces.

#map = #ck.transform_map<(m: 128, n: 120) by [broadcast g : 1] to (g: 1, m: 128, n: 120)>
!c = !ck.view<1x128x120xf16, #map>
!fragment = !ck.fragment<128x32xf16, 4x4 along rows>
!ring = !ck.ring<2 x [!fragment, !fragment]>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // A wave has 2 x 2 blocks of 32 x 32, and 8192 bytes of LDS: a row of two blocks at a time, whose
  // rows have a gap of 8 bytes, as many as a lane writes. 8 lanes read and store a row of 64.
  // CHECK-LABEL: gpu.func @wide
  // CHECK-DAG: %[[LANE:.*]] = arith.remui %{{.*}}, %c64
  // CHECK-DAG: %[[IN_ROW:.*]] = arith.remui %[[LANE]], %c8
  // CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[IN_ROW]], %c8
  // CHECK-DAG: %[[ROW:.*]] = arith.divui %[[LANE]], %c8
  // CHECK-DAG: %[[START:.*]] = arith.muli %{{.*}}, %c8192
  // CHECK: %[[PART:.*]] = memref.view %{{.*}}[%[[START]]][] : memref<32768xi8, {{.*}}> to memref<32x68xf16, {{.*}}>
  // The waves have parts of their own: no barrier, but the compiler must not move accesses.
  // CHECK-NOT: barrier
  // CHECK: llvm.fence syncscope("wavefront") acq_rel
  // CHECK-COUNT-8: vector.store %{{.*}}, %[[PART]]{{.*}} {alignment = 8 : i64} : {{.*}}, vector<4xf16>
  // CHECK: llvm.fence syncscope("wavefront") acq_rel
  // CHECK: %[[V0:.*]] = vector.load %[[PART]][%[[ROW]], %[[COLUMN]]] {alignment = 8 : i64} : {{.*}}, vector<8xf16>
  // CHECK: %[[ROW8:.*]] = arith.addi %[[ROW]], %c8
  // CHECK: %[[V1:.*]] = vector.load %[[PART]][%[[ROW8]], %[[COLUMN]]]
  // CHECK-COUNT-2: vector.load %[[PART]]
  // A vector is inside of the view or outside of it.
  // CHECK: %[[P:.*]] = ck.cursor
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c120
  // CHECK: ck.store %[[V0]], %[[P]] offset [0, 0, 0] mask %[[IN]] : vector<8xf16>
  // CHECK: ck.store %[[V1]], %[[P]] offset [0, 8, 0] mask %[[IN]]
  // CHECK-COUNT-2: ck.store
  // The next row of blocks.
  // CHECK: llvm.fence
  // CHECK-COUNT-8: vector.store %{{.*}}, %[[PART]]
  // CHECK: llvm.fence
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 32, 0]
  // CHECK: gpu.return
  gpu.func @wide(%c: memref<128x120xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<128x120xf16> -> !c
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !c, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <128x128xf32, #layout>
      ck.store_tile %acc, %v[%tile, %tile, %tile] through %r shuffle <blocks = 2x1, width = 8>
        : <128x128xf32, #layout>, !c through !ring
      ck.yield
    } : !c, index, !ring
    gpu.return
  }
}
