// RUN: split-file %s %t
// RUN: ck-opt %t/unknown-chip.mlir --ck-lower-to-problem=chip=gfx1 --verify-diagnostics
// RUN: ck-opt %t/unknown-format.mlir --ck-serialize-kernels=format=elf --verify-diagnostics
// RUN: not ck-opt %t/unknown-chip.mlir --pass-pipeline="builtin.module(func.func(ck-compile-pipeline))" 2>&1 | FileCheck %s
// CHECK: pipeline 'ck-compile-pipeline' is for builtin.module, got func.func
// The options of pipelines and passes reach those that can refuse them.

//--- unknown-chip.mlir
// expected-error @below {{unknown chip 'gfx1'; expected one of gfx908, }}
module {}

//--- unknown-format.mlir
// expected-error @below {{'format' must be isa, object or binary, got 'elf'}}
module {}
