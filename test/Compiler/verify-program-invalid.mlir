// RUN: ck-opt %s --ck-verify-program --split-input-file --verify-diagnostics
// RUN: ck-opt %s --ck-bufferize-program --split-input-file --verify-diagnostics
// RUN: ck-opt %s --ck-compile-program --split-input-file --verify-diagnostics
// RUN: ck-opt %s --ck-compile-program=host=gpu --split-input-file --verify-diagnostics
// No pass would lower what is in a nested module.

module {
  // expected-note @below {{the nested module is here}}
  module @inner {
    // expected-error @below {{expected the code of a program in its module, got it in a nested one: run the passes on that module, as 'builtin.module(builtin.module(...))' does}}
    func.func @forward(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>)
        -> tensor<8x32xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
        outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
      return %0 : tensor<8x32xf32>
    }
  }
}

// -----

module {
  // expected-note @below {{the nested module is here}}
  module @inner {
    // expected-error @below {{expected the code of a program in its module}}
    gpu.module @kernels {
    }
  }
}
