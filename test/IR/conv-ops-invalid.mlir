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
    ck.yield %acc : f32
  }
  return
}

// -----

// C6: no side effects in the epilogue.
func.func @effects(%x: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @+1 {{expected scalar ops without side effects in the epilogue, got 'memref.alloc'}}
  ck.conv_bwd_weight ins(%x, %x : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f32):
    %m = memref.alloc() : memref<4xf32>
    ck.yield %acc : f32
  }
  return
}

// -----

// C6: the epilogue takes the accumulator.
func.func @argument(%x: memref<1x4x4x1x8xf16>, %dw: memref<1x8x1x1x8xf16>) {
  // expected-error @+1 {{expected an epilogue on one f32 accumulator}}
  ck.conv_bwd_weight ins(%x, %x : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] epilogue {
  ^bb0(%acc: f16):
    ck.yield %acc : f16
  }
  return
}
