// RUN: ck-opt %s --ck-verify-program | FileCheck %s
// EXAMPLE-BEFORE: func.func .. return
// Functions of the module, kernels beside them, and nested modules without either are a program.

// CHECK-LABEL: func.func @forward
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

gpu.module @kernels {
}

// CHECK: module @script
module @script attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.yield
  }
}
