// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-pipeline-block-gemm),ck-verify-form{form=block})' | FileCheck %s
// EXAMPLE-BEFORE: %acc = ck.block_gemm .. gpu.return
// EXAMPLE-AFTER: ck.lds_ring .. roles
// EXAMPLE-AFTER: ck.commit
// EXAMPLE-AFTER: scf.for
// EXAMPLE-AFTER: ck.load_tile .. ck.load_tile
// EXAMPLE-AFTER: ck.wait .. ck.release
// EXAMPLE-AFTER: ck.acquire .. ck.commit
// The body moves into the only role; the block GEMM becomes a loop in which the loads of the next
// step are issued before this step's tiles are multiplied, and written to LDS after.

#a_map = #ck.transform_map<(k: 160, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 160)>
#b_map = #ck.transform_map<(n: 128, k: 160) by [broadcast g : 1] to (g: 1, n: 128, k: 160)>
#c_map = #ck.transform_map<(m: 64, n: 128) by [broadcast g : 1] to (g: 1, m: 64, n: 128)>
#odd_map = #ck.transform_map<(m: 64, n: 127) by [broadcast g : 1] to (g: 1, m: 64, n: 127)>
!odd_view = !ck.view<1x64x127xf32, #odd_map>
!a_view = !ck.view<1x64x160xf16, #a_map>
!b_view = !ck.view<1x128x160xf16, #b_map>
!c_view = !ck.view<1x64x128xf32, #c_map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // A is consecutive along its rows, B along K: so are the loads of the micro tiles.
  // CHECK-DAG: !fragment = !ck.fragment<64x32xf16, {{[0-9]x[0-9]}} along rows>
  // CHECK-DAG: !fragment1 = !ck.fragment<128x32xf16, {{[0-9]x[0-9]}} along k>
  // CHECK-DAG: !ring = !ck.ring<2 x[!fragment, !fragment1]>

  // CHECK-LABEL: gpu.func @kernel
  // CHECK: %[[RING:.*]] = ck.lds_ring : !ring
  // CHECK: ck.wave_specialize({{.*}}, %[[RING]]) roles [#ck.role<uniform, 4>]
  // CHECK: ^bb0(%[[A:.*]]: !{{.*}}, %[[B:.*]]: !{{.*}}, %[[C:.*]]: !{{.*}}, %[[R:.*]]: !ring):

  // The first step is loaded and written ahead of the loop.
  // CHECK: %[[PA:.*]] = ck.cursor %[[A]]
  // CHECK: %[[PB:.*]] = ck.cursor %[[B]]
  // CHECK: ck.load_tile %[[PA]]
  // CHECK: ck.load_tile %[[PB]]
  // CHECK: %[[FIRST:.*]] = ck.acquire %[[R]][%[[K0:.*]]]
  // CHECK-COUNT-2: ck.write_tile %{{.*}}, %[[FIRST]]
  // CHECK: ck.commit %[[FIRST]]
  // CHECK: %[[ZERO:.*]] = ck.zero_acc

  // Two steps in an iteration, one for each slot.
  // CHECK: %[[LAST:.*]] = arith.constant 4 : index
  // CHECK: %[[LOOP:.*]]:3 = scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c2{{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]], %[[QA:.*]] = %{{.*}}, %[[QB:.*]] = %{{.*}})
  // CHECK: %[[FA:.*]] = ck.load_tile %[[QA]] {{.*}} -> !fragment{{$}}
  // CHECK: %[[FB:.*]] = ck.load_tile %[[QB]] {{.*}} -> !fragment1{{$}}
  // CHECK: %[[NA:.*]] = ck.advance %[[QA]] by [0, 0, 32]
  // CHECK: %[[NB:.*]] = ck.advance %[[QB]] by [0, 0, 32]
  // CHECK: %[[FULL:.*]] = ck.wait %[[R]][%[[I]]]
  // CHECK: %[[SUM:.*]] = ck.mma_tile %[[FULL]], %[[ACC]]
  // CHECK: ck.release %[[FULL]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
  // CHECK: %[[FREE:.*]] = ck.acquire %[[R]][%[[NEXT]]]
  // CHECK: ck.write_tile %[[FA]], %[[FREE]][0]
  // CHECK: ck.write_tile %[[FB]], %[[FREE]][1]
  // CHECK: ck.commit %[[FREE]]
  // CHECK: %[[I1:.*]] = arith.addi %[[I]]
  // CHECK: ck.load_tile %[[NA]]
  // CHECK: ck.load_tile %[[NB]]
  // CHECK: %[[MA:.*]] = ck.advance %[[NA]]
  // CHECK: %[[MB:.*]] = ck.advance %[[NB]]
  // CHECK: %[[SECOND:.*]] = ck.wait %[[R]][%[[I1]]]
  // CHECK: %[[BOTH:.*]] = ck.mma_tile %[[SECOND]], %[[SUM]]
  // CHECK: %[[I2:.*]] = arith.addi %[[I1]]
  // CHECK: ck.acquire %[[R]][%[[I2]]]
  // CHECK: scf.yield %[[BOTH]], %[[MA]], %[[MB]]

  // The last step has nothing left to load.
  // CHECK: %[[END:.*]] = ck.wait %[[R]][%[[LAST]]]
  // CHECK: %[[RESULT:.*]] = ck.mma_tile %[[END]], %[[LOOP]]#0
  // CHECK: ck.release %[[END]]
  // Results are put through the ring when all waves have read the last operands: rows of 32 f32 that
  // are stored by neighbouring lanes.
  // CHECK-NEXT: ck.sync
  // CHECK-NEXT: ck.store_tile %[[RESULT]], %[[C]][{{.*}}] through %[[R]] shuffle <blocks = 2x1, width = 4> :
  // CHECK: gpu.return
  gpu.func @kernel(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x128xf32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 5 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] shuffle <blocks = 2x1, width = 4>
      : <64x128xf32, #layout>, !c_view
    gpu.return
  }

  // A store without a shuffle leaves the ring alone.
  // CHECK-LABEL: gpu.func @narrow
  // CHECK: ck.wave_specialize
  // CHECK-NOT: ck.sync
  // CHECK: ck.store_tile {{.*}}] : !acc, !{{[a-z0-9]*$}}
  gpu.func @narrow(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x127xf32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x127xf32> -> !odd_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 2 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] : <64x128xf32, #layout>, !odd_view
    gpu.return
  }

  // Sums with partial tiles go through the ring of their block GEMM, in a branch as well; what no
  // block GEMM has begun is stored directly.
  // CHECK-LABEL: gpu.func @sums
  // CHECK: ck.wave_specialize
  // CHECK: ^bb0({{.*}}, %[[RING:[a-z0-9]*]]: !ring):
  // CHECK: scf.if
  // CHECK: ck.sync
  // CHECK-NEXT: ck.store_tile {{.*}} through %[[RING]] shuffle
  // CHECK: ck.zero_acc
  // CHECK-NOT: ck.sync
  // CHECK: ck.store_tile {{.*}}] : !acc, !{{[a-z0-9]*$}}
  gpu.func @sums(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x128xf32>,
                 %ws: memref<8192xi32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 2 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    %sum = scf.for %i = %k0 to %k1 step %k1 iter_args(%part = %acc)
        -> !ck.acc<64x128xf32, #layout> {
      %receives = arith.cmpi eq, %i, %k0 : index
      %next = scf.if %receives -> !ck.acc<64x128xf32, #layout> {
        %more = ck.add_partial %part, %ws[%k0] count %k1 step %k1 first 0
          : <64x128xf32, #layout>, memref<8192xi32>
        scf.yield %more : !ck.acc<64x128xf32, #layout>
      } else {
        scf.yield %part : !ck.acc<64x128xf32, #layout>
      }
      scf.yield %next : !ck.acc<64x128xf32, #layout>
    }
    %owns = arith.cmpi eq, %k1, %k0 : index
    scf.if %owns {
      ck.store_tile %sum, %vc[%k0, %k0, %k0] shuffle <blocks = 2x1, width = 4>
        : <64x128xf32, #layout>, !c_view
    }
    %zero = ck.zero_acc : <64x128xf32, #layout>
    ck.store_tile %zero, %vc[%k0, %k0, %k0] shuffle <blocks = 2x1, width = 4>
      : <64x128xf32, #layout>, !c_view
    gpu.return
  }

  // A kernel without a block GEMM stays as it is.
  // CHECK-LABEL: gpu.func @other
  // CHECK-NOT: ck.
  // CHECK: gpu.return
  gpu.func @other() kernel {
    gpu.return
  }
}
