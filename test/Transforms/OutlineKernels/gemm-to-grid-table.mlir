// RUN: ck-opt %s --ck-gemm-to-grid --ck-verify-form=form=grid | FileCheck %s
// The GEMMs and fills of a table are one launch. A fill has no K steps, and views of one tensor share
// its argument.

#a_map = #ck.transform_map<(g: 2, m: 100, k: 50) by [] to (g: 2, m: 100, k: 50)>
#b_map = #ck.transform_map<(g: 2, n: 130, k: 50) by [] to (g: 2, n: 130, k: 50)>
#c_map = #ck.transform_map<(g: 2, m: 200, n: 130) by [slice m 0 to 100] to (g: 2, m: 100, n: 130)>
#rest_map = #ck.transform_map<(g: 2, m: 200, n: 130) by [slice m 100 to 200] to (g: 2, m: 100, n: 130)>
!a_view = !ck.view<2x100x50xf16, #a_map>
!b_view = !ck.view<2x130x50xf16, #b_map>
!c_view = !ck.view<2x100x130xf16, #c_map>
!rest_view = !ck.view<2x100x130xf16, #rest_map>
#layout = #ck.acc_layout<waves = 2x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 64x32x16, waves = 2x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

module attributes {ck.target = #ck.target<"gfx942">} {
  // CHECK-LABEL: func.func @table
  // CHECK: %[[GRID:.*]] = arith.constant 40 : index
  // CHECK: gpu.launch_func @kernels::@table blocks in (%[[GRID]], {{.*}} args(%{{[^,]*}} : memref<2x100x50xf16>, %{{[^,]*}} : memref<2x130x50xf16>, %{{[^,]*}} : memref<2x200x130xf16>)
  // CHECK: gpu.func @table(%{{.*}}: memref<2x100x50xf16>, %{{.*}}: memref<2x130x50xf16>, %[[T:.*]]: memref<2x200x130xf16>)
  // CHECK: %[[C:.*]] = ck.transform %[[T]]
  // CHECK: %[[REST:.*]] = ck.transform %[[T]]
  // CHECK: ck.distribute <data_parallel> {
  // CHECK-NEXT: ck.work tiles [2, 2, 5] k_steps 4 {
  // CHECK: ck.block_gemm
  // CHECK: ck.store_tile %{{.*}}, %[[C]]
  // CHECK: ck.work tiles [2, 2, 5] k_steps 0 {
  // CHECK: %[[ZERO:.*]] = ck.zero_acc : !acc
  // CHECK-NEXT: ck.yield %[[ZERO]]
  // CHECK: ck.store_tile %{{.*}}, %[[REST]]
  func.func @table(%a: memref<2x100x50xf16>, %b: memref<2x130x50xf16>, %c: memref<2x200x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x50xf16> -> !b_view
    %vc = ck.transform %c : memref<2x200x130xf16> -> !c_view
    %rest = ck.transform %c : memref<2x200x130xf16> -> !rest_view
    ck.gemm_table {
      ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) schedule #s layout #layout
      ck.fill outs(%rest : !rest_view)
    }
    return
  }
}
