// RUN: %run-program %s --kernels=5 | FileCheck %s
// CHECK: 5 launches
// CHECK: training-step.mlir: equal

// One step of training: two layers forward, the gradients of both filters and of what is between
// them, and the update of the filters by gradient descent with a rate that is a power of two.

// The gradient of a filter: sums over images and places.
#x = affine_map<(k, c, r, s, n, h, w) -> (n, c, h + r, w + s)>
#dy = affine_map<(k, c, r, s, n, h, w) -> (n, k, h, w)>
#dw = affine_map<(k, c, r, s, n, h, w) -> (k, c, r, s)>
// The gradient of an input: every element of the gradient of the output, spread over its window.
#out = affine_map<(n, k, h, w, c, r, s) -> (n, k, h, w)>
#filter = affine_map<(n, k, h, w, c, r, s) -> (k, c, r, s)>
#in = affine_map<(n, k, h, w, c, r, s) -> (n, c, h + r, w + s)>

func.func @step(%x: tensor<2x4x8x8xf32>, %w0: tensor<8x4x3x3xf32>, %w1: tensor<4x8x3x3xf32>,
                %target: tensor<2x4x4x4xf32>) -> (tensor<8x4x3x3xf32>, tensor<4x8x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  // Forward.
  %e0 = tensor.empty() : tensor<2x8x6x6xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %h = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w0 : tensor<2x4x8x8xf32>, tensor<8x4x3x3xf32>)
    outs(%z0 : tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %e1 = tensor.empty() : tensor<2x4x4x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%h, %w1 : tensor<2x8x6x6xf32>, tensor<4x8x3x3xf32>)
    outs(%z1 : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  // The gradient of half the square of the error.
  %e = arith.subf %y, %target : tensor<2x4x4x4xf32>
  // Backward: the second filter, what is between, the first filter.
  %f0 = tensor.empty() : tensor<4x8x3x3xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%f0 : tensor<4x8x3x3xf32>) -> tensor<4x8x3x3xf32>
  %dw1 = linalg.generic {indexing_maps = [#x, #dy, #dw], iterator_types = ["parallel", "parallel",
      "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%h, %e : tensor<2x8x6x6xf32>, tensor<2x4x4x4xf32>) outs(%g0 : tensor<4x8x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8x3x3xf32>
  %dh = linalg.generic {indexing_maps = [#out, #filter, #in], iterator_types = ["parallel",
      "reduction", "reduction", "reduction", "parallel", "reduction", "reduction"]}
    ins(%e, %w1 : tensor<2x4x4x4xf32>, tensor<4x8x3x3xf32>) outs(%z0 : tensor<2x8x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8x6x6xf32>
  %f1 = tensor.empty() : tensor<8x4x3x3xf32>
  %g1 = linalg.fill ins(%zero : f32) outs(%f1 : tensor<8x4x3x3xf32>) -> tensor<8x4x3x3xf32>
  %dw0 = linalg.generic {indexing_maps = [#x, #dy, #dw], iterator_types = ["parallel", "parallel",
      "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %dh : tensor<2x4x8x8xf32>, tensor<2x8x6x6xf32>) outs(%g1 : tensor<8x4x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4x3x3xf32>
  // The update.
  %rate0 = arith.constant dense<0.00390625> : tensor<8x4x3x3xf32>
  %rate1 = arith.constant dense<0.00390625> : tensor<4x8x3x3xf32>
  %d0 = arith.mulf %dw0, %rate0 : tensor<8x4x3x3xf32>
  %d1 = arith.mulf %dw1, %rate1 : tensor<4x8x3x3xf32>
  %n0 = arith.subf %w0, %d0 : tensor<8x4x3x3xf32>
  %n1 = arith.subf %w1, %d1 : tensor<4x8x3x3xf32>
  return %n0, %n1 : tensor<8x4x3x3xf32>, tensor<4x8x3x3xf32>
}
