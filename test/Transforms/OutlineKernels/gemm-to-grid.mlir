// RUN: ck-opt %s --ck-gemm-to-grid --ck-verify-form=form=grid | FileCheck %s
// EXAMPLE-BEFORE: ck.gemm ins .. ^    }
// EXAMPLE-AFTER: gpu.launch_func
// EXAMPLE-AFTER: ck.distribute .. ck.yield
// EXAMPLE-AFTER: ck.store_tile
// A GEMM becomes a kernel that distributes its tiles and a launch of one workgroup per tile.

#a_map = #ck.transform_map<(g: 2, m: 100, k: 50) by [] to (g: 2, m: 100, k: 50)>
#b_map = #ck.transform_map<(g: 2, n: 130, k: 50) by [] to (g: 2, n: 130, k: 50)>
#c_map = #ck.transform_map<(g: 2, m: 100, n: 130) by [] to (g: 2, m: 100, n: 130)>
!a_view = !ck.view<2x100x50xf16, #a_map>
!b_view = !ck.view<2x130x50xf16, #b_map>
!c_view = !ck.view<2x100x130xf16, #c_map>
#layout = #ck.acc_layout<waves = 2x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 64x32x16, waves = 2x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

// CHECK: module attributes {ck.target = #ck.target<"gfx942">, gpu.container_module}
module attributes {ck.target = #ck.target<"gfx942">} {
  // 2 groups x ceil(100 / 64) x ceil(130 / 32) tiles; 2 waves of 64 lanes. The tensors are passed in
  // the order of the function's arguments, the result last.
  // CHECK-LABEL: func.func @scale
  // CHECK-SAME: (%[[A:.*]]: memref<2x100x50xf16>, %[[B:.*]]: memref<2x130x50xf16>, %[[C:.*]]: memref<2x100x130xf16>)
  // CHECK-DAG: %[[GRID:.*]] = arith.constant 20 : index
  // CHECK-DAG: %[[BLOCK:.*]] = arith.constant 128 : index
  // CHECK: gpu.launch_func @kernels::@scale blocks in (%[[GRID]], {{.*}}) threads in (%[[BLOCK]], {{.*}}) args(%[[A]] : {{.*}}, %[[B]] : {{.*}}, %[[C]] : {{.*}})
  // CHECK-NOT: ck.
  // CHECK: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx942">]
  // CHECK: gpu.func @scale(%[[KA:.*]]: memref<2x100x50xf16>, %[[KB:.*]]: memref<2x130x50xf16>, %[[KC:.*]]: memref<2x100x130xf16>) kernel
  // CHECK-SAME: known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 20, 1, 1>
  // CHECK: %[[VA:.*]] = ck.transform %[[KA]]
  // CHECK: %[[VB:.*]] = ck.transform %[[KB]]
  // CHECK: %[[VC:.*]] = ck.transform %[[KC]]
  // CHECK: ck.distribute <data_parallel> {
  // CHECK-NEXT: ck.work tiles [2, 2, 5] k_steps 4 {
  // CHECK: ck.block_gemm %[[VA]][{{.*}}], %[[VB]][{{.*}}] k_steps({{.*}}) schedule #{{.*}} -> !acc
  // CHECK: epilogue {
  // CHECK: ck.store_tile %{{.*}}, %[[VC]]
  // CHECK-SAME: epilogue {
  // CHECK: arith.mulf
  func.func @scale(%a: memref<2x100x50xf16>, %b: memref<2x130x50xf16>, %c: memref<2x100x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x50xf16> -> !b_view
    %vc = ck.transform %c : memref<2x100x130xf16> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) schedule #s layout #layout epilogue {
    ^bb0(%acc: f32):
      %two = arith.constant 2.0 : f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.truncf %0 : f32 to f16
      ck.yield %1 : f16
    }
    return
  }
}

