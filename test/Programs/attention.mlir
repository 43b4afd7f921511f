// REQUIRES: wide
// RUN: %run-program %s --kernels=2 --reduction=64 | FileCheck %s
// CHECK: attention.mlir: equal

// Attention: a product with a transposed factor, a softmax, a product. The two products are
// kernels, the softmax runs on the host.

#all = affine_map<(g, m, n) -> (g, m, n)>
#row = affine_map<(g, m, n) -> (g, m)>
#a = affine_map<(g, m, n, k) -> (g, m, k)>
#b = affine_map<(g, m, n, k) -> (g, n, k)>
#c = affine_map<(g, m, n, k) -> (g, m, n)>

func.func @attention(%q: tensor<2x16x8xf32>, %k: tensor<2x16x8xf32>, %v: tensor<2x16x8xf32>)
    -> tensor<2x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#a, #b, #c]
    ins(%q, %k : tensor<2x16x8xf32>, tensor<2x16x8xf32>)
    outs(%z0 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %e1 = tensor.empty() : tensor<2x16xf32>
  %z1 = linalg.fill ins(%lowest : f32) outs(%e1 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %max = linalg.generic {indexing_maps = [#all, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%s : tensor<2x16x16xf32>) outs(%z1 : tensor<2x16xf32>) {
  ^bb0(%x: f32, %m: f32):
    %r = arith.maximumf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x16xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %max : tensor<2x16x16xf32>, tensor<2x16xf32>) outs(%e0 : tensor<2x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%exp : tensor<2x16x16xf32>) outs(%z2 : tensor<2x16xf32>) {
  ^bb0(%x: f32, %m: f32):
    %r = arith.addf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x16xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<2x16x16xf32>, tensor<2x16xf32>) outs(%e0 : tensor<2x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e3 = tensor.empty() : tensor<2x16x8xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<2x16x16xf32>, tensor<2x16x8xf32>)
    outs(%z3 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}
