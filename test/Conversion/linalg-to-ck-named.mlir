// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Every named convolution is a ck.conv_fwd with the layout of its name; dimensions that it does not
// have are of size 1.

// CHECK-LABEL: func.func @conv_1d(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x9x1x1xf32>, tensor<1x1x3x1xf32>)
// CHECK-SAME: layout <NWGC, GKXC, NWGK>
// CHECK-SAME: strides [1] dilations [1] pad_low [0] pad_high [0]
func.func @conv_1d(%x: tensor<9xf32>, %w: tensor<3xf32>) -> tensor<7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
  %y = linalg.conv_1d
    ins(%x, %w : tensor<9xf32>, tensor<3xf32>) outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// CHECK-LABEL: func.func @conv_1d_nwc_wcf(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x9x1x4xf32>, tensor<1x3x4x6xf32>)
// CHECK-SAME: layout <NWGC, GXCK, NWGK>
// CHECK-SAME: strides [2] dilations [1] pad_low [0] pad_high [0]
func.func @conv_1d_nwc_wcf(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %y = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %y : tensor<2x4x6xf32>
}

// CHECK-LABEL: func.func @conv_1d_ncw_fcw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x1x4x9xf32>, tensor<1x6x4x3xf32>)
// CHECK-SAME: layout <NGCW, GKCX, NGKW>
// CHECK-SAME: strides [2] dilations [1] pad_low [0] pad_high [0]
func.func @conv_1d_ncw_fcw(%x: tensor<2x4x9xf32>, %w: tensor<6x4x3xf32>) -> tensor<2x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x6x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  %y = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x4x9xf32>, tensor<6x4x3xf32>) outs(%init : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// CHECK-LABEL: func.func @conv_2d(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x7x9x1x1xf32>, tensor<1x1x3x3x1xf32>)
// CHECK-SAME: layout <NHWGC, GKYXC, NHWGK>
// CHECK-SAME: strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d(%x: tensor<7x9xf32>, %w: tensor<3x3xf32>) -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  %y = linalg.conv_2d
    ins(%x, %w : tensor<7x9xf32>, tensor<3x3xf32>) outs(%init : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_hwcf(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x7x9x1x4xf32>, tensor<1x3x3x4x6xf32>)
// CHECK-SAME: layout <NHWGC, GYXCK, NHWGK>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_nhwc_hwcf(%x: tensor<2x7x9x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<2x3x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x4xf32>, tensor<3x3x4x6xf32>) outs(%init : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
  return %y : tensor<2x3x4x6xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_fhwc(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x7x9x1x4xf32>, tensor<1x6x3x3x4xf32>)
// CHECK-SAME: layout <NHWGC, GKYXC, NHWGK>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_nhwc_fhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<6x3x3x4xf32>) -> tensor<2x3x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x4xf32>, tensor<6x3x3x4xf32>) outs(%init : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
  return %y : tensor<2x3x4x6xf32>
}

// CHECK-LABEL: func.func @conv_2d_nchw_fchw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x1x4x7x9xf32>, tensor<1x6x4x3x3xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_nchw_fchw(%x: tensor<2x4x7x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<2x6x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x6x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x6x3x4xf32>) -> tensor<2x6x3x4xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x4x7x9xf32>, tensor<6x4x3x3xf32>) outs(%init : tensor<2x6x3x4xf32>) -> tensor<2x6x3x4xf32>
  return %y : tensor<2x6x3x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_fgchw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x3x4x7x9xf32>, tensor<6x3x4x3x3xf32>)
// CHECK-SAME: layout <NGCHW, KGCYX, NGKHW>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_ngchw_fgchw(%x: tensor<2x3x4x7x9xf32>, %w: tensor<6x3x4x3x3xf32>) -> tensor<2x3x6x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x6x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x6x3x4xf32>) -> tensor<2x3x6x3x4xf32>
  %y = linalg.conv_2d_ngchw_fgchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x3x4x7x9xf32>, tensor<6x3x4x3x3xf32>) outs(%init : tensor<2x3x6x3x4xf32>) -> tensor<2x3x6x3x4xf32>
  return %y : tensor<2x3x6x3x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_gfchw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x3x4x7x9xf32>, tensor<3x6x4x3x3xf32>)
// CHECK-SAME: layout <NGCHW, GKCYX, NGKHW>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_ngchw_gfchw(%x: tensor<2x3x4x7x9xf32>, %w: tensor<3x6x4x3x3xf32>) -> tensor<2x3x6x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x6x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x6x3x4xf32>) -> tensor<2x3x6x3x4xf32>
  %y = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x3x4x7x9xf32>, tensor<3x6x4x3x3xf32>) outs(%init : tensor<2x3x6x3x4xf32>) -> tensor<2x3x6x3x4xf32>
  return %y : tensor<2x3x6x3x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwgc_gfhwc(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x7x9x3x4xf32>, tensor<3x6x3x3x4xf32>)
// CHECK-SAME: layout <NHWGC, GKYXC, NHWGK>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @conv_2d_nhwgc_gfhwc(%x: tensor<2x7x9x3x4xf32>, %w: tensor<3x6x3x3x4xf32>) -> tensor<2x3x4x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x3x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x3x6xf32>) -> tensor<2x3x4x3x6xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x3x4xf32>, tensor<3x6x3x3x4xf32>) outs(%init : tensor<2x3x4x3x6xf32>) -> tensor<2x3x4x3x6xf32>
  return %y : tensor<2x3x4x3x6xf32>
}

// CHECK-LABEL: func.func @conv_3d(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<1x5x7x9x1x1xf32>, tensor<1x1x2x3x3x1xf32>)
// CHECK-SAME: layout <NDHWGC, GKZYXC, NDHWGK>
// CHECK-SAME: strides [1, 1, 1] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @conv_3d(%x: tensor<5x7x9xf32>, %w: tensor<2x3x3xf32>) -> tensor<4x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x5x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5x7xf32>) -> tensor<4x5x7xf32>
  %y = linalg.conv_3d
    ins(%x, %w : tensor<5x7x9xf32>, tensor<2x3x3xf32>) outs(%init : tensor<4x5x7xf32>) -> tensor<4x5x7xf32>
  return %y : tensor<4x5x7xf32>
}

// CHECK-LABEL: func.func @conv_3d_ndhwc_dhwcf(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x5x7x9x1x4xf32>, tensor<1x2x3x3x4x6xf32>)
// CHECK-SAME: layout <NDHWGC, GZYXCK, NDHWGK>
// CHECK-SAME: strides [2, 2, 2] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @conv_3d_ndhwc_dhwcf(%x: tensor<2x5x7x9x4xf32>, %w: tensor<2x3x3x4x6xf32>) -> tensor<2x2x3x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2x3x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2x3x4x6xf32>) -> tensor<2x2x3x4x6xf32>
  %y = linalg.conv_3d_ndhwc_dhwcf {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<2x3x3x4x6xf32>) outs(%init : tensor<2x2x3x4x6xf32>) -> tensor<2x2x3x4x6xf32>
  return %y : tensor<2x2x3x4x6xf32>
}

// CHECK-LABEL: func.func @conv_3d_ncdhw_fcdhw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x1x4x5x7x9xf32>, tensor<1x6x4x2x3x3xf32>)
// CHECK-SAME: layout <NGCDHW, GKCZYX, NGKDHW>
// CHECK-SAME: strides [2, 2, 2] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @conv_3d_ncdhw_fcdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<6x4x2x3x3xf32>) -> tensor<2x6x2x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x6x2x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x6x2x3x4xf32>) -> tensor<2x6x2x3x4xf32>
  %y = linalg.conv_3d_ncdhw_fcdhw {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<6x4x2x3x3xf32>) outs(%init : tensor<2x6x2x3x4xf32>) -> tensor<2x6x2x3x4xf32>
  return %y : tensor<2x6x2x3x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wc(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x9x4x1xf32>, tensor<3x4x1x1xf32>)
// CHECK-SAME: layout <NWGC, XGKC, NWGK>
// CHECK-SAME: strides [2] dilations [1] pad_low [0] pad_high [0]
func.func @depthwise_conv_1d_nwc_wc(%x: tensor<2x9x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %y = linalg.depthwise_conv_1d_nwc_wc {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x4xf32>, tensor<3x4xf32>) outs(%init : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_ncw_cw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x4x1x9xf32>, tensor<4x1x3x1xf32>)
// CHECK-SAME: layout <NGCW, GKXC, NGKW>
// CHECK-SAME: strides [2] dilations [1] pad_low [0] pad_high [0]
func.func @depthwise_conv_1d_ncw_cw(%x: tensor<2x4x9xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %y = linalg.depthwise_conv_1d_ncw_cw {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x4x9xf32>, tensor<4x3xf32>) outs(%init : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wcm(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x9x4x1xf32>, tensor<3x4x2x1xf32>)
// CHECK-SAME: layout <NWGC, XGKC, NWGK>
// CHECK-SAME: strides [2] dilations [1] pad_low [0] pad_high [0]
func.func @depthwise_conv_1d_nwc_wcm(%x: tensor<2x9x4xf32>, %w: tensor<3x4x2xf32>) -> tensor<2x4x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  %y = linalg.depthwise_conv_1d_nwc_wcm {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x4xf32>, tensor<3x4x2xf32>) outs(%init : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  return %y : tensor<2x4x4x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwc(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x7x9x4x1xf32>, tensor<3x3x4x1x1xf32>)
// CHECK-SAME: layout <NHWGC, YXGKC, NHWGK>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @depthwise_conv_2d_nhwc_hwc(%x: tensor<2x7x9x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x3x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x4xf32>, tensor<3x3x4xf32>) outs(%init : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nchw_chw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x4x1x7x9xf32>, tensor<4x1x3x3x1xf32>)
// CHECK-SAME: layout <NGCHW, GKYXC, NGKHW>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @depthwise_conv_2d_nchw_chw(%x: tensor<2x4x7x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x4x7x9xf32>, tensor<4x3x3xf32>) outs(%init : tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32>
  return %y : tensor<2x4x3x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwcm(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x7x9x4x1xf32>, tensor<3x3x4x2x1xf32>)
// CHECK-SAME: layout <NHWGC, YXGKC, NHWGK>
// CHECK-SAME: strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
func.func @depthwise_conv_2d_nhwc_hwcm(%x: tensor<2x7x9x4xf32>, %w: tensor<3x3x4x2xf32>) -> tensor<2x3x4x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x4x2xf32>) -> tensor<2x3x4x4x2xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x4xf32>, tensor<3x3x4x2xf32>) outs(%init : tensor<2x3x4x4x2xf32>) -> tensor<2x3x4x4x2xf32>
  return %y : tensor<2x3x4x4x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwc(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x5x7x9x4x1xf32>, tensor<2x3x3x4x1x1xf32>)
// CHECK-SAME: layout <NDHWGC, ZYXGKC, NDHWGK>
// CHECK-SAME: strides [2, 2, 2] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @depthwise_conv_3d_ndhwc_dhwc(%x: tensor<2x5x7x9x4xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x2x3x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2x3x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2x3x4x4xf32>) -> tensor<2x2x3x4x4xf32>
  %y = linalg.depthwise_conv_3d_ndhwc_dhwc {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<2x3x3x4xf32>) outs(%init : tensor<2x2x3x4x4xf32>) -> tensor<2x2x3x4x4xf32>
  return %y : tensor<2x2x3x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ncdhw_cdhw(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x4x1x5x7x9xf32>, tensor<4x1x2x3x3x1xf32>)
// CHECK-SAME: layout <NGCDHW, GKZYXC, NGKDHW>
// CHECK-SAME: strides [2, 2, 2] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @depthwise_conv_3d_ncdhw_cdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<2x4x2x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x2x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x2x3x4xf32>) -> tensor<2x4x2x3x4xf32>
  %y = linalg.depthwise_conv_3d_ncdhw_cdhw {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<4x2x3x3xf32>) outs(%init : tensor<2x4x2x3x4xf32>) -> tensor<2x4x2x3x4xf32>
  return %y : tensor<2x4x2x3x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwcm(
// CHECK: ck.conv_fwd ins(%{{.*}}, %{{.*}} : tensor<2x5x7x9x4x1xf32>, tensor<2x3x3x4x2x1xf32>)
// CHECK-SAME: layout <NDHWGC, ZYXGKC, NDHWGK>
// CHECK-SAME: strides [2, 2, 2] dilations [1, 1, 1] pad_low [0, 0, 0] pad_high [0, 0, 0]
func.func @depthwise_conv_3d_ndhwc_dhwcm(%x: tensor<2x5x7x9x4xf32>, %w: tensor<2x3x3x4x2xf32>) -> tensor<2x2x3x4x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2x3x4x4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2x3x4x4x2xf32>) -> tensor<2x2x3x4x4x2xf32>
  %y = linalg.depthwise_conv_3d_ndhwc_dhwcm {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<2x3x3x4x2xf32>) outs(%init : tensor<2x2x3x4x4x2xf32>) -> tensor<2x2x3x4x4x2xf32>
  return %y : tensor<2x2x3x4x4x2xf32>
}
