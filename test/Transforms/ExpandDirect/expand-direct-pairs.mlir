// RUN: ck-opt %s --ck-expand-direct | FileCheck %s
// Two channels of a group are halves of a register: one instruction multiplies both.

#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, c: 2) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 4, M: 32, K: 18)>
#b_map = #ck.transform_map<(g: 4, k: 2, y: 3, x: 3, c: 2) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 4, N: 2, K: 18)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, k: 2) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 4, M: 32, N: 2)>
!a_view = !ck.view<4x32x18xf16, #a_map>
!b_view = !ck.view<4x2x18xf16, #b_map>
!c_view = !ck.view<4x32x2xf16, #c_map>

gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: gpu.func @pairs
  // CHECK-COUNT-72: llvm.call_intrinsic "llvm.amdgcn.fdot2"
  // CHECK-NOT: fdot2
  // CHECK-NOT: math.fma
  // CHECK: ck.store %{{.*}} : vector<8xf16>, <!view2>
  gpu.func @pairs(%a: memref<2x4x4x4x2xf16>, %b: memref<4x2x3x3x2xf16>, %c: memref<2x4x4x4x2xf16>) kernel {
    %va = ck.transform %a : memref<2x4x4x4x2xf16> -> !a_view
    %vb = ck.transform %b : memref<4x2x3x3x2xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x4x2xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 8, columns = 1, rows = 1>
    gpu.return
  }
}
