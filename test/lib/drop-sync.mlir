// RUN: ck-opt %s --load-pass-plugin=%test-passes --pass-pipeline='builtin.module(gpu.module(ck-drop-sync{drop=barrier:0,wait:1,fence:1}))' | FileCheck %s
// A dropped barrier leaves nothing behind; a dropped wait leaves a barrier without fences. Fences
// between workgroups are counted for themselves.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.fence syncscope("agent") release
  // CHECK-NEXT: llvm.fence syncscope("workgroup") release
  // CHECK-NEXT: gpu.return
  gpu.func @kernel() kernel {
    amdgpu.memory_counter_wait ds(0)
    amdgpu.lds_barrier
    amdgpu.memory_counter_wait ds(0)
    amdgpu.lds_barrier
    gpu.barrier
    llvm.fence syncscope("agent") release
    llvm.fence syncscope("workgroup") release
    llvm.fence syncscope("agent") acquire
    gpu.return
  }
}
