// RUN: ck-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(ck-expand-partition))' | FileCheck %s
// StreamK whose sums are added by workgroups behind the streams: 8 streams share 2 tiles of 16 K
// steps, and each tile has as many adders as have room at the same time, 4.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
#a_map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf32, #a_map>
!acc = !ck.acc<32x16xf32, #layout>

#a_of_block = #ck.transform_map<(g: 1, m: 64, k: 512) by [] to (g: 1, m: 64, k: 512)>
#b_of_block = #ck.transform_map<(g: 1, n: 64, k: 512) by [] to (g: 1, n: 64, k: 512)>
#c_of_block = #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>
!a_view = !ck.view<1x64x512xf16, #a_of_block>
!b_view = !ck.view<1x64x512xf16, #b_of_block>
!c_view = !ck.view<1x64x64xf32, #c_of_block>
#four = #ck.acc_layout<waves = 2x2, mma = #ck.mma<16x16x16xf16>, along = rows>
#s = #ck.schedule<tile = 64x32x32, waves = 2x2, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = stream_k<parallel>>

module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // CHECK-LABEL: gpu.func @parallel
    // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<8192xi32>
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[BEHIND:.*]] = arith.cmpi slt, %c7{{.*}}, %[[WG]]
    // CHECK: scf.if %[[BEHIND]] {
    // CHECK: %[[ADDER:.*]] = arith.subi %[[WG]], %c8
    // CHECK: %[[TILE:.*]] = arith.remui %[[ADDER]], %c2
    // CHECK: %[[PART:.*]] = arith.divui %[[ADDER]], %c2
    // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %{{.*}} : index
    // CHECK: %[[NEXT:.*]] = arith.addi %[[TILE]], %c1
    // CHECK: %[[END:.*]] = arith.addi %{{.*}}, %{{.*}} : index
    // CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[FIRST]]
    // CHECK: %[[WAVE:.*]] = ck.math_wave
    // CHECK: %[[OF_WAVE:.*]] = arith.remui %[[WAVE]], %c4
    // CHECK: %[[OWN:.*]] = arith.cmpi eq, %[[OF_WAVE]], %[[PART]]
    // CHECK: scf.if %[[OWN]] {
    // CHECK: %[[ZERO:.*]] = ck.zero_acc
    // CHECK: ck.await %[[WS]][%[[FIRST]]] count %[[COUNT]] step %c1{{.*}} first 0
    // CHECK: %[[SUM:.*]] = ck.add_partial %[[ZERO]], %[[WS]][%[[FIRST]]] count %[[COUNT]] step %c1{{.*}} first 256
    // CHECK: ck.reset_signal %[[WS]][%[[FIRST]]] count %[[COUNT]] step %c1{{.*}} first 0
    // CHECK: affine.delinearize_index %[[TILE]] into (1, 1, 2)
    // CHECK: ck.store_tile %[[SUM]]
    // CHECK: } else {
    // Streams leave their sums, all of them.
    // CHECK: %[[STREAM:.*]] = arith.subi %c7{{.*}}, %[[WG]]
    // CHECK: %[[ACC:.*]] = "test.sum"
    // CHECK-NOT: ck.await
    // CHECK: ck.store_partial %[[ACC]], %[[WS]][%[[STREAM]]] first 256
    // CHECK: ck.signal %[[WS]][%[[STREAM]]] first 0
    // CHECK-NOT: ck.store_tile
    gpu.func @parallel(%t: memref<1x32x32xf32>, %ws: memref<8192xi32>) kernel {
      %v = ck.transform %t : memref<1x32x32xf32> -> !view
      ck.distribute <stream_k<parallel>> residents 8 workspace(%ws : memref<8192xi32>) {
        ck.work tiles [1, 1, 2] k_steps 16 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
          ck.store_tile %acc, %v[%g, %tm, %tn] : !acc, !view
        }
      }
      gpu.return
    }

    // Two of the four waves help each other, once for each of the two adders of a tile. All waves
    // of the workgroup wait for these sums, in the LDS of the block GEMM.
    // CHECK-LABEL: gpu.func @shared
    // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<8320xi32>
    // CHECK: %[[ADDER:.*]] = arith.subi %{{.*}}, %c4
    // CHECK: %[[PART:.*]] = arith.divui %[[ADDER]], %c2
    // CHECK: %[[WAVE:.*]] = ck.math_wave
    // CHECK: arith.cmpi slt, %[[PART]], %c2
    // CHECK: %[[PLACE:.*]] = arith.remui %[[WAVE]], %c2
    // CHECK: %[[PAIR:.*]] = arith.subi %[[WAVE]], %[[PLACE]]
    // CHECK: %[[HOLDER:.*]] = arith.addi %[[PAIR]], %[[PART]]
    // CHECK: ck.await %[[WS]][%[[FIRST:.*]]] count %[[COUNT:.*]] step %c1{{.*}} first 0 wave %[[HOLDER]]
    // CHECK: ck.sum_partials %[[WS]][%[[FIRST]]] count %[[COUNT]] part %[[PART]] of 2 first 128
    // CHECK: ck.sync
    // CHECK: %[[OF_WAVE:.*]] = arith.remui %[[WAVE]], %c2
    // CHECK: %[[OWN:.*]] = arith.cmpi eq, %[[OF_WAVE]], %[[PART]]
    // CHECK: scf.if %[[OWN]] {
    // CHECK: ck.reset_signal %[[WS]][%[[FIRST]]] count %[[COUNT]] step %c1{{.*}} first 0
    // CHECK: %[[SUM:.*]] = ck.gather_sum of 2
    // CHECK: ck.store_tile %[[SUM]]
    gpu.func @shared(%ta: memref<1x64x512xf16>, %tb: memref<1x64x512xf16>,
                     %t: memref<1x64x64xf32>, %ws: memref<8320xi32>) kernel {
      %a = ck.transform %ta : memref<1x64x512xf16> -> !a_view
      %b = ck.transform %tb : memref<1x64x512xf16> -> !b_view
      %v = ck.transform %t : memref<1x64x64xf32> -> !c_view
      ck.distribute <stream_k<parallel>> residents 4 workspace(%ws : memref<8320xi32>) {
        ck.work tiles [1, 1, 2] k_steps 16 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = ck.block_gemm %a[%g, %tm], %b[%tn] k_steps(%k0 to %k1) schedule #s
            : !a_view, !b_view -> <64x32xf32, #four>
          ck.yield %acc : !ck.acc<64x32xf32, #four>
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x32xf32, #four>):
          ck.store_tile %acc, %v[%g, %tm, %tn] : !ck.acc<64x32xf32, #four>, !c_view
        }
      }
      gpu.return
    }

    // Streams that cross tiles add their sums as a tree.
    // CHECK-LABEL: gpu.func @across
    // CHECK-NOT: ck.math_wave
    // CHECK: ck.await
    gpu.func @across(%t: memref<1x32x32xf32>, %ws: memref<8192xi32>) kernel {
      %v = ck.transform %t : memref<1x32x32xf32> -> !view
      ck.distribute <stream_k<parallel>> residents 3 workspace(%ws : memref<8192xi32>) {
        ck.work tiles [1, 1, 2] k_steps 16 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
          ck.store_tile %acc, %v[%g, %tm, %tn] : !acc, !view
        }
      }
      gpu.return
    }
  }
}
