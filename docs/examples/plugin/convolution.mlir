func.func @convolution(%input: memref<8x14x14x1x64xf16>, %filter: memref<1x64x3x3x64xf16>,
                       %output: memref<8x14x14x1x64xf16>) {
  ck.conv_fwd
      ins(%input, %filter : memref<8x14x14x1x64xf16>, memref<1x64x3x3x64xf16>)
      outs(%output : memref<8x14x14x1x64xf16>)
      layout <NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
