// RUN: ck-opt %s --ck-gemm-to-grid | FileCheck %s
// GEMMs whose lanes compute by themselves have no tiles to distribute.

#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>

#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  // Lanes have 8 channels at 4 positions: 8 lanes at work make one workgroup; each of 8 XCDs gets
  // as many numbers.
  // CHECK-LABEL: func.func @one
  // CHECK-DAG: %[[GRID:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[BLOCK:.*]] = arith.constant 256 : index
  // CHECK: gpu.launch_func @kernels::@one_0 blocks in (%[[GRID]], {{.*}}) threads in (%[[BLOCK]], {{.*}})
  func.func @one(%a: memref<2x4x4x8x1xf16>, %b: memref<8x1x3x3x1xf16>, %c: memref<2x4x4x8x1xf16>) {
    %va = ck.transform %a : memref<2x4x4x8x1xf16> -> !a_view
    %vb = ck.transform %b : memref<8x1x3x3x1xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) ds(%vc : !c_view) direct <channels = 8, columns = 4, rows = 1> epilogue {
    ^bb0(%acc: f32, %old: f16):
      ck.yield %old : f16
    }
    return
  }

  // CHECK-LABEL: func.func @table
  // CHECK: arith.constant 16 : index
  // CHECK: gpu.launch_func @kernels::@table_1
  func.func @table(%a: memref<2x4x4x8x1xf16>, %b: memref<8x1x3x3x1xf16>, %c: memref<2x4x4x8x1xf16>, %d: memref<2x4x4x8x1xf16>) {
    %va = ck.transform %a : memref<2x4x4x8x1xf16> -> !a_view
    %vb = ck.transform %b : memref<8x1x3x3x1xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    %vd = ck.transform %d : memref<2x4x4x8x1xf16> -> !c_view
    ck.gemm_table {
      ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 8, columns = 4, rows = 1>
      ck.fill outs(%vd : !c_view)
    }
    return
  }
  // Two slices of the positions on 8 XCDs, and workgroups that add 64 of 72 sums each. Flags of 8
  // waves of these, 32 words each, stand before the sums.
  // CHECK-LABEL: func.func @sum
  // CHECK-SAME: %[[WORKSPACE:[a-z0-9]+]]: memref<656xi32> {ck.workspace}
  // CHECK: %[[FLAGS:.*]] = memref.subview %[[WORKSPACE]][0] [512] [1]
  // CHECK: gpu.memset
  // CHECK: gpu.launch_func @kernels::@sum_2 blocks in (%c10, {{.*}}) threads in (%c512, {{.*}})
  func.func @sum(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>) {
    %va = ck.transform %dy : memref<2x4x4x8x1xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x8x1xf16> -> !x_view
    %vc = ck.transform %dw : memref<8x1x3x3x1xf32> -> !dw_view
    ck.gemm ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) direct <channels = 8, columns = 4, rows = 1, slices = 2>
    return
  }
  // CHECK-LABEL: gpu.func @one_0
  // CHECK: %[[NUMBER:.*]] = gpu.block_id x
  // CHECK: ck.direct_gemm %[[NUMBER]] ins(%{{.*}}, %{{.*}} : !view, !view1) outs(%{{.*}} : !view2) ds(%{{.*}} : !view2)
  // CHECK-SAME: direct <channels = 8, columns = 4, rows = 1> xcds 8 epilogue {

  // The workgroups of a table belong to one part after the other.
  // CHECK-LABEL: gpu.func @table_1
  // CHECK: %[[FIRST:.*]] = gpu.block_id x
  // CHECK: arith.cmpi ult, %[[FIRST]], %c8
  // CHECK: scf.if
  // CHECK-NEXT: ck.direct_gemm %[[FIRST]] ins
  // CHECK: %[[SECOND:.*]] = arith.subi %[[FIRST]], %c8
  // CHECK: arith.cmpi ult, %[[SECOND]], %c8
  // CHECK: scf.if
  // CHECK-NEXT: ck.direct_gemm %[[SECOND]] outs

  // CHECK-LABEL: gpu.func @sum_2
  // CHECK: %[[WORKGROUP:.*]] = gpu.block_id x
  // CHECK: ck.direct_sum %[[WORKGROUP]] ins(%{{.*}}, %{{.*}} : !view{{.*}}) outs(%{{.*}}) workspace(%{{.*}} : memref<656xi32>)
  // CHECK-SAME: direct <channels = 8, columns = 4, rows = 1, slices = 2> xcds 8
}
