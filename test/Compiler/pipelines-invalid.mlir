// RUN: split-file %s %t
// RUN: ck-opt %t/unknown-chip.mlir --ck-lower-to-problem=chip=gfx1 --verify-diagnostics
// RUN: ck-opt %t/unknown-format.mlir --ck-serialize-kernels=format=elf --verify-diagnostics
// The options of pipelines and passes reach those that can refuse them.

//--- unknown-chip.mlir
// expected-error @below {{unknown chip 'gfx1'; expected one of gfx908, }}
module {}

//--- unknown-format.mlir
// expected-error @below {{'format' must be isa, object or binary, got 'elf'}}
module {}
