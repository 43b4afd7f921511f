// RUN: ck-opt %s --pass-pipeline="builtin.module(ck-attach-target{chip=gfx942},ck-gemm-to-naive,gpu.module(ck-lower-transforms),ck-convert-to-rocdl,ck-serialize-kernels,convert-scf-to-cf,gpu-to-llvm{use-bare-pointers-for-kernels=1},convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)" \
// RUN: | %runner 2>&1 | FileCheck %s --implicit-check-not=leaks

// A `ck.fill` alone shuffles weights on the device: the epilogue of zero is the element of the plain view.
#plain = #ck.transform_map<(g: 1, n: 32, k: 24) by [pass G = g, pass M = n, pass N = k] to (G: 1, M: 32, N: 24)>
#shuffled = #ck.transform_map<(g: 1, n: 2, k: 6, ni: 16, ki: 4) by [pass G = g, merge M = (n, ni), merge N = (k, ki)] to (G: 1, M: 32, N: 24)>
!plain = !ck.view<1x32x24xf32, #plain>
!shuffled = !ck.view<1x32x24xf32, #shuffled>

func.func @preshuffle(%w: memref<1x32x24xf32>, %s: memref<1x2x6x16x4xf32>) {
  %from = ck.transform %w : memref<1x32x24xf32> -> !plain
  %to = ck.transform %s : memref<1x2x6x16x4xf32> -> !shuffled
  ck.fill outs(%to : !shuffled) ds(%from : !plain) epilogue {
  ^bb0(%zero: f32, %element: f32):
    ck.yield %element : f32
  }
  return
}

// Elements are where the host's shuffle has them: none of 768 differs.
// CHECK: [0, 768]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = memref.alloc() : memref<1x32x24xf32>
  %s = memref.alloc() : memref<1x2x6x16x4xf32>
  %counts = memref.alloc() : memref<2xi32>
  memref.store %zero, %counts[%c0] : memref<2xi32>
  memref.store %zero, %counts[%c1] : memref<2xi32>
  scf.for %n = %c0 to %c32 step %c1 {
    scf.for %k = %c0 to %c24 step %c1 {
      %row = arith.muli %n, %c24 : index
      %place = arith.addi %row, %k : index
      %number = arith.index_cast %place : index to i32
      %value = arith.sitofp %number : i32 to f32
      memref.store %value, %w[%c0, %n, %k] : memref<1x32x24xf32>
    }
  }
  %wAny = memref.cast %w : memref<1x32x24xf32> to memref<*xf32>
  %sAny = memref.cast %s : memref<1x2x6x16x4xf32> to memref<*xf32>
  gpu.host_register %wAny : memref<*xf32>
  gpu.host_register %sAny : memref<*xf32>
  call @preshuffle(%w, %s) : (memref<1x32x24xf32>, memref<1x2x6x16x4xf32>) -> ()
  scf.for %n = %c0 to %c32 step %c1 {
    scf.for %k = %c0 to %c24 step %c1 {
      %block = arith.divui %n, %c16 : index
      %column = arith.remui %n, %c16 : index
      %unit = arith.divui %k, %c4 : index
      %part = arith.remui %k, %c4 : index
      %expected = memref.load %w[%c0, %n, %k] : memref<1x32x24xf32>
      %found = memref.load %s[%c0, %block, %unit, %column, %part] : memref<1x2x6x16x4xf32>
      %same = arith.cmpf oeq, %expected, %found : f32
      %index = arith.select %same, %c1, %c0 : index
      %count = memref.load %counts[%index] : memref<2xi32>
      %next = arith.addi %count, %one : i32
      memref.store %next, %counts[%index] : memref<2xi32>
    }
  }
  gpu.host_unregister %wAny : memref<*xf32>
  gpu.host_unregister %sAny : memref<*xf32>
  %countsAny = memref.cast %counts : memref<2xi32> to memref<*xi32>
  call @printMemrefI32(%countsAny) : (memref<*xi32>) -> ()
  memref.dealloc %w : memref<1x32x24xf32>
  memref.dealloc %s : memref<1x2x6x16x4xf32>
  memref.dealloc %counts : memref<2xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
