// RUN: %run-program %s --kernels=3 --reduction=512 | FileCheck %s
// CHECK: torch-resnet.mlir: equal

// A strided block with batch normalization as torch-mlir prints it: channels first, filters as
// resources, biases broadcast into the initial values, normalization as a generic of its own.

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
module attributes {torch.debug_module_name = "BasicBlock"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<8x4x3x3xf32>,
                     %arg2: tensor<8x8x3x3xf32>, %arg3: tensor<8xf32>) -> tensor<1x8x4x4xf32> {
    %cst = arith.constant dense_resource<torch_tensor_8_4_1_1_torch.float32> : tensor<8x4x1x1xf32>
    %cst_0 = arith.constant dense<[1.0, 2.0, -1.0, 0.5, 3.0, -2.0, 1.5, 4.0]> : tensor<8xf32>
    %cst_1 = arith.constant dense<[4.0, 1.0, 9.0, 16.0, 1.0, 4.0, 2.0, 8.0]> : tensor<8xf32>
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %0 = tensor.empty() : tensor<1x8x4x4xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x4x10x10xf32>, tensor<8x4x3x3xf32>) outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %cst_0, %arg3, %arg3, %cst_1 : tensor<1x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %in_5: f32, %in_6: f32, %in_7: f32, %out: f32):
      %12 = arith.truncf %cst_2 : f64 to f32
      %13 = arith.addf %in_7, %12 : f32
      %14 = math.rsqrt %13 : f32
      %15 = arith.subf %in, %in_6 : f32
      %16 = arith.mulf %15, %14 : f32
      %17 = arith.mulf %16, %in_4 : f32
      %18 = arith.addf %17, %in_5 : f32
      linalg.yield %18 : f32
    } -> tensor<1x8x4x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x8x4x4xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.cmpf ugt, %in, %cst_3 : f32
      %13 = arith.select %12, %in, %cst_3 : f32
      linalg.yield %13 : f32
    } -> tensor<1x8x4x4xf32>
    %padded_8 = tensor.pad %4 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x8x4x4xf32> to tensor<1x8x6x6xf32>
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<8xf32>) outs(%0 : tensor<1x8x4x4xf32>) dimensions = [0, 2, 3]
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_8, %arg2 : tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) outs(%broadcasted : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %6 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %cst : tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) outs(%0 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %12 = arith.addf %in, %in_4 : f32
      linalg.yield %12 : f32
    } -> tensor<1x8x4x4xf32>
    return %7 : tensor<1x8x4x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_4_1_1_torch.float32: "0x040000000000803F00000040000080BF0000004000000000000080BF000080BF0000004000000000000080BF000000400000803F000080BF000000000000803F000080BF000000C0000000400000803F0000803F00000000000000C00000803F00000040000080BF0000803F0000803F00000040000080BF000080BF000000C000000000"
    }
  }
#-}
