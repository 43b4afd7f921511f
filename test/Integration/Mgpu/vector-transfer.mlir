// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-vector-to-scf{full-unroll=true},convert-vector-to-llvm,convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// Vectors of 4 elements: through vector.transfer ops, of which the last one is masked, and through
// buffer operations, whose descriptor has the size of the memref.

func.func @transfer(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %c4 = arith.constant 4 : index
    %padding = arith.constant 0.0 : f32
    %i = arith.muli %tx, %c4 : index
    %v = vector.transfer_read %in[%i], %padding : memref<?xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.transfer_write %w, %out[%i] : vector<4xf32>, memref<?xf32>
    gpu.terminator
  }
  return
}

func.func @buffer(%in: memref<10xf32>, %out: memref<10xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // Elements 8 and 9, and two that are outside: they read 0 and are not written.
    %i = arith.constant 8 : i32
    %v = amdgpu.raw_buffer_load {boundsCheck = true} %in[%i] : memref<10xf32>, i32 -> vector<4xf32>
    %one = arith.constant dense<1.0> : vector<4xf32>
    %w = arith.addf %v, %one : vector<4xf32>
    amdgpu.raw_buffer_store {boundsCheck = true} %w -> %out[%i] : vector<4xf32> -> memref<10xf32>, i32
    gpu.terminator
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %in = memref.alloc() : memref<10xf32>
  %out = memref.alloc() : memref<10xf32>
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %f = arith.sitofp %i32 : i32 to f32
    memref.store %f, %in[%i] : memref<10xf32>
    memref.store %zero, %out[%i] : memref<10xf32>
  }
  %inAny = memref.cast %in : memref<10xf32> to memref<*xf32>
  %outAny = memref.cast %out : memref<10xf32> to memref<*xf32>
  gpu.host_register %inAny : memref<*xf32>
  gpu.host_register %outAny : memref<*xf32>
  %inDynamic = memref.cast %in : memref<10xf32> to memref<?xf32>
  %outDynamic = memref.cast %out : memref<10xf32> to memref<?xf32>
  // CHECK: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
  call @transfer(%inDynamic, %outDynamic) : (memref<?xf32>, memref<?xf32>) -> ()
  call @printMemrefF32(%outAny) : (memref<*xf32>) -> ()
  // CHECK: [0, 2, 4, 6, 8, 10, 12, 14, 9, 10]
  call @buffer(%in, %out) : (memref<10xf32>, memref<10xf32>) -> ()
  call @printMemrefF32(%outAny) : (memref<*xf32>) -> ()
  gpu.host_unregister %inAny : memref<*xf32>
  gpu.host_unregister %outAny : memref<*xf32>
  memref.dealloc %in : memref<10xf32>
  memref.dealloc %out : memref<10xf32>
  return
}
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
