// RUN: ck-opt %s --ck-conv-to-gemm=fold-positions=3,2 --split-input-file --verify-diagnostics
// Positions that do not suit a convolution are refused there, with nothing changed.

func.func @rank(%x: memref<1x8x1x8xf16>, %w: memref<1x2x1x8xf16>, %y: memref<1x8x1x2xf16>) {
  // expected-error @below {{cannot fold positions of 2 spatial dimensions: expected as many as the convolution has, 1}}
  ck.conv_fwd ins(%x, %w : memref<1x8x1x8xf16>, memref<1x2x1x8xf16>)
    outs(%y : memref<1x8x1x2xf16>) layout <NWGC, GKXC, NWGK>
    strides [1] dilations [1] pad_low [0] pad_high [0]
  return
}

// -----

// The residues of a stride are folded together.
func.func @residues(%dy: memref<1x4x4x1x8xf16>, %w: memref<1x8x2x2x2xf16>,
                    %dx: memref<1x8x8x1x2xf16>) {
  // expected-error @below {{cannot fold 3 positions: expected a positive multiple of 2, at most 65536}}
  ck.conv_bwd_data ins(%dy, %w : memref<1x4x4x1x8xf16>, memref<1x8x2x2x2xf16>)
    outs(%dx : memref<1x8x8x1x2xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}

// -----

// The taps of a position two further on are not among those of the first one.
func.func @dilation(%x: memref<1x8x8x1x8xf16>, %w: memref<1x2x2x2x8xf16>,
                    %y: memref<1x6x8x1x2xf16>) {
  // expected-error @below {{cannot fold 3 positions with a stride of 1 and a dilation of 2: expected 1, or a dilation that divides a stride of at most 4294967296}}
  ck.conv_fwd ins(%x, %w : memref<1x8x8x1x8xf16>, memref<1x2x2x2x8xf16>)
    outs(%y : memref<1x6x8x1x2xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [2, 1] pad_low [0, 0] pad_high [0, 1]
  return
}
