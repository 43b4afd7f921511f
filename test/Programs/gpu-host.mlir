// RUN: %run-program %s --kernels=2 --host=gpu | FileCheck %s
// CHECK: gpu-host.mlir: 2 kernels, {{[3-9]}} launches
// CHECK: gpu-host.mlir: equal

// The transpose between the two products is a kernel of upstream's.
func.func @forward(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
    outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p, %p : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %q = linalg.matmul ins(%m, %p : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m, %q : tensor<8x8xf32>, tensor<8x8xf32>
}
