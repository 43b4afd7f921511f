// RUN: ck-opt %s --ck-gemm-to-grid --split-input-file --verify-diagnostics
// A GEMM without a legal schedule, without visible tensors or without a chip has no kernel.

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @no_schedule(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>) {
    %va = ck.transform %a : memref<1x32x32xf16> -> !view
    %vb = ck.transform %b : memref<1x32x32xf16> -> !view
    // expected-error @below {{form 'scheduled' requires a schedule and a layout: expected 'ck-assign-schedule' to run before}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view)
    return
  }
}

// -----

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @views_as_arguments(%va: !view, %vb: !view) {
    // expected-error @below {{expected operands made by ck.transform}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view) schedule #s layout #layout
    return
  }
}

// -----

// 2^17 x 2^17 tiles of 16 x 16: the grid has one 32-bit dimension.
#a_map = #ck.transform_map<(k: 16) by [broadcast g : 1, broadcast m : 2097152] to (g: 1, m: 2097152, k: 16)>
#c_map = #ck.transform_map<(c: 1) by [broadcast g : 1, broadcast m : 2097152, broadcast n : 2097152, freeze c = 0] to (g: 1, m: 2097152, n: 2097152)>
!a_view = !ck.view<1x2097152x16xf16, #a_map>
!c_view = !ck.view<1x2097152x2097152xf16, #c_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = columns>
#s = #ck.schedule<tile = 16x16x16, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @grid(%a: memref<16xf16>, %c: memref<1xf16>) {
    %va = ck.transform %a : memref<16xf16> -> !a_view
    %vc = ck.transform %c : memref<1xf16> -> !c_view
    // expected-error @below {{the grid has 17179869184 workgroups: at most 2147483647}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view) schedule #s layout #layout
    return
  }
}

// -----

// 2^14 x 2^14 tiles of 16 x 16: the work-items of a dimension are counted in 32 bits.
#a_map = #ck.transform_map<(k: 16) by [broadcast g : 1, broadcast m : 262144] to (g: 1, m: 262144, k: 16)>
#c_map = #ck.transform_map<(c: 1) by [broadcast g : 1, broadcast m : 262144, broadcast n : 262144, freeze c = 0] to (g: 1, m: 262144, n: 262144)>
!a_view = !ck.view<1x262144x16xf16, #a_map>
!c_view = !ck.view<1x262144x262144xf16, #c_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = columns>
#s = #ck.schedule<tile = 16x16x16, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @grid(%a: memref<16xf16>, %c: memref<1xf16>) {
    %va = ck.transform %a : memref<16xf16> -> !a_view
    %vc = ck.transform %c : memref<1xf16> -> !c_view
    // expected-error @below {{the grid has 17179869184 work-items, in 268435456 workgroups of 64: at most 4294967295}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view) schedule #s layout #layout
    return
  }
}

// -----

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
module {
  func.func @no_target(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>) {
    %va = ck.transform %a : memref<1x32x32xf16> -> !view
    %vb = ck.transform %b : memref<1x32x32xf16> -> !view
    // expected-error @below {{no target chip: expected 'ck.target' on the module (see ck-attach-target)}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view) schedule #s layout #layout
    return
  }
}

// -----

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 5, partition = data_parallel>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @illegal_schedule(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>) {
    %va = ck.transform %a : memref<1x32x32xf16> -> !view
    %vb = ck.transform %b : memref<1x32x32xf16> -> !view
    // expected-error @below {{stages must be in [2, 4], got 5}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view) schedule #s layout #layout
    return
  }
}

// -----

// 2^22 steps of K for each of 2^22 x 2^22 tiles.
#a_map = #ck.transform_map<(c: 1) by [broadcast g : 1, broadcast m : 67108864, broadcast k : 67108864, freeze c = 0] to (g: 1, m: 67108864, k: 67108864)>
!view = !ck.view<1x67108864x67108864xf16, #a_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = columns>
#s = #ck.schedule<tile = 16x16x16, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @iterations(%a: memref<1xf16>, %c: memref<1xf16>) {
    %va = ck.transform %a : memref<1xf16> -> !view
    %vc = ck.transform %c : memref<1xf16> -> !view
    // expected-error @below {{expected at most 2^62 iterations in a launch}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vc : !view) schedule #s layout #layout
    return
  }
}

// -----

// A problem that no pass has lowered.
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
    // expected-error @below {{'ck.conv_bwd_weight' op does not belong to form 'scheduled': expected 'ck-conv-to-gemm' to run before}}
    ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
      outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
    return
  }
}
