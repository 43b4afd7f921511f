// RUN: ck-opt %s --pass-pipeline='builtin.module(builtin.module(ck-compile-pipeline{verify-forms=true}))' | FileCheck %s
// RUN: ck-opt %s --pass-pipeline='builtin.module(builtin.module(ck-lower-to-naive))' | FileCheck %s --check-prefix=NAIVE
// A pipeline on nested modules lowers each of them, with its own kernels and its own chip.

// CHECK:       module @first
// CHECK:         gpu.launch_func @kernels::@forward
// CHECK:         gpu.binary @kernels [#gpu.object<#rocdl.target<{{.*}}chip = "gfx942"
// CHECK:       module @second
// CHECK:         gpu.launch_func @kernels::@forward
// CHECK:         gpu.binary @kernels
// NAIVE:       module @first
// NAIVE:         gpu.func @forward_naive
// NAIVE:       module @second
// NAIVE:         gpu.func @forward_naive
module @first {
  func.func @forward(%a: memref<1x8x16xf16>, %b: memref<1x16x32xf16>, %c: memref<1x8x32xf16>) {
    ck.batched_gemm ins(%a, %b : memref<1x8x16xf16>, memref<1x16x32xf16>)
      outs(%c : memref<1x8x32xf16>) layout "rrr"
    return
  }
}

module @second {
  func.func @forward(%a: memref<1x8x16xf32>, %b: memref<1x16x32xf32>, %c: memref<1x8x32xf32>) {
    ck.batched_gemm ins(%a, %b : memref<1x8x16xf32>, memref<1x16x32xf32>)
      outs(%c : memref<1x8x32xf32>) layout "rrr"
    return
  }
}
