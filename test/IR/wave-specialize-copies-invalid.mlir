// RUN: ck-opt %s --split-input-file --verify-diagnostics

// C6: copies in flight overwrite what may still be read.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
#map = #ck.transform_map<(g: 1, m: 64, k: 512) by [] to (g: 1, m: 64, k: 512)>
!f = !ck.fragment<64x64xf16, 1x8 async along k>
!ring = !ck.ring<2 x [!f]>
!slot = !ck.slot<!ring>
!cursor = !ck.cursor<!ck.view<1x64x512xf16, #map>, !f>
func.func @copies_too_far_ahead(%p: !cursor) {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring, %p) roles [#ck.role<load, 4>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring, %q: !cursor):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 5 : index
    scf.for %i = %c0 to %n step %c1 {
      ck.commit_copies %r[%i] ahead 1 : !ring
      %later = arith.addi %i, %c2 : index
      %s = ck.acquire %r[%later] : !ring
      // expected-error @below {{into a slot that may still be read: of 2 slots}}
      ck.copy_tile %q, %s[0] : !cursor, !slot
    }
    ck.yield
  }, {
  ^bb0(%r: !ring, %q: !cursor):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 5 : index
    scf.for %i = %c0 to %n step %c1 {
      %w = ck.wait %r[%i] : !ring
      ck.release %w : !slot
    }
    ck.yield
  } : !ring, !cursor
  return
}
