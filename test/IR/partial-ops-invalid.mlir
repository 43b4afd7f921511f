// RUN: ck-opt %s --split-input-file --verify-diagnostics
// Workspaces are words in a row.

func.func @elements(%acc: !ck.acc<64x128xf32>, %ws: memref<64xf32>, %i: index) {
  // expected-error @below {{must be 1D memref of 32-bit signless integer values, but got 'memref<64xf32>'}}
  ck.store_partial %acc, %ws[%i] first 128 : !ck.acc<64x128xf32>, memref<64xf32>
  return
}

// -----

func.func @rank(%ws: memref<8x8xi32>, %i: index) {
  // expected-error @below {{must be 1D memref of 32-bit signless integer values, but got 'memref<8x8xi32>'}}
  ck.await %ws[%i] first 0 : memref<8x8xi32>
  return
}

// -----

func.func @space(%ws: memref<8xi32>) {
  // expected-error @below {{must be LLVM pointer in address space 1, but got '!llvm.ptr'}}
  %p = ck.pointer %ws : memref<8xi32> -> !llvm.ptr
  return
}
