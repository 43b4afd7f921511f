// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-pipeline-block-gemm))' --split-input-file --verify-diagnostics
// Block GEMMs that share the LDS without a sync, or whose schedule the target cannot run.

!view = !ck.view<1x64x64xf16, #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
gpu.module @two_block_gemms [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%a: memref<64x64xf16>) kernel {
    %v = ck.transform %a : memref<64x64xf16> -> !view
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 2 : index
    %0 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k1) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    // expected-error @below {{expected a 'ck.sync' between the steps of two block GEMMs, and behind a store through their ring}}
    %1 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k1) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    gpu.return
  }
}

// -----

!view = !ck.view<1x64x64xf16, #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 5, partition = data_parallel>
gpu.module @illegal_schedule [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%a: memref<64x64xf16>) kernel {
    %v = ck.transform %a : memref<64x64xf16> -> !view
    %k0 = arith.constant 0 : index
    // expected-error @below {{stages must be in [2, 4], got 5}}
    %0 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k0) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    gpu.return
  }
}

// -----

!view = !ck.view<1x64x64xf16, #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = load 4 + math 2,
                  stages = 2, partition = data_parallel>
gpu.module @roles [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%a: memref<64x64xf16>) kernel {
    %v = ck.transform %a : memref<64x64xf16> -> !view
    %k0 = arith.constant 0 : index
    // expected-error @below {{roles=4+2 has 2 math waves, waves=1x1 has 1}}
    %0 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k0) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    gpu.return
  }
}

// -----

!view = !ck.view<1x64x64xf16, #ck.transform_map<(k: 64, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
gpu.module @unknown_chip [#rocdl.target<chip = "gfx803">] {
  gpu.func @kernel(%a: memref<64x64xf16>) kernel {
    %v = ck.transform %a : memref<64x64xf16> -> !view
    %k0 = arith.constant 0 : index
    // expected-error @below {{unknown chip 'gfx803'}}
    %0 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k0) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    gpu.return
  }
}

// -----

!view = !ck.view<1x64x8xf16, #ck.transform_map<(g: 1, m: 64, p: 3, q: 4) by
    [merge r = (p, q), slice r 2 to 10, pass k = r] to (g: 1, m: 64, k: 8)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
gpu.module @shifted_merge [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%a: memref<1x64x3x4xf16>) kernel {
    %v = ck.transform %a : memref<1x64x3x4xf16> -> !view
    %k0 = arith.constant 0 : index
    // expected-error @below {{cannot split merged dimension 'r'}}
    %0 = ck.block_gemm %v[%k0, %k0], %v[%k0] k_steps(%k0 to %k0) schedule #s
      : !view, !view -> <32x32xf32, #layout>
    gpu.return
  }
}
