// RUN: ck-opt %s --ck-serialize-kernels --verify-diagnostics

// A problem that no pass has lowered.
func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @below {{expected to be lowered to kernels and their launches before}}
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
