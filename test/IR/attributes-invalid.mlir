// RUN: ck-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown chip 'gfx000'}}
module attributes {ck.target = #ck.target<"gfx000">} {}

// -----

// expected-error @+1 {{expected 'ck.target' to be a #ck.target, got "gfx942"}}
module attributes {ck.target = "gfx942"} {}

// -----

// expected-error @+1 {{expected a permutation of 'NGCHW' in layout, got 'NHWGK'}}
module attributes {ck.example = #ck.conv_layout<NHWGK, GKYXC, NHWGK>} {}

// -----

// expected-error @+1 {{expected 4 to 6 dimensions in input layout, got 'NGC'}}
module attributes {ck.example = #ck.conv_layout<NGC, GKC, NGK>} {}

// -----

// expected-error @+1 {{schedule requires 'waves'}}
module attributes {ck.example = #ck.schedule<"tile=128x128x32">} {}

// -----

// expected-error @+1 {{tile}}
module attributes {ck.example = #ck.schedule<"tile=128x128">} {}

// -----

// expected-error @+1 {{expected role 'uniform', 'load' or 'math', got 'store'}}
module attributes {ck.example = #ck.role<store, 4>} {}

// -----

// expected-error @+1 {{waves must be at least 1, got 0}}
module attributes {ck.example = #ck.role<math, 0>} {}

// -----

// expected-error @+1 {{partition}}
module attributes {ck.example = #ck.partition<"round_robin">} {}
