// RUN: ck-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(ck-expand-partition))' | FileCheck %s
// Split-K: 16 tiles in 3 slices of 2, 2 and 1 K steps; slices are numbered slowest, but for those that go round the XCDs.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
#a_map = #ck.transform_map<(g: 2, m: 64, k: 64) by [] to (g: 2, m: 64, k: 64)>
!view = !ck.view<2x64x64xf32, #a_map>
!acc = !ck.acc<32x16xf32, #layout>

module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // CHECK-LABEL: gpu.func @atomic
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[SLICE:.*]] = arith.divui %[[WG]], %c16
    // CHECK: %[[TILE:.*]] = arith.remui %[[WG]], %c16
    // CHECK: %[[T:.*]]:3 = affine.delinearize_index %[[TILE]] into (2, 2, 4)
    // A step for each slice before, and one more for the first two of them.
    // CHECK: %[[EXTRA:.*]] = arith.minsi %[[SLICE]], %c2
    // CHECK: %[[BEGIN:.*]] = arith.addi %[[SLICE]], %[[EXTRA]]
    // CHECK: %[[LONGER:.*]] = arith.cmpi slt, %[[SLICE]], %c2
    // CHECK: %[[LENGTH:.*]] = arith.select %[[LONGER]], %c2{{.*}}, %c1
    // CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[LENGTH]]
    // CHECK: %[[ACC:.*]] = "test.sum"(%[[T]]#0, %[[T]]#1, %[[T]]#2, %[[BEGIN]], %[[END]])
    // CHECK: ck.store_tile %[[ACC]], %{{.*}}[%[[T]]#0, %[[T]]#1, %[[T]]#2] atomic
    gpu.func @atomic(%t: memref<2x64x64xf32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <split_k<3>> residents 4 {
        ck.work tiles [2, 2, 4] k_steps 5 {
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

    // Of 6 slices two by two go round 8 XCDs: 0 and 1 of all tiles, then 2 and 3, then 4 and 5.
    // CHECK-LABEL: gpu.func @side_by_side
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[BLOCK:.*]] = arith.divui %[[WG]], %c32
    // CHECK: %[[IN_BLOCK:.*]] = arith.remui %[[WG]], %c32
    // CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c2
    // CHECK: %[[SIDE:.*]] = arith.remui %[[WG]], %c2
    // CHECK: %[[SLICE:.*]] = arith.addi %[[FIRST]], %[[SIDE]]
    // CHECK: %[[TILE:.*]] = arith.divui %[[IN_BLOCK]], %c2
    // CHECK: %[[T:.*]]:3 = affine.delinearize_index %[[TILE]] into (2, 2, 4)
    // CHECK: arith.minsi %[[SLICE]], %c0
    // CHECK: "test.sum"(%[[T]]#0, %[[T]]#1, %[[T]]#2
    gpu.func @side_by_side(%t: memref<2x64x64xf32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <split_k<6>> residents 4 mapping <window = 1, chunk = 1, xcds = 8> {
        ck.work tiles [2, 2, 4] k_steps 6 {
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

    // Every slice leaves its sum at the place of its workgroup.
    // CHECK-LABEL: gpu.func @two_stage
    // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<24576xi32>
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[ACC:.*]] = "test.sum"
    // CHECK: ck.store_partial %[[ACC]], %[[WS]][%[[WG]]] first 0
    // CHECK-NOT: ck.store_tile
    gpu.func @two_stage(%t: memref<2x64x64xf32>, %ws: memref<24576xi32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <split_k<3, two_stage>> residents 4 workspace(%ws : memref<24576xi32>) {
        ck.work tiles [2, 2, 4] k_steps 5 {
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

    // One slice is as good as none.
    // CHECK-LABEL: gpu.func @one_slice
    // CHECK: ck.store_tile
    // CHECK-NOT: atomic
    gpu.func @one_slice(%t: memref<2x64x64xf32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <split_k<1>> residents 4 {
        ck.work tiles [2, 2, 4] k_steps 5 {
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
