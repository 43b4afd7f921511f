// RUN: ck-opt %s --ck-attach-target --ck-verify-form=form=problem | FileCheck %s
// RUN: ck-opt %s --ck-attach-target=chip=gfx942 | FileCheck %s
// EXAMPLE-BEFORE: func.func @dw .. ck.conv
// EXAMPLE-AFTER: ^module attributes .. ck.conv
// The chip becomes the one attribute of the module that later passes read; the IR stays as it is.

// CHECK: module attributes {ck.target = #ck.target<"gfx942">}
// CHECK-NEXT: func.func @dw
// CHECK-NEXT: ck.conv_bwd_weight
func.func @dw(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
