// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Zero points that a kernel cannot subtract stay as they are; on request a remark says why.

// It would meet another sum of the input at each position.
// CHECK-LABEL: func.func @filter_zp(
// CHECK: linalg.conv_2d_nhwc_hwcf_q
func.func @filter_zp(%x: tensor<1x6x6x16xi8>, %w: tensor<3x3x16x32xi8>,
                     %y: tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  // expected-remark @+1 {{not converted: cannot subtract zero point 3 of the filter}}
  %0 = linalg.conv_2d_nhwc_hwcf_q
    {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zero, %three : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%y : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  return %0 : tensor<1x4x4x32xi32>
}

// CHECK-LABEL: func.func @dyn_zp(
// CHECK: linalg.conv_2d_nhwc_hwcf_q
func.func @dyn_zp(%x: tensor<1x6x6x16xi8>, %w: tensor<3x3x16x32xi8>, %y: tensor<1x4x4x32xi32>,
                  %zp: i32) -> tensor<1x4x4x32xi32> {
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{not converted: expected constant zero points}}
  %0 = linalg.conv_2d_nhwc_hwcf_q
    {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zp, %zero : tensor<1x6x6x16xi8>, tensor<3x3x16x32xi8>, i32, i32)
    outs(%y : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32>
  return %0 : tensor<1x4x4x32xi32>
}
