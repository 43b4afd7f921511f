// RUN: ck-opt %s --ck-convert-to-rocdl --split-input-file --verify-diagnostics
// Without a known chip there is nothing to convert for; an op of an earlier rung does not convert.

// expected-error @below {{no target chip: expected 'ck.target' on the module (see ck-attach-target)}}
gpu.module @no_target {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{unknown chip 'gfx803'}}
gpu.module @unknown_chip [#rocdl.target<chip = "gfx803">] {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

!ring = !ck.ring<2 x [!ck.fragment<64x32xf16, 4x2 along rows>]>
gpu.module @earlier_rung [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{failed to legalize operation 'gpu.func'}}
  gpu.func @kernel(%ring: !ring, %i: index) kernel {
    %slot = ck.wait %ring[%i] : !ring
    gpu.return
  }
}

// -----

// A problem that no pass has lowered.
func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @below {{expected to be lowered to kernels and their launches before}}
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
