// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-lower-transforms,canonicalize,cse),ck-verify-form{form=lane})' | FileCheck %s
// EXAMPLE-BEFORE: %r:2 = scf.for .. scf.yield
// EXAMPLE-AFTER: rocdl.make.buffer.rsrc .. scf.yield
// Cursors become offsets that loops carry: no step divides.

// K is one stride through memory; what lies behind its end lies behind the tensor.
#linear_map = #ck.transform_map<(k: 1568, m: 64) by [broadcast g : 1] to (g: 1, m: 64, k: 1568)>
!linear = !ck.view<1x64x1568xf16, #linear_map>
// The input of a 3x3 convolution with padding: K moves through n, ho and wo.
#merged_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by
  [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 3 * 1, wo: 14 * 1),
   pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
!merged = !ck.view<1x576x1568xf16, #merged_map>
// A strided one without padding: nothing to check.
#strided_map = #ck.transform_map<(n: 2, h: 10, w: 10, g: 1, c: 64) by
  [embed h = (y: 1 * 1, ho: 5 * 2), embed w = (x: 1 * 1, wo: 5 * 2),
   pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 64, K: 50)>
!strided = !ck.view<1x64x50xf16, #strided_map>
// K is the fastest dimension: behind its end lies the next row.
#rows_map = #ck.transform_map<(m: 64, k: 30) by [broadcast g : 1] to (g: 1, m: 64, k: 30)>
!rows = !ck.view<1x64x30xf16, #rows_map>

!descending = !ck.view<1x64x24xf16, #ck.transform_map<(k: 8, x: 3, c: 64) by
    [broadcast G : 1, embed x = (t: 3 * -1) + 2, pass N = c, merge K = (t, k)] to (G: 1, N: 64, K: 24)>>
// The slower digit of N has the smaller stride: a carry moves backwards.
!transposed = !ck.view<1x12x8xf16, #ck.transform_map<(k: 8, w: 3, h: 4) by
    [broadcast G : 1, merge N = (h, w), pass K = k] to (G: 1, N: 12, K: 8)>>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // The loop carries nothing but the sum and the scalar offset: 32 x 64 x 2 bytes a step.
  // CHECK-LABEL: gpu.func @linear_k
  // CHECK-DAG: %[[SIZE:.*]] = arith.constant 200704 : i64
  // CHECK-DAG: %[[STEP:.*]] = arith.constant 4096 : i32
  // CHECK-NOT: llvm.getelementptr
  // CHECK: %[[BUFFER:.*]] = rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %[[SIZE]]
  // CHECK-NOT: arith.cmpi
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:.*]] = %c0_i32) -> (vector<4xf16>, i32)
  // CHECK: rocdl.raw.ptr.buffer.load %[[BUFFER]], %{{.*}}, %[[S]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[S]], %[[STEP]] : i32
  // CHECK: scf.yield %{{.*}}, %[[NEXT]]
  gpu.func @linear_k(%t: memref<1568x64xf16>, %out: memref<1xvector<4xf16>>, %m: index, %end: index) kernel {
    %v = ck.transform %t : memref<1568x64xf16> -> !linear
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant dense<0.0> : vector<4xf16>
    %start = ck.cursor %v[%zero, %m, %zero] : !linear -> <!linear>
    %r:2 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %p = %start)
        -> (vector<4xf16>, !ck.cursor<!linear>) {
      %x = ck.load %p offset [0, 0, 0] : <!linear> -> vector<4xf16>
      %next = arith.addf %sum, %x : vector<4xf16>
      %q = ck.advance %p by [0, 0, 32] : <!linear>
      scf.yield %next, %q : vector<4xf16>, !ck.cursor<!linear>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<4xf16>>
    gpu.return
  }

  // The first row and column of padding lie (14 + 1) x 64 x 2 bytes before the tensor, where offsets
  // are negative. Digits are found once, by division, and carried then. Where a check fails the
  // offset is 2^31, past the end of every buffer.
  // CHECK-LABEL: gpu.func @merged_k
  // CHECK-DAG: %[[OUT:.*]] = arith.constant -2147483648 : i32
  // CHECK-DAG: %[[SIZE:.*]] = arith.constant 200704 : i64
  // CHECK-DAG: %[[BEFORE:.*]] = arith.constant -1920 : i32
  // CHECK-NOT: llvm.getelementptr
  // CHECK: rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %[[SIZE]]
  // CHECK: arith.divui
  // CHECK: arith.addi %{{.*}}, %[[BEFORE]] : i32
  // CHECK: scf.for
  // CHECK-NOT: arith.divui
  // CHECK-NOT: arith.remui
  // CHECK: %[[IN_H:.*]] = arith.cmpi ult
  // CHECK: %[[IN_W:.*]] = arith.cmpi ult
  // CHECK: %[[IN:.*]] = arith.andi %[[IN_H]], %[[IN_W]]
  // CHECK: %[[AT:.*]] = arith.select %[[IN]], %{{.*}}, %[[OUT]] : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[AT]], %c0_i32
  // A carry compares, subtracts and adds.
  // CHECK: %[[CARRY:.*]] = arith.cmpi uge, %{{.*}}, %c14_i32
  // CHECK: arith.select %[[CARRY]]
  // CHECK-NOT: arith.divui
  // CHECK-NOT: arith.remui
  // CHECK: scf.yield
  gpu.func @merged_k(%t: memref<8x14x14x1x64xf16>, %out: memref<1xvector<4xf16>>, %n: index, %end: index) kernel {
    %v = ck.transform %t : memref<8x14x14x1x64xf16> -> !merged
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant dense<0.0> : vector<4xf16>
    %start = ck.cursor %v[%zero, %n, %zero] : !merged -> <!merged>
    %r:2 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %p = %start)
        -> (vector<4xf16>, !ck.cursor<!merged>) {
      %x = ck.load %p offset [0, 0, 0] : <!merged> -> vector<4xf16>
      %next = arith.addf %sum, %x : vector<4xf16>
      %q = ck.advance %p by [0, 0, 32] : <!merged>
      scf.yield %next, %q : vector<4xf16>, !ck.cursor<!merged>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<4xf16>>
    gpu.return
  }

  // A digit that moves backwards: the first offset is that of its last element, 2 x 64 x 2 bytes, and
  // steps move the offset, as the scalar offset is unsigned.
  // CHECK-LABEL: gpu.func @descending
  // CHECK-DAG: %[[LAST:.*]] = arith.constant 256 : i32
  // CHECK-NOT: llvm.getelementptr
  // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[LAST]] : i32
  // CHECK-NEXT: scf.for {{.*}} iter_args({{.*}}, %[[OFFSET:.*]] = %[[FIRST]]
  // CHECK-NEXT: rocdl.raw.ptr.buffer.load %{{.*}}, %[[OFFSET]], %c0_i32
  gpu.func @descending(%t: memref<8x3x64xf16>, %out: memref<1xvector<4xf16>>, %n: index, %end: index) kernel {
    %v = ck.transform %t : memref<8x3x64xf16> -> !descending
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant dense<0.0> : vector<4xf16>
    %start = ck.cursor %v[%zero, %n, %zero] : !descending -> <!descending>
    %r:2 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %p = %start)
        -> (vector<4xf16>, !ck.cursor<!descending>) {
      %x = ck.load %p offset [0, 0, 0] in_bounds : <!descending> -> vector<4xf16>
      %next = arith.addf %sum, %x : vector<4xf16>
      %q = ck.advance %p by [0, 0, 4] : <!descending>
      scf.yield %next, %q : vector<4xf16>, !ck.cursor<!descending>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<4xf16>>
    gpu.return
  }

  // w is n - 3 h to the optimizer, which may leave a negative sum beside a constant: nothing hides it.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK-NEXT: rocdl.raw.ptr.buffer.load %{{.*}}, %[[SUM]], %c0_i32
  gpu.func @transposed(%t: memref<8x3x4xf16>, %out: memref<1xvector<1xf16>>, %n: index) kernel {
    %v = ck.transform %t : memref<8x3x4xf16> -> !transposed
    %zero = arith.constant 0 : index
    %p = ck.cursor %v[%zero, %n, %zero] : !transposed -> <!transposed>
    %x = ck.load %p offset [0, 0, 0] in_bounds : <!transposed> -> vector<1xf16>
    memref.store %x, %out[%zero] : memref<1xvector<1xf16>>
    gpu.return
  }

  // Without padding there is nothing to check and the origin is the tensor.
  // CHECK-LABEL: gpu.func @strided_k
  // CHECK-NOT: llvm.getelementptr
  // CHECK: scf.for
  // CHECK-NOT: arith.cmpi ult
  // CHECK: rocdl.raw.ptr.buffer.load
  // CHECK: arith.cmpi uge
  // CHECK: scf.yield
  gpu.func @strided_k(%t: memref<2x10x10x1x64xf16>, %out: memref<1xvector<4xf16>>, %n: index, %end: index) kernel {
    %v = ck.transform %t : memref<2x10x10x1x64xf16> -> !strided
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant dense<0.0> : vector<4xf16>
    %start = ck.cursor %v[%zero, %n, %zero] : !strided -> <!strided>
    %r:2 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %p = %start)
        -> (vector<4xf16>, !ck.cursor<!strided>) {
      %x = ck.load %p offset [0, 0, 0] : <!strided> -> vector<4xf16>
      %next = arith.addf %sum, %x : vector<4xf16>
      %q = ck.advance %p by [0, 0, 4] : <!strided>
      scf.yield %next, %q : vector<4xf16>, !ck.cursor<!strided>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<4xf16>>
    gpu.return
  }

  // The end of K is checked where the tensor does not end there.
  // CHECK-LABEL: gpu.func @end_of_k
  // CHECK: arith.cmpi ult, %{{.*}}, %c30_i32
  // CHECK: arith.select
  // CHECK: rocdl.raw.ptr.buffer.load
  gpu.func @end_of_k(%t: memref<64x30xf16>, %out: memref<1xvector<2xf16>>, %m: index, %k: index) kernel {
    %v = ck.transform %t : memref<64x30xf16> -> !rows
    %zero = arith.constant 0 : index
    %p = ck.cursor %v[%zero, %m, %k] : !rows -> <!rows>
    %x = ck.load %p offset [0, 0, 0] : <!rows> -> vector<2xf16>
    memref.store %x, %out[%zero] : memref<1xvector<2xf16>>
    gpu.return
  }

  // A store is dropped by the same offset; offsets of an access are constants; a true mask costs nothing.
  // CHECK-LABEL: gpu.func @store
  // CHECK-SAME: %[[IN:[^,]*]]: i1)
  // CHECK-DAG: %[[OUT:.*]] = arith.constant -2147483648 : i32
  // CHECK-DAG: %[[ROW:.*]] = arith.constant 60 : i32
  // CHECK-DAG: %[[SC1:.*]] = arith.constant 16 : i32
  // CHECK: %[[P:.*]] = arith.select %[[IN]], %[[BASE:.*]], %[[OUT]]
  // CHECK: %[[AT:.*]] = arith.addi %[[P]], %[[ROW]]
  // CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %[[AT]], %{{.*}}, %[[NONE:.*]] :
  // CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %[[BASE]], %{{.*}}, %[[NONE]] :
  // Past the L2 of an XCD.
  // CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %[[BASE]], %{{.*}}, %[[SC1]] :
  gpu.func @store(%t: memref<64x30xf16>, %m: index, %n: index, %x: vector<1xf16>, %in: i1) kernel {
    %v = ck.transform %t : memref<64x30xf16> -> !rows
    %zero = arith.constant 0 : index
    %true = arith.constant true
    %p = ck.cursor %v[%zero, %m, %n] : !rows -> <!rows>
    ck.store %x, %p offset [0, 1, 0] mask %in : vector<1xf16>, <!rows>
    ck.store %x, %p offset [0, 0, 0] mask %true : vector<1xf16>, <!rows>
    ck.store %x, %p offset [0, 0, 0] mask %true write_through : vector<1xf16>, <!rows>
    gpu.return
  }
}
