// RUN: ck-opt %s --ck-gemm-to-naive | FileCheck %s
// EXAMPLE-BEFORE: func.func @integers
// EXAMPLE-BEFORE: ck.gemm
// EXAMPLE-AFTER: gpu.launch_func  @kernels::@integers
// EXAMPLE-AFTER: scf.for
// EXAMPLE-AFTER: arith.addi .. scf.yield
// EXAMPLE-AFTER: ck.store
// Every work-item computes one element: no tiles, no LDS, no matrix instructions.

#a_map = #ck.transform_map<(g: 2, m: 100, k: 50) by [] to (g: 2, m: 100, k: 50)>
#b_map = #ck.transform_map<(g: 2, n: 130, k: 50) by [] to (g: 2, n: 130, k: 50)>
#c_map = #ck.transform_map<(g: 2, m: 100, n: 130) by [] to (g: 2, m: 100, n: 130)>
#padded_map = #ck.transform_map<(g: 2, n: 130, k: 48) by [pad k 1 : 1] to (g: 2, n: 130, k: 50)>
!padded_view = !ck.view<2x130x50xf16, #padded_map>
!a_view = !ck.view<2x100x50xf16, #a_map>
!b_view = !ck.view<2x130x50xf16, #b_map>
!c_view = !ck.view<2x100x130xf16, #c_map>
!ai_view = !ck.view<2x100x50xi8, #a_map>
!bi_view = !ck.view<2x130x50xi8, #b_map>
!ci_view = !ck.view<2x100x130xi8, #c_map>

#half_map = #ck.transform_map<(g: 2, m: 200, n: 130) by [slice m 0 to 100] to (g: 2, m: 100, n: 130)>
#rest_map = #ck.transform_map<(g: 2, m: 200, n: 130) by [slice m 100 to 200] to (g: 2, m: 100, n: 130)>
!half_view = !ck.view<2x100x130xf16, #half_map>
!rest_view = !ck.view<2x100x130xf16, #rest_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  // 26000 elements are 102 workgroups of 256. Work-items past the last element compute that one and
  // do not store it.
  // CHECK-LABEL: func.func @bias
  // CHECK-DAG: %[[GRID:.*]] = arith.constant 102 : index
  // CHECK-DAG: %[[BLOCK:.*]] = arith.constant 256 : index
  // CHECK: gpu.launch_func @kernels::@bias_naive_0 blocks in (%[[GRID]], {{.*}}) threads in (%[[BLOCK]], {{.*}})
  func.func @bias(%a: memref<2x100x50xf16>, %b: memref<2x130x50xf16>, %d: memref<2x100x130xf16>, %c: memref<2x100x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x50xf16> -> !b_view
    %vd = ck.transform %d : memref<2x100x130xf16> -> !c_view
    %vc = ck.transform %c : memref<2x100x130xf16> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) ds(%vd : !c_view) epilogue {
    ^bb0(%acc: f32, %e: f16):
      %0 = arith.truncf %acc : f32 to f16
      %1 = arith.addf %0, %e : f16
      ck.yield %1 : f16
    }
    return
  }

  func.func @integers(%a: memref<2x100x50xi8>, %b: memref<2x130x50xi8>, %c: memref<2x100x130xi8>) {
    %va = ck.transform %a : memref<2x100x50xi8> -> !ai_view
    %vb = ck.transform %b : memref<2x130x50xi8> -> !bi_view
    %vc = ck.transform %c : memref<2x100x130xi8> -> !ci_view
    ck.gemm ins(%va, %vb : !ai_view, !bi_view) outs(%vc : !ci_view)
    return
  }

  func.func @table(%a: memref<2x100x50xf16>, %b: memref<2x130x50xf16>, %c: memref<2x200x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x50xf16> -> !b_view
    %vc = ck.transform %c : memref<2x200x130xf16> -> !half_view
    %rest = ck.transform %c : memref<2x200x130xf16> -> !rest_view
    ck.gemm_table {
      ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !half_view)
      ck.fill outs(%rest : !rest_view)
    }
    return
  }

  // CHECK: gpu.func @bias_naive_0(%[[A:[^:]*]]: memref<2x100x50xf16>, %[[B:[^:]*]]: memref<2x130x50xf16>, %[[D:[^:]*]]: memref<2x100x130xf16>, %[[C:[^:]*]]: memref<2x100x130xf16>)
  // CHECK-DAG: %[[VA:.*]] = ck.transform %[[A]]
  // CHECK-DAG: %[[VB:.*]] = ck.transform %[[B]]
  // CHECK-DAG: %[[VC:.*]] = ck.transform %[[C]]
  // CHECK-DAG: %[[VD:.*]] = ck.transform %[[D]]
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ITEM:.*]], %c26000
  // CHECK: %[[ELEMENT:.*]] = arith.minui %[[ITEM]], %c25999
  // CHECK: %[[N:.*]] = arith.remui %[[ELEMENT]], %c130
  // CHECK: %[[M:.*]] = arith.remui %{{.*}}, %c100
  // CHECK: %[[PA:.*]] = ck.cursor %[[VA]][%[[G:.*]], %[[M]], %{{.*}}]
  // CHECK: %[[PB:.*]] = ck.cursor %[[VB]][%[[G]], %[[N]], %{{.*}}]
  // CHECK: %[[SUM:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[NA:.*]] = %[[PA]], %[[NB:.*]] = %[[PB]])
  // CHECK: ck.load %[[NA]] offset [0, 0, 0] in_bounds
  // CHECK: ck.load %[[NB]] offset [0, 0, 0] in_bounds
  // CHECK: math.fma %{{.*}}, %{{.*}}, %[[ACC]] : f32
  // CHECK: ck.advance %[[NA]] by [0, 0, 1]
  // CHECK: ck.cursor %[[VD]][%[[G]], %[[M]], %[[N]]]
  // CHECK: arith.truncf %[[SUM]]#0 : f32 to f16
  // CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 0, 0] mask %[[INSIDE]] : vector<1xf16>

  // Sums of i8 are i32 and saturate in the end.
  // CHECK-LABEL: gpu.func @integers_naive_1
  // CHECK: scf.for {{.*}} -> (i32,
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  // CHECK: arith.muli %{{.*}} : i32
  // CHECK: arith.trunci %{{.*}} : i32 to i8

  // The parts of a table take workgroups one after the other; a fill reads nothing.
  // CHECK-LABEL: gpu.func @table_naive_2
  // CHECK-SAME: known_grid_size = array<i32: 204, 1, 1>
  // CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK:.*]], %c102
  // CHECK: scf.if %[[FIRST]] {
  // CHECK: scf.for
  // CHECK: ck.store
  // CHECK: %[[OTHER:.*]] = arith.subi %[[BLOCK]], %c102
  // CHECK: %[[SECOND:.*]] = arith.cmpi ult, %[[OTHER]], %c102
  // CHECK: scf.if %[[SECOND]] {
  // CHECK-NOT: ck.load
  // CHECK: ck.store
  // The cursors move along K in any case.
  // CHECK-LABEL: gpu.func @omit_padding_naive_3
  // CHECK: scf.for {{.*}} iter_args(%[[KEPT:.*]] = %{{.*}}, %[[PA:.*]] = %{{.*}}, %[[PB:.*]] = %{{.*}})
  // CHECK-NEXT: %[[IN:.*]] = ck.is_inside %[[PB]]
  // CHECK-NEXT: scf.if %[[IN]] -> (f32) {
  // CHECK: math.fma
  // CHECK: else
  // CHECK-NEXT: scf.yield %[[KEPT]]
  // CHECK: ck.advance %[[PA]] by [0, 0, 1]
  // CHECK: ck.advance %[[PB]] by [0, 0, 1]
  func.func @omit_padding(%a: memref<2x100x50xf16>, %b: memref<2x130x48xf16>, %c: memref<2x100x130xf16>) {
    %va = ck.transform %a : memref<2x100x50xf16> -> !a_view
    %vb = ck.transform %b : memref<2x130x48xf16> -> !padded_view
    %vc = ck.transform %c : memref<2x100x130xf16> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !padded_view) outs(%vc : !c_view) omit_padding
    return
  }
}
