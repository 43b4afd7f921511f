// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Results leave through the epilogue, vectorized, and with a mask only where tiles are partial.

#full_map = #ck.transform_map<(m: 64, n: 96) by [broadcast g : 1] to (g: 1, m: 64, n: 96)>
#rows_map = #ck.transform_map<(m: 60, n: 96) by [broadcast g : 1] to (g: 1, m: 60, n: 96)>
#both_map = #ck.transform_map<(m: 60, n: 90) by [broadcast g : 1] to (g: 1, m: 60, n: 90)>
!full = !ck.view<1x64x96xf32, #full_map>
!rows = !ck.view<1x60x96xf32, #rows_map>
!both = !ck.view<1x60x90xf16, #both_map>
#s = #ck.schedule<"tile=32x32x16,waves=1x1,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
!ring = !ck.ring<2 x [!ck.fragment<32x16xf16, 4x2 along rows>, !ck.fragment<32x16xf16, 4x2 along rows>]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // One store for each of the 16 accumulators of a lane, offsets as constants, no mask.
  // CHECK-LABEL: gpu.func @full
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-NOT: arith.cmpi
  // CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 0, 0] mask %[[TRUE]] : f32
  // CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 1, 0] mask %[[TRUE]]
  // CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 27, 0] mask %[[TRUE]]
  // CHECK: gpu.return
  gpu.func @full(%c: memref<64x96xf32>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x96xf32> -> !full
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] schedule #s {
    ^bb0(%v: !full, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32>, !full
      ck.yield
    } : !full, index, !ring
    gpu.return
  }

  // Rows have a partial tile, columns have none.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c60
  // CHECK-NOT: %c96
  // CHECK: ck.store %{{.*}} mask %[[IN]]
  gpu.func @rows(%c: memref<60x96xf32>, %i: index) kernel {
    %vc = ck.transform %c : memref<60x96xf32> -> !rows
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] schedule #s {
    ^bb0(%v: !rows, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32>, !rows
      ck.yield
    } : !rows, index, !ring
    gpu.return
  }

  // The epilogue works on all accumulators of a matrix instruction at once, constants as splats.
  // CHECK-LABEL: gpu.func @epilogue
  // CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<16xf32>
  // CHECK: %[[D:.*]] = arith.mulf %{{.*}}, %[[TWO]] : vector<16xf32>
  // CHECK: %[[H:.*]] = arith.truncf %[[D]] : vector<16xf32> to vector<16xf16>
  // CHECK: vector.extract %[[H]][0]
  // CHECK-DAG: %[[R:.*]] = arith.cmpi ult, %{{.*}}, %c60
  // CHECK-DAG: %[[C:.*]] = arith.cmpi ult, %{{.*}}, %c90
  // CHECK: %[[IN:.*]] = arith.andi %[[R]], %[[C]]
  // CHECK: ck.store %{{.*}} mask %[[IN]] : f16
  gpu.func @epilogue(%c: memref<60x90xf16>, %i: index, %x: f32) kernel {
    %vc = ck.transform %c : memref<60x90xf16> -> !both
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] schedule #s {
    ^bb0(%v: !both, %tile: index, %r: !ring):
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32>, !both epilogue {
      ^bb0(%e: f32):
        %two = arith.constant 2.0 : f32
        %0 = arith.mulf %e, %two : f32
        %1 = arith.truncf %0 : f32 to f16
        ck.yield %1 : f16
      }
      ck.yield
    } : !both, index, !ring
    gpu.return
  }
}
