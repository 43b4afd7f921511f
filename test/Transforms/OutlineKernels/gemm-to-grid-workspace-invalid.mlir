// RUN: ck-opt %s --ck-gemm-to-grid=residents=4 --verify-diagnostics
// A function with calls cannot be given an argument for a workspace, whoever has scheduled its GEMMs.

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 320) by [] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf32, #c_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @called(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    // expected-error @below {{expected no calls of 'called', which partition 'stream_k:tree' gives an argument for the workspace}}
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = stream_k<tree>> layout #layout
    return
  }
  func.func @caller(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    call @called(%a, %b, %c) : (memref<1x64x320xf16>, memref<1x96x320xf16>, memref<1x64x96xf32>) -> ()
    return
  }
}
