// RUN: ck-opt %s --split-input-file --verify-diagnostics

func.func @activation_type(%x: f16) {
  // expected-error @below {{operand #0 must be 32-bit float or vector of 32-bit float values}}
  %0 = ck.gelu %x : f16
  return
}

// -----

// What has no lowering is refused by name.
func.func @op_that_does_not_lower(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>,
                                  %c: memref<1x4x4xf32>) {
  // expected-error @below {{cannot lower 'math.acos' in the epilogue: expected scalar arithmetic, conversions or functions of f32}}
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xf32>)
      layout "rcr" epilogue {
  ^bb0(%acc: f32):
    // expected-note@+1 {{the operation is here}}
    %0 = math.acos %acc : f32
    ck.yield %0 : f32
  }
  return
}

// -----

func.func @wide_function(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>, %c: memref<1x4x4xf32>) {
  // expected-error @below {{cannot lower 'math.exp' in the epilogue: not on f16}}
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xf32>)
      layout "rcr" epilogue {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    // expected-note@+1 {{the operation is here}}
    %1 = math.exp %0 : f16
    %2 = arith.extf %1 : f16 to f32
    ck.yield %2 : f32
  }
  return
}

// -----

func.func @arithmetic_type(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>, %c: memref<1x4x4xf32>) {
  // expected-error @below {{cannot lower 'arith.mulf' in the epilogue: not on f8E4M3FN}}
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xf32>)
      layout "rcr" epilogue {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f8E4M3FN
    // expected-note@+1 {{the operation is here}}
    %1 = arith.mulf %0, %0 : f8E4M3FN
    %2 = arith.extf %1 : f8E4M3FN to f32
    ck.yield %2 : f32
  }
  return
}

// -----

func.func @side_effect(%a: memref<1x4x8xf16>, %b: memref<1x4x8xf16>, %c: memref<1x4x4xf32>,
                       %i: index) {
  // expected-error @below {{cannot lower 'memref.store' in the epilogue}}
  ck.batched_gemm ins(%a, %b : memref<1x4x8xf16>, memref<1x4x8xf16>) outs(%c : memref<1x4x4xf32>)
      layout "rcr" epilogue {
  ^bb0(%acc: f32):
    // expected-note@+1 {{the operation is here}}
    memref.store %acc, %c[%i, %i, %i] : memref<1x4x4xf32>
    ck.yield %acc : f32
  }
  return
}
