// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-pipeline-block-gemm),ck-verify-form{form=block})' | FileCheck %s
// Load waves write the ring, math waves multiply out of it; both have the control flow of the
// kernel, and none the work of the other.

#a_map = #ck.transform_map<(k: 160, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 160)>
#b_map = #ck.transform_map<(n: 128, k: 160) by [broadcast g : 1] to (g: 1, n: 128, k: 160)>
#c_map = #ck.transform_map<(m: 64, n: 128) by [broadcast g : 1] to (g: 1, m: 64, n: 128)>
!a_view = !ck.view<1x64x160xf16, #a_map>
!b_view = !ck.view<1x128x160xf16, #b_map>
!c_view = !ck.view<1x64x128xf32, #c_map>
#layout = #ck.acc_layout<waves = 2x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 64x128x32, waves = 2x1, mma = #ck.mma<32x32x8xf16>,
                  roles = load 4 + math 2, stages = 2, partition = data_parallel,
                  hints = loads + priority>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK: %[[RING:.*]] = ck.lds_ring : !ring
  // CHECK: ck.wave_specialize({{.*}}, %[[RING]]) roles [#ck.role<load, 4>, #ck.role<math, 2>]

  // CHECK: ^bb0(%[[A:.*]]: !{{.*}}, %[[B:.*]]: !{{.*}}, %{{.*}}: !{{.*}}, %[[R:.*]]: !ring):
  // CHECK: %[[PA:.*]] = ck.cursor %[[A]]
  // CHECK: %[[PB:.*]] = ck.cursor %[[B]]
  // CHECK: %[[FA:.*]] = ck.load_tile %[[PA]]
  // CHECK: %[[FB:.*]] = ck.load_tile %[[PB]]
  // CHECK: %[[LAST:.*]] = arith.constant 4 : index
  // CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:.*]] = %{{.*}} to %[[LAST]] {{.*}} iter_args(%[[GA:.*]] = %[[FA]], %[[GB:.*]] = %[[FB]], %[[QA:.*]] = %{{.*}}, %[[QB:.*]] = %{{.*}})
  // The tiles in registers are written before the next ones are loaded into the same registers.
  // CHECK: %[[SLOT:.*]] = ck.acquire %[[R]][%[[I]]]
  // CHECK: ck.write_tile %[[GA]], %[[SLOT]][0]
  // CHECK: ck.write_tile %[[GB]], %[[SLOT]][1]
  // CHECK: ck.loads_first
  // CHECK: %[[NA:.*]] = ck.load_tile %[[QA]]
  // CHECK: %[[NB:.*]] = ck.load_tile %[[QB]]
  // CHECK: ck.commit %[[SLOT]]
  // CHECK: scf.yield %[[NA]], %[[NB]]
  // CHECK: %[[END:.*]] = ck.acquire %[[R]][%[[LAST]]]
  // CHECK: ck.write_tile %[[LOOP]]#0, %[[END]][0]
  // CHECK: ck.commit %[[END]]
  // CHECK-NOT: ck.mma_tile
  // CHECK-NOT: ck.store_tile
  // CHECK: ck.yield

  // Two steps in an iteration, one for each slot; the fifth stands alone.
  // CHECK: ^bb0(%{{.*}}, %[[C:.*]]: !{{[a-z0-9]*}}, %[[S:.*]]: !ring):
  // CHECK-NOT: ck.load_tile
  // CHECK: ck.priority 1
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %[[FOUR:.*]] step %c2
  // CHECK: ck.wait %[[S]][%[[J]]]
  // CHECK: ck.mma_tile
  // CHECK: ck.release
  // CHECK: %[[J1:.*]] = arith.addi %[[J]], %c1
  // CHECK: ck.wait %[[S]][%[[J1]]]
  // CHECK: ck.mma_tile
  // CHECK: scf.yield
  // CHECK: ck.wait %[[S]][%[[FOUR]]]
  // CHECK: %[[ACC:.*]] = ck.mma_tile
  // CHECK: ck.store_tile %[[ACC]], %[[C]]
  gpu.func @kernel(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x128xf32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 5 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] : <64x128xf32, #layout>, !c_view
    gpu.return
  }

  // A range of steps that is known at run time only: what two slots leave is a loop of its own.
  // CHECK-LABEL: gpu.func @range
  // CHECK: %[[COUNT:.*]] = arith.subi
  // CHECK: %[[N1:.*]] = arith.addi %[[COUNT]], %c-1
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[N1]] step %c1
  // CHECK: ck.commit
  // CHECK: ck.acquire %{{.*}}[%[[N1]]]
  // CHECK: ck.commit
  // CHECK: ck.yield
  // CHECK: %[[N:.*]] = arith.subi
  // CHECK: %[[REST:.*]] = arith.remui %[[N]], %c2
  // CHECK: %[[WHOLE:.*]] = arith.subi %[[N]], %[[REST]]
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[WHOLE]] step %c2
  // CHECK-COUNT-2: ck.wait
  // CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[N]] step %c1
  // CHECK-COUNT-1: ck.wait
  gpu.func @range(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x128xf32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %end = arith.constant 5 : index
    %begin = gpu.block_id x
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%begin to %end) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] : <64x128xf32, #layout>, !c_view
    gpu.return
  }

  // Sums that math waves share meet in the ring of the block GEMM. Load waves only wait for them.
  // CHECK-LABEL: gpu.func @sums
  // CHECK: ^bb0({{.*}}):
  // CHECK-NOT: ck.await
  // CHECK-NOT: ck.sum_partials
  // CHECK: ck.sync
  // CHECK: ck.load_tile
  // CHECK: ck.yield
  // CHECK: ^bb0({{.*}}%[[RING:[a-z0-9]*]]: !ring,{{.*}}):
  // CHECK: ck.await
  // CHECK: ck.sum_partials {{.*}} of 2 first 0 through %[[RING]]
  // CHECK: ck.sync
  // CHECK: ck.gather_sum of 2 through %[[RING]]
  gpu.func @sums(%a: memref<160x64xf16>, %b: memref<128x160xf16>, %c: memref<64x128xf32>,
                 %ws: memref<8192xi32>) kernel {
    %va = ck.transform %a : memref<160x64xf16> -> !a_view
    %vb = ck.transform %b : memref<128x160xf16> -> !b_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 5 : index
    %id = gpu.block_id x
    %adds = arith.cmpi eq, %id, %k0 : index
    scf.if %adds {
      %wave = ck.math_wave
      ck.await %ws[%k0] count %k1 step %k1 first 0 wave %wave : memref<8192xi32>
      ck.sum_partials %ws[%k0] count %k1 part %k0 of 2 first 0
        : !ck.acc<64x128xf32, #layout>, memref<8192xi32>
      ck.sync
      %sum = ck.gather_sum of 2 : !ck.acc<64x128xf32, #layout>
      ck.store_tile %sum, %vc[%k0, %k0, %k0] : <64x128xf32, #layout>, !c_view
    } else {
      %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
        : !a_view, !b_view -> <64x128xf32, #layout>
      ck.store_partial %acc, %ws[%k0] first 0 : <64x128xf32, #layout>, memref<8192xi32>
    }
    gpu.return
  }
}

// Where matrix instructions run on the vector unit, long loops of load waves have code for each slot.
#wa = #ck.transform_map<(k: 1024, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 1024)>
#wb = #ck.transform_map<(n: 128, k: 1024) by [broadcast g : 1] to (g: 1, n: 128, k: 1024)>
!wa_view = !ck.view<1x64x1024xf16, #wa>
!wb_view = !ck.view<1x128x1024xf16, #wb>
#wmma = #ck.acc_layout<waves = 2x2, mma = #ck.mma<16x16x16xf16>, along = rows>
#w = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<16x16x16xf16>,
                  roles = load 2 + math 4, stages = 2, partition = data_parallel, hints = none>

gpu.module @wmma [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: gpu.func @long
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c30{{.*}} step %c2
  // CHECK: ck.acquire %{{.*}}[%[[I]]]
  // CHECK: ck.commit
  // CHECK: %[[I1:.*]] = arith.addi %[[I]], %c1
  // CHECK: ck.acquire %{{.*}}[%[[I1]]]
  // CHECK: ck.commit
  // CHECK: scf.yield
  // CHECK: ck.commit
  // CHECK: ck.commit
  // CHECK: ck.yield
  gpu.func @long(%a: memref<1024x64xf16>, %b: memref<128x1024xf16>, %c: memref<64x128xf32>) kernel {
    %va = ck.transform %a : memref<1024x64xf16> -> !wa_view
    %vb = ck.transform %b : memref<128x1024xf16> -> !wb_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 32 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #w
      : !wa_view, !wb_view -> <64x128xf32, #wmma>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] : <64x128xf32, #wmma>, !c_view
    gpu.return
  }

  // CHECK-LABEL: gpu.func @short
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c14{{.*}} step %c1
  // CHECK-COUNT-1: ck.commit
  // CHECK: scf.yield
  // CHECK: ck.commit
  // CHECK: ck.yield
  gpu.func @short(%a: memref<1024x64xf16>, %b: memref<128x1024xf16>, %c: memref<64x128xf32>) kernel {
    %va = ck.transform %a : memref<1024x64xf16> -> !wa_view
    %vb = ck.transform %b : memref<128x1024xf16> -> !wb_view
    %vc = ck.transform %c : memref<64x128xf32> -> !c_view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 15 : index
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #w
      : !wa_view, !wb_view -> <64x128xf32, #wmma>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] : <64x128xf32, #wmma>, !c_view
    gpu.return
  }
}
