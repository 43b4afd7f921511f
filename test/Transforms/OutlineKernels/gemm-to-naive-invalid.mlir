// RUN: ck-opt %s --ck-gemm-to-naive --split-input-file --verify-diagnostics
// A GEMM without visible tensors, without a chip or with too many elements has no kernel.

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @views_as_arguments(%va: !view, %vb: !view) {
    // expected-error @below {{expected operands made by ck.transform}}
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view)
    return
  }
}

// -----

// The numbers of work-items have 32 bits.
#a_map = #ck.transform_map<(k: 16) by [broadcast g : 1, broadcast m : 65536] to (g: 1, m: 65536, k: 16)>
#c_map = #ck.transform_map<(c: 1) by [broadcast g : 1, broadcast m : 65536, broadcast n : 65536, freeze c = 0] to (g: 1, m: 65536, n: 65536)>
!a_view = !ck.view<1x65536x16xf16, #a_map>
!c_view = !ck.view<1x65536x65536xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @work_items(%a: memref<16xf16>, %c: memref<1xf16>) {
    %va = ck.transform %a : memref<16xf16> -> !a_view
    %vc = ck.transform %c : memref<1xf16> -> !c_view
    // expected-error @below {{the result has 4294967296 elements: at most 4294967040 can have a work-item each}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view)
    return
  }
}

// -----

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
// expected-error @below {{no target chip: expected 'ck.target' on the module (see ck-attach-target)}}
module {
  func.func @no_target(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>) {
    %va = ck.transform %a : memref<1x32x32xf16> -> !view
    %vb = ck.transform %b : memref<1x32x32xf16> -> !view
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view)
    return
  }
}

// -----

// Nor can they be counted in 64 bits.
#a_map = #ck.transform_map<(k: 16) by [broadcast g : 1, broadcast m : 4294967296] to (g: 1, m: 4294967296, k: 16)>
#c_map = #ck.transform_map<(c: 1) by [broadcast g : 1, broadcast m : 4294967296, broadcast n : 4294967296, freeze c = 0] to (g: 1, m: 4294967296, n: 4294967296)>
!a_view = !ck.view<1x4294967296x16xf16, #a_map>
!c_view = !ck.view<1x4294967296x4294967296xf16, #c_map>
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @overflow(%a: memref<16xf16>, %c: memref<1xf16>) {
    %va = ck.transform %a : memref<16xf16> -> !a_view
    %vc = ck.transform %c : memref<1xf16> -> !c_view
    // expected-error @below {{at most 4294967040 can have a work-item each}}
    ck.gemm ins(%va, %va : !a_view, !a_view) outs(%vc : !c_view)
    return
  }
}

// -----

// A module that was lowered further.
// expected-error @below {{expected something of form 'implicit-gemm' in the module, got only kernels of other forms}}
module attributes {ck.target = #ck.target<"gfx942">} {
  gpu.module @kernels {
    gpu.func @lowered() kernel {
      gpu.return
    }
  }
}

// -----

// A module that computes nothing.
// expected-error @below {{expected a problem, a 'ck.gemm' or a 'ck.fill' in the module, got none}}
module attributes {ck.target = #ck.target<"gfx942">} {
  func.func @empty() {
    return
  }
}
