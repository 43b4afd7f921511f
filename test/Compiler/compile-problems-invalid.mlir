// RUN: ck-opt %s --ck-compile-problems="schedule=tile=96x64x32,waves=2x2,mma=32x32x8" --split-input-file --verify-diagnostics

// A schedule that was asked for is not changed: what is wrong with it for a problem is said there.
func.func @schedule(%a: memref<1x64x32xf16>, %b: memref<1x32x48xf16>, %c: memref<1x64x48xf16>) {
  // expected-error @+1 {{tile M must be a multiple of 2 waves x 32 = 64, got 96}}
  ck.batched_gemm ins(%a, %b : memref<1x64x32xf16>, memref<1x32x48xf16>)
    outs(%c : memref<1x64x48xf16>) layout "rrr"
  return
}

// -----

// The epilogue of a kernel has its operands, and no other values.
func.func @captured(%a: memref<1x64x32xf16>, %b: memref<1x32x48xf16>, %c: memref<1x64x48xf16>,
                    // expected-note @+1 {{the value is defined here}}
                    %s: f32) {
  // expected-error @+1 {{epilogue}}
  ck.batched_gemm ins(%a, %b : memref<1x64x32xf16>, memref<1x32x48xf16>)
    outs(%c : memref<1x64x48xf16>) layout "rrr" epilogue {
  ^bb0(%acc: f32):
    %y = arith.mulf %acc, %s : f32
    %r = arith.truncf %y : f32 to f16
    ck.yield %r : f16
  }
  return
}
