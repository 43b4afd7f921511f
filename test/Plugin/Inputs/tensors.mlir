func.func @conv_fwd(%x: tensor<1x4x4x1x16xf16>, %f: tensor<1x16x1x1x16xf16>,
                    %y: tensor<1x4x4x1x16xf16>) -> tensor<1x4x4x1x16xf16> {
  %0 = ck.conv_fwd ins(%x, %f : tensor<1x4x4x1x16xf16>, tensor<1x16x1x1x16xf16>)
      outs(%y : tensor<1x4x4x1x16xf16>) layout <NHWGC, GKYXC, NHWGK> strides [1, 1]
      dilations [1, 1] pad_low [0, 0] pad_high [0, 0] -> tensor<1x4x4x1x16xf16>
  return %0 : tensor<1x4x4x1x16xf16>
}
