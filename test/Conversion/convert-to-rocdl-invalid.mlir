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
  gpu.func @kernel(%ring: !ring, %i: index) kernel {
    // expected-error @below {{'ck.wait' op does not belong to form 'upstream': expected 'ck-distribute-to-waves' to run before}}
    %slot = ck.wait %ring[%i] : !ring
    gpu.return
  }
}

// -----

// A problem that no pass has lowered.
func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @below {{'ck.conv_bwd_weight' op does not belong to form 'upstream': expected 'ck-conv-to-gemm' to run before}}
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}

// -----

gpu.module @hints [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    // expected-error @below {{'ck.priority' op does not belong to form 'upstream': expected 'ck-lower-hints' to run before}}
    ck.priority 1
    gpu.return
  }
}

// -----

gpu.module @function [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel(%x: f32) kernel {
    // expected-error @below {{'ck.gelu' op does not belong to form 'upstream': expected 'ck-expand-math' to run before}}
    %0 = ck.gelu %x : f32
    gpu.return
  }
}

// -----

// What was converted before is not converted again.
// expected-error @below {{expected something of form 'upstream' in the module, got only kernels of other forms}}
module {
  gpu.module @converted [#rocdl.target<chip = "gfx942">] {
    llvm.func @kernel() attributes {gpu.kernel, rocdl.kernel} {
      llvm.return
    }
  }
}
