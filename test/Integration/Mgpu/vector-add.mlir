// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// c = a + b over 150 elements, in 3 workgroups of which the last one is not full.

// CHECK: sizes = [150]
// CHECK-NEXT: [0, 11, 22, 33, {{.*}}, 1628, 1639]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 150 : index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %ten = arith.constant 10.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %f = arith.sitofp %i32 : i32 to f32
    memref.store %f, %x[%i] : memref<?xf32>
    %g = arith.mulf %f, %ten : f32
    memref.store %g, %y[%i] : memref<?xf32>
  }
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
  %b, %t2 = gpu.alloc async [%t1] (%n) : memref<?xf32>
  %c, %t3 = gpu.alloc async [%t2] (%n) : memref<?xf32>
  %t4 = gpu.memcpy async [%t3] %a, %x : memref<?xf32>, memref<?xf32>
  %t5 = gpu.memcpy async [%t4] %b, %y : memref<?xf32>, memref<?xf32>
  %t6 = gpu.launch async [%t5] blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
                               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %base = arith.muli %bx, %sx : index
    %i = arith.addi %base, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %p = memref.load %a[%i] : memref<?xf32>
      %q = memref.load %b[%i] : memref<?xf32>
      %sum = arith.addf %p, %q : f32
      memref.store %sum, %c[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  %t7 = gpu.memcpy async [%t6] %x, %c : memref<?xf32>, memref<?xf32>
  %t8 = gpu.dealloc async [%t7] %a : memref<?xf32>
  %t9 = gpu.dealloc async [%t8] %b : memref<?xf32>
  %t10 = gpu.dealloc async [%t9] %c : memref<?xf32>
  gpu.wait [%t10]
  %result = memref.cast %x : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%result) : (memref<*xf32>) -> ()
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return
}
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
