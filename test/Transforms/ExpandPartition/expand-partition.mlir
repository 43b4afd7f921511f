// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-expand-partition),ck-verify-form{form=grid})' --split-input-file | FileCheck %s
// EXAMPLE-BEFORE: ck.distribute .. ck.store_tile
// EXAMPLE-AFTER: gpu.func @kernel .. gpu.return
// Data-parallel: a workgroup finds its one tile, columns fastest, and takes all of its K steps.

#a_map = #ck.transform_map<(g: 2, m: 64, k: 64) by [] to (g: 2, m: 64, k: 64)>
!view = !ck.view<2x64x64xf16, #a_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
#s = #ck.schedule<tile = 32x16x32, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // CHECK-LABEL: gpu.func @kernel
    // CHECK: %[[V:.*]] = ck.transform
    // CHECK-NOT: ck.distribute
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[T:.*]]:3 = affine.delinearize_index %[[WG]] into (2, 2, 4)
    // CHECK-DAG: %[[BEGIN:.*]] = arith.constant 0 : index
    // CHECK-DAG: %[[END:.*]] = arith.constant 2 : index
    // CHECK: %[[ACC:.*]] = ck.block_gemm %[[V]][%[[T]]#0, %[[T]]#1], %[[V]][%[[T]]#2] k_steps(%[[BEGIN]] to %[[END]])
    // CHECK: ck.store_tile %[[ACC]], %[[V]][%[[T]]#0, %[[T]]#1, %[[T]]#2]
    // CHECK-NEXT: gpu.return
    gpu.func @kernel(%t: memref<2x64x64xf16>) kernel {
      %v = ck.transform %t : memref<2x64x64xf16> -> !view
      ck.distribute <data_parallel> {
        ck.work tiles [2, 2, 4] k_steps 2 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = ck.block_gemm %v[%g, %tm], %v[%tn] k_steps(%k0 to %k1) schedule #s
            : !view, !view -> <32x16xf32, #layout>
          ck.yield %acc : !ck.acc<32x16xf32, #layout>
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
          ck.store_tile %acc, %v[%g, %tm, %tn] : <32x16xf32, #layout>, !view
          ck.yield
        }
      }
      gpu.return
    }
  }
}

// -----

#a_map = #ck.transform_map<(g: 2, m: 64, k: 64) by [] to (g: 2, m: 64, k: 64)>
!view = !ck.view<2x64x64xf16, #a_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
#s = #ck.schedule<tile = 32x16x32, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

module attributes {gpu.container_module} {
  gpu.module @table [#rocdl.target<chip = "gfx942">] {
    // Two works: workgroups 0 to 15 have the tiles of the first, 16 to 19 those of the second.
    // CHECK-LABEL: gpu.func @two_works
    // CHECK: %[[WG:.*]] = gpu.block_id x
    // CHECK: %[[LIMIT:.*]] = arith.constant 16 : index
    // CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[WG]], %[[LIMIT]]
    // CHECK: scf.if %[[FIRST]] {
    // CHECK: affine.delinearize_index %[[WG]] into (2, 2, 4)
    // CHECK: ck.block_gemm
    // CHECK: ck.store_tile
    // CHECK: } else {
    // CHECK: %[[SKIP:.*]] = arith.constant 16 : index
    // CHECK: %[[REST:.*]] = arith.subi %[[WG]], %[[SKIP]]
    // CHECK: affine.delinearize_index %[[REST]] into (2, 2, 1)
    // CHECK: %[[ZERO:.*]] = ck.zero_acc
    // CHECK: ck.store_tile %[[ZERO]]
    gpu.func @two_works(%t: memref<2x64x64xf16>) kernel {
      %v = ck.transform %t : memref<2x64x64xf16> -> !view
      ck.distribute <data_parallel> {
        ck.work tiles [2, 2, 4] k_steps 2 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = ck.block_gemm %v[%g, %tm], %v[%tn] k_steps(%k0 to %k1) schedule #s
            : !view, !view -> <32x16xf32, #layout>
          ck.yield %acc : !ck.acc<32x16xf32, #layout>
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
          ck.store_tile %acc, %v[%g, %tm, %tn] : <32x16xf32, #layout>, !view
        }
        ck.work tiles [2, 2, 1] k_steps 0 {
        ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
          %acc = ck.zero_acc : <32x16xf32, #layout>
          ck.yield %acc : !ck.acc<32x16xf32, #layout>
        } epilogue {
        ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
          ck.store_tile %acc, %v[%g, %tm, %tn] : <32x16xf32, #layout>, !view
        }
      }
      gpu.return
    }
  }
}
