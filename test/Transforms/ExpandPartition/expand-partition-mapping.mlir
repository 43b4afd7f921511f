// RUN: ck-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(ck-expand-partition,canonicalize))' | FileCheck %s
// Workgroups are mapped to tiles in windows of rows and in chunks for XCDs. The IR is simplified,
// so that what stays is what is computed.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
!acc = !ck.acc<32x16xf32, #layout>

module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // 12 rows of 5 tiles in windows of 4: no window is lower.
    // CHECK-LABEL: gpu.func @window
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK-NOT: arith.select
    // CHECK: %[[GROUP:.*]] = arith.divui %[[WG]], %c60
    // CHECK: %[[TILE:.*]] = arith.remui %[[WG]], %c60
    // CHECK: %[[NUMBER:.*]] = arith.divui %[[TILE]], %c20
    // CHECK: %[[LOCAL:.*]] = arith.remui %[[TILE]], %c20
    // CHECK: %[[IN:.*]] = arith.remui %[[LOCAL]], %c4
    // CHECK: %[[COLUMN:.*]] = arith.divui %[[LOCAL]], %c4
    // CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c4
    // CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[IN]]
    // CHECK: "test.sum"(%[[GROUP]], %[[ROW]], %[[COLUMN]]
    gpu.func @window() kernel {
      ck.distribute <data_parallel> mapping <window = 4, chunk = 1, xcds = 8> {
        ck.work tiles [2, 12, 5] k_steps 5 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }

    // Of 6 rows the last window has 2.
    // CHECK-LABEL: gpu.func @lower_window
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[NUMBER:.*]] = arith.divui %[[WG]], %c20
    // CHECK: %[[LOCAL:.*]] = arith.remui %[[WG]], %c20
    // CHECK-DAG: %[[IN:.*]] = arith.remui %[[LOCAL]], %c4
    // CHECK-DAG: %[[DOWN:.*]] = arith.divui %[[LOCAL]], %c4
    // CHECK-DAG: %[[LAST:.*]] = arith.cmpi uge, %[[NUMBER]], %c1
    // CHECK-DAG: %[[IN2:.*]] = arith.remui %[[LOCAL]], %c2
    // CHECK-DAG: %[[DOWN2:.*]] = arith.divui %[[LOCAL]], %c2
    // CHECK-DAG: arith.select %[[LAST]], %[[IN2]], %[[IN]]
    // CHECK-DAG: %[[COLUMN:.*]] = arith.select %[[LAST]], %[[DOWN2]], %[[DOWN]]
    // CHECK: "test.sum"(%c0, %{{.*}}, %[[COLUMN]]
    gpu.func @lower_window() kernel {
      ck.distribute <data_parallel> mapping <window = 4, chunk = 1, xcds = 8> {
        ck.work tiles [1, 6, 5] k_steps 5 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }

    // 70 tiles in chunks of 4 for 8 XCDs: two blocks of 32, and 6 that are dealt out.
    // CHECK-LABEL: gpu.func @chunk
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[IN:.*]] = arith.remui %[[WG]], %c32
    // CHECK: %[[FIRST:.*]] = arith.subi %[[WG]], %[[IN]]
    // CHECK: %[[XCD:.*]] = arith.remui %[[WG]], %c8
    // CHECK: %[[POSITION:.*]] = arith.divui %[[IN]], %c8
    // CHECK: %[[BEGIN:.*]] = arith.muli %[[XCD]], %c4
    // CHECK: %[[DEALT:.*]] = arith.minsi %[[XCD]], %c6
    // CHECK: %[[REST:.*]] = arith.cmpi uge, %[[WG]], %c64
    // CHECK: %[[CHUNK:.*]] = arith.select %[[REST]], %[[DEALT]], %[[BEGIN]]
    // CHECK: %[[SUM:.*]] = arith.addi %[[FIRST]], %[[CHUNK]]
    // CHECK: %[[TILE:.*]] = arith.addi %[[SUM]], %[[POSITION]]
    // CHECK: affine.delinearize_index %[[TILE]] into (7, 10)
    gpu.func @chunk() kernel {
      ck.distribute <data_parallel> mapping <window = 1, chunk = 4, xcds = 8> {
        ck.work tiles [1, 7, 10] k_steps 5 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }

    // Slices of a tile stand where the second stage looks for them: in the order of rows.
    // CHECK-LABEL: gpu.func @two_stage
    // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<24576xi32>
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[SLICE:.*]] = arith.divui %[[WG]], %c16
    // CHECK: %[[TILE:.*]] = arith.remui %[[WG]], %c16
    // CHECK: %[[LOCAL:.*]] = arith.remui %[[TILE]], %c16
    // CHECK: %[[COLUMN:.*]] = arith.divui %[[LOCAL]], %c4
    // CHECK: %[[NUMBER:.*]] = affine.linearize_index disjoint [%{{.*}}, %[[COLUMN]]] by (4, 4)
    // CHECK: %[[BEFORE:.*]] = arith.muli %[[SLICE]], %c16
    // CHECK: %[[PLACE:.*]] = arith.addi %[[BEFORE]], %[[NUMBER]]
    // CHECK: ck.store_partial %{{.*}}, %[[WS]][%[[PLACE]]] first 0
    gpu.func @two_stage(%ws: memref<24576xi32>) kernel {
      ck.distribute <split_k<3, two_stage>> residents 4 mapping <window = 4, chunk = 1, xcds = 8>
          workspace(%ws : memref<24576xi32>) {
        ck.work tiles [1, 4, 4] k_steps 5 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }

    // Whole tiles of StreamK are given to XCDs in chunks. Streams keep their order, by which they
    // wait for each other, and walk through windows.
    // CHECK-LABEL: gpu.func @streams
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: scf.if
    // CHECK: %[[XCD:.*]] = arith.remui %[[WG]], %c2
    // CHECK: arith.muli %[[XCD]], %c2
    // CHECK: "test.sum"
    // CHECK: } else {
    // CHECK: arith.subi %c9{{.*}}, %[[WG]]
    // CHECK-NOT: arith.remui %[[WG]]
    // CHECK: scf.for %[[SHARED:.*]] =
    // CHECK: arith.divui %[[SHARED]], %c4
    // CHECK: "test.sum"
    gpu.func @streams(%ws: memref<16384xi32>) kernel {
      ck.distribute <stream_k<tree>> residents 5 mapping <window = 2, chunk = 2, xcds = 2>
          workspace(%ws : memref<16384xi32>) {
        ck.work tiles [1, 4, 2] k_steps 6 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }

    // Seven streams stay within their two tiles of 15 K steps: the first has four of them. Which
    // part of K a stream has depends on the XCD of its workgroup.
    // CHECK-LABEL: gpu.func @within_tiles
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[STREAM:.*]] = arith.subi %c6{{.*}}, %[[WG]]
    // CHECK: arith.divui %[[STREAM]], %c4
    // CHECK: %[[TILE:.*]] = arith.select
    // CHECK: %[[OWNER:.*]] = arith.addi
    // CHECK: %[[NEXT_TILE:.*]] = arith.addi %[[TILE]], %c1
    // CHECK: arith.muli %[[NEXT_TILE]], %c3
    // CHECK: %[[END:.*]] = arith.addi
    // CHECK: %[[CONTRIBUTORS:.*]] = arith.subi %[[END]], %[[OWNER]]
    // CHECK: %[[XCD:.*]] = arith.remui %[[WG]], %c2
    // CHECK: %[[FEW:.*]] = arith.cmpi eq, %[[CONTRIBUTORS]], %c3
    // CHECK: %[[K0:.*]] = arith.select %[[FEW]]
    // CHECK: %[[K1:.*]] = arith.select
    // CHECK-NOT: scf.for
    // CHECK: "test.sum"(%{{.*}}, %{{.*}}, %{{.*}}, %[[K0]], %[[K1]])
    // CHECK: %[[C:.*]] = arith.subi %[[STREAM]], %[[OWNER]]
    // CHECK: scf.if
    // CHECK: ck.await
    // CHECK: ck.signal %{{.*}}[%[[STREAM]]] first 0
    gpu.func @within_tiles(%ws: memref<16384xi32>) kernel {
      ck.distribute <stream_k<tree>> residents 7 mapping <window = 1, chunk = 1, xcds = 2>
          workspace(%ws : memref<16384xi32>) {
        ck.work tiles [1, 1, 2] k_steps 15 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = "test.sum"(%g, %tm, %tn, %k0, %k1) : (index, index, index, index, index) -> !acc
          ck.yield %acc : !acc
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        }
      }
      gpu.return
    }
  }
}
