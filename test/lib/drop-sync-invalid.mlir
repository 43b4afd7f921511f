// RUN: split-file %s %t
// DEFINE: %{drop} =
// DEFINE: %{refuse} = ck-opt --load-pass-plugin=%test-passes --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=%{drop}}))'
// What is not there cannot be dropped.

// REDEFINE: %{drop} = barrier:1
// RUN: %{refuse} %t/number-beyond-the-last.mlir
// REDEFINE: %{drop} = load:0
// RUN: %{refuse} %t/unknown-kind.mlir
// REDEFINE: %{drop} = fence:0
// RUN: %{refuse} %t/kind-without-an-op.mlir
// REDEFINE: %{drop} = barrier:0,wait:0
// RUN: %{refuse} %t/same-op-twice.mlir

//--- number-beyond-the-last.mlir
// expected-error @below {{expected barrier:N, wait:N or fence:N with N below 1, got 'barrier:1'}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.barrier
    gpu.return
  }
}

//--- unknown-kind.mlir
// expected-error @below {{expected barrier:N, wait:N or fence:N with N below 1, got 'load:0'}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.barrier
    gpu.return
  }
}

//--- kind-without-an-op.mlir
// expected-error @below {{expected fence:N with N below 0, each once, got 'fence:0'}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.barrier
    gpu.return
  }
}

//--- same-op-twice.mlir
// expected-error @below {{barrier 0 is dropped already}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.barrier
    gpu.return
  }
}
