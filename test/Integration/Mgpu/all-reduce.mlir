// RUN: mlir-opt %s --pass-pipeline="builtin.module(gpu-kernel-outlining,rocdl-attach-target{chip=gfx942},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx942},reconcile-unrealized-casts),convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{toolkit=%toolkit},convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// gpu.all_reduce over workgroups of 2 waves: shuffles of 32 lanes, LDS and barriers between them. The
// number of groups of 32 lanes is a power of two, as the width of gpu.shuffle must be on AMD GPUs.

// Each workgroup adds its numbers 0 to 127 and its own number 128 times: 8128 + 128 * g.
// CHECK: [8128, 8256, 8384]
// And the greatest of (7 * t) mod 128, with a region: 127 in each.
// CHECK: [127, 127, 127]
func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %sums = memref.alloc() : memref<3xi32>
  %maxima = memref.alloc() : memref<3xi32>
  %sumsAny = memref.cast %sums : memref<3xi32> to memref<*xi32>
  %maximaAny = memref.cast %maxima : memref<3xi32> to memref<*xi32>
  gpu.host_register %sumsAny : memref<*xi32>
  gpu.host_register %maximaAny : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = arith.addi %tx, %bx : index
    %value = arith.index_cast %sum : index to i32
    %total = gpu.all_reduce add %value uniform {} : (i32) -> (i32)
    memref.store %total, %sums[%bx] : memref<3xi32>
    %seven = arith.constant 7 : index
    %product = arith.muli %tx, %seven : index
    %c128b = arith.constant 128 : index
    %rest = arith.remui %product, %c128b : index
    %number = arith.index_cast %rest : index to i32
    %maximum = gpu.all_reduce %number uniform {
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      "gpu.yield"(%m) : (i32) -> ()
    } : (i32) -> (i32)
    memref.store %maximum, %maxima[%bx] : memref<3xi32>
    gpu.terminator
  }
  call @printMemrefI32(%sumsAny) : (memref<*xi32>) -> ()
  call @printMemrefI32(%maximaAny) : (memref<*xi32>) -> ()
  gpu.host_unregister %sumsAny : memref<*xi32>
  gpu.host_unregister %maximaAny : memref<*xi32>
  memref.dealloc %sums : memref<3xi32>
  memref.dealloc %maxima : memref<3xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
