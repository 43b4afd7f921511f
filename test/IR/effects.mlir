// RUN: ck-opt %s --cse | FileCheck %s
// What is read twice is read once, as long as nothing is written between.

#map = #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>
!view = !ck.view<1x64x64xf16, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!acc = !ck.acc<64x64xf32, #layout>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

// CHECK-LABEL: @twice
// CHECK-COUNT-1: ck.block_gemm
// CHECK-NOT: ck.block_gemm
func.func @twice(%a: !view, %i: index) -> (!acc, !acc) {
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !view, !view -> !acc
  %1 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !view, !view -> !acc
  return %0, %1 : !acc, !acc
}

// A block GEMM reads its operands: what is stored between two of them may be one.
// CHECK-LABEL: @stored_between
// CHECK: ck.block_gemm
// CHECK: ck.store_tile
// CHECK: ck.block_gemm
func.func @stored_between(%a: !view, %i: index) -> !acc {
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !view, !view -> !acc
  ck.store_tile %0, %a[%i, %i, %i] : !acc, !view
  %1 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !view, !view -> !acc
  return %1 : !acc
}
