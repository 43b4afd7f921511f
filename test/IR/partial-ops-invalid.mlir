// RUN: ck-opt %s --split-input-file --verify-diagnostics
// Workspaces are words in a row.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @elements(%acc: !ck.acc<64x128xf32, #layout>, %ws: memref<64xf32>, %i: index) {
  // expected-error @below {{must be 1D memref of 32-bit signless integer values, but got 'memref<64xf32>'}}
  ck.store_partial %acc, %ws[%i] first 128 : !ck.acc<64x128xf32, #layout>, memref<64xf32>
  return
}

// -----

func.func @rank(%ws: memref<8x8xi32>, %i: index) {
  // expected-error @below {{must be 1D memref of 32-bit signless integer values, but got 'memref<8x8xi32>'}}
  ck.await %ws[%i] count %i step %i first 0 : memref<8x8xi32>
  return
}

// -----

func.func @elements_of_flags(%ws: memref<8xi64>, %i: index) {
  // expected-error @below {{must be 1D memref of 32-bit signless integer values, but got 'memref<8xi64>'}}
  ck.reset_signal %ws[%i] count %i step %i first 0 : memref<8xi64>
  return
}

// -----

func.func @space(%ws: memref<8xi32>) {
  // expected-error @below {{must be LLVM pointer in address space 1, but got '!llvm.ptr'}}
  %p = ck.pointer %ws : memref<8xi32> -> !llvm.ptr
  return
}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @parts(%ws: memref<16512xi32>, %i: index) {
  // expected-error @below {{expected more than one part, which divide the 4 waves of the accumulators, got 3}}
  ck.sum_partials %ws[%i] count %i part %i of 3 first 128
    : !ck.acc<64x64xf32, #layout>, memref<16512xi32>
  return
}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @one_part() {
  // expected-error @below {{expected more than one part, which divide the 4 waves of the accumulators, got 1}}
  %sum = ck.gather_sum of 1 : !ck.acc<64x64xf32, #layout>
  return
}
