// RUN: not ck-opt %s --ck-compile-program=chip=gfx000 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ck-opt %s --ck-compile-program=schedule=tile=7 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not ck-opt %s --ck-compile-program=host=tpu 2>&1 | FileCheck %s --check-prefix=PLACE

// CHIP:     error: unknown chip 'gfx000'
// SCHEDULE: error: {{.*}}tile
// PLACE:    tpu
func.func @forward(%x: tensor<1x64x32xf32>, %w: tensor<1x32x48xf32>) -> tensor<1x64x48xf32> {
  %e = tensor.empty() : tensor<1x64x48xf32>
  %t = ck.batched_gemm ins(%x, %w : tensor<1x64x32xf32>, tensor<1x32x48xf32>)
    outs(%e : tensor<1x64x48xf32>) layout "rrr" -> tensor<1x64x48xf32>
  return %t : tensor<1x64x48xf32>
}
