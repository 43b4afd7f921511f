// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
#a_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, k: 64) by
                          [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 1, M: 64, K: 1568)>
#b_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1),
                           embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
#c_map = #ck.transform_map<(g: 1, k: 64, y: 3, x: 3, c: 64) by
                          [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 1, M: 64, N: 576)>
!a_view = !ck.view<1x64x1568xf16, #a_map>
!b_view = !ck.view<1x576x1568xf16, #b_map>
!c_view = !ck.view<1x64x576xf32, #c_map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!acc = !ck.acc<64x128xf32, #layout>
!a_fragment = !ck.fragment<64x32xf16, 4x2 along rows>
!b_fragment = !ck.fragment<128x32xf16, 4x4 along rows>
!ring = !ck.ring<2 x [!a_fragment, !b_fragment]>
!uneven_ring = !ck.ring<2 + 1 x [!a_fragment, !b_fragment]>
!slot = !ck.slot<!ring>
!cursor = !ck.cursor<!a_view, !a_fragment>
!held_fragment = !ck.fragment<128x32xf16, 1x8 held along k>
!row_slot = !ck.slot<!ck.ring<2 x [!a_fragment]>>
#k_map = #ck.transform_map<(g: 1, m: 64, k: 512) by [] to (g: 1, m: 64, k: 512)>
!k_view = !ck.view<1x64x512xf16, #k_map>
!async_fragment = !ck.fragment<64x64xf16, 1x8 async along k>
!transposed_fragment = !ck.fragment<64x64xf16, 8x1 async along rows>
!async_ring = !ck.ring<3 x [!async_fragment, !transposed_fragment]>
!async_slot = !ck.slot<!async_ring>
!async_cursor = !ck.cursor<!k_view, !async_fragment>
!transposed_cursor = !ck.cursor<!k_view, !transposed_fragment>
!unit = !ck.unit<!ring>

// CHECK-LABEL: @uniform
// CHECK: %[[RING:.*]] = ck.lds_ring : !ring
// CHECK: ck.wave_specialize(%{{.*}}, %{{.*}}, %[[RING]]) roles [#ck.role<uniform, 4>] layout #layout {
func.func @uniform(%a: !a_view, %b: !b_view) {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%a, %b, %ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%view: !a_view, %bview: !b_view, %r: !ring):
    %i = arith.constant 0 : index
    // CHECK: %[[P:.*]] = ck.cursor %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !view -> <!view, !fragment>
    %p = ck.cursor %view[%i, %i, %i] : !a_view -> !ck.cursor<!a_view, !a_fragment>
    %pb = ck.cursor %bview[%i, %i, %i] : !b_view -> !ck.cursor<!b_view, !b_fragment>
    // CHECK: ck.advance %[[P]] by [0, 0, 32] : <!view, !fragment>
    %q = ck.advance %p by [0, 0, 32] : !cursor
    // CHECK: %[[F:.*]] = ck.load_tile %{{.*}} : <!view, !fragment> -> !fragment
    %f = ck.load_tile %q : !ck.cursor<!a_view, !a_fragment> -> !a_fragment
    // CHECK: ck.load_tile %{{.*}} in_bounds : <!view1, !fragment1> -> !fragment1
    %g = ck.load_tile %pb in_bounds : !ck.cursor<!b_view, !b_fragment> -> !b_fragment
    // CHECK: %[[S:.*]] = ck.acquire %{{.*}}[%{{.*}}] : !ring
    %slot = ck.acquire %r[%i] : !ring
    // CHECK: ck.write_tile %[[F]], %[[S]][0] : !fragment, <!ring>
    ck.write_tile %f, %slot[0] : !a_fragment, !slot
    ck.write_tile %g, %slot[1] : !b_fragment, !slot
    // CHECK: ck.commit %[[S]] : <!ring>
    ck.commit %slot : !slot
    // CHECK: %[[ZERO:.*]] = ck.zero_acc : !acc
    %zero = ck.zero_acc : !acc
    // CHECK: %[[W:.*]] = ck.wait %{{.*}}[%{{.*}}] : !ring
    %full = ck.wait %r[%i] : !ring
    // CHECK: ck.mma_tile %[[W]], %[[ZERO]] : <!ring>, !acc
    %next = ck.mma_tile %full, %zero : !slot, !acc
    // CHECK: ck.release %[[W]] : <!ring>
    ck.release %full : !slot
    // CHECK: ck.sync
    ck.sync
    ck.yield
  } : !a_view, !b_view, !ring
  return
}

// Two roles, one region each.
// CHECK-LABEL: @split
// CHECK: roles [#ck.role<load, 2>, #ck.role<math, 4>]
func.func @split(%a: !a_view) {
  ck.wave_specialize(%a) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%view: !a_view):
    ck.yield
  }, {
  ^bb0(%view: !a_view):
    ck.yield
  } : !a_view
  return
}

// Columns that waves hold stand beside a slot of rows.
// CHECK-LABEL: @held
// CHECK: ck.mma_tile %{{.*}} with %{{.*}}, %{{.*}} : <!{{.*}}> with !{{.*}}, !acc
func.func @held(%full: !slot, %rows: !row_slot, %held: !held_fragment, %zero: !acc) {
  %next = ck.mma_tile %full, %zero : !slot, !acc
  %product = ck.mma_tile %rows with %held, %zero : !row_slot with !held_fragment, !acc
  return
}

// Operands are read a unit ahead of their products.
// CHECK-LABEL: @units
// CHECK: %[[FIRST:.*]] = ck.read_unit %{{.*}}[0] : <!ring>
// CHECK: ck.mma_unit %[[FIRST]], %{{.*}} : <!ring>, !acc
func.func @units(%full: !slot, %zero: !acc) {
  %first = ck.read_unit %full[0] : !slot
  %sum = ck.mma_unit %first, %zero : !ck.unit<!ring>, !acc
  return
}

// Loads that write to LDS themselves run ahead of the steps that are committed.
// CHECK-LABEL: @copies
// CHECK: ck.copy_tile %{{.*}}, %{{.*}}[0] in_bounds : <!{{.*}}, !{{.*}}>, <!{{.*}}>
// CHECK: ck.copy_tile %{{.*}}, %{{.*}}[1] : <!{{.*}}, !{{.*}}>, <!{{.*}}>
// CHECK: ck.commit_copies %{{.*}}[%{{.*}}] ahead 1 : !{{.*}}
func.func @copies(%async_ring: !async_ring, %async_p: !async_cursor, %transposed_p: !transposed_cursor,
                  %i: index) {
  %async_slot = ck.acquire %async_ring[%i] : !async_ring
  ck.copy_tile %async_p, %async_slot[0] in_bounds : !async_cursor, !async_slot
  ck.copy_tile %transposed_p, %async_slot[1] : !transposed_cursor, !async_slot
  ck.commit_copies %async_ring[%i] ahead 1 : !async_ring
  return
}

// What schedulers may know stays symbolic down to the last rung.
// CHECK-LABEL: @hints
// CHECK: ck.priority 1
// CHECK: ck.loads_first
func.func @hints() {
  ck.priority 1
  ck.loads_first
  return
}
