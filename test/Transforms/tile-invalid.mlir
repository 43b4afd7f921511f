// RUN: ck-opt %s --transform-interpreter --split-input-file --verify-diagnostics
// What cannot be tiled says so at the problem.

func.func @space(%x: tensor<4x8x8x1x16xf16>, %w: tensor<1x32x3x3x16xf16>)
    -> tensor<4x8x8x1x32xf16> {
  %y = tensor.empty() : tensor<4x8x8x1x32xf16>
  // expected-error @+3 {{'ck.conv_fwd' op cannot tile dimension 1 (H): expected batch, groups or channels}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = ck.conv_fwd ins(%x, %w : tensor<4x8x8x1x16xf16>, tensor<1x32x3x3x16xf16>)
    outs(%y : tensor<4x8x8x1x32xf16>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1]
    pad_low [1, 1] pad_high [1, 1] -> tensor<4x8x8x1x32xf16>
  return %0 : tensor<4x8x8x1x32xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["ck.conv_fwd"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @remainder(%a: tensor<1x64x32xf16>, %b: tensor<1x48x32xf16>) -> tensor<1x64x48xf32> {
  %c = tensor.empty() : tensor<1x64x48xf32>
  // expected-error @+3 {{'ck.batched_gemm' op expected a tile size that divides dimension 1 (M) of 64 elements}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = ck.batched_gemm ins(%a, %b : tensor<1x64x32xf16>, tensor<1x48x32xf16>)
    outs(%c : tensor<1x64x48xf32>) layout "rcr" -> tensor<1x64x48xf32>
  return %0 : tensor<1x64x48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %gemm = transform.structured.match ops{["ck.batched_gemm"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %gemm tile_sizes [0, 24]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @shuffled(%a: tensor<1x64x32xf16>, %b: tensor<1x4x4x16x8xf16>) -> tensor<1x64x64xf32> {
  %c = tensor.empty() : tensor<1x64x64xf32>
  // expected-error @+3 {{'ck.batched_gemm' op cannot tile dimension 2 (N), along which weights are shuffled}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = ck.batched_gemm ins(%a, %b : tensor<1x64x32xf16>, tensor<1x4x4x16x8xf16>)
    outs(%c : tensor<1x64x64xf32>) layout "rcr" preshuffle 16 -> tensor<1x64x64xf32>
  return %0 : tensor<1x64x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %gemm = transform.structured.match ops{["ck.batched_gemm"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %gemm tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
