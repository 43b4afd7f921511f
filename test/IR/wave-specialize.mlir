// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// Ways in which roles may meet: unrolled, peeled and split loops count as the runs of steps they are.

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!f = !ck.fragment<64x32xf16, 4x2 along rows>
!ring = !ck.ring<3 x [!f, !f]>
!slot = !ck.slot<!ring>

// Every workgroup has its own range, which both roles compute for themselves.
// CHECK-LABEL: @ranges
func.func @ranges() {
  %ring = ck.lds_ring : !ring
  // CHECK: ck.wave_specialize
  ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %id = gpu.block_id x
    %count = arith.addi %id, %c7 : index
    %units = gpu.grid_dim x
    scf.for %unit = %c0 to %units step %c1 {
      %last = arith.subi %count, %c1 : index
      scf.for %i = %c0 to %last step %c1 {
        %s = ck.acquire %r[%i] : !ring
        ck.commit %s : !slot
      }
      %s = ck.acquire %r[%last] : !ring
      ck.commit %s : !slot
      // CHECK: ck.sync
      ck.sync
    }
    ck.yield
  }, {
  ^bb0(%r: !ring):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %id = gpu.block_id x
    %c4 = arith.constant 4 : index
    %half = arith.addi %c3, %id : index
    %count = arith.addi %half, %c4 : index
    %units = gpu.grid_dim x
    scf.for %unit = %c0 to %units step %c1 {
      %rest = arith.remui %count, %c3 : index
      %whole = arith.subi %count, %rest : index
      scf.for %i = %c0 to %whole step %c3 {
        %0 = ck.wait %r[%i] : !ring
        %i1 = arith.addi %i, %c1 : index
        %1 = ck.wait %r[%i1] : !ring
        %i2 = arith.addi %i1, %c1 : index
        %2 = ck.wait %r[%i2] : !ring
      }
      scf.for %i = %whole to %count step %c1 {
        %0 = ck.wait %r[%i] : !ring
      }
      ck.sync
    }
    ck.yield
  } : !ring
  return
}

// With three slots, waves of both roles may write one step ahead of the next wait.
// CHECK-LABEL: @ahead
func.func @ahead(%n: index) {
  %ring = ck.lds_ring : !ring
  ck.wave_specialize(%ring, %n) roles [#ck.role<uniform, 4>] layout #layout {
  ^bb0(%r: !ring, %end: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s0 = ck.acquire %r[%c0] : !ring
    ck.commit %s0 : !slot
    scf.for %i = %c0 to %end step %c1 {
      %next = arith.addi %i, %c1 : index
      %s = ck.acquire %r[%next] : !ring
      ck.commit %s : !slot
      %w = ck.wait %r[%i] : !ring
    }
    %w = ck.wait %r[%end] : !ring
    ck.yield
  } : !ring, index
  return
}
