// Sizes that contradict each other end the process with the reason, before anything is computed.
// RUN: ck-opt %s --ck-compile-program=chip=gfx942 -o %t.mlir
// RUN: not %runner %t.mlir -e contradict 2>&1 | FileCheck %s --check-prefix=CONTRADICT
// CONTRADICT: ck-mlir jit: cannot compile for sizes [3, 2]: @add
// CONTRADICT: error: 'linalg.add' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2
// CONTRADICT: linalg.add ins(

// The function asks for a size that it does not get.
// RUN: not %runner %t.mlir -e demand 2>&1 | FileCheck %s --check-prefix=DEMAND
// DEMAND: ck-mlir jit: cannot compile for sizes [3]: @pairs
// DEMAND: error: sizes contradict each other: expected an even batch

// RUN: not env CK_JIT_TRACE=loud %runner %t.mlir -e fit 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: ck-mlir jit: CK_JIT_TRACE must be on or off, got 'loud'
// RUN: not env CK_JIT_ENTRIES=0 %runner %t.mlir -e fit 2>&1 | FileCheck %s --check-prefix=ENTRIES
// ENTRIES: ck-mlir jit: CK_JIT_ENTRIES must be a number from 1 on, got '0'
// RUN: env CK_JIT_TRACE=on %runner %t.mlir -e fit 2>&1 | FileCheck %s --check-prefix=FIT
// FIT: ck-mlir jit: compiled @pairs for sizes [4]: kernels [pairs]

// Without the library the runner says what is missing.
// RUN: not mlir-runner %t.mlir -e fit --entry-point-result=void 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: ckMlirCallSpecialized

func.func @add(%x: tensor<?x16xf32>, %w: tensor<16x4xf32>, %residual: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x4xf32>)
    outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.add ins(%y, %residual : tensor<?x4xf32>, tensor<?x4xf32>)
    outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @pairs(%x: tensor<?x16xf32>, %w: tensor<16x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %odd = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %odd, %c0 : index
  cf.assert %even, "expected an even batch"
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x4xf32>)
    outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

func.func @contradict() {
  %x = arith.constant dense<1.0> : tensor<3x16xf32>
  %w = arith.constant dense<1.0> : tensor<16x4xf32>
  %residual = arith.constant dense<1.0> : tensor<2x4xf32>
  %a = tensor.cast %x : tensor<3x16xf32> to tensor<?x16xf32>
  %b = tensor.cast %residual : tensor<2x4xf32> to tensor<?x4xf32>
  %y = call @add(%a, %w, %b) : (tensor<?x16xf32>, tensor<16x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

func.func @demand() {
  %x = arith.constant dense<1.0> : tensor<3x16xf32>
  %w = arith.constant dense<1.0> : tensor<16x4xf32>
  %a = tensor.cast %x : tensor<3x16xf32> to tensor<?x16xf32>
  %y = call @pairs(%a, %w) : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
  return
}

func.func @fit() {
  %x = arith.constant dense<1.0> : tensor<4x16xf32>
  %w = arith.constant dense<1.0> : tensor<16x4xf32>
  %a = tensor.cast %x : tensor<4x16xf32> to tensor<?x16xf32>
  %y = call @pairs(%a, %w) : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
  return
}
