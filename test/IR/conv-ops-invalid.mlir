// RUN: ck-opt %s --split-input-file --verify-diagnostics

// C1: rank of the tensors.
func.func @rank(%x: memref<14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected tensors of rank 5, got 'memref<14x14x1x64xf16>'}}
  ck.conv_bwd_weight ins(%x, %x : memref<14x14x1x64xf16>, memref<14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C2: one entry per spatial dimension.
func.func @entries(%x: memref<8x14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected 2 entries in 'strides', got 1}}
  ck.conv_bwd_weight ins(%x, %x : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C2: strides are positive.
func.func @stride(%x: memref<8x14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{stride}}
  ck.conv_bwd_weight ins(%x, %x : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 0] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C3: the output size follows from the rest.
func.func @shape(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x12x14x1x64xf16>,
                 %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected shape 8x14x14x1x64 of 'dy' (NHWGK), got 8x12x14x1x64}}
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x12x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C4: one operand type.
func.func @types(%x: memref<8x14x14x1x64xf16>, %dy: memref<8x14x14x1x64xbf16>,
                 %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected 'x' and 'dy' of one element type}}
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xbf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C4: memrefs are packed.
func.func @packed(%x: memref<8x14x14x1x64xf16, strided<[20000, 896, 64, 64, 1]>>,
                  %dy: memref<8x14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected packed memrefs}}
  ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16, strided<[20000, 896, 64, 64, 1]>>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C5: tensors are returned.
func.func @result(%x: tensor<8x14x14x1x64xf16>, %dw: tensor<1x64x3x3x64xf32>) {
  // expected-error @+1 {{expected 1 results, got 0}}
  ck.conv_bwd_weight ins(%x, %x : tensor<8x14x14x1x64xf16>, tensor<8x14x14x1x64xf16>)
    outs(%dw : tensor<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C6: the epilogue yields an element.
func.func @yield(%x: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf16>) {
  // expected-error @+1 {{expected an epilogue that yields one 'f16'}}
  ck.conv_bwd_weight ins(%x, %x : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f32):
    // expected-note@+1 {{the epilogue ends here}}
    ck.yield %acc : f32
  }
  return
}

// -----

// C6: no side effects in the epilogue.
func.func @effects(%x: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @+1 {{cannot lower 'memref.alloc' in the epilogue}}
  ck.conv_bwd_weight ins(%x, %x : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f32):
    // expected-note@+1 {{the operation is here}}
    %m = memref.alloc() : memref<4xf32>
    ck.yield %acc : f32
  }
  return
}

// -----

// C6: the epilogue takes the accumulator.
func.func @argument(%x: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf16>) {
  // expected-error @+1 {{expected an epilogue on ('f32'), got ('f16')}}
  ck.conv_bwd_weight ins(%x, %x : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f16):
    ck.yield %acc : f16
  }
  return
}

// -----

// C7: a D operand has the result's shape or one value per channel.
func.func @d_shape(%x: memref<8x14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>,
                   %d: memref<1x32xf32>) {
  // expected-error @+1 {{expected D operands of the result's shape or 1x64, got 'memref<1x32xf32>'}}
  ck.conv_bwd_weight ins(%x, %x : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) ds(%d : memref<1x32xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// C7: D operands need an epilogue.
func.func @d_unused(%x: memref<8x14x14x1x64xf16>, %dw: memref<1x64x3x3x64xf32>,
                    %d: memref<1x64xf32>) {
  // expected-error @+1 {{expected an epilogue that takes the 1 D operands}}
  ck.conv_bwd_weight ins(%x, %x : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
    outs(%dw : memref<1x64x3x3x64xf32>) ds(%d : memref<1x64xf32>)
    layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// conv_fwd C3: the output size follows from the rest.
func.func @forward(%x: memref<8x14x14x1x64xf16>, %w: memref<1x32x3x3x64xf16>,
                   %y: memref<8x12x14x1x32xf16>) {
  // expected-error @+1 {{expected shape 8x14x14x1x32 of 'y' (NHWGK), got 8x12x14x1x32}}
  ck.conv_fwd ins(%x, %w : memref<8x14x14x1x64xf16>, memref<1x32x3x3x64xf16>)
    outs(%y : memref<8x12x14x1x32xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// conv_bwd_data C4: one operand type.
func.func @backward_data(%dy: memref<8x7x7x1x32xf16>, %w: memref<1x32x3x3x64xbf16>,
                         %dx: memref<8x14x14x1x64xf16>) {
  // expected-error @+1 {{expected 'dy' and 'w' of one element type}}
  ck.conv_bwd_data ins(%dy, %w : memref<8x7x7x1x32xf16>, memref<1x32x3x3x64xbf16>)
    outs(%dx : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}

// -----

// batched_gemm C1: the layout.
func.func @gemm_layout(%a: memref<1x128x64xf16>) {
  // expected-error @+1 {{expected a layout of three letters r or c, got 'rx'}}
  ck.batched_gemm ins(%a, %a : memref<1x128x64xf16>, memref<1x128x64xf16>)
    outs(%a : memref<1x128x64xf16>) layout "rx"
  return
}

// -----

// batched_gemm C2: rank 3.
func.func @gemm_rank(%a: memref<128x64xf16>) {
  // expected-error @+1 {{expected tensors of rank 3, got 'memref<128x64xf16>'}}
  ck.batched_gemm ins(%a, %a : memref<128x64xf16>, memref<128x64xf16>)
    outs(%a : memref<128x64xf16>) layout "rcr"
  return
}

// -----

// batched_gemm C2: K of both factors.
func.func @gemm_shape(%a: memref<1x128x64xf16>, %b: memref<1x96x32xf16>, %c: memref<1x128x96xf16>) {
  // expected-error @+1 {{expected shape 1x96x64 of 'b' (GNK), got 1x96x32}}
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x96x32xf16>)
    outs(%c : memref<1x128x96xf16>) layout "rcr"
  return
}

// -----

// C7: blocks of 16 or 32 columns.
func.func @block(%a: memref<1x128x64xf16>, %b: memref<1x12x8x8x8xf16>, %c: memref<1x128x96xf16>) {
  // expected-error @+1 {{'preshuffle' must be 16 or 32, or 0 for none, got 8}}
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x12x8x8x8xf16>)
    outs(%c : memref<1x128x96xf16>) layout "rcr" preshuffle 8
  return
}

// -----

// C2: a shuffled b has rank 5.
func.func @plain(%a: memref<1x128x64xf16>, %b: memref<1x96x64xf16>, %c: memref<1x128x96xf16>) {
  // expected-error @+1 {{expected tensors of rank 5, got 'memref<1x96x64xf16>'}}
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x96x64xf16>)
    outs(%c : memref<1x128x96xf16>) layout "rcr" preshuffle 16
  return
}

// -----

// C2: the blocks are those of the shape.
func.func @other_block(%a: memref<1x128x64xf16>, %b: memref<1x3x8x32x8xf16>,
                       %c: memref<1x128x48xf16>) {
  // expected-error @+1 {{expected shape 1x3x8x16x8 of 'b' (GNKnk), got 1x3x8x32x8}}
  ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x3x8x32x8xf16>)
    outs(%c : memref<1x128x48xf16>) layout "rcr" preshuffle 16
  return
}

// -----

// C8: channels last.
func.func @filter_layout(%x: memref<8x14x14x1x64xf16>, %w: memref<1x8x2x3x3x32x8xf16>,
                         %y: memref<8x14x14x1x64xf16>) {
  // expected-error @+1 {{'preshuffle' requires the filter layout GKYXC, got 'GCKYX'}}
  ck.conv_fwd ins(%x, %w : memref<8x14x14x1x64xf16>, memref<1x8x2x3x3x32x8xf16>)
    outs(%y : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GCKYX, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] preshuffle 32
  return
}
