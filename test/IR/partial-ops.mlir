// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// Sums that workgroups leave for each other.

// CHECK-LABEL: @partial
// CHECK-SAME: (%[[ACC:.*]]: !acc, %[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index, %[[N:.*]]: index, %[[S:.*]]: index)
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!acc = !ck.acc<64x128xf32, #layout>
func.func @partial(%acc: !acc, %ws: memref<16512xi32>, %i: index, %n: index, %s: index) -> !acc {
  // CHECK: ck.store_partial %[[ACC]], %[[WS]][%[[I]]] first 128 : !acc, memref<16512xi32>
  ck.store_partial %acc, %ws[%i] first 128 : !acc, memref<16512xi32>
  // CHECK: ck.signal %[[WS]][%[[I]]] first 0 : memref<16512xi32>
  ck.signal %ws[%i] first 0 : memref<16512xi32>
  // CHECK: ck.await %[[WS]][%[[I]]] count %[[N]] step %[[S]] first 0 : memref<16512xi32>
  ck.await %ws[%i] count %n step %s first 0 : memref<16512xi32>
  // CHECK: %[[SUM:.*]] = ck.add_partial %[[ACC]], %[[WS]][%[[I]]] count %[[N]] step %[[S]] first 128 : !acc, memref<16512xi32>
  %sum = ck.add_partial %acc, %ws[%i] count %n step %s first 128 : !acc, memref<16512xi32>
  // CHECK: ck.reset_signal %[[WS]][%[[I]]] count %[[N]] step %[[S]] first 0 : memref<16512xi32>
  ck.reset_signal %ws[%i] count %n step %s first 0 : memref<16512xi32>
  // CHECK: ck.math_wave
  %wave = ck.math_wave
  // CHECK: ck.pointer %[[WS]] : memref<16512xi32> -> <1>
  %p = ck.pointer %ws : memref<16512xi32> -> !llvm.ptr<1>
  return %sum : !acc
}
