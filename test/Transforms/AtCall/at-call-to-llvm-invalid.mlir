// RUN: ck-opt %s --split-input-file --verify-diagnostics --ck-convert-at-call-to-llvm

// expected-error @below {{expected a dictionary with program, arguments and sizes as ck.at_call, got "module {}"}}
llvm.func @forward(!llvm.ptr) attributes {ck.at_call = "module {}"}

// -----

// expected-error @below {{requires a body that calls its C interface, which upstream's conversion to llvm makes with llvm.emit_c_interface}}
llvm.func @forward(!llvm.ptr) attributes {
  ck.at_call = {arguments = 1 : i64, program = "module {}", sizes = array<i64: 0, 0>}}

// -----

// expected-error @below {{'func.func' op waits for its sizes: expected 'convert-func-to-llvm' to run before}}
func.func private @forward(memref<?x4xf32>) attributes {
  ck.at_call = {arguments = 1 : i64, program = "module {}", sizes = array<i64: 0, 0>}}
