// RUN: not ck-opt %s --load-pass-plugin=%test-passes --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=barrier:1}))' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not ck-opt %s --load-pass-plugin=%test-passes --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=load:0}))' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not ck-opt %s --load-pass-plugin=%test-passes --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=barrier:0,wait:0}))' 2>&1 | FileCheck %s --check-prefix=TWICE

// RUN: not ck-opt %s --load-pass-plugin=%test-passes --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=fence:0}))' 2>&1 | FileCheck %s --check-prefix=FENCE

// NUMBER: error: expected barrier:N, wait:N or fence:N with N below 1, got 'barrier:1'
// KIND: error: expected barrier:N, wait:N or fence:N with N below 1, got 'load:0'
// FENCE: error: expected fence:N with N below 0, each once, got 'fence:0'
// TWICE: error: barrier 0 is dropped already
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.barrier
    gpu.return
  }
}
