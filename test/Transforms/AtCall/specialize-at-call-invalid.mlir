// RUN: ck-opt %s --ck-specialize-at-call=chip=gfx90a --remarks-filter='ck-specialize-at-call' --verify-diagnostics | FileCheck %s

// Images come in many heights; such a function stays on the host.
// CHECK-LABEL: func.func @height(
// CHECK:         linalg.conv_2d_nhwc_hwcf
// expected-remark @+1 {{expected only dimension 0, the batch, to be unknown, got tensor<1x?x6x4xf32> as argument 0}}
func.func @height(%x: tensor<1x?x6x4xf32>, %w: tensor<3x3x4x8xf32>, %y: tensor<1x?x4x8xf32>)
  -> tensor<1x?x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x?x6x4xf32>, tensor<3x3x4x8xf32>)
    outs(%y : tensor<1x?x4x8xf32>) -> tensor<1x?x4x8xf32>
  return %0 : tensor<1x?x4x8xf32>
}
