// RUN: ck-opt %s --ck-compile-pipeline --verify-diagnostics
// RUN: ck-opt %s --ck-lower-to-implicit-gemm --verify-diagnostics
// RUN: ck-opt %s --ck-lower-to-naive --verify-diagnostics
// RUN: ck-opt %s --ck-compile-problems --verify-diagnostics
// RUN: ck-opt %s --ck-conv-to-gemm --verify-diagnostics
// RUN: ck-opt %s --ck-serialize-kernels --verify-diagnostics
// RUN: ck-opt %s --ck-expand-partition --verify-diagnostics
// RUN: ck-opt %s --ck-verify-form --verify-diagnostics
// RUN: not ck-compile %s -o %t 2>&1 | FileCheck %s
// Passes lower what is in their module: problems of a nested one would stay, or be launched where
// their kernels are not.

// CHECK: expected no 'ck.batched_gemm' in a nested module
module {
  // expected-error @below {{expected no 'ck.batched_gemm' in a nested module: run the passes on that module, as 'builtin.module(builtin.module(...))' does}}
  module @inner {
    func.func @forward(%a: memref<1x8x16xf16>, %b: memref<1x16x32xf16>, %c: memref<1x8x32xf16>) {
      // expected-note @below {{the op is here}}
      ck.batched_gemm ins(%a, %b : memref<1x8x16xf16>, memref<1x16x32xf16>)
        outs(%c : memref<1x8x32xf16>) layout "rrr"
      return
    }
  }
}
