// RUN: split-file %s %t
// RUN: ck-opt %t/negative.mlir --ck-gemm-to-grid=residents=-1 --verify-diagnostics
// RUN: ck-opt %t/more-than-32-bits.mlir --ck-gemm-to-grid=residents=2147483648 --verify-diagnostics
// RUN: ck-opt %t/most.mlir --ck-gemm-to-grid=residents=2147483647 --verify-diagnostics
// The number of resident workgroups fits into 31 bits, whether or not a GEMM uses it.

//--- negative.mlir
// expected-error @below {{resident workgroups must be in [0, 2147483647], got -1}}
module attributes {ck.target = #ck.target<"gfx942">} {}

//--- more-than-32-bits.mlir
// expected-error @below {{resident workgroups must be in [0, 2147483647], got 2147483648}}
module attributes {ck.target = #ck.target<"gfx942">} {}

//--- most.mlir
module attributes {ck.target = #ck.target<"gfx942">} {}
