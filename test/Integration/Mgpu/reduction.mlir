// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks
// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | env CK_EMULATOR_SCHEDULE=random:7 %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// A reduction written out: each workgroup of 256 work-items halves its numbers in LDS until one is
// left, then adds it to the result with an atomic.

// 0 + 1 + ... + 1023
// CHECK: [523776]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %n = arith.constant 1024 : index
  %zero = arith.constant 0 : i32
  %in = memref.alloc() : memref<1024xi32>
  %out = memref.alloc() : memref<1xi32>
  memref.store %zero, %out[%c0] : memref<1xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<1024xi32>
  }
  %inAny = memref.cast %in : memref<1024xi32> to memref<*xi32>
  %outAny = memref.cast %out : memref<1xi32> to memref<*xi32>
  gpu.host_register %inAny : memref<*xi32>
  gpu.host_register %outAny : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1)
             workgroup(%lds : memref<256xi32, #gpu.address_space<workgroup>>) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k256 = arith.constant 256 : index
    %base = arith.muli %bx, %k256 : index
    %i = arith.addi %base, %tx : index
    %v = memref.load %in[%i] : memref<1024xi32>
    memref.store %v, %lds[%tx] : memref<256xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %half = arith.constant 128 : index
    %last = scf.while (%width = %half) : (index) -> index {
      %more = arith.cmpi uge, %width, %k1 : index
      scf.condition(%more) %width : index
    } do {
    ^bb0(%width: index):
      %active = arith.cmpi ult, %tx, %width : index
      scf.if %active {
        %j = arith.addi %tx, %width : index
        %a = memref.load %lds[%tx] : memref<256xi32, #gpu.address_space<workgroup>>
        %b = memref.load %lds[%j] : memref<256xi32, #gpu.address_space<workgroup>>
        %s = arith.addi %a, %b : i32
        memref.store %s, %lds[%tx] : memref<256xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %next = arith.divui %width, %k2 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %tx, %k0 : index
    scf.if %first {
      %sum = memref.load %lds[%k0] : memref<256xi32, #gpu.address_space<workgroup>>
      %old = memref.atomic_rmw addi %sum, %out[%k0] : (i32, memref<1xi32>) -> i32
    }
    gpu.terminator
  }
  call @printMemrefI32(%outAny) : (memref<*xi32>) -> ()
  gpu.host_unregister %inAny : memref<*xi32>
  gpu.host_unregister %outAny : memref<*xi32>
  memref.dealloc %in : memref<1024xi32>
  memref.dealloc %out : memref<1xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
