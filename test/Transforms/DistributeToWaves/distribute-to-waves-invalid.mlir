// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves))' --split-input-file --verify-diagnostics
// Roles that do not cover the workgroup, rings that the layout cannot read, and results that cannot go
// through one.

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @roles [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{roles of 384 threads do not cover the workgroup: expected 512}}
    ck.wave_specialize(%ring) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
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

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<16x16x7xf16>, along = rows>
gpu.module @no_matrix_instruction [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%i: index) kernel {
    // expected-error @below {{expected a matrix instruction of gfx942, got #ck.mma<16x16x7xf16>}}
    ck.wave_specialize(%i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%0: index):
      ck.yield
    } : index
    gpu.return
  }
}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
!ring = !ck.ring<2 x [!ck.fragment<64x32xi8, 4x2 along rows>, !ck.fragment<64x32xi8, 4x2 along rows>]>
gpu.module @other_elements [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{cannot distribute '!ck.fragment<64x32xi8, 4x2 along rows>' by #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}

// -----

// The tile of A has 64 rows, four waves of 32 would need 128.
#layout = #ck.acc_layout<waves = 4x1, mma = #ck.mma<32x32x8xf16>, along = rows>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @other_tile [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{cannot distribute '!ck.fragment<64x32xf16, 4x2 along rows>' by}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}
// -----

// A wave has 2048 bytes of LDS for a region of 32 x 32 results of 4 bytes.
#map = #ck.transform_map<(m: 64, n: 64) by [broadcast g : 1] to (g: 1, m: 64, n: 64)>
!c = !ck.view<1x64x64xf32, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!ring = !ck.ring<2 x [!ck.fragment<64x16xf16, 4x1 along rows>, !ck.fragment<64x16xf16, 4x1 along rows>]>
gpu.module @small_ring [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%c: memref<64x64xf32>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x64xf32> -> !c
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !c, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      // expected-error @below {{through 8192 bytes of LDS by #ck.shuffle<blocks = 1x1, width = 4>}}
      ck.store_tile %acc, %v[%tile, %tile, %tile] through %r shuffle <blocks = 1x1, width = 4>
        : <64x64xf32, #layout>, !c through !ring
      ck.yield
    } : !c, index, !ring
    gpu.return
  }
}

// -----

// Rows of 63 elements start anywhere: single elements only.
#map = #ck.transform_map<(m: 64, n: 63) by [broadcast g : 1] to (g: 1, m: 64, n: 63)>
!c = !ck.view<1x64x63xf16, #map>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @wide_store [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%c: memref<64x63xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x63xf16> -> !c
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%v: !c, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      // expected-error @below {{cannot pass results of}}
      ck.store_tile %acc, %v[%tile, %tile, %tile] through %r shuffle <blocks = 1x1, width = 2>
        : <64x64xf32, #layout>, !c through !ring
      ck.yield
    } : !c, index, !ring
    gpu.return
  }
}

// -----

// gfx942 has no reads of LDS that transpose.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<16x16x16xf16>, along = rows>
!ring = !ck.ring<2 x [!ck.fragment<64x64xf16, 8x1 async along rows>, !ck.fragment<64x64xf16, 8x1 async along rows>]>
gpu.module @no_transposing_reads [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{cannot distribute '!ck.fragment<64x64xf16, 8x1 async along rows>' by}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}

// -----

// Of elements of 8 bits, other numbers of lanes transpose.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<16x16x32xi8>, along = rows>
!ring = !ck.ring<2 x [!ck.fragment<64x64xi8, 8x1 async along rows>, !ck.fragment<64x64xi8, 8x1 async along rows>]>
gpu.module @transposed_bytes [#rocdl.target<chip = "gfx950">] {
  gpu.func @kernel() kernel {
    %ring = ck.lds_ring : !ring
    // expected-error @below {{cannot distribute '!ck.fragment<64x64xi8, 8x1 async along rows>' by}}
    ck.wave_specialize(%ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%0: !ring):
      ck.yield
    } : !ring
    gpu.return
  }
}

// -----

// The sums of a tile of 64x64 that two waves share.
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!ring = !ck.ring<2 x [!ck.fragment<64x8xf16, 2x1 along rows>, !ck.fragment<64x8xf16, 2x1 along rows>]>
gpu.module @sums [#rocdl.target<chip = "gfx942">] {
  gpu.func @small_ring(%ws: memref<16512xi32>, %i: index) kernel {
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%ws, %i, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index, %r: !ring):
      // expected-error @below {{expected a ring of at least 8192 bytes for the sums, got 4096}}
      ck.sum_partials %w[%index] count %index part %index of 2 first 128 through %r
        : !ck.acc<64x64xf32, #layout>, memref<16512xi32> through !ring
      ck.yield
    } : memref<16512xi32>, index, !ring
    gpu.return
  }
}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
gpu.module @sums [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_ring(%ws: memref<16512xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index):
      // expected-error @below {{expected a ring, in which waves leave their sums}}
      ck.sum_partials %w[%index] count %index part %index of 2 first 128
        : !ck.acc<64x64xf32, #layout>, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index
    gpu.return
  }
}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>, !ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @sums [#rocdl.target<chip = "gfx942">] {
  gpu.func @any_workspace(%ws: memref<?xi32>, %i: index) kernel {
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%ws, %i, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<?xi32>, %index: index, %r: !ring):
      // expected-error @below {{expected a workspace of less than 2 GiB, got 'memref<?xi32>'}}
      ck.sum_partials %w[%index] count %index part %index of 2 first 128 through %r
        : !ck.acc<64x64xf32, #layout>, memref<?xi32> through !ring
      ck.yield
    } : memref<?xi32>, index, !ring
    gpu.return
  }
}
