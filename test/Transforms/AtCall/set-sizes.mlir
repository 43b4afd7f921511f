// RUN: ck-opt %s --ck-set-sizes="entry=forward sizes=3,3" | FileCheck %s

// EXAMPLE-AFTER: func.func @forward .. return

// Ops of TOSA see the size, all others a cast that canonicalization takes away.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<3x4xf32>, %[[F:.*]]: f32, %[[Y:.*]]: tensor<4x3xf32>) -> tensor<?x4xf32>
// CHECK:         %[[CX:.*]] = tensor.cast %[[X]] : tensor<3x4xf32> to tensor<?x4xf32>
// CHECK:         tosa.negate %[[X]], {{.*}} : (tensor<3x4xf32>,
// CHECK:         return %[[CX]]
func.func @forward(%x: tensor<?x4xf32>, %f: f32, %y: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %n = tosa.negate %x, %zero, %zero : (tensor<?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4xf32>
  return %x : tensor<?x4xf32>
}
