// RUN: ck-opt %s --ck-assign-schedule --split-input-file --verify-diagnostics
// RUN: not ck-opt %s --ck-assign-schedule=schedule=tile=big --split-input-file 2>&1 | FileCheck %s
// A schedule that cannot be generated, and a GEMM that no schedule can serve, are refused here.

// CHECK: error: {{.*}}tile must have 3 sizes separated by 'x', got 'big'

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @tile_and_waves(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{tile M must be a multiple of 2 waves x 32 = 64, got 96}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 96x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = data_parallel>
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx90a">} {
  func.func @mapping(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{mapping=8:64 gives chunks of 64 tiles to XCDs, gfx90a has one; expected mapping=8}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 64x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = data_parallel, mapping = window 8 + chunk 64>
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @partition(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{deterministic=true and partition=split_k:8, whose slices are added by atomics in any order; expected split_k:8:two_stage}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 64x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<8>, deterministic = true>
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @roles(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{roles=4+2 has 2 math waves, waves=2x2 has 4}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 64x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = load 4 + math 2,
                stages = 2, partition = data_parallel>
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @lds(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{schedule needs 131072 bytes of LDS, gfx942 has 65536 for a workgroup}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 128x128x128, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = data_parallel>
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xi32, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xi32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx1100">} {
  func.func @operand_type(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{gfx1100 has no matrix instruction for i32}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf8E5M2FNUZ, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx90a">} {
  func.func @fnuz_without_instructions(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{gfx90a takes 8-bit floats of type 'f8E5M2', got elements of 'f8E5M2FNUZ'}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf8E4M3FN, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @fp8_kind(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{gfx942 takes 8-bit floats of type 'f8E4M3FNUZ', got elements of 'f8E4M3FN'}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    return
  }
}

// -----

// A map that address code cannot follow: a part of a merge is merged again after a shift.
!a_view = !ck.view<1x64x8xf16, #ck.transform_map<(g: 1, m: 64, p: 3, q: 4) by
    [merge r = (p, q), slice r 2 to 10, pass k = r] to (g: 1, m: 64, k: 8)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @shifted_merge(%a: !a_view, %b: !a_view, %c: !c_view) {
    // expected-error @below {{cannot split merged dimension 'r': a later transform makes it from several, shifted or fewer coordinates}}
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    return
  }
}

// -----

!a_view = !ck.view<1x64x48xf16, #ck.transform_map<(g: 1, m: 64, k: 48) by [] to (g: 1, m: 64, k: 48)>>
!c_view = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
func.func @no_target(%a: !a_view, %b: !a_view, %c: !c_view) {
  // expected-error @below {{target}}
  ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
  return
}

// -----

// Address code cannot follow a dimension that is merged and then cut.
#a_map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
#c_map = #ck.transform_map<(g: 1, m: 32, p: 5, q: 7) by
    [merge r = (p, q), slice r 2 to 34, pass n = r] to (g: 1, m: 32, n: 32)>
!a = !ck.view<1x32x32xf16, #a_map>
!c = !ck.view<1x32x32xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @result(%a: !a, %c: !c) {
    // expected-error @below {{cannot split merged dimension 'r'}}
    ck.gemm ins(%a, %a : !a, !a) outs(%c : !c)
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
#c_map = #ck.transform_map<(g: 1, m: 32, p: 5, q: 7) by
    [merge r = (p, q), slice r 2 to 34, pass n = r] to (g: 1, m: 32, n: 32)>
!a = !ck.view<1x32x32xf16, #a_map>
!c = !ck.view<1x32x32xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @operand_of_the_epilogue(%a: !a, %c: !c) {
    // expected-error @below {{cannot split merged dimension 'r'}}
    ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) ds(%c : !c) epilogue {
    ^bb0(%acc: f32, %d: f16):
      ck.yield %d : f16
    }
    return
  }
}

// -----

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>
!a = !ck.view<1x64x320xf16, #a_map>
!c = !ck.view<1x64x64xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  llvm.func @no_function(%x: !llvm.ptr, %z: !llvm.ptr) {
    %x2 = builtin.unrealized_conversion_cast %x : !llvm.ptr to !a
    %z2 = builtin.unrealized_conversion_cast %z : !llvm.ptr to !c
    // expected-error @below {{expected to be in a func.func, which partition 'split_k:2:two_stage' gives an argument for the workspace}}
    ck.gemm ins(%x2, %x2 : !a, !a) outs(%z2 : !c)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<2, two_stage>>
    llvm.return
  }
}

// -----

// A problem that no pass has lowered.
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
    // expected-error @below {{'ck.conv_bwd_weight' op does not belong to form 'implicit-gemm': expected 'ck-conv-to-gemm' to run before}}
    ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
      outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
    return
  }
}
