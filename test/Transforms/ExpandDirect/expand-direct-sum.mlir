// RUN: ck-opt %s --ck-expand-direct | FileCheck %s
// Lanes sum over positions in a loop; then the sums of lanes, and of workgroups, are added.

#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
#many_dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4096, k: 1) by
                                [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 4096, M: 1, K: 32)>
#many_x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4096, c: 1) by
                               [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                                embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                                merge K = (n, ho, wo)] to (G: 4096, N: 9, K: 32)>
#many_dw_map = #ck.transform_map<(g: 4096, k: 1, y: 3, x: 3, c: 1) by
                                [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 4096, M: 1, N: 9)>
!many_dy_view = !ck.view<4096x1x32xf16, #many_dy_map>
!many_x_view = !ck.view<4096x9x32xf16, #many_x_map>
!many_dw_view = !ck.view<4096x1x9xf32, #many_dw_map>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @slices
  // Workgroups that sum.
  // CHECK: scf.if
  // CHECK: scf.for {{.*}} iter_args
  // Four positions of dy; of x a row of six at three heights.
  // CHECK-COUNT-4: ck.load %{{.*}} : <!view> -> vector<8xf16>
  // CHECK-COUNT-18: ck.load %{{.*}} : <!view1> -> vector<8xf16>
  // CHECK-NOT: ck.load
  // Two positions at once: 72 sums of two pairs.
  // CHECK-COUNT-144: llvm.call_intrinsic "llvm.amdgcn.fdot2"
  // CHECK-NOT: fdot2
  // CHECK: scf.yield
  // Eight of 72 results of each lane at a time.
  // CHECK-COUNT-8: memref.store
  // CHECK: amdgpu.lds_barrier
  // CHECK: arith.addf
  // CHECK: rocdl.raw.ptr.buffer.store
  // What all have left is signalled.
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK: gpu.barrier
  // CHECK: llvm.store %{{.*}} atomic syncscope("agent") monotonic
  // Workgroups that add.
  // CHECK: scf.if
  // CHECK: scf.while
  // CHECK: llvm.load %{{.*}} atomic syncscope("agent") monotonic
  // CHECK: llvm.fence syncscope("agent") acquire
  // CHECK: rocdl.raw.ptr.buffer.load
  // CHECK: llvm.store %{{.*}} atomic syncscope("agent") monotonic
  // CHECK: amdgpu.lds_barrier
  // CHECK: ck.store %{{.*}} : vector<1xf32>, <!view2>
  gpu.func @slices(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>, %ws: memref<656xi32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x8x1xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x8x1xf16> -> !x_view
    %vc = ck.transform %dw : memref<8x1x3x3x1xf32> -> !dw_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) workspace(%ws : memref<656xi32>) direct <channels = 8, columns = 4, rows = 1, slices = 2> xcds 8
    gpu.return
  }

  // One slice waits for nobody.
  // CHECK-LABEL: gpu.func @whole
  // CHECK-NOT: llvm.fence
  // CHECK: ck.store %{{.*}} : vector<1xf32>, <!view2>
  // CHECK-NOT: llvm.fence
  // CHECK: gpu.return
  gpu.func @whole(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x8x1xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x8x1xf16> -> !x_view
    %vc = ck.transform %dw : memref<8x1x3x3x1xf32> -> !dw_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) direct <channels = 8, columns = 1, rows = 1, slices = 1>
    gpu.return
  }

  // Of many results, a lane adds the sums of four side by side, and leaves them to the first waves.
  // CHECK-LABEL: gpu.func @many
  // CHECK: scf.while
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}} : vector<4xf32>
  // CHECK: arith.addf %{{.*}} : vector<4xf32>
  // CHECK-COUNT-4: memref.store
  // CHECK: amdgpu.lds_barrier
  // CHECK-COUNT-8: memref.load
  // CHECK: ck.store %{{.*}} : vector<1xf32>
  gpu.func @many(%x: memref<2x4x4x4096x1xf16>, %dy: memref<2x4x4x4096x1xf16>, %dw: memref<4096x1x3x3x1xf32>, %ws: memref<122880xi32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x4096x1xf16> -> !many_dy_view
    %vb = ck.transform %x : memref<2x4x4x4096x1xf16> -> !many_x_view
    %vc = ck.transform %dw : memref<4096x1x3x3x1xf32> -> !many_dw_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !many_dy_view, !many_x_view) outs(%vc : !many_dw_view) workspace(%ws : memref<122880xi32>) direct <channels = 8, columns = 4, rows = 1, slices = 2> xcds 8
    gpu.return
  }
}
