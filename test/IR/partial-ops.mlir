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
  // CHECK: ck.await %[[WS]][%[[I]]] count %[[N]] step %[[S]] first 0 wave %[[I]] : memref<16512xi32>
  ck.await %ws[%i] count %n step %s first 0 wave %i : memref<16512xi32>
  // CHECK: ck.math_wave
  %wave = ck.math_wave
  // CHECK: ck.pointer %[[WS]] : memref<16512xi32> -> <1>
  %p = ck.pointer %ws : memref<16512xi32> -> !llvm.ptr<1>
  return %sum : !acc
}

// Waves that share a sum, before and after a ring is theirs.
// CHECK-LABEL: @shared
// CHECK-SAME: (%[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index, %[[N:.*]]: index, %[[P:.*]]: index)
#four = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!ring = !ck.ring<2 x[!ck.fragment<64x32xf16, 1x4 along k>, !ck.fragment<64x32xf16, 1x4 along k>]>
func.func @shared(%ws: memref<16512xi32>, %i: index, %n: index, %p: index)
    -> (!ck.acc<64x64xf32, #four>, !ck.acc<64x64xf32, #four>) {
  // CHECK: ck.sum_partials %[[WS]][%[[I]]] count %[[N]] part %[[P]] of 2 first 128 : !acc{{[0-9]*}}, memref<16512xi32>
  ck.sum_partials %ws[%i] count %n part %p of 2 first 128
    : !ck.acc<64x64xf32, #four>, memref<16512xi32>
  // CHECK: ck.gather_sum of 2 : !acc
  %early = ck.gather_sum of 2 : !ck.acc<64x64xf32, #four>
  // CHECK: %[[RING:.*]] = ck.lds_ring
  %ring = ck.lds_ring : !ring
  // CHECK: ck.sum_partials %[[WS]][%[[I]]] count %[[N]] part %[[P]] of 2 first 128 through %[[RING]] : !acc{{[0-9]*}}, memref<16512xi32> through !ring
  ck.sum_partials %ws[%i] count %n part %p of 2 first 128 through %ring
    : !ck.acc<64x64xf32, #four>, memref<16512xi32> through !ring
  // CHECK: ck.gather_sum of 2 through %[[RING]] : !acc{{[0-9]*}} through !ring
  %sum = ck.gather_sum of 2 through %ring : !ck.acc<64x64xf32, #four> through !ring
  return %early, %sum : !ck.acc<64x64xf32, #four>, !ck.acc<64x64xf32, #four>
}
