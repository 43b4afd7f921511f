// Each pipeline stops at its rung; the forms are checked on the way.

// RUN: ck-opt %s --ck-lower-to-problem=verify-forms=true | FileCheck %s --check-prefix=PROBLEM
// RUN: ck-opt %s --ck-lower-to-implicit-gemm=verify-forms=true | FileCheck %s --check-prefix=GEMM
// RUN: ck-opt %s --ck-lower-to-scheduled="verify-forms=true schedule=tile=64x64x32,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel" | FileCheck %s --check-prefix=SCHEDULED
// RUN: ck-opt %s --ck-lower-to-grid=verify-forms=true | FileCheck %s --check-prefix=GRID
// RUN: ck-opt %s --ck-lower-to-block=verify-forms=true | FileCheck %s --check-prefix=BLOCK
// RUN: ck-opt %s --ck-lower-to-lane=verify-forms=true | FileCheck %s --check-prefix=LANE
// RUN: ck-opt %s --ck-lower-to-rocdl=verify-forms=true | FileCheck %s --check-prefix=ROCDL
// RUN: ck-opt %s --ck-lower-to-naive=verify-forms=true | FileCheck %s --check-prefix=NAIVE
// RUN: ck-opt %s --ck-compile-pipeline=verify-forms=true | FileCheck %s --check-prefix=BINARY
// RUN: ck-opt %s --ck-compile-pipeline="verify-forms=true format=isa" | FileCheck %s --check-prefix=ISA

// Options reach the passes.
// RUN: not ck-opt %s --ck-lower-to-scheduled=schedule=tile=1 2>&1 | FileCheck %s --check-prefix=SCHEDULE

// PROBLEM: ck.target = #ck.target<"gfx942">
// PROBLEM: ck.conv_bwd_weight
// GEMM-NOT: ck.conv_bwd_weight
// GEMM: ck.gemm
// SCHEDULED: #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform, stages = 2, partition = data_parallel>
// SCHEDULED: ck.gemm
// GRID: gpu.launch_func @kernels::@dw
// GRID: ck.distribute
// BLOCK: ck.wave_specialize
// BLOCK: ck.mma_{{unit|tile}}
// LANE-NOT: ck.{{[a-z_]+}} %
// LANE: amdgpu.mfma
// NAIVE: gpu.launch_func @kernels::@dw_naive
// NAIVE-NOT: amdgpu.mfma
// NAIVE: math.fma
// ROCDL: gpu.launch_func @kernels::@dw
// ROCDL: llvm.func @dw
// ROCDL: rocdl.mfma
// BINARY: gpu.binary @kernels {{.*}}bin = "\7FELF
// ISA: gpu.binary @kernels {{.*}}assembly = {{.*}}v_mfma_f32
// SCHEDULE: error: {{.*}}tile must have 3 sizes separated by 'x', got '1'
func.func @dw(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x14x14x1x64xf16>,
              %dw: memref<1x64x3x3x64xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
