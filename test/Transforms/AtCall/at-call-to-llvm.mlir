// RUN: ck-opt %s --convert-to-llvm --ck-convert-at-call-to-llvm | FileCheck %s

// EXAMPLE-BEFORE: func.func private @scale .. sizes
// EXAMPLE-AFTER: llvm.func @_mlir_ciface_scale
// EXAMPLE-AFTER: llvm.getelementptr %arg2 .. llvm.load
// EXAMPLE-AFTER: llvm.call @ckMlirCallSpecialized .. llvm.return

// CHECK-DAG: llvm.func @ckMlirCallSpecialized(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
// CHECK-DAG: llvm.mlir.global internal constant @__ck_at_call_program_scale("module {}\00")
// CHECK-DAG: llvm.mlir.global internal constant @__ck_at_call_digest_scale("{{[0-9A-F]+}}\00")

// The descriptor of the result comes first; size 0 of argument 1 is read from its descriptor.
// CHECK-LABEL: llvm.func @scale(
// CHECK-NOT:     ck.at_call
// CHECK:         llvm.call @_mlir_ciface_scale
// CHECK-LABEL: llvm.func @_mlir_ciface_scale(
// CHECK-SAME:    %[[R:[a-z0-9]+]]: !llvm.ptr, %[[F:[a-z0-9]+]]: f32, %[[X:[a-z0-9]+]]: !llvm.ptr)
// CHECK-NOT:     ck.at_call
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr %[[X]][0, 3, 0]
// CHECK:         %[[SIZE:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> i64
// CHECK:         llvm.store %[[SIZE]], %{{.*}} : i64
// CHECK:         llvm.store %[[R]], %[[SR:[0-9]+]] : !llvm.ptr
// CHECK:         llvm.store %[[F]], %[[SF:[0-9]+]] : f32
// CHECK:         llvm.store %[[X]], %[[SX:[0-9]+]] : !llvm.ptr
// CHECK:         llvm.store %[[SR]], %
// CHECK:         llvm.store %[[SF]], %
// CHECK:         llvm.store %[[SX]], %
// CHECK:         llvm.call @ckMlirCallSpecialized(
// CHECK:         llvm.return{{$}}
func.func private @scale(f32, memref<?x4xf32>) -> memref<?x4xf32> attributes {llvm.emit_c_interface,
  ck.at_call = {arguments = 2 : i64, program = "module {}", public, sizes = array<i64: 1, 0>}}

// A scalar is returned by value.
// CHECK-LABEL: llvm.func @_mlir_ciface_sum(
// CHECK:         llvm.call @ckMlirCallSpecialized(
// CHECK:         %[[SUM:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         llvm.return %[[SUM]] : f32
func.func private @sum(memref<?xf32>) -> f32 attributes {llvm.emit_c_interface,
  ck.at_call = {arguments = 1 : i64, program = "module {}", sizes = array<i64: 0, 0>}}
