// RUN: ck-opt %s --ck-lower-to-rocdl=chip=gfx942 | mlir-opt --gpu-module-to-binary=format=isa | FileCheck %s
// From the rocdl form on, stock tools without our dialect can take over.

// CHECK: gpu.binary @kernels
// CHECK-SAME: v_mfma_f32
func.func @conv(%x: memref<2x8x8x1x64xf16>, %dy: memref<2x8x8x1x64xf16>,
                %dw: memref<1x64x3x3x64xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x8x8x1x64xf16>, memref<2x8x8x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
