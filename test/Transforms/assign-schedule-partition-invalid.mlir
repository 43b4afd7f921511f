// RUN: ck-opt %s --ck-assign-schedule=residents=4 --split-input-file --verify-diagnostics
// Partitions that a GEMM's results, the chip or the host function do not allow.

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 320) by [] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf32, #c_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @epilogue(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    // expected-error @below {{partition 'split_k:4' adds up results in memory, but they go through an epilogue; expected 'split_k:4:two_stage'}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<4>> epilogue {
    ^bb0(%acc: f32):
      ck.yield %acc : f32
    }
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 320) by [] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf16, #c_map>

module attributes {ck.target = #ck.target<"gfx1100">} {
  func.func @no_instruction(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf16>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf16> -> !c_view
    // expected-error @below {{gfx1100 has no atomic addition for f16; expected 'split_k:4:two_stage'}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                stages = 2, partition = split_k<4>>
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 320) by [] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf32, #c_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @called(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    // expected-error @below {{expected no calls of 'called', which partition 'stream_k:tree' gives an argument for the workspace}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = stream_k<tree>>
    return
  }
  func.func @caller(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    call @called(%a, %b, %c) : (memref<1x64x320xf16>, memref<1x96x320xf16>, memref<1x64x96xf32>) -> ()
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 95, k: 320) by [] to (g: 1, n: 95, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 95) by [] to (g: 1, m: 64, n: 95)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x95x320xf16, #b_map>
!c_view = !ck.view<1x64x95xf16, #c_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @pairs(%a: memref<1x64x320xf16>, %b: memref<1x95x320xf16>, %c: memref<1x64x95xf16>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x95x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x95xf16> -> !c_view
    // expected-error @below {{adds up results of 16 bits in memory by twos, but neighbours are not aligned in memory; expected 'split_k:4:two_stage'}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<4>>
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 310) by [pad k 5 : 5] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf32, #c_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @omit_padding(%a: memref<1x64x320xf16>, %b: memref<1x96x310xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x310xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    // expected-error @below {{partition 'split_k:4' adds up results in memory, but those that are NaN are computed again from all of K; expected 'split_k:4:two_stage'}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) omit_padding
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<4>>
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 65536, k: 4096) by [] to (g: 1, m: 65536, k: 4096)>
#c_map = #ck.transform_map<(g: 1, m: 65536, n: 65536) by [] to (g: 1, m: 65536, n: 65536)>
!a_view = !ck.view<1x65536x4096xf16, #a_map>
!c_view = !ck.view<1x65536x65536xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @workspace(%a: memref<1x65536x4096xf16>, %c: memref<1x65536x65536xf16>) {
    %va = ck.transform %a : memref<1x65536x4096xf16> -> !a_view
    %vc = ck.transform %c : memref<1x65536x65536xf16> -> !c_view
    // expected-error @below {{partition 'split_k:32:two_stage' needs a workspace of 549755813888 bytes: at most 8589934588}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view)
      schedule <tile = 128x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<32, two_stage>>
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 16, k: 34359738400) by [] to (g: 1, m: 16, k: 34359738400)>
#c_map = #ck.transform_map<(g: 1, m: 16, n: 16) by [] to (g: 1, m: 16, n: 16)>
!a_view = !ck.view<1x16x34359738400xf16, #a_map>
!c_view = !ck.view<1x16x16xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @iterations(%a: memref<1x16x34359738400xf16>, %c: memref<1x16x16xf16>) {
    %va = ck.transform %a : memref<1x16x34359738400xf16> -> !a_view
    %vc = ck.transform %c : memref<1x16x16xf16> -> !c_view
    // One tile for four workgroups.
    // expected-error @below {{partition 'stream_k:tree' shares 2147483650 iterations: at most 2147483647; use a larger tile}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view)
      schedule <tile = 16x16x16, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                stages = 2, partition = stream_k<tree>>
    return
  }
}

// -----

// Slices of a direct kernel need a workspace as well.
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
  func.func @called(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>) {
    %va = ck.transform %dy : memref<2x4x4x8x1xf16> -> !dy_view
    %vb = ck.transform %x : memref<2x4x4x8x1xf16> -> !x_view
    %vc = ck.transform %dw : memref<8x1x3x3x1xf32> -> !dw_view
    // expected-error @below {{expected no calls of 'called', which direct '8x4x1:2' gives an argument for the workspace}}
    ck.gemm ins(%va, %vb : !dy_view, !x_view) outs(%vc : !dw_view) direct <channels = 8, columns = 4, rows = 1, slices = 2>
    return
  }
  func.func @caller(%x: memref<2x4x4x8x1xf16>, %dy: memref<2x4x4x8x1xf16>, %dw: memref<8x1x3x3x1xf32>) {
    call @called(%x, %dy, %dw) : (memref<2x4x4x8x1xf16>, memref<2x4x4x8x1xf16>, memref<8x1x3x3x1xf32>) -> ()
    return
  }
}
