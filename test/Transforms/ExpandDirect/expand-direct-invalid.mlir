// RUN: ck-opt %s --split-input-file --verify-diagnostics --ck-expand-direct

// The views must be in kernels, and tiles with waves.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @tiles() kernel {
    // expected-error @+1 {{does not belong to form 'wave': expected 'ck-distribute-to-waves' to run before}}
    %acc = ck.zero_acc : !ck.acc<32x32xf32, #layout>
    gpu.return
  }
}

// -----

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

gpu.module @kernels {
  // expected-error @+1 {{no target chip: expected 'ck.target' on the module}}
  gpu.func @no_chip(%c: memref<2x4x4x8x1xf16>) kernel {
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w outs(%vc : !c_view) direct <channels = 4, columns = 1, rows = 1>
    gpu.return
  }
}

// -----

// The flags and sums of two slices.
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

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @slices(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>, %ws: memref<600xi32>) kernel {
    %va = ck.transform %dy : memref<2x4x4x8x1xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x8x1xf16> -> !x_view
    %vc = ck.transform %dw : memref<8x1x3x3x1xf32> -> !dw_view
    %w = gpu.block_id x
    // expected-error @+1 {{requires a workspace of 656 words, got 600}}
    ck.direct_sum %w ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) workspace(%ws : memref<600xi32>) direct <channels = 8, columns = 4, rows = 1, slices = 2>
    gpu.return
  }
}
