// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-lower-transforms))' --split-input-file --verify-diagnostics
// Maps that address code cannot follow.

!view = !ck.view<1x64x8xf16, #ck.transform_map<(g: 1, m: 64, p: 3, q: 4) by
    [merge r = (p, q), slice r 2 to 10, pass k = r] to (g: 1, m: 64, k: 8)>>
gpu.module @shifted_merge [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{cannot split merged dimension 'r': a later transform makes it from several, shifted or fewer coordinates}}
  gpu.func @kernel(%t: memref<1x64x3x4xf16>) kernel {
    %v = ck.transform %t : memref<1x64x3x4xf16> -> !view
    gpu.return
  }
}

// -----

!view = !ck.view<1x4x4xf16, #ck.transform_map<(g: 1, m: 4, k: 4) by [] to (g: 1, m: 4, k: 4)>>
gpu.module @no_target {
  // expected-error @below {{no target chip}}
  gpu.func @kernel(%t: memref<1x4x4xf16>) kernel {
    %v = ck.transform %t : memref<1x4x4xf16> -> !view
    gpu.return
  }
}
