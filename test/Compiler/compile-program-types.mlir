// RUN: ck-opt %s --ck-compile-program=chip=gfx942 | FileCheck %s --check-prefix=HOST --implicit-check-not=unrealized --implicit-check-not=f8E4M3 --implicit-check-not=ck.target
// RUN: ck-opt %s --ck-compile-program="chip=gfx942 host=gpu" | FileCheck %s --check-prefix=GPU --implicit-check-not=unrealized --implicit-check-not=ck.target
// RUN: ck-opt %s --ck-compile-program=chip=gfx950 | FileCheck %s --check-prefix=KERNEL
// A product of elements that the chip does not take is host code; the rest of the program is what it
// was.

// HOST:   llvm.func @forward
// HOST:   gpu.binary @kernels
// GPU:    llvm.func @forward
// GPU:    gpu.binary @forward_kernel
// KERNEL: gpu.binary @kernels
func.func @forward(%a: tensor<8x16xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %c: tensor<32x8xf16>,
                   %init: tensor<8x32xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf8E4M3FN>, tensor<16x32xf8E4M3FN>)
    outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf16>
  %h = linalg.map ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf16>)
    (%x: f32, %o: f16) {
      %y = arith.truncf %x : f32 to f16
      linalg.yield %y : f16
    }
  %1 = linalg.matmul ins(%h, %c : tensor<8x32xf16>, tensor<32x8xf16>)
    outs(%out : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
