// RUN: ck-opt %s --ck-specialize-at-call=chip=gfx90a | FileCheck %s
// RUN: ck-opt %s --ck-specialize-at-call=chip=gfx90a --remarks-filter='ck-specialize-at-call' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// EXAMPLE-BEFORE: func.func @forward .. return
// The body is gone, the program holds it with what it needs.
// EXAMPLE-AFTER: func.func private @forward

// REMARK: AtCall{{.*}}@forward is compiled when it is called
// CHECK:      func.func private @forward(tensor<?x16xf32> {bufferization.access = "read"}, tensor<16x4xf32> {bufferization.access = "read"}) -> tensor<?x4xf32>
// CHECK-SAME:   ck.at_call = {arguments = 2 : i64,
// CHECK-SAME:     program = "module attributes {ck.at_call = {chip = \22gfx90a\22, entry = \22forward\22, host = \22cpu\22, residents = 0 : i64, schedule = \22\22}}
// CHECK-SAME:     func.func @forward(%arg0: tensor<?x16xf32> {bufferization.writable = false},
// CHECK-SAME:     linalg.matmul
// CHECK-SAME:     func.func private @relu(
// CHECK-SAME:   public, sizes = array<i64: 0, 0>}, llvm.emit_c_interface}
func.func @forward(%x: tensor<?x16xf32>, %w: tensor<16x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x4xf32>)
    outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = call @relu(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Nothing but the function above needed it.
// CHECK-NOT: func.func {{.*}}@relu
func.func private @relu(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Callers stay.
// CHECK-LABEL: func.func @main
// CHECK:         call @forward
func.func @main(%x: tensor<3x16xf32>, %w: tensor<16x4xf32>) -> tensor<?x4xf32> {
  %c = tensor.cast %x : tensor<3x16xf32> to tensor<?x16xf32>
  %y = call @forward(%c, %w) : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// Nothing is multiplied.
// CHECK-LABEL: func.func @add(
// CHECK:         tosa.add
func.func @add(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = tosa.add %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// The product has known sizes.
// CHECK-LABEL: func.func @other_product(
// CHECK:         linalg.matmul
func.func @other_product(%x: tensor<?x4xf32>, %a: tensor<4x4xf32>) -> (tensor<?x4xf32>, tensor<4x4xf32>) {
  %y = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %y : tensor<?x4xf32>, tensor<4x4xf32>
}

// REMARK: NotAtCall{{.*}}expected only dimension 0, the batch, to be unknown, got tensor<1x?xf32> as argument 0
// CHECK-LABEL: func.func @width(
// CHECK:         linalg.matmul
func.func @width(%x: tensor<1x?xf32>, %w: tensor<?x4xf32>, %e: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<1x?xf32>, tensor<?x4xf32>)
    outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

// REMARK: NotAtCall{{.*}}expected ranked tensors and scalars, got memref<4xf32> as argument 1
// CHECK-LABEL: func.func @buffer(
// CHECK:         linalg.matmul
func.func @buffer(%x: tensor<?x4xf32>, %m: memref<4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>)
    outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// REMARK: NotAtCall{{.*}}it calls itself
// CHECK-LABEL: func.func @recursive(
// CHECK:         linalg.matmul
func.func @recursive(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>)
    outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  %z = call @recursive(%y, %w) : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
