// RUN: ck-opt %s --ck-place-buffers --split-input-file --verify-diagnostics

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

// -----

// Tensors have no buffers yet.
func.func @tensors(%a: tensor<1x8x16xf16>, %b: tensor<1x16x32xf16>, %c: tensor<1x8x32xf16>)
    -> tensor<1x8x32xf16> {
  // expected-error @below {{expected memref operands, got 'tensor<1x8x16xf16>'; run one-shot-bufferize first}}
  %0 = ck.batched_gemm ins(%a, %b : tensor<1x8x16xf16>, tensor<1x16x32xf16>)
    outs(%c : tensor<1x8x32xf16>) layout "rrr" -> tensor<1x8x32xf16>
  return %0 : tensor<1x8x32xf16>
}

// -----

// Views are of buffers wherever these are: it is too late to move them.
#map = #ck.transform_map<(g: 1, m: 32, k: 32) by [] to (g: 1, m: 32, k: 32)>
!view = !ck.view<1x32x32xf16, #map>
func.func @views(%a: memref<1x32x32xf16>) {
  // expected-error @below {{'ck.transform' op does not belong to form 'problem' but to form 'implicit-gemm', which comes after it}}
  %va = ck.transform %a : memref<1x32x32xf16> -> !view
  return
}
