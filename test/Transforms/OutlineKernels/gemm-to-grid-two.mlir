// RUN: ck-opt %s --ck-gemm-to-grid --ck-verify-form=form=grid | FileCheck %s
// Several GEMMs become several kernels of one module, numbered; a module without one stays as it is.

#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#s = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

module attributes {ck.target = #ck.target<"gfx942">} {
  // CHECK-LABEL: func.func @chain
  // CHECK: gpu.launch_func @kernels::@chain_0
  // CHECK: gpu.launch_func @kernels::@chain_1
  // CHECK: gpu.module @kernels
  // CHECK: gpu.func @chain_0
  // CHECK: gpu.func @chain_1
  // CHECK-NOT: gpu.module
  func.func @chain(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>) {
    %va = ck.transform %a : memref<1x32x32xf16> -> !view
    %vb = ck.transform %b : memref<1x32x32xf16> -> !view
    ck.gemm ins(%va, %va : !view, !view) outs(%vb : !view) schedule #s layout #layout
    ck.gemm ins(%vb, %vb : !view, !view) outs(%va : !view) schedule #s layout #layout
    return
  }
}
