// RUN: ck-opt %s --split-input-file --verify-diagnostics
// What ck.wave_specialize refuses: roles that would not meet as often, slots that would be read
// before they are written or written while they are read.

// A barrier less in one role would hang the other.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @one_step_less() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    // expected-error @below {{expected the roles to meet as often: where 'load' has steps [0, 5), 'math' has steps [0, 2)}}
    scf.for %i = %c0 to %n step %c1 {
      %s = ck.acquire %r[%i] : !ring
      ck.commit %s : !slot
    }
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    // expected-note @below {{the meeting of 'math' is here}}
    scf.for %i = %c0 to %c2 step %c1 {
      %w = ck.wait %r[%i] : !ring
    }
    ck.yield
  } : !ring
  return
}

// -----

// A role without any.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @nothing_to_meet() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    // expected-error @below {{where 'load' has steps [0, 1), 'math' has nothing}}
    ck.commit %s : !slot
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  } : !ring
  return
}

// -----

// C5: syncs count as well.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @sync_of_one_role() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    // expected-error @below {{where 'load' has a sync, 'math' has nothing}}
    ck.sync
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  } : !ring
  return
}

// -----

// C5: the branches around them must be the same ones.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @other_branch() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %id = gpu.block_id x
    %first = arith.cmpi eq, %id, %c0 : index
    // expected-error @below {{where 'load' has a branch on arith.cmpi}}
    scf.if %first {
      %s = ck.acquire %r[%c0] : !ring
      ck.commit %s : !slot
    }
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %id = gpu.block_id y
    %first = arith.cmpi eq, %id, %c0 : index
    // expected-note @below {{the meeting of 'math' is here}}
    scf.if %first {
      %w = ck.wait %r[%c0] : !ring
    }
    ck.yield
  } : !ring
  return
}

// -----

// C4: who reads and who writes.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @reader_in_load() {
  %ring = ck.lds_ring : !ring
  // expected-note@+1 {{the roles are specialized here}}
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    // expected-error @below {{is for math waves, got role 'load'}}
    %w = ck.wait %r[%c0] : !ring
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  } : !ring
  return
}

// -----

// C4, the other way round.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @writer_in_math() {
  %ring = ck.lds_ring : !ring
  // expected-note@+1 {{the roles are specialized here}}
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    // expected-error @below {{is for load waves, got role 'math'}}
    ck.commit %s : !slot
    ck.yield
  } : !ring
  return
}

// -----

// C4: a slot cannot be written while it is read.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<1 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @one_slot() {
  %ring = ck.lds_ring : !ring
  // expected-error @below {{expected a ring of at least 2 slots between two roles}}
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    ck.yield
  } : !ring
  return
}

// -----

// C7: the second run of steps would write slots that are still read.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @no_sync_between() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    %t = ck.acquire %r[%c0] : !ring
    ck.commit %t : !slot
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %w = ck.wait %r[%c0] : !ring
    // expected-error @below {{expected a 'ck.sync' between the steps of two block GEMMs}}
    %x = ck.wait %r[%c0] : !ring
    ck.yield
  } : !ring
  return
}

// -----

// C7: other waves still read the operands that the store would overwrite.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!c = !ck.view<1x64x64xf32, #ck.transform_map<(m: 64, n: 64) by [broadcast g : 1] to (g: 1, m: 64, n: 64)>>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @no_sync_before_store(%c: !c) {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%c, %ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%v: !c, %r: !ring):
    %c0 = arith.constant 0 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    %w = ck.wait %r[%c0] : !ring
    %acc = ck.zero_acc : <64x64xf32, #layout>
    // expected-error @below {{expected a 'ck.sync' between steps and a store through their ring}}
    ck.store_tile %acc, %v[%c0, %c0, %c0] through %r shuffle <blocks = 1x1, width = 4>
      : <64x64xf32, #layout>, !c through !ring
    ck.yield
  } : !c, !ring
  return
}

// -----

// C7: other waves still read the results that the next steps would overwrite.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!c = !ck.view<1x64x64xf32, #ck.transform_map<(m: 64, n: 64) by [broadcast g : 1] to (g: 1, m: 64, n: 64)>>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @no_sync_after_store(%c: !c, %n: index) {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%c, %ring, %n) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%v: !c, %r: !ring, %tiles: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %tiles step %c1 {
      %s = ck.acquire %r[%c0] : !ring
      ck.commit %s : !slot
      // expected-error @below {{expected a 'ck.sync' between the steps of two block GEMMs}}
      %w = ck.wait %r[%c0] : !ring
      %acc = ck.zero_acc : <64x64xf32, #layout>
      ck.sync
      ck.store_tile %acc, %v[%c0, %c0, %c0] through %r shuffle <blocks = 1x1, width = 4>
      : <64x64xf32, #layout>, !c through !ring
    }
    ck.yield
  } : !c, !ring, index
  return
}

// -----

// C6: nothing has been written yet.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @wait_without_commit() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    // expected-error @below {{expected a 'ck.commit' of step 0 before}}
    %w = ck.wait %r[%c0] : !ring
    ck.yield
  } : !ring
  return
}

// -----

// C6: one step has been written, the next one is read as well.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @wait_before_commit() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    %w = ck.wait %r[%c0] : !ring
    // expected-error @below {{expected step 1 next, of steps up to 1 that are committed, got 1}}
    %x = ck.wait %r[%c1] : !ring
    ck.yield
  } : !ring
  return
}

// -----

// C6: step 2 goes to the slot of step 0, which other waves may still be reading.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @too_far_ahead() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    %w = ck.wait %r[%c0] : !ring
    %t = ck.acquire %r[%c1] : !ring
    ck.commit %t : !slot
    %u = ck.acquire %r[%c2] : !ring
    // expected-error @below {{writes step 2 into a slot that may still be read: of 2 slots, and steps up to 1 waited for}}
    ck.commit %u : !slot
    ck.yield
  } : !ring
  return
}

// -----

// C6: what is written must be read.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @left_over() {
  %ring = ck.lds_ring : !ring
  // expected-error @below {{expected a 'ck.wait' for every step that is committed, got steps up to 1 committed and up to 0 waited for}}
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    ck.yield
  } : !ring
  return
}

// -----

// C6: a loop that commits the same step over and over.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @loop_falls_behind() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %s = ck.acquire %r[%c0] : !ring
    ck.commit %s : !slot
    // expected-error @below {{expected each iteration to commit and to wait for as many steps as it counts}}
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %w = ck.wait %r[%i] : !ring
      %t = ck.acquire %r[%i] : !ring
      ck.commit %t : !slot
    }
    ck.yield
  } : !ring
  return
}

// -----

// Only loops and branches that can be followed may hold steps.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<2 x [!f, !f]>
!slot = !ck.slot<!ring>
func.func @hidden() {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    %p = arith.cmpi eq, %c0, %n : index
    // expected-error @below {{cannot hold steps of a ring: expected 'scf.for' and 'scf.if' only}}
    scf.while : () -> () {
      scf.condition(%p)
    } do {
      %s = ck.acquire %r[%c0] : !ring
      ck.commit %s : !slot
      scf.yield
    }
    ck.yield
  } : !ring
  return
}
