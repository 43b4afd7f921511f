// RUN: ck-opt %s --convert-linalg-to-ck="report=true" --verify-diagnostics | FileCheck %s
// RUN: ck-opt %s --convert-linalg-to-ck | FileCheck %s
// Products of other types than the kernels have stay as they are; on request a remark says why.

// Products are those of signed numbers.
// CHECK-LABEL: func.func @unsigned(
// CHECK: linalg.matmul
func.func @unsigned(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>, %c: tensor<8x32xi32>)
  -> tensor<8x32xi32> {
  // expected-remark @+1 {{not converted: the elements of operand 0 are unsigned, expected signed ones}}
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %0 : tensor<8x32xi32>
}

// CHECK-LABEL: func.func @f64(
// CHECK: linalg.matmul
func.func @f64(%a: tensor<8x16xf64>, %b: tensor<16x32xf64>, %c: tensor<8x32xf64>)
  -> tensor<8x32xf64> {
  // expected-remark @+1 {{not converted: unsupported element type f64}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf64>, tensor<16x32xf64>)
    outs(%c : tensor<8x32xf64>) -> tensor<8x32xf64>
  return %0 : tensor<8x32xf64>
}

// CHECK-LABEL: func.func @i32(
// CHECK: linalg.matmul
func.func @i32(%a: tensor<8x16xi32>, %b: tensor<16x32xi32>, %c: tensor<8x32xi32>)
  -> tensor<8x32xi32> {
  // expected-remark @+1 {{not converted: expected an input type of f16, bf16, f32, i8, fp8, bf8, got 'i32'}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xi32>, tensor<16x32xi32>)
    outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %0 : tensor<8x32xi32>
}

// CHECK-LABEL: func.func @mixed(
// CHECK: linalg.matmul
func.func @mixed(%a: tensor<8x16xf16>, %b: tensor<16x32xbf16>, %c: tensor<8x32xf32>)
  -> tensor<8x32xf32> {
  // expected-remark @+1 {{not converted: expected operands of one element type, got f16 and bf16}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xbf16>)
    outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
