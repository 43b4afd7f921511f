// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),expand-strided-metadata,convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// Host memory that kernels access in place: a whole memref, by the pointer that the device has for
// it, and the inner part of a larger one, of which only that part is registered.

func.func @increment(%values: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f32
    %old = memref.load %values[%tx] : memref<?xf32>
    %new = arith.addf %old, %one : f32
    memref.store %new, %values[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %device = arith.constant 0 : i32
  gpu.set_default_device %device
  %memory = memref.alloc() : memref<3xf32>
  %half = arith.constant 0.5 : f32
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %half, %memory[%i] : memref<3xf32>
  }
  %any = memref.cast %memory : memref<3xf32> to memref<*xf32>
  gpu.host_register %any : memref<*xf32>
  %view = memref.cast %memory : memref<3xf32> to memref<?xf32>
  %onDevice = call @mgpuMemGetDeviceMemRef1dFloat(%view) : (memref<?xf32>) -> memref<?xf32>
  call @increment(%onDevice) : (memref<?xf32>) -> ()
  call @increment(%onDevice) : (memref<?xf32>) -> ()
  // CHECK: [2.5, 2.5, 2.5]
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  gpu.host_unregister %any : memref<*xf32>
  memref.dealloc %memory : memref<3xf32>

  %rows = memref.alloc() : memref<4x3xi32>
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      memref.store %seven, %rows[%i, %j] : memref<4x3xi32>
    }
  }
  %inner = memref.subview %rows[1, 0] [2, 3] [1, 1] : memref<4x3xi32> to memref<2x3xi32, strided<[3, 1], offset: 3>>
  %innerAny = memref.cast %inner : memref<2x3xi32, strided<[3, 1], offset: 3>> to memref<*xi32>
  gpu.host_register %innerAny : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %old = memref.load %inner[%bx, %tx] : memref<2x3xi32, strided<[3, 1], offset: 3>>
    %t = arith.index_cast %tx : index to i32
    %new = arith.addi %old, %t : i32
    memref.store %new, %inner[%bx, %tx] : memref<2x3xi32, strided<[3, 1], offset: 3>>
    gpu.terminator
  }
  // CHECK:      [7, 8, 9],
  // CHECK-NEXT: [7, 8, 9]
  call @printMemrefI32(%innerAny) : (memref<*xi32>) -> ()
  gpu.host_unregister %innerAny : memref<*xi32>
  memref.dealloc %rows : memref<4x3xi32>
  return
}
func.func private @mgpuMemGetDeviceMemRef1dFloat(memref<?xf32>) -> memref<?xf32>
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
