// RUN: ck-opt %s --ck-attach-target=chip=gfx950 --split-input-file --verify-diagnostics
// RUN: ck-opt %s --ck-attach-target=chip=gfx942 --split-input-file -o /dev/null
// Kernels are for the chips that they were made for.

// expected-error @below {{'gpu.module' op expected kernels for 'gfx950', got some for 'gfx942'}}
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  llvm.func @kernel() attributes {gpu.kernel, rocdl.kernel} {
    llvm.return
  }
}

// -----

// expected-error @below {{'gpu.binary' op expected kernels for 'gfx950', got some for 'gfx942'}}
gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "">]

// -----

// One of several chips.
gpu.module @kernels [#rocdl.target<chip = "gfx950">, #rocdl.target<chip = "gfx942">] {
}
