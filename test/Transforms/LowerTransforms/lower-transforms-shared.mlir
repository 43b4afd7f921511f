// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-lower-transforms,canonicalize,cse),ck-verify-form{form=lane})' | FileCheck %s
// Digits of the tile that lanes have a part of are carried once, whatever the number of cursors.

// The input of a 3x3 convolution with padding: K moves through y, x and c.
#taps_map = #ck.transform_map<(n: 2, h: 8, w: 8, c: 64) by
  [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 8 * 1), embed w = (x: 3 * 1, wo: 8 * 1),
   broadcast G : 1, merge M = (n, ho, wo), merge K = (y, x, c)] to (G: 1, M: 128, K: 576)>
!taps = !ck.view<1x128x576xf16, #taps_map>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // Each cursor has an offset of its own; x, y and c of the tile are one number each, in all lanes.
  // CHECK-LABEL: gpu.func @shared
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf16>, i32, i32, i32, i32, i32)
  // CHECK-COUNT-2: rocdl.raw.ptr.buffer.load
  // CHECK-COUNT-2: arith.cmpi uge
  // CHECK-NOT: arith.cmpi uge
  // CHECK: scf.yield
  gpu.func @shared(%t: memref<2x8x8x64xf16>, %out: memref<1xvector<8xf16>>, %m: index, %first: index, %end: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %v = ck.transform %t : memref<2x8x8x64xf16> -> !taps
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %init = arith.constant dense<0.0> : vector<8xf16>
    %lane = gpu.thread_id x
    %tile = arith.muli %first, %c32 : index
    %unit = arith.remui %lane, %c4 : index
    %inside = arith.muli %unit, %c8 : index
    %k = arith.addi %tile, %inside : index
    %row = arith.divui %lane, %c4 : index
    %m0 = arith.addi %m, %row : index
    %c16 = arith.constant 16 : index
    %m1 = arith.addi %m0, %c16 : index
    %p0 = ck.cursor %v[%zero, %m0, %k] : !taps -> <!taps>
    %p1 = ck.cursor %v[%zero, %m1, %k] : !taps -> <!taps>
    %r:3 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %a = %p0, %b = %p1)
        -> (vector<8xf16>, !ck.cursor<!taps>, !ck.cursor<!taps>) {
      %x = ck.load %a offset [0, 0, 0] in_bounds : <!taps> -> vector<8xf16>
      %y = ck.load %b offset [0, 0, 0] in_bounds : <!taps> -> vector<8xf16>
      %xy = arith.addf %x, %y : vector<8xf16>
      %next = arith.addf %sum, %xy : vector<8xf16>
      %a2 = ck.advance %a by [0, 0, 32] : <!taps>
      %b2 = ck.advance %b by [0, 0, 32] : <!taps>
      scf.yield %next, %a2, %b2 : vector<8xf16>, !ck.cursor<!taps>, !ck.cursor<!taps>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<8xf16>>
    gpu.return
  }

  // What a lane adds may be more than a tile: its digits are its own.
  // CHECK-LABEL: gpu.func @apart
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf16>, i32, i32, i32, i32, i32, i32, i32, i32)
  gpu.func @apart(%t: memref<2x8x8x64xf16>, %out: memref<1xvector<8xf16>>, %m: index, %k0: index, %k1: index, %end: index) kernel {
    %v = ck.transform %t : memref<2x8x8x64xf16> -> !taps
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %init = arith.constant dense<0.0> : vector<8xf16>
    %p0 = ck.cursor %v[%zero, %m, %k0] : !taps -> <!taps>
    %p1 = ck.cursor %v[%zero, %m, %k1] : !taps -> <!taps>
    %r:3 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %a = %p0, %b = %p1)
        -> (vector<8xf16>, !ck.cursor<!taps>, !ck.cursor<!taps>) {
      %x = ck.load %a offset [0, 0, 0] in_bounds : <!taps> -> vector<8xf16>
      %y = ck.load %b offset [0, 0, 0] in_bounds : <!taps> -> vector<8xf16>
      %xy = arith.addf %x, %y : vector<8xf16>
      %next = arith.addf %sum, %xy : vector<8xf16>
      %a2 = ck.advance %a by [0, 0, 32] : <!taps>
      %b2 = ck.advance %b by [0, 0, 32] : <!taps>
      scf.yield %next, %a2, %b2 : vector<8xf16>, !ck.cursor<!taps>, !ck.cursor<!taps>
    }
    memref.store %r#0, %out[%zero] : memref<1xvector<8xf16>>
    gpu.return
  }

  // Values that start alike and are changed alike are one; one that is added to another is not.
  // CHECK-LABEL: gpu.func @counters
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %c0_i32, %[[B:.*]] = %c0_i32) -> (i32, i32)
  // CHECK: %[[NEXT:.*]] = arith.addi %[[A]], %c2_i32
  // CHECK: %[[OTHER:.*]] = arith.addi %[[B]], %[[A]]
  // CHECK: scf.yield %[[NEXT]], %[[OTHER]]
  gpu.func @counters(%out: memref<3xi32>, %end: index) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %first = arith.constant 0 : i32
    %step = arith.constant 2 : i32
    %r:3 = scf.for %i = %zero to %end step %one iter_args(%a = %first, %b = %first, %c = %first) -> (i32, i32, i32) {
      %a2 = arith.addi %a, %step : i32
      %b2 = arith.addi %b, %step : i32
      %c2 = arith.addi %c, %b : i32
      scf.yield %a2, %b2, %c2 : i32, i32, i32
    }
    memref.store %r#0, %out[%zero] : memref<3xi32>
    memref.store %r#1, %out[%one] : memref<3xi32>
    memref.store %r#2, %out[%two] : memref<3xi32>
    gpu.return
  }
}
