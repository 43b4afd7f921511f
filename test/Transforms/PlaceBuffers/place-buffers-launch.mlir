// RUN: ck-opt %s --ck-place-buffers | FileCheck %s

// A kernel of upstream's between two of ours: what it reads and writes follows from its body, and
// nothing goes to the host in between. It writes a part of %t, so that the rest must be there.
// CHECK-LABEL: func.func @launch
// CHECK:         ck.batched_gemm {{.*}} outs(%[[T:.*]] :
// CHECK-NOT:     gpu.memcpy {{.*}} %[[T]]
// CHECK:         gpu.launch
// CHECK:           memref.load %[[T]]
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK-NOT:     gpu.memcpy {{.*}} %[[T]]
// CHECK:         ck.batched_gemm ins(%[[T]],
func.func @launch(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %y: memref<1x64x32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<1x64x32xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%t : memref<1x64x32xf16>) layout "rrr"
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c64, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %e = memref.load %t[%c0, %bx, %c0] : memref<1x64x32xf16>
    %s = arith.addf %e, %e : f16
    memref.store %s, %t[%c0, %bx, %c0] : memref<1x64x32xf16>
    gpu.terminator
  }
  ck.batched_gemm ins(%t, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x32xf16>
  return
}
