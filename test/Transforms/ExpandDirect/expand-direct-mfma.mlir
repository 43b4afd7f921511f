// RUN: ck-opt %s --ck-expand-direct | FileCheck %s
// Matrix instructions multiply: of 4x4 blocks, for four lanes that have the same channels at different
// positions, or of 16x16 blocks, for all lanes of a wave.

#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 16, c: 4) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 16, M: 32, K: 36)>
#b_map = #ck.transform_map<(g: 16, k: 4, y: 3, x: 3, c: 4) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 16, N: 4, K: 36)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 16, k: 4) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 16, M: 32, N: 4)>
!a_view = !ck.view<16x32x36xf16, #a_map>
!b_view = !ck.view<16x4x36xf16, #b_map>
!c_view = !ck.view<16x32x4xf16, #c_map>

// Backward-weight: a lane has one input channel, and loads one output channel.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 16, k: 4) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 16, M: 4, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 16, c: 4) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 16, N: 36, K: 32)>
#dw_map = #ck.transform_map<(g: 16, k: 4, y: 3, x: 3, c: 4) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 16, M: 4, N: 36)>
!dy_view = !ck.view<16x4x32xf16, #dy_map>
!x_view = !ck.view<16x36x32xf16, #x_map>
!dw_view = !ck.view<16x4x36xf32, #dw_map>

// The same with groups of eight, of two blocks each.
#dy8_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 8) by
                            [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 8, K: 32)>
#x8_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 8) by
                           [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                            embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                            merge K = (n, ho, wo)] to (G: 8, N: 72, K: 32)>
#dw8_map = #ck.transform_map<(g: 8, k: 8, y: 3, x: 3, c: 8) by
                            [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 8, N: 72)>
!dy8_view = !ck.view<8x8x32xf16, #dy8_map>
!x8_view = !ck.view<8x72x32xf16, #x8_map>
!dw8_view = !ck.view<8x8x72xf32, #dw8_map>

// Groups of sixteen, whose workgroups have four of them.
#a16_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, c: 16) by
                            [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                             embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                             merge K = (y, x, c)] to (G: 4, M: 32, K: 144)>
#b16_map = #ck.transform_map<(g: 4, k: 16, y: 3, x: 3, c: 16) by
                            [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 4, N: 16, K: 144)>
#c16_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, k: 16) by
                            [pass G = g, merge M = (n, h, w), pass N = k] to (G: 4, M: 32, N: 16)>
!a16_view = !ck.view<4x32x144xf16, #a16_map>
!b16_view = !ck.view<4x16x144xf16, #b16_map>
!c16_view = !ck.view<4x32x16xf16, #c16_map>

// Backward-weight of these groups.
#dy16_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, k: 16) by
                             [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 4, M: 16, K: 32)>
#x16_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 4, c: 16) by
                            [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                             embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                             merge K = (n, ho, wo)] to (G: 4, N: 144, K: 32)>
#dw16_map = #ck.transform_map<(g: 4, k: 16, y: 3, x: 3, c: 16) by
                             [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 4, M: 16, N: 144)>
!dy16_view = !ck.view<4x16x32xf16, #dy16_map>
!x16_view = !ck.view<4x144x32xf16, #x16_map>
!dw16_view = !ck.view<4x16x144xf32, #dw16_map>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @gemm
  // Four channels at four heights of three columns.
  // CHECK-COUNT-12: ck.load %{{.*}} : <!view> -> vector<4xf16>
  // A row of weights for each tap.
  // CHECK-COUNT-9: memref.load %{{.*}} : memref<{{.*}}xvector<4xi16>
  // From the lanes that have loaded side by side: two dwords of each vector.
  // CHECK-COUNT-24: rocdl.ds_bpermute
  // CHECK-NOT: rocdl.ds_bpermute
  // Nine taps of one position, then of the other one.
  // CHECK-COUNT-18: amdgpu.mfma 4x4x4 {{.*}} {blocks = 16 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  // CHECK-NOT: amdgpu.mfma
  // And back.
  // CHECK-COUNT-2: rocdl.ds_bpermute
  // CHECK: ck.store %{{.*}} : vector<4xf16>
  // CHECK-COUNT-2: rocdl.ds_bpermute
  // CHECK: ck.store %{{.*}} : vector<4xf16>
  gpu.func @gemm(%a: memref<2x4x4x16x4xf16>, %b: memref<16x4x3x3x4xf16>, %c: memref<2x4x4x16x4xf16>) kernel {
    %va = ck.transform %a : memref<2x4x4x16x4xf16> -> !a_view
    %vb = ck.transform %b : memref<16x4x3x3x4xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x16x4xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 4, columns = 1, rows = 2, mfma = 4>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @gemm16
  // A quarter of the channels at four heights of three columns.
  // CHECK-COUNT-12: ck.load %{{.*}} : <!view{{.*}}> -> vector<4xf16>
  // CHECK-NOT: ck.load %{{.*}} : <!view{{.*}}> -> vector<4xf16>
  // CHECK-COUNT-9: memref.load %{{.*}} : memref<{{.*}}xvector<4xi16>
  // CHECK-COUNT-24: rocdl.ds_bpermute
  // CHECK-COUNT-18: amdgpu.mfma 16x16x16 {{.*}} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  // CHECK-NOT: amdgpu.mfma
  // Neighbouring channels of a position are in four waves: results go through LDS.
  // CHECK: lds_barrier
  // CHECK-COUNT-2: memref.store %{{.*}} : memref<2560xvector<4xf16>
  // CHECK: lds_barrier
  // CHECK-COUNT-2: memref.load %{{.*}} : memref<2560xvector<4xf16>
  // CHECK-NOT: rocdl.ds_bpermute
  // CHECK-COUNT-2: ck.store %{{.*}} : vector<4xf16>
  gpu.func @gemm16(%a: memref<2x4x4x4x16xf16>, %b: memref<4x16x3x3x16xf16>, %c: memref<2x4x4x4x16xf16>) kernel {
    %va = ck.transform %a : memref<2x4x4x4x16xf16> -> !a16_view
    %vb = ck.transform %b : memref<4x16x3x3x16xf16> -> !b16_view
    %vc = ck.transform %c : memref<2x4x4x4x16xf16> -> !c16_view
    %w = gpu.block_id x
    ck.direct_gemm %w ins(%va, %vb : !a16_view, !b16_view) outs(%vc : !c16_view) direct <channels = 4, columns = 1, rows = 2, mfma = 16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @sum
  // All lanes of a wave go round the loop equally often.
  // CHECK: rocdl.readfirstlane
  // CHECK: scf.for
  // CHECK-COUNT-20: ck.load {{.*}} -> vector<1xf16>
  // CHECK-NOT: ck.load
  // CHECK-COUNT-9: amdgpu.mfma 4x4x4
  // CHECK-NOT: amdgpu.mfma
  // CHECK: scf.yield
  // CHECK-NOT: amdgpu.dpp
  gpu.func @sum(%x: memref<2x4x4x16x4xf16>, %dy: memref<2x4x4x16x4xf16>, %dw: memref<16x4x3x3x4xf32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x16x4xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x16x4xf16> -> !x_view
    %vc = ck.transform %dw : memref<16x4x3x3x4xf32> -> !dw_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) direct <channels = 1, columns = 2, rows = 2, slices = 1, mfma = 4>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @two_blocks
  // CHECK-COUNT-9: amdgpu.mfma 4x4x4
  // The output channels of the other block.
  // CHECK-COUNT-2: amdgpu.dpp %{{.*}} %{{.*}} row_half_mirror(unit) : i32
  // CHECK-COUNT-9: amdgpu.mfma 4x4x4
  // CHECK-NOT: amdgpu.mfma
  gpu.func @two_blocks(%x: memref<2x4x4x8x8xf16>, %dy: memref<2x4x4x8x8xf16>, %dw: memref<8x8x3x3x8xf32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x8x8xf16> -> !dy8_view
    %vb = ck.transform %x : memref<2x4x4x8x8xf16> -> !x8_view
    %vc = ck.transform %dw : memref<8x8x3x3x8xf32> -> !dw8_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !dy8_view, !x8_view) outs(%vc : !dw8_view) direct <channels = 1, columns = 2, rows = 2, slices = 1, mfma = 4>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @sum16
  // A channel of each operand, at two by two positions that each quarter of a wave has for itself.
  // CHECK: scf.for
  // CHECK-COUNT-20: ck.load {{.*}} -> vector<1xf16>
  // CHECK-NOT: ck.load
  // CHECK-COUNT-9: amdgpu.mfma 16x16x16
  // CHECK-NOT: amdgpu.mfma
  // CHECK: scf.yield
  gpu.func @sum16(%x: memref<2x4x4x4x16xf16>, %dy: memref<2x4x4x4x16xf16>, %dw: memref<4x16x3x3x16xf32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x4x16xf16> -> !dy16_view
    %vb = ck.transform %x : memref<2x4x4x4x16xf16> -> !x16_view
    %vc = ck.transform %dw : memref<4x16x3x3x16xf32> -> !dw16_view
    %w = gpu.block_id x
    ck.direct_sum %w ins(%va, %vb : !dy16_view, !x16_view) outs(%vc : !dw16_view) direct <channels = 1, columns = 2, rows = 2, slices = 1, mfma = 16>
    gpu.return
  }
}
