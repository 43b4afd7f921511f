// RUN: ck-opt %s --ck-bufferize-program | FileCheck %s --check-prefix=BUFFERS
// RUN: ck-opt %s --ck-compile-program="format=isa" | FileCheck %s --check-prefix=HOST
// RUN: ck-opt %s --ck-compile-program="format=isa chip=gfx90a schedule=partition=stream_k:linear residents=3" | FileCheck %s --check-prefix=STREAM

// Two products in a row: the first one's result stays on the device. Workspaces are allocated by
// the program.

// BUFFERS-LABEL: func.func @forward
// BUFFERS:         ck.batched_gemm ins({{.*}}) outs(%[[T:.*]] : memref
// BUFFERS:         ck.batched_gemm ins(%[[T]],
// BUFFERS:         memref.dealloc %[[T]]

// HOST-LABEL:   llvm.func @forward
// HOST-COUNT-2:   llvm.call @mgpuMemcpy
// HOST:           gpu.launch_func {{.*}} @kernels::@forward_0
// HOST:           llvm.call @mgpuMemcpy
// HOST-NOT:       llvm.call @mgpuMemcpy
// HOST:           gpu.launch_func {{.*}} @kernels::@forward_1
// HOST:           llvm.call @mgpuMemcpy
// HOST-NOT:       llvm.call @mgpuMemcpy
// HOST:           llvm.return
// HOST:         gpu.binary @kernels {{.*}} assembly = "{{.*}}gfx942

// STREAM-LABEL: llvm.func @forward
// STREAM:         llvm.call @mgpuMemset32(%[[WORKSPACE:[0-9]+]],
// STREAM:         gpu.launch_func {{.*}} @kernels::@forward_0 {{.*}}%[[WORKSPACE]]
// STREAM:         llvm.call @mgpuMemFree(%[[WORKSPACE]],
// STREAM:         gpu.launch_func {{.*}} @kernels::@forward_1
// STREAM:       gpu.binary @kernels {{.*}} assembly = "{{.*}}gfx90a
func.func @forward(%x: tensor<1x64x256xf32>, %w: tensor<1x256x160xf32>, %v: tensor<1x160x16xf32>)
    -> tensor<1x64x16xf32> {
  %e = tensor.empty() : tensor<1x64x160xf32>
  %t = ck.batched_gemm ins(%x, %w : tensor<1x64x256xf32>, tensor<1x256x160xf32>)
    outs(%e : tensor<1x64x160xf32>) layout "rrr" -> tensor<1x64x160xf32>
  %f = tensor.empty() : tensor<1x64x16xf32>
  %y = ck.batched_gemm ins(%t, %v : tensor<1x64x160xf32>, tensor<1x160x16xf32>)
    outs(%f : tensor<1x64x16xf32>) layout "rrr" -> tensor<1x64x16xf32>
  return %y : tensor<1x64x16xf32>
}
