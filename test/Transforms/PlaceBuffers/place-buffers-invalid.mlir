// RUN: ck-opt %s --ck-place-buffers --verify-diagnostics

// A copy to the device would not keep the distances between rows.
func.func @strided(%x: memref<64xf16, strided<[2]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'gpu.launch' op cannot copy a buffer of type 'memref<64xf16, strided<[2]>>' to the device: expected the identity layout}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %e = memref.load %x[%c0] : memref<64xf16, strided<[2]>>
    memref.store %e, %x[%c1] : memref<64xf16, strided<[2]>>
    gpu.terminator
  }
  return
}
