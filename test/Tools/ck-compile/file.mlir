// A file with one problem compiles like the problem's string, whatever the function is called.

// RUN: rm -rf %t && ck-compile %s -o %t
// RUN: FileCheck %s < %t/manifest.json

// CHECK: "chip": "gfx942"
// CHECK: "code_object": "gradient.hsaco"
// CHECK: "arguments": [
// CHECK-NEXT: "x",
// CHECK-NEXT: "dy",
// CHECK-NEXT: "dw"
// CHECK: "name": "gradient"
// CHECK: "problem": "conv_bwd_weight:f16:N=2,G=2,K=8,C=16,in=8x8,filter=3x3,pad=1,out_dtype=f16"
func.func @gradient(%dw: memref<2x8x3x3x16xf16>, %x: memref<2x8x8x2x16xf16>,
                    %dy: memref<2x8x8x2x8xf16>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x8x8x2x16xf16>, memref<2x8x8x2x8xf16>)
    outs(%dw : memref<2x8x3x3x16xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
