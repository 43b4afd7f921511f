// RUN: ck-opt %s --ck-compile-program --split-input-file --allow-unregistered-dialect --verify-diagnostics

// Nothing is known of what an op of another dialect does with its tensors.
func.func @unknown(%a: tensor<1x64x32xf32>, %b: tensor<1x32x48xf32>) -> tensor<1x64x48xf32> {
  %e = tensor.empty() : tensor<1x64x48xf32>
  // expected-error @+1 {{op was not bufferized}}
  %0 = "other.op"(%e) : (tensor<1x64x48xf32>) -> tensor<1x64x48xf32>
  %1 = ck.batched_gemm ins(%a, %b : tensor<1x64x32xf32>, tensor<1x32x48xf32>)
    outs(%0 : tensor<1x64x48xf32>) layout "rrr" -> tensor<1x64x48xf32>
  return %1 : tensor<1x64x48xf32>
}

// -----

// Problems are of static shapes; products of linalg need not be.
func.func @dynamic(%x: tensor<1x?x32xf32>) -> tensor<1x?x32xf32> {
  // expected-error @+1 {{operand #0 must be statically shaped memref of any type values or statically shaped tensor of any type values}}
  %0 = ck.batched_gemm ins(%x, %x : tensor<1x?x32xf32>, tensor<1x?x32xf32>)
    outs(%x : tensor<1x?x32xf32>) layout "rrr" -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// An epilogue reads what is written to it; a value from elsewhere is not.
// expected-note @+1 {{the value is defined here}}
func.func @captured(%a: tensor<1x64x32xf32>, %b: tensor<1x32x48xf32>, %s: f32)
  -> tensor<1x64x48xf32> {
  %e = tensor.empty() : tensor<1x64x48xf32>
  // expected-error @+1 {{epilogue}}
  %0 = ck.batched_gemm ins(%a, %b : tensor<1x64x32xf32>, tensor<1x32x48xf32>)
    outs(%e : tensor<1x64x48xf32>) layout "rrr" epilogue {
  ^bb0(%acc: f32):
    %y = arith.mulf %acc, %s : f32
    ck.yield %y : f32
  } -> tensor<1x64x48xf32>
  return %0 : tensor<1x64x48xf32>
}
