// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" -o %t.mlir
// RUN: FileCheck %s --check-prefix=CALLS < %t.mlir
// RUN: %runner %t.mlir 2>&1 | FileCheck %s --implicit-check-not=leaks

// Two chains of work, each on its own stream; a third one waits for both through events, multiplies
// their results and copies them back. One buffer is shared with the host, which reads it directly.

// CALLS-DAG: call @mgpuStreamCreate
// CALLS-DAG: call @mgpuEventRecord
// CALLS-DAG: call @mgpuStreamWaitEvent
// CALLS-DAG: call @mgpuMemset32
// CALLS-DAG: call @mgpuMemset16

// CHECK: [21, 21, 21, 21]
// CHECK: [3, 3, 3, 3]
func.func @main() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 4 : index
  %three = arith.constant 3.0 : f16
  %seven = arith.constant 7.0 : f32
  %host = memref.alloc() : memref<4xf32>
  // Chain 1: halves, converted to floats that the host may read.
  %s0 = gpu.wait async
  %h, %s1 = gpu.alloc async [%s0] () : memref<4xf16>
  %shared = gpu.alloc host_shared () : memref<4xf32>
  %s3 = gpu.memset async [%s1] %h, %three : memref<4xf16>, f16
  %s4 = gpu.launch async [%s3] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                               threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %half = memref.load %h[%tx] : memref<4xf16>
    %float = arith.extf %half : f16 to f32
    memref.store %float, %shared[%tx] : memref<4xf32>
    gpu.terminator
  }
  // Chain 2: floats.
  %u0 = gpu.wait async
  %f, %u1 = gpu.alloc async [%u0] () : memref<4xf32>
  %u2 = gpu.memset async [%u1] %f, %seven : memref<4xf32>, f32
  // Both.
  %j0 = gpu.wait async [%s4, %u2]
  %j1 = gpu.launch async [%j0] blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
                               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.load %shared[%bx] : memref<4xf32>
    %b = memref.load %f[%bx] : memref<4xf32>
    %product = arith.mulf %a, %b : f32
    memref.store %product, %f[%bx] : memref<4xf32>
    gpu.terminator
  }
  %j2 = gpu.memcpy async [%j1] %host, %f : memref<4xf32>, memref<4xf32>
  gpu.wait [%j2]
  // The streams of the two chains end where the host waits for them.
  gpu.wait [%s4, %u2]
  %any = memref.cast %host : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  %sharedAny = memref.cast %shared : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%sharedAny) : (memref<*xf32>) -> ()
  %d0 = gpu.wait async
  %d1 = gpu.dealloc async [%d0] %h : memref<4xf16>
  %d2 = gpu.dealloc async [%d1] %shared : memref<4xf32>
  %d3 = gpu.dealloc async [%d2] %f : memref<4xf32>
  gpu.wait [%d3]
  memref.dealloc %host : memref<4xf32>
  return
}
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
