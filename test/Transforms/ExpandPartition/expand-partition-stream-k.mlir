// RUN: ck-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(ck-expand-partition))' | FileCheck %s
// StreamK: of 16 tiles of 5 K steps, 7 workgroups compute 7 whole ones; the other 9 tiles are 45
// iterations that 7 streams share, the first three of them 7 each, the others 6.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
#a_map = #ck.transform_map<(g: 2, m: 64, k: 64) by [] to (g: 2, m: 64, k: 64)>
!view = !ck.view<2x64x64xf32, #a_map>
!acc = !ck.acc<32x16xf32, #layout>

module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // CHECK-LABEL: gpu.func @linear
    // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<3808xi32>
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[WHOLE:.*]] = arith.cmpi slt, %[[WG]], %c7
    // CHECK: scf.if %[[WHOLE]] {
    // CHECK: %[[T:.*]]:3 = affine.delinearize_index %[[WG]] into (2, 2, 4)
    // CHECK: "test.sum"(%[[T]]#0, %[[T]]#1, %[[T]]#2, %c0{{.*}}, %c5
    // CHECK: ck.store_tile
    // CHECK: } else {
    // Streams are numbered against the workgroups.
    // CHECK: %[[STREAM:.*]] = arith.subi %c13{{.*}}, %[[WG]]
    // CHECK: %[[BEFORE:.*]] = arith.muli %[[STREAM]], %c45
    // CHECK: arith.divui %[[BEFORE]], %c7
    // Every tile from the first to the last of the stream, as far as it is the stream's.
    // CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step %c1
    // CHECK-NEXT: ck.sync
    // CHECK: affine.delinearize_index %[[TILE]] into (2, 2, 4)
    // CHECK: %[[ACC:.*]] = "test.sum"
    // Contributor and contributors: streams of the tile's first and last iteration.
    // CHECK: %[[OWNER:.*]] = arith.divui %{{.*}}, %c45
    // CHECK: %[[LAST:.*]] = arith.divui %{{.*}}, %c45
    // CHECK: %[[SPAN:.*]] = arith.subi %[[LAST]], %[[OWNER]]
    // CHECK: %[[N:.*]] = arith.addi %[[SPAN]], %c1
    // CHECK: %[[C:.*]] = arith.subi %[[STREAM]], %[[OWNER]]
    // The owner adds the sums of all others, if there are any.
    // CHECK-DAG: %[[IS:.*]] = arith.cmpi eq, %[[C]], %c0
    // CHECK-DAG: %[[EXISTS:.*]] = arith.cmpi slt, %c1{{.*}}, %[[N]]
    // CHECK-DAG: %[[OTHERS:.*]] = arith.addi %[[N]], %c-1
    // CHECK-DAG: %[[P:.*]] = arith.addi %[[STREAM]], %c1
    // CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[IS]], %[[EXISTS]]
    // CHECK: %[[SUM:.*]] = scf.if %[[BOTH]]
    // CHECK: ck.await %[[WS]][%[[P]]] count %[[OTHERS]] step %c1{{.*}} first 0
    // CHECK: ck.add_partial %[[ACC]], %[[WS]][%[[P]]] count %[[OTHERS]] step %c1{{.*}} first 224
    // CHECK: ck.reset_signal %[[WS]][%[[P]]] count %[[OTHERS]] step %c1{{.*}} first 0
    // CHECK: %[[OWNS:.*]] = arith.cmpi eq, %[[C]], %c0
    // CHECK: scf.if %[[OWNS]] {
    // CHECK: ck.store_tile %[[SUM]]
    // CHECK: } else {
    // CHECK: ck.store_partial %[[SUM]], %[[WS]][%[[STREAM]]] first 224
    // CHECK: ck.signal %[[WS]][%[[STREAM]]] first 0
    gpu.func @linear(%t: memref<2x64x64xf32>, %ws: memref<3808xi32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <stream_k<linear>> residents 7 workspace(%ws : memref<3808xi32>) {
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

    // Level l: contributors that are multiples of 8^(l + 1) receive from up to 7 that are 8^l apart. Of
    // seven streams there is one level.
    // CHECK-LABEL: gpu.func @tree
    // CHECK: %[[C:.*]] = arith.subi %{{.*}}, %{{.*}}
    // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c1{{.*}} step %c1{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[STRIDE:.*]] = %c1{{.*}}) -> (!acc, index)
    // CHECK: %[[WIDER:.*]] = arith.muli %[[STRIDE]], %c8
    // CHECK: %[[MASK:.*]] = arith.addi %[[WIDER]], %c-1
    // CHECK: %[[LOW:.*]] = arith.andi %{{.*}}, %[[MASK]]
    // CHECK: %[[RECEIVES:.*]] = arith.cmpi eq, %[[LOW]], %c0
    // CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[STRIDE]]
    // CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[NEXT]], %{{.*}}
    // CHECK: %[[THERE:.*]] = arith.divui %{{.*}}, %[[STRIDE]]
    // CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[RECEIVES]], %[[EXISTS]]
    // CHECK-DAG: %[[P:.*]] = arith.addi %{{.*}}, %[[STRIDE]]
    // CHECK-DAG: %[[COUNT:.*]] = arith.minsi %[[THERE]], %c7
    // CHECK: %[[SUM:.*]] = scf.if %[[BOTH]]
    // CHECK: ck.await %{{.*}}[%[[P]]] count %[[COUNT]] step %[[STRIDE]] first 0
    // CHECK: ck.add_partial %[[A]], %{{.*}}[%[[P]]] count %[[COUNT]] step %[[STRIDE]] first 224
    // CHECK: ck.reset_signal %{{.*}}[%[[P]]] count %[[COUNT]] step %[[STRIDE]] first 0
    // CHECK: } else {
    // CHECK: scf.yield %[[A]]
    // CHECK: scf.yield %[[SUM]], %[[WIDER]]
    gpu.func @tree(%t: memref<2x64x64xf32>, %ws: memref<3808xi32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <stream_k<tree>> residents 7 workspace(%ws : memref<3808xi32>) {
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

    // Every workgroup computes whole tiles, 7 apart, and then its stream.
    // CHECK-LABEL: gpu.func @persistent
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: scf.for %[[TILE:.*]] = %[[WG]] to %c7{{.*}} step %c7
    // CHECK-NEXT: ck.sync
    // CHECK: affine.delinearize_index %[[TILE]]
    // CHECK: arith.subi %c6{{.*}}, %[[WG]]
    // CHECK: scf.for
    // CHECK-NEXT: ck.sync
    gpu.func @persistent(%t: memref<2x64x64xf32>, %ws: memref<3808xi32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <stream_k<tree, persistent>> residents 7 workspace(%ws : memref<3808xi32>) {
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

    // 16 tiles for 8 workgroups: nothing to share.
    // CHECK-LABEL: gpu.func @whole
    // CHECK-NOT: scf.for
    // CHECK: ck.store_tile
    // CHECK-NOT: ck.store_partial
    gpu.func @whole(%t: memref<2x64x64xf32>) kernel {
      %v = ck.transform %t : memref<2x64x64xf32> -> !view
      ck.distribute <stream_k<linear>> residents 8 {
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
