// RUN: ck-opt %s --ck-conv-to-gemm=merge-groups=3 --split-input-file --verify-diagnostics
// What the lowering cannot address or compute is refused at the convolution, with nothing changed.

func.func @tensors(%x: tensor<1x4x4x1x8xf16>, %dy: tensor<1x4x4x1x8xf16>,
                   %dw: tensor<1x8x1x1x8xf32>) -> tensor<1x8x1x1x8xf32> {
  // expected-error @below {{expected memref operands, got 'tensor<1x4x4x1x8xf16>'; run one-shot-bufferize first}}
  %0 = ck.conv_bwd_weight ins(%x, %dy : tensor<1x4x4x1x8xf16>, tensor<1x4x4x1x8xf16>)
    outs(%dw : tensor<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] -> tensor<1x8x1x1x8xf32>
  return %0 : tensor<1x8x1x1x8xf32>
}

// -----

// Three of four groups cannot be one GEMM.
func.func @groups(%x: memref<1x4x4x4x2xf16>, %w: memref<4x2x1x1x2xf16>, %y: memref<1x4x4x4x2xf16>) {
  // expected-error @below {{cannot merge 3 of 4 groups: expected a divisor of the number of groups}}
  ck.conv_fwd ins(%x, %w : memref<1x4x4x4x2xf16>, memref<4x2x1x1x2xf16>)
    outs(%y : memref<1x4x4x4x2xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}

// -----

// What an epilogue reads comes through its arguments.
// expected-note @below {{the value is defined here}}
func.func @outside(%a: memref<1x64x32xf16>, %c: memref<1x64x64xf16>, %factor: f32) {
  // expected-error @below {{expected the epilogue to read its arguments and constants, got a value from outside}}
  ck.batched_gemm ins(%a, %a : memref<1x64x32xf16>, memref<1x64x32xf16>)
    outs(%c : memref<1x64x64xf16>) layout "rcr" epilogue {
  ^bb0(%acc: f32):
    %0 = arith.mulf %acc, %factor : f32
    %1 = arith.truncf %0 : f32 to f16
    ck.yield %1 : f16
  }
  return
}
