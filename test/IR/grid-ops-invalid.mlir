// RUN: ck-opt %s --split-input-file --verify-diagnostics

// distribute C1: some work.
func.func @nothing() {
  // expected-error @+1 {{expected at least one 'ck.work'}}
  ck.distribute #ck.partition<data_parallel> {
  }
  return
}

// -----

// distribute C1: nothing but work.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @other() {
  // expected-error @+1 {{expected 'ck.work' only, got 'ck.zero_acc'}}
  ck.distribute #ck.partition<data_parallel> {
    %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
  }
  return
}

// -----

// work C1: three positive tile counts.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @tiles() {
  // expected-error @+2 {{expected 3 positive entries in 'tiles', got 1, 0, 5}}
  ck.distribute #ck.partition<data_parallel> {
    ck.work tiles [1, 0, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// work C1: K steps.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @k_steps() {
  // expected-error @+2 {{'k_steps' must not be negative, got -1}}
  ck.distribute #ck.partition<data_parallel> {
    ck.work tiles [1, 1, 5] k_steps -1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// work C2: the body yields the accumulator.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @body() {
  // expected-error @+2 {{expected a body that yields one accumulator}}
  ck.distribute #ck.partition<data_parallel> {
    ck.work tiles [1, 1, 5] k_steps 1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// work C3: arguments of the epilogue.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @epilogue() {
  // expected-error @+2 {{of the epilogue}}
  ck.distribute #ck.partition<data_parallel> {
    ck.work tiles [1, 1, 5] k_steps 1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x32xf32, #layout>):
    }
  }
  return
}

// -----

// block_gemm C1: the accumulator is the block tile.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @acc(%a: !a, %i: index) {
  // expected-error @+1 {{expected an accumulator of the tile, the waves and the matrix instruction of #ck.schedule<tile = 64x128x32}}
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !a, !a -> !ck.acc<64x64xf32, #layout>
  return
}

// -----

// block_gemm C2: one operand type.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!b = !ck.view<1x64x64xbf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
// expected-note@+2 {{a is defined here}}
// expected-note@+1 {{b is defined here}}
func.func @types(%a: !a, %b: !b, %i: index) {
  // expected-error @+1 {{expected views of rank 3 and one element type}}
  %0 = ck.block_gemm %a[%i, %i], %b[%i] k_steps(%i to %i) schedule #s : !a, !b -> !ck.acc<64x128xf32, #layout>
  return
}

// -----

// store_tile C1: a view of rank 3.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!c = !ck.view<64xf16, #ck.transform_map<(m: 64) by [] to (m: 64)>>
func.func @store(%acc: !ck.acc<64x64xf32, #layout>, %c: !c, %i: index) {
  // expected-error @+1 {{expected an accumulator of rank 2 and a view of rank 3}}
  ck.store_tile %acc, %c[%i, %i, %i] : !ck.acc<64x64xf32, #layout>, !c
  return
}

// -----

// store_tile C2: the epilogue yields an element.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_epilogue(%acc: !ck.acc<64x64xf32, #layout>, %a: !a, %i: index) {
  // expected-error @+1 {{expected an epilogue that yields one 'f16'}}
  ck.store_tile %acc, %a[%i, %i, %i] : !ck.acc<64x64xf32, #layout>, !a epilogue {
  ^bb0(%e: f32):
    // expected-note@+1 {{the epilogue ends here}}
    ck.yield %e : f32
  }
  return
}

// -----

// store_tile C1: D operands of the result's shape.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!d = !ck.view<1x64x32xf16, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
// expected-note@+2 {{the D operand is defined here}}
// expected-note@+1 {{the result is defined here}}
func.func @store_d(%acc: !ck.acc<64x64xf32, #layout>, %a: !a, %d: !d, %i: index) {
  // expected-error @+1 {{expected D operands of shape 1, 64, 64, got 1, 64, 32}}
  ck.store_tile %acc, %a[%i, %i, %i] ds(%d) : !ck.acc<64x64xf32, #layout>, !a, !d
  return
}

// -----

// store_tile C2: D operands are for an epilogue.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_without_epilogue(%acc: !ck.acc<64x64xf32, #layout>, %a: !a, %i: index) {
  // expected-error @+1 {{expected an epilogue that takes the 1 D operands}}
  ck.store_tile %acc, %a[%i, %i, %i] ds(%a) : !ck.acc<64x64xf32, #layout>, !a, !a
  return
}

// -----

// distribute C2: somebody must be there.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @residents() {
  // expected-error @+1 {{resident workgroups must be positive, got 0}}
  ck.distribute #ck.partition<split_k<2>> residents 0 {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// distribute C3: sums need a place.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @no_workspace() {
  // expected-error @+1 {{partition #ck.partition<stream_k<tree>> needs a workspace}}
  ck.distribute #ck.partition<stream_k<tree>> residents 4 {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// distribute C3: 4 lines of 32 words with flags, 4 tiles of 64x64 words.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @workspace(%ws: memref<16511xi32>) {
  // expected-error @+1 {{expected a workspace of at least 16512 i32, got 'memref<16511xi32>'}}
  ck.distribute #ck.partition<stream_k<tree>> residents 4 workspace(%ws : memref<16511xi32>) {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
      ck.yield %acc : !ck.acc<64x64xf32, #layout>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32, #layout>):
    }
  }
  return
}

// -----

// block_gemm C3: the schedule is one for the elements of the operands.
!a = !ck.view<1x64x64xbf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @operand_type(%a: !a, %i: index) {
  // expected-error @+1 {{expected a schedule for operands of 'bf16', got one for 'f16'}}
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !a, !a -> !ck.acc<64x64xf32, #layout>
  return
}

// -----

// store_tile C3: results go through a ring in a certain way.
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @ring_without_shuffle(%acc: !ck.acc<64x64xf32, #layout>, %c: !c, %ring: !ring, %i: index) {
  // expected-error @+1 {{expected a shuffle with a ring}}
  ck.store_tile %acc, %c[%i, %i, %i] through %ring : !ck.acc<64x64xf32, #layout>, !c through !ring
  return
}

// -----

// store_tile C3: what is added has no way through LDS.
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @atomic_shuffle(%acc: !ck.acc<64x64xf32, #layout>, %c: !c, %i: index) {
  // expected-error @+1 {{expected no shuffle with 'atomic'}}
  ck.store_tile %acc, %c[%i, %i, %i] shuffle <blocks = 1x1, width = 4> atomic
    : !ck.acc<64x64xf32, #layout>, !c
  return
}

// -----

// store_tile C4: regions are whole. A wave has 3 x 1 blocks along the columns and across them.
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
func.func @regions(%acc: !ck.acc<32x96xf32, #layout>, %c: !c, %i: index) {
  // expected-error @+1 {{expected blocks of the shuffle that divide 3x1, those of a wave, got #ck.shuffle<blocks = 2x1, width = 4>}}
  ck.store_tile %acc, %c[%i, %i, %i] shuffle <blocks = 2x1, width = 4>
    : !ck.acc<32x96xf32, #layout>, !c
  return
}

// -----

// store_tile C5: two factors make an element.
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @factors(%acc: !ck.acc<64x64xf32, #layout>, %c: !c, %i: index) {
  // expected-error @+1 {{expected two views to recompute from, got 1}}
  ck.store_tile %acc, %c[%i, %i, %i] recompute(%c) : !ck.acc<64x64xf32, #layout>, !c recompute !c
  return
}

// -----

// store_tile C5: shapes of the factors.
!a = !ck.view<1x64x32xf16, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
!b = !ck.view<1x48x32xf16, #ck.transform_map<(g: 1, n: 48, k: 32) by [] to (g: 1, n: 48, k: 32)>>
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
// expected-note @+3 {{a is defined here}}
// expected-note @+2 {{b is defined here}}
// expected-note @+1 {{c is defined here}}
func.func @factor_shapes(%acc: !ck.acc<64x64xf32, #layout>, %a: !a, %b: !b, %c: !c, %i: index) {
  // expected-error @+1 {{expected to recompute from GxMxK and GxNxK a result GxMxN, got 1, 64, 32, 1, 48, 32 and 1, 64, 64}}
  ck.store_tile %acc, %c[%i, %i, %i] recompute(%a, %b)
    : !ck.acc<64x64xf32, #layout>, !c recompute !a, !b
  return
}

// -----

// store_tile C5: only floating-point numbers have NaN.
!a = !ck.view<1x64x32xi8, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
!c = !ck.view<1x64x64xi32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x16xi8>, along = rows>
func.func @factor_type(%acc: !ck.acc<64x64xi32, #layout>, %a: !a, %c: !c, %i: index) {
  // expected-error @+1 {{expected to recompute from floating-point numbers of one type, got 'i8' and 'i8'}}
  ck.store_tile %acc, %c[%i, %i, %i] recompute(%a, %a)
    : !ck.acc<64x64xi32, #layout>, !c recompute !a, !a
  return
}

// -----

// store_tile C5: a sum of a slice is not that of all products.
!a = !ck.view<1x64x32xf16, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
!c = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, n: 64) by [] to (g: 1, m: 64, n: 64)>>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @atomic_recompute(%acc: !ck.acc<64x64xf32, #layout>, %a: !a, %c: !c, %i: index) {
  // expected-error @+1 {{expected no 'recompute' with 'atomic'}}
  ck.store_tile %acc, %c[%i, %i, %i] recompute(%a, %a) atomic
    : !ck.acc<64x64xf32, #layout>, !c recompute !a, !a
  return
}
