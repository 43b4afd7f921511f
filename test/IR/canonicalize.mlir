// RUN: ck-opt %s --canonicalize | FileCheck %s

#map = #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>
!view = !ck.view<1x64x64xf16, #map>
!fragment = !ck.fragment<64x32xf16, 4x2 along rows>
!cursor = !ck.cursor<!view, !fragment>
!ring = !ck.ring<2 x [!fragment, !fragment]>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>

// CHECK-LABEL: @advance_by_nothing
// CHECK-SAME: (%[[P:.*]]: !ck.cursor
// CHECK-NEXT: return %[[P]]
func.func @advance_by_nothing(%p: !cursor) -> !cursor {
  %q = ck.advance %p by [0, 0, 0] : !cursor
  return %q : !cursor
}

// CHECK-LABEL: @advance_twice
// CHECK-SAME: (%[[P:.*]]: !ck.cursor
// CHECK-NEXT: %[[Q:.*]] = ck.advance %[[P]] by [0, 4, 96]
// CHECK-NEXT: return %[[Q]]
func.func @advance_twice(%p: !cursor) -> !cursor {
  %q = ck.advance %p by [0, 4, 32] : !cursor
  %r = ck.advance %q by [0, 0, 64] : !cursor
  return %r : !cursor
}

// The sum of the steps is no 64-bit number.
// CHECK-LABEL: @advance_too_far
// CHECK-COUNT-2: ck.advance
func.func @advance_too_far(%p: !cursor) -> !cursor {
  %q = ck.advance %p by [0, 0, 9223372036854775807] : !cursor
  %r = ck.advance %q by [0, 0, 1] : !cursor
  return %r : !cursor
}

// CHECK-LABEL: @table_of_one
// CHECK-NOT: ck.gemm_table
// CHECK: ck.gemm ins
func.func @table_of_one(%a: !view) {
  ck.gemm_table {
    ck.gemm ins(%a, %a : !view, !view) outs(%a : !view)
  }
  return
}

// CHECK-LABEL: @table_of_two
// CHECK: ck.gemm_table
func.func @table_of_two(%a: !view) {
  ck.gemm_table {
    ck.gemm ins(%a, %a : !view, !view) outs(%a : !view)
    ck.fill outs(%a : !view)
  }
  return
}

// The constants of an epilogue stay in it, and are folded there.
// CHECK-LABEL: @epilogue_constants
// CHECK-NOT: arith.constant
// CHECK: ck.batched_gemm
// CHECK: ^bb0(%[[ACC:.*]]: f32):
// CHECK: %[[SIX:.*]] = arith.constant 6.0{{.*}} : f32
// CHECK: arith.minimumf %[[ACC]], %[[SIX]] : f32
func.func @epilogue_constants(%a: memref<1x32x64xf16>, %b: memref<1x16x64xf16>,
                              %c: memref<1x32x16xf32>) {
  ck.batched_gemm ins(%a, %b : memref<1x32x64xf16>, memref<1x16x64xf16>)
    outs(%c : memref<1x32x16xf32>) layout "rcr" epilogue {
  ^bb0(%acc: f32):
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %six = arith.mulf %two, %three : f32
    %out = arith.minimumf %acc, %six : f32
    ck.yield %out : f32
  }
  return
}

// What is not used and only reads is gone; so is a ring that nobody has.
// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused(%a: !view, %p: !cursor, %i: index) {
  %0 = ck.block_gemm %a[%i, %i], %a[%i] k_steps(%i to %i) schedule #s
    : !view, !view -> !ck.acc<64x64xf32, #layout>
  %1 = ck.load_tile %p : !cursor -> !fragment
  %2 = ck.lds_ring : !ring
  return
}
