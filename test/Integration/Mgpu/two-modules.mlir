// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),gpu-to-llvm)" \
// RUN: | ck-opt --ck-serialize-kernels \
// RUN: | mlir-opt --convert-func-to-llvm --reconcile-unrealized-casts | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// Two launches are two modules with two code objects; the second one adds to what the first one
// wrote. Linked by the stock pass and by ours.

// CHECK: [5, 105, 205, 305, 405, 505, 605, 705]
func.func @main() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %memory = memref.alloc() : memref<8xi32>
  %any = memref.cast %memory : memref<8xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %hundred = arith.constant 100 : i32
    %t = arith.index_cast %tx : index to i32
    %v = arith.muli %t, %hundred : i32
    memref.store %v, %memory[%tx] : memref<8xi32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %five = arith.constant 5 : i32
    %old = memref.load %memory[%bx] : memref<8xi32>
    %new = arith.addi %old, %five : i32
    memref.store %new, %memory[%bx] : memref<8xi32>
    gpu.terminator
  }
  call @printMemrefI32(%any) : (memref<*xi32>) -> ()
  gpu.host_unregister %any : memref<*xi32>
  memref.dealloc %memory : memref<8xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
