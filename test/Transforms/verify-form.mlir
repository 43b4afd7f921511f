// RUN: ck-opt %s --ck-verify-form=form=problem | FileCheck %s
// EXAMPLE-BEFORE: func.func @dw .. strides
// RUN: ck-opt %s --ck-lower-to-problem --ck-verify-form=form=problem -o /dev/null
// RUN: ck-opt %s --ck-lower-to-implicit-gemm --ck-verify-form=form=implicit-gemm -o /dev/null
// RUN: ck-opt %s --ck-lower-to-scheduled --ck-verify-form=form=scheduled -o /dev/null
// RUN: ck-opt %s --ck-lower-to-grid --ck-verify-form=form=grid -o /dev/null
// RUN: ck-opt %s --ck-lower-to-workgroup --ck-verify-form=form=workgroup -o /dev/null
// RUN: ck-opt %s --ck-lower-to-block --ck-verify-form=form=block -o /dev/null
// RUN: ck-opt %s --ck-lower-to-wave --ck-verify-form=form=wave -o /dev/null
// RUN: ck-opt %s --ck-lower-to-arithmetic --ck-verify-form=form=arithmetic -o /dev/null
// RUN: ck-opt %s --ck-lower-to-lane --ck-verify-form=form=lane -o /dev/null
// RUN: ck-opt %s --ck-lower-to-upstream --ck-verify-form=form=upstream -o /dev/null
// RUN: ck-opt %s --ck-lower-to-rocdl --ck-verify-form=form=rocdl -o /dev/null
// Every rung holds its own form; the check changes nothing.

// CHECK-LABEL: @dw
// CHECK: ck.conv_bwd_weight
func.func @dw(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
