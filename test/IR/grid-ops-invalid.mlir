// RUN: ck-opt %s --split-input-file --verify-diagnostics

// distribute C1: some work.
func.func @nothing() {
  // expected-error @+1 {{expected at least one 'ck.work'}}
  ck.distribute #ck.partition<"data_parallel"> {
  }
  return
}

// -----

// distribute C1: nothing but work.
func.func @other() {
  // expected-error @+1 {{expected 'ck.work' only, got 'ck.zero_acc'}}
  ck.distribute #ck.partition<"data_parallel"> {
    %acc = ck.zero_acc : !ck.acc<64x64xf32>
  }
  return
}

// -----

// work C1: three positive tile counts.
func.func @tiles() {
  // expected-error @+2 {{expected 3 positive entries in 'tiles', got 1, 0, 5}}
  ck.distribute #ck.partition<"data_parallel"> {
    ck.work tiles [1, 0, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}

// -----

// work C1: K steps.
func.func @k_steps() {
  // expected-error @+2 {{'k_steps' must not be negative, got -1}}
  ck.distribute #ck.partition<"data_parallel"> {
    ck.work tiles [1, 1, 5] k_steps -1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}

// -----

// work C2: the body yields the accumulator.
func.func @body() {
  // expected-error @+2 {{expected a body that yields one accumulator}}
  ck.distribute #ck.partition<"data_parallel"> {
    ck.work tiles [1, 1, 5] k_steps 1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}

// -----

// work C3: arguments of the epilogue.
func.func @epilogue() {
  // expected-error @+2 {{of the epilogue}}
  ck.distribute #ck.partition<"data_parallel"> {
    ck.work tiles [1, 1, 5] k_steps 1 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x32xf32>):
    }
  }
  return
}

// -----

// block_gemm C1: the accumulator is the block tile.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<"tile=64x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
func.func @acc(%a: !a, %i: index) {
  // expected-error @+1 {{expected an accumulator of 64x128xf32, got '!ck.acc<64x64xf32>'}}
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s : !a, !a -> !ck.acc<64x64xf32>
  return
}

// -----

// block_gemm C2: one operand type.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!b = !ck.view<1x64x64xbf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<"tile=64x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
func.func @types(%a: !a, %b: !b, %i: index) {
  // expected-error @+1 {{expected views of rank 3 and one element type}}
  %0 = ck.block_gemm %a[%i, %i], %b[%i] k_steps(%i to %i) schedule #s : !a, !b -> !ck.acc<64x128xf32>
  return
}

// -----

// store_tile C1: a view of rank 3.
!c = !ck.view<64xf16, #ck.transform_map<(m: 64) by [] to (m: 64)>>
func.func @store(%acc: !ck.acc<64x64xf32>, %c: !c, %i: index) {
  // expected-error @+1 {{expected an accumulator of rank 2 and a view of rank 3}}
  ck.store_tile %acc, %c[%i, %i, %i] : !ck.acc<64x64xf32>, !c
  return
}

// -----

// store_tile C2: the epilogue yields an element.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_epilogue(%acc: !ck.acc<64x64xf32>, %a: !a, %i: index) {
  // expected-error @+1 {{expected an epilogue that yields one 'f16'}}
  ck.store_tile %acc, %a[%i, %i, %i] : !ck.acc<64x64xf32>, !a epilogue {
  ^bb0(%e: f32):
    ck.yield %e : f32
  }
  return
}

// -----

// store_tile C1: D operands of the result's shape.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!d = !ck.view<1x64x32xf16, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
func.func @store_d(%acc: !ck.acc<64x64xf32>, %a: !a, %d: !d, %i: index) {
  // expected-error @+1 {{expected D operands of shape 1, 64, 64, got 1, 64, 32}}
  ck.store_tile %acc, %a[%i, %i, %i] ds(%d) : !ck.acc<64x64xf32>, !a, !d
  return
}

// -----

// store_tile C2: D operands are for an epilogue.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_without_epilogue(%acc: !ck.acc<64x64xf32>, %a: !a, %i: index) {
  // expected-error @+1 {{expected an epilogue that takes the 1 D operands}}
  ck.store_tile %acc, %a[%i, %i, %i] ds(%a) : !ck.acc<64x64xf32>, !a, !a
  return
}

// -----

// distribute C2: somebody must be there.
func.func @residents() {
  // expected-error @+1 {{resident workgroups must be positive, got 0}}
  ck.distribute #ck.partition<"split_k:2"> residents 0 {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}

// -----

// distribute C3: sums need a place.
func.func @no_workspace() {
  // expected-error @+1 {{partition 'stream_k:tree' needs a workspace}}
  ck.distribute #ck.partition<"stream_k:tree"> residents 4 {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}

// -----

// distribute C3: 4 lines of 32 words with flags, 4 tiles of 64x64 words.
func.func @workspace(%ws: memref<16511xi32>) {
  // expected-error @+1 {{expected a workspace of at least 16512 i32, got 'memref<16511xi32>'}}
  ck.distribute #ck.partition<"stream_k:tree"> residents 4 workspace(%ws : memref<16511xi32>) {
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.zero_acc : !ck.acc<64x64xf32>
      ck.yield %acc : !ck.acc<64x64xf32>
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<64x64xf32>):
    }
  }
  return
}
