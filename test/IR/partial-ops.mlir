// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// Sums that workgroups leave for each other.

// CHECK-LABEL: @partial
// CHECK-SAME: (%[[ACC:.*]]: !ck.acc<64x128xf32>, %[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index)
func.func @partial(%acc: !ck.acc<64x128xf32>, %ws: memref<16512xi32>, %i: index) -> !ck.acc<64x128xf32> {
  // CHECK: ck.store_partial %[[ACC]], %[[WS]][%[[I]]] first 128 : <64x128xf32>, memref<16512xi32>
  ck.store_partial %acc, %ws[%i] first 128 : !ck.acc<64x128xf32>, memref<16512xi32>
  // CHECK: ck.signal %[[WS]][%[[I]]] first 0 : memref<16512xi32>
  ck.signal %ws[%i] first 0 : memref<16512xi32>
  // CHECK: ck.await %[[WS]][%[[I]]] first 0 : memref<16512xi32>
  ck.await %ws[%i] first 0 : memref<16512xi32>
  // CHECK: %[[SUM:.*]] = ck.add_partial %[[ACC]], %[[WS]][%[[I]]] first 128 : <64x128xf32>, memref<16512xi32>
  %sum = ck.add_partial %acc, %ws[%i] first 128 : !ck.acc<64x128xf32>, memref<16512xi32>
  // CHECK: ck.pointer %[[WS]] : memref<16512xi32> -> <1>
  %p = ck.pointer %ws : memref<16512xi32> -> !llvm.ptr<1>
  return %sum : !ck.acc<64x128xf32>
}
