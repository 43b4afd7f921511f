// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves))' --split-input-file --verify-diagnostics
// Roles that do not cover the workgroup, and kernels whose ring no matrix instruction reads.

#s = #ck.schedule<"tile=64x64x32,waves=2x2,mma=32x32x8,roles=2+4,stages=2,partition=data_parallel">
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @roles [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{roles of 384 threads do not cover the workgroup: expected 512}}
    ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] schedule #s {
    ^bb0(%0: !ring):
      ck.yield
    }, {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}

// -----

#s = #ck.schedule<"tile=64x64x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
gpu.module @no_ring [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%i: index) kernel {
    // expected-error @below {{expected a captured ring, or accumulators of a matrix instruction of gfx942 in the schedule}}
    ck.wave_specialize(%i) roles [#ck.role<uniform, 4>] schedule #s {
    ^bb0(%0: index):
      ck.yield
    } : index
    gpu.return
  }
}

// -----

#s = #ck.schedule<"tile=64x64x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
!ring = !ck.ring<2 x [!ck.fragment<64x32xi8, 4x2 along rows>, !ck.fragment<64x32xi8, 4x2 along rows>]>
gpu.module @no_matrix_instruction [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{expected a matrix instruction of gfx942 for 'i8' in the schedule}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] schedule #s {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}

// -----

// The tile of A has 64 rows, the schedule wants 128.
#s = #ck.schedule<"tile=128x64x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @other_tile [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{cannot distribute '!ck.fragment<64x32xf16, 4x2 along rows>' by}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] schedule #s {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}
