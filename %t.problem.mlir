module {
  func.func @conv_bwd_weight(%arg0: memref<1x4x4x1x8xf16>, %arg1: memref<1x4x4x1x8xf16>, %arg2: memref<1x8x1x1x8xf32>) {
    ck.conv_bwd_weight ins(%arg0, %arg1 : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>) outs(%arg2 : memref<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
    return
  }
}
