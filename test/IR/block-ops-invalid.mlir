// RUN: ck-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a micro tile that divides 64x32, got 3x2}}
func.func private @micro_tile(!ck.fragment<64x32xf16, 3x2 along rows>)

// -----

// expected-error @+1 {{expected 'along rows' or 'along k', got 'columns'}}
func.func private @along(!ck.fragment<64x32xf16, 4x2 along columns>)

// -----

// expected-error @+1 {{slots must be at least 1, got 0}}
func.func private @slots(!ck.ring<0 x [!ck.fragment<64x32xf16, 4x2 along rows>]>)

// -----

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
// expected-error @+1 {{expected 2 dimensions, got 3}}
func.func private @acc(!ck.acc<4x4x4xf32, #layout>)

// -----

// Sizes whose bytes could overflow.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
// expected-error @+1 {{sizes of a tile must be in [0, 65536], got 4294967296}}
func.func private @large_acc(!ck.acc<4294967296x4294967296xf32, #layout>)

// -----

// expected-error @+1 {{sizes of a tile must be in [0, 65536], got 4611686018427387904}}
func.func private @large_fragment(!ck.fragment<4611686018427387904x32xf16, 4x2 along rows>)

// -----

// expected-error @+1 {{expected at most one more slot of the last of several tiles, got 2 of 2 tiles}}
func.func private @uneven_slots(!ck.ring<2 + 2 x [!ck.fragment<64x32xf16, 4x2 along rows>,
                                                  !ck.fragment<64x32xf16, 4x2 along rows>]>)

// -----

// expected-error @+1 {{expected at most one more slot of the last of several tiles, got 1 of 1 tiles}}
func.func private @uneven_tile(!ck.ring<2 + 1 x [!ck.fragment<64x32xf16, 4x2 along rows>]>)

// -----

// expected-error @+1 {{slots must be at most 65536, got 65537}}
func.func private @many_slots(!ck.ring<65537 x [!ck.fragment<64x32xf16, 4x2 along rows>]>)

// -----

// wave_specialize C1: the captures are the arguments.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @captures(%a: !a) {
  // expected-error @+1 {{as arguments of each region}}
  ck.wave_specialize(%a) roles [#ck.role<uniform, 4>] layout #layout {
    ck.yield
  } : !a
  return
}

// -----

// wave_specialize C1: a region per role.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @regions(%a: !a) {
  // expected-error @+1 {{expected one region per role, got 1 regions and 2 roles}}
  ck.wave_specialize(%a) roles [#ck.role<load, 4>, #ck.role<math, 4>] layout #layout {
  ^bb0(%v: !a):
    ck.yield
  } : !a
  return
}

// -----

// wave_specialize C2: which roles.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @roles(%a: !a) {
  // expected-error @+1 {{expected roles [uniform] or [load, math]}}
  ck.wave_specialize(%a) roles [#ck.role<load, 4>] layout #layout {
  ^bb0(%v: !a):
    ck.yield
  } : !a
  return
}

// -----

// wave_specialize C3: how many waves.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @waves(%a: !a) {
  // expected-error @+1 {{expected 4 waves of role 'uniform', got 8}}
  ck.wave_specialize(%a) roles [#ck.role<uniform, 8>] layout #layout {
  ^bb0(%v: !a):
    ck.yield
  } : !a
  return
}

// -----

// cursor C1: a coordinate per dimension.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
func.func @coordinates(%a: !a, %i: index) {
  // expected-error @+1 {{expected 3 entries in 'coordinates', got 2}}
  %0 = ck.cursor %a[%i, %i] : !a -> !ck.cursor<!a, !f>
  return
}

// -----

// cursor C2: a cursor of the view.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!b = !ck.view<1x8x8xf16, #ck.transform_map<(g: 1, m: 8, k: 8) by [] to (g: 1, m: 8, k: 8)>>
// expected-note@+1 {{the view is defined here}}
func.func @view(%a: !a, %i: index) {
  // expected-error @+1 {{expected a cursor of the view}}
  %0 = ck.cursor %a[%i, %i, %i] : !a -> !ck.cursor<!b>
  return
}

// -----

// advance C1: a step per dimension.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
func.func @step(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{expected 3 entries in 'step', got 1}}
  %0 = ck.advance %p by [32] : !ck.cursor<!a>
  return
}

// -----

// advance C1: forward.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
func.func @backward(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{'step' must not be negative, got -32}}
  %0 = ck.advance %p by [0, 0, -32] : !ck.cursor<!a>
  return
}

// -----

// load_tile C1: the cursor's fragment.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
// expected-note@+1 {{the cursor is defined here}}
func.func @load(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{expected a cursor of}}
  %0 = ck.load_tile %p : !ck.cursor<!a> -> !f
  return
}

// -----

// write_tile C1: which operand.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
func.func @operand(%f: !f, %s: !ck.slot<!ck.ring<2 x [!f]>>) {
  // expected-error @+1 {{operand must be in [0, 0], got 1}}
  ck.write_tile %f, %s[1] : !f, !ck.slot<!ck.ring<2 x [!f]>>
  return
}

// -----

// write_tile C1: of the tile's type.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!g = !ck.fragment<128x32xf16, 4x4 along rows>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the fragment is defined here}}
func.func @tile(%f: !f, %s: !ck.slot<!ck.ring<2 x [!g]>>) {
  // expected-error @+1 {{expected a fragment of type}}
  ck.write_tile %f, %s[0] : !f, !ck.slot<!ck.ring<2 x [!g]>>
  return
}

// -----

// write_tile C2: only to wider floats.
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!g = !ck.fragment<64x32xf8E5M2, 4x2 along rows>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the fragment is defined here}}
func.func @narrower(%f: !f, %s: !ck.slot<!ck.ring<2 x [!g]>>) {
  // expected-error @+1 {{expected a fragment of type}}
  ck.write_tile %f, %s[0] : !f, !ck.slot<!ck.ring<2 x [!g]>>
  return
}

// -----

// write_tile C2: of the same shape.
!f = !ck.fragment<64x32xf8E5M2, 4x2 along rows>
!g = !ck.fragment<64x32xbf16, 2x4 along rows>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the fragment is defined here}}
func.func @micro_tile(%f: !f, %s: !ck.slot<!ck.ring<2 x [!g]>>) {
  // expected-error @+1 {{, or of narrower floats, got}}
  ck.write_tile %f, %s[0] : !f, !ck.slot<!ck.ring<2 x [!g]>>
  return
}

// -----

// mma_tile C1: shapes fit.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the accumulator is defined here}}
func.func @mma(%s: !ck.slot<!ck.ring<2 x [!f, !f]>>, %acc: !ck.acc<64x128xf32, #layout>) {
  // expected-error @+1 {{expected a slot of two tiles MxK and NxK and an accumulator MxN}}
  %0 = ck.mma_tile %s, %acc : !ck.slot<!ck.ring<2 x [!f, !f]>>, !ck.acc<64x128xf32, #layout>
  return
}

// -----

func.func @priority() {
  // expected-error @below {{attribute 'level' failed to satisfy constraint: 16-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  ck.priority 4
  return
}

// -----

// wave_specialize C3: accumulators have the layout of the waves.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#other = #ck.acc_layout<waves = 4x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @layouts(%i: index) {
  // expected-note @+1 {{the waves of that layout are specialized here}}
  ck.wave_specialize(%i) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%v: index):
    // expected-error @+1 {{expected an accumulator of layout #ck.acc_layout<waves = 2x2}}
    %acc = ck.zero_acc : !ck.acc<128x64xf32, #other>
    ck.yield
  } : index
  return
}

// -----

// mma_tile C2: columns that are held stand beside rows only.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!h = !ck.fragment<64x32xf16, 1x8 held along k>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the fragment is defined here}}
func.func @two_columns(%s: !ck.slot<!ck.ring<2 x [!f, !f]>>, %b: !h, %acc: !ck.acc<64x64xf32, #layout>) {
  // expected-error @+1 {{expected a slot of one tile and columns that are held, got}}
  %0 = ck.mma_tile %s with %b, %acc : !ck.slot<!ck.ring<2 x [!f, !f]>> with !h, !ck.acc<64x64xf32, #layout>
  return
}

// -----

// mma_tile C2: shapes fit.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!h = !ck.fragment<64x64xf16, 1x8 held along k>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the accumulator is defined here}}
func.func @other_columns(%s: !ck.slot<!ck.ring<2 x [!f]>>, %b: !h, %acc: !ck.acc<64x64xf32, #layout>) {
  // expected-error @+1 {{expected a tile MxK, columns NxK and an accumulator MxN, got}}
  %0 = ck.mma_tile %s with %b, %acc : !ck.slot<!ck.ring<2 x [!f]>> with !h, !ck.acc<64x64xf32, #layout>
  return
}

// -----

// A held fragment has what a lane multiplies.
// expected-error @+1 {{expected micro tiles of one row along k of a fragment that is held}}
func.func @held(%b: !ck.fragment<64x64xf16, 2x8 held along k>)

// -----

// No held fragment goes to LDS.
// expected-error @+1 {{expected tiles of fragments that go to LDS, got}}
func.func @held_ring(%b: !ck.ring<2 x [!ck.fragment<64x64xf16, 1x8 held along k>]>)

// -----

// A held fragment is never transposed.
// expected-error @+1 {{expected micro tiles of one row along k of a fragment that is held}}
func.func @held_rows(%b: !ck.fragment<64x64xf16, 8x1 held along rows>)

// -----

// A lane of an async fragment loads a part of one row.
// expected-error @+1 {{expected micro tiles of one row along k of a fragment that is async}}
func.func @async_k(%b: !ck.fragment<64x64xf16, 8x1 async along k>)

// -----

// A lane of an async fragment along rows loads a part of one k.
// expected-error @+1 {{expected micro tiles of one k along rows of a fragment that is async}}
func.func @async_rows(%b: !ck.fragment<64x64xf16, 8x2 async along rows>)

// -----

// copy_tile C1: the operand names a tile.
#map = #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>
!f = !ck.fragment<64x64xf16, 1x8 async along k>
func.func @copy_operand(%p: !ck.cursor<!ck.view<1x64x64xf16, #map>, !f>, %s: !ck.slot<!ck.ring<2 x [!f]>>) {
  // expected-error @+1 {{operand must be in [0, 0], got 1}}
  ck.copy_tile %p, %s[1] : !ck.cursor<!ck.view<1x64x64xf16, #map>, !f>, !ck.slot<!ck.ring<2 x [!f]>>
  return
}

// -----

// copy_tile C1: the fragment is that of the cursor.
#map = #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>
!f = !ck.fragment<64x64xf16, 1x8 async along k>
!g = !ck.fragment<64x64xf16, 1x2 async along k>
// expected-note@+2 {{the slot is defined here}}
// expected-note@+1 {{the cursor is defined here}}
func.func @copy_cursor(%p: !ck.cursor<!ck.view<1x64x64xf16, #map>, !g>, %s: !ck.slot<!ck.ring<2 x [!f]>>) {
  // expected-error @+1 {{expected a cursor of}}
  ck.copy_tile %p, %s[0] : !ck.cursor<!ck.view<1x64x64xf16, #map>, !g>, !ck.slot<!ck.ring<2 x [!f]>>
  return
}

// -----

// copy_tile C2: the tile is async.
#map = #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>
!f = !ck.fragment<64x64xf16, 1x8 along k>
// expected-note@+1 {{the slot is defined here}}
func.func @copy_staged(%p: !ck.cursor<!ck.view<1x64x64xf16, #map>, !f>, %s: !ck.slot<!ck.ring<2 x [!f]>>) {
  // expected-error @+1 {{expected a tile that is async, got}}
  ck.copy_tile %p, %s[0] : !ck.cursor<!ck.view<1x64x64xf16, #map>, !f>, !ck.slot<!ck.ring<2 x [!f]>>
  return
}

// -----

// commit_copies C1: no more steps than slots are under way.
!r = !ck.ring<3 x [!ck.fragment<64x64xf16, 1x8 async along k>]>
func.func @commit_ahead(%r: !r, %i: index) {
  // expected-error @+1 {{'ahead' must be in [0, 2], got 3}}
  ck.commit_copies %r[%i] ahead 3 : !r
  return
}

// -----

// mma_unit C1: the accumulator fits.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
// expected-note@+2 {{the unit is defined here}}
// expected-note@+1 {{the accumulator is defined here}}
func.func @unit_shape(%u: !ck.unit<!ck.ring<2 x [!f, !f]>>, %acc: !ck.acc<64x128xf32, #layout>) {
  // expected-error @+1 {{expected a unit of two tiles MxK and NxK and an accumulator MxN, got}}
  %0 = ck.mma_unit %u, %acc : !ck.unit<!ck.ring<2 x [!f, !f]>>, !ck.acc<64x128xf32, #layout>
  return
}
