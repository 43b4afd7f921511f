// RUN: not ck-opt %s --ck-gemm-to-grid=residents=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not ck-opt %s --ck-gemm-to-grid=residents=2147483648 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: ck-opt %s --ck-gemm-to-grid=residents=2147483647
// The number of resident workgroups is one, whether or not a GEMM uses it.

// NEGATIVE: error: resident workgroups must be in [0, 2147483647], got -1
// LARGE: error: resident workgroups must be in [0, 2147483647], got 2147483648
module attributes {ck.target = #ck.target<"gfx942">} {}
