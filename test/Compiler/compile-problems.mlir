// RUN: ck-opt %s --ck-compile-problems="chip=gfx942 format=isa" | FileCheck %s
// RUN: ck-opt %s --ck-compile-problems=chip=gfx942 | FileCheck %s --check-prefix=BINARY

// EXAMPLE-BEFORE: func.func @two .. return
// EXAMPLE-AFTER: func.func @two .. return

// Both problems are kernels, and a workspace would be allocated here. The other module is not ours.

// CHECK-LABEL: func.func @two(
// CHECK:         gpu.launch_func @kernels::@two_0
// CHECK:         gpu.launch_func @kernels::@two_1
// CHECK:       gpu.module @other
// CHECK:       gpu.binary @kernels [#gpu.object<{{.*}}, assembly = "{{.*}}.vgpr_spill_count: 0
// BINARY:      gpu.binary @kernels [#gpu.object<{{.*}}, bin = "\7FELF
func.func @two(%x: memref<1x64x32xf16>, %w: memref<1x32x48xf16>, %v: memref<1x48x16xf16>,
               %t: memref<1x64x48xf16>, %y: memref<1x64x16xf16>) {
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x48xf16>)
    outs(%t : memref<1x64x48xf16>) layout "rrr"
  ck.batched_gemm ins(%t, %v : memref<1x64x48xf16>, memref<1x48x16xf16>)
    outs(%y : memref<1x64x16xf16>) layout "rrr"
  return
}

gpu.module @other {
}
