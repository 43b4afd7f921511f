// RUN: %run-program %s --kernels=3 | FileCheck %s
// CHECK: gradient-gather.mlir: equal

// Gradients with respect to the input as people write them with a gather: positions in the padded
// output gradient fall with the loops of the filter.

#x2 = affine_map<(n, h, w, c, r, s, k) -> (n, h - r + 2, w - s + 2, k)>
#w2 = affine_map<(n, h, w, c, r, s, k) -> (r, s, c, k)>
#y2 = affine_map<(n, h, w, c, r, s, k) -> (n, h, w, c)>

// Of a dilated filter, channels first.
#x1 = affine_map<(n, c, w, k, s) -> (n, k, w - s * 2 + 4)>
#w1 = affine_map<(n, c, w, k, s) -> (k, c, s)>
#y1 = affine_map<(n, c, w, k, s) -> (n, c, w)>

func.func @forward(%dy: tensor<2x6x7x8xf32>, %w: tensor<3x3x4x8xf32>, %dz: tensor<2x8x9xf32>,
                   %v: tensor<8x5x3xf32>, %bias: tensor<4xf32>)
    -> (tensor<2x6x7x4xf32>, tensor<2x8x9x4xf32>, tensor<2x5x13xf32>) {
  %zero = arith.constant 0.0 : f32
  // Padding 1 of the forward convolution, with a bias behind it.
  %p = tensor.pad %dy low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x8xf32> to tensor<2x8x9x8xf32>
  %e = tensor.empty() : tensor<2x6x7x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x4xf32>) -> tensor<2x6x7x4xf32>
  %a = linalg.generic {indexing_maps = [#x2, #w2, #y2], iterator_types = ["parallel", "parallel",
      "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%p, %w : tensor<2x8x9x8xf32>, tensor<3x3x4x8xf32>) outs(%z : tensor<2x6x7x4xf32>) {
  ^bb0(%x: f32, %f: f32, %acc: f32):
    %m = arith.mulf %x, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x6x7x4xf32>
  %ab = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>,
      affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a, %bias : tensor<2x6x7x4xf32>, tensor<4xf32>) outs(%e : tensor<2x6x7x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<2x6x7x4xf32>
  // No padding of the forward convolution: all that windows of 3 reach.
  %q = tensor.pad %dy low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x6x7x8xf32> to tensor<2x10x11x8xf32>
  %e1 = tensor.empty() : tensor<2x8x9x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x8x9x4xf32>) -> tensor<2x8x9x4xf32>
  %b = linalg.generic {indexing_maps = [#x2, #w2, #y2], iterator_types = ["parallel", "parallel",
      "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%q, %w : tensor<2x10x11x8xf32>, tensor<3x3x4x8xf32>) outs(%z1 : tensor<2x8x9x4xf32>) {
  ^bb0(%x: f32, %f: f32, %acc: f32):
    %m = arith.mulf %x, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x9x4xf32>
  %u = tensor.pad %dz low[0, 0, 4] high[0, 0, 4] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x8x9xf32> to tensor<2x8x17xf32>
  %e2 = tensor.empty() : tensor<2x5x13xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %c = linalg.generic {indexing_maps = [#x1, #w1, #y1], iterator_types = ["parallel", "parallel",
      "parallel", "reduction", "reduction"]}
    ins(%u, %v : tensor<2x8x17xf32>, tensor<8x5x3xf32>) outs(%z2 : tensor<2x5x13xf32>) {
  ^bb0(%x: f32, %f: f32, %acc: f32):
    %m = arith.mulf %x, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x13xf32>
  return %ab, %b, %c : tensor<2x6x7x4xf32>, tensor<2x8x9x4xf32>, tensor<2x5x13xf32>
}
