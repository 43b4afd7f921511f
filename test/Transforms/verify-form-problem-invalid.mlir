// RUN: ck-opt %s --ck-verify-form=form=problem --split-input-file --verify-diagnostics

// Form 'problem' holds problems on memrefs or tensors, and nothing that they are lowered to.

#map = #ck.transform_map<(n: 1, h: 4, w: 4, g: 1, c: 8) by [pass G = g, merge M = (n, h, w), pass K = c] to (G: 1, M: 16, K: 8)>
!view = !ck.view<1x16x8xf16, #map>
func.func @view(%x: memref<1x4x4x1x8xf16>) {
  // expected-error @+1 {{'ck.transform' op does not belong to form 'problem'}}
  %0 = ck.transform %x : memref<1x4x4x1x8xf16> -> !view
  return
}

// -----

// The first op that does not belong is named, though the problem before it does.
func.func @priority(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>, %c: memref<1x4x4xf16>) {
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xf16>)
      layout "rcr"
  // expected-error @+1 {{'ck.priority' op does not belong to form 'problem'}}
  ck.priority 1
  return
}
