// RUN: ck-opt %s --split-input-file --verify-diagnostics --ck-set-sizes="entry=forward sizes=3"
// RUN: not ck-opt %s --split-input-file --ck-set-sizes="entry=nobody sizes=3" 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not ck-opt %s --split-input-file --ck-set-sizes="entry=forward sizes=-3" 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NOBODY: error: expected a function @nobody in the module
// NEGATIVE: error: 'func.func' op sizes must be in [0, 9223372036854775807], got -3

// expected-error @below {{expected 2 sizes, one for each '?', got 1}}
func.func @forward(%x: tensor<?x?xf32>) {
  return
}

// -----

// expected-error @below {{requires a body for its sizes to be set}}
func.func private @forward(%x: tensor<?x4xf32>)

// -----

// expected-error @below {{cannot both be called and get sizes: its callers know the '?'}}
func.func @forward(%x: tensor<?x4xf32>) {
  return
}
func.func @main(%x: tensor<?x4xf32>) {
  call @forward(%x) : (tensor<?x4xf32>) -> ()
  return
}

// -----

func.func @forward(%x: tensor<?x4xf32>) {
  return
}
