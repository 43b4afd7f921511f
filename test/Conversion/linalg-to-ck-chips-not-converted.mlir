// RUN: ck-opt %s --ck-attach-target=chip=gfx942 --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --ck-attach-target=chip=gfx950 --convert-linalg-to-ck | FileCheck %s --check-prefix=OCP
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s --check-prefix=ANY
// Elements that the chip of the module does not take stay on the host. Without a chip any may be
// the one.

// CHECK-LABEL: func.func @factors(
// CHECK: linalg.matmul
// OCP-LABEL: func.func @factors(
// OCP: ck.batched_gemm
// ANY-LABEL: func.func @factors(
// ANY: ck.batched_gemm
func.func @factors(%a: tensor<8x16xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: gfx942 takes 8-bit floats of type 'f8E4M3FNUZ', got elements of 'f8E4M3FN'}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf8E4M3FN>, tensor<16x32xf8E4M3FN>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @native(
// CHECK: ck.batched_gemm
// OCP-LABEL: func.func @native(
// OCP: linalg.matmul
// ANY-LABEL: func.func @native(
// ANY: ck.batched_gemm
func.func @native(%a: tensor<8x16xf8E5M2FNUZ>, %b: tensor<16x32xf8E5M2FNUZ>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf8E5M2FNUZ>, tensor<16x32xf8E5M2FNUZ>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// The product is the chip's, what rounds its result is not.
// CHECK-LABEL: func.func @rounded(
// CHECK: ck.batched_gemm
// CHECK: linalg.map
// OCP-LABEL: func.func @rounded(
// OCP: ck.batched_gemm
// OCP-NOT: linalg.map
// ANY-LABEL: func.func @rounded(
func.func @rounded(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>) -> tensor<8x32xf8E4M3FN> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = tensor.empty() : tensor<8x32xf8E4M3FN>
  // expected-remark @+1 {{not fused: 'arith.truncf': gfx942 takes 8-bit floats of type 'f8E4M3FNUZ'}}
  %1 = linalg.map ins(%0 : tensor<8x32xf32>) outs(%r : tensor<8x32xf8E4M3FN>)
    (%x: f32, %out: f8E4M3FN) {
      %y = arith.truncf %x : f32 to f8E4M3FN
      linalg.yield %y : f8E4M3FN
    }
  return %1 : tensor<8x32xf8E4M3FN>
}

// Factors that are widened first are read as what they are widened to.
// CHECK-LABEL: func.func @widened(
// CHECK: linalg.map
// CHECK: ck.batched_gemm ins(%{{.*}}, %{{.*}} : tensor<1x8x16xf16>
// OCP-LABEL: func.func @widened(
// ANY-LABEL: func.func @widened(
func.func @widened(%a: tensor<8x16xf8E4M3FN>, %b: tensor<16x32xf16>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf16>
  %w = linalg.map ins(%a : tensor<8x16xf8E4M3FN>) outs(%e : tensor<8x16xf16>)
    (%x: f8E4M3FN, %out: f16) {
      %y = arith.extf %x : f8E4M3FN to f16
      linalg.yield %y : f16
    }
  %0 = linalg.matmul ins(%w, %b : tensor<8x16xf16>, tensor<16x32xf16>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
