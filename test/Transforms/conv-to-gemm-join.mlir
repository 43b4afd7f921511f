// RUN: ck-opt %s --ck-conv-to-gemm="fold-positions=0 join-channels" --ck-verify-form=form=implicit-gemm | FileCheck %s
// RUN: ck-opt %s --ck-conv-to-gemm | FileCheck %s --check-prefix=PLAIN
// RUN: ck-opt %s --ck-attach-target=chip=gfx942 --ck-conv-to-gemm | FileCheck %s --check-prefix=CHOSEN
// Few channels are part of the last spatial dimension, so that a row of taps is one run of memory.

// Pixels are 6 elements apart, so that rows of taps begin at multiples of two if one zero stands
// before them; with two behind they are whole units of eight.
// CHECK-DAG: #ck.transform_map<(n: 2, h: 224, w: 672) by [pad h 3 : 3, embed h = (y: 7 * 1, ho: 112 * 2), pad w 10 : 8, embed w = (x: 24 * 1, wo: 112 * 6), broadcast G : 1, merge M = (n, ho, wo), merge K = (y, x)] to (G: 1, M: 25088, K: 168)>
// CHECK-DAG: #ck.transform_map<(k: 64, y: 7, x: 21) by [pad x 1 : 2, broadcast G : 1, pass N = k, merge K = (y, x)] to (G: 1, N: 64, K: 168)>
// The results of those zeros are not stored.
// CHECK-DAG: #ck.transform_map<(k: 64, y: 7, x: 21) by [pad x 1 : 2, broadcast G : 1, pass M = k, merge N = (y, x)] to (G: 1, M: 64, N: 168)>
// With a stride of one pixel there is nothing to align.
// CHECK-DAG: #ck.transform_map<(n: 2, h: 224, w: 672) by [pad h 1 : 1, embed h = (y: 3 * 1, ho: 224 * 1), pad w 3 : 3, embed w = (x: 9 * 1, wo: 224 * 3), broadcast G : 1, merge M = (n, ho, wo), merge K = (y, x)] to (G: 1, M: 100352, K: 27)>
// Where the chip is known, the estimate chooses.
// CHOSEN-DAG: (n: 2, h: 224, w: 672)
// PLAIN-NOT: w: 672

// Products with the zeros do not belong to the sums.
// CHECK-LABEL: @forward
// CHECK: ck.gemm {{.*}} omit_padding
func.func @forward(%x: memref<2x224x224x1x3xf16>, %w: memref<1x64x7x7x3xf16>,
                   %y: memref<2x112x112x1x64xf16>) {
  ck.conv_fwd ins(%x, %w : memref<2x224x224x1x3xf16>, memref<1x64x7x7x3xf16>)
    outs(%y : memref<2x112x112x1x64xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [3, 3] pad_high [3, 3]
  return
}

// CHECK-LABEL: @weight
// CHECK: ck.transform %{{.*}} : memref<1x64x7x7x3xf32> -> !{{.*}}
// CHECK: ck.gemm
// CHECK-NOT: omit_padding
func.func @weight(%x: memref<2x224x224x1x3xf16>, %dy: memref<2x112x112x1x64xf16>,
                  %dw: memref<1x64x7x7x3xf32>) {
  ck.conv_bwd_weight ins(%x, %dy : memref<2x224x224x1x3xf16>, memref<2x112x112x1x64xf16>)
    outs(%dw : memref<1x64x7x7x3xf32>) layout <NHWGC, GKYXC, NHWGK>
    strides [2, 2] dilations [1, 1] pad_low [3, 3] pad_high [3, 3]
  return
}

// CHECK-LABEL: @unit_stride
// CHECK: ck.gemm
// CHECK-NOT: omit_padding
func.func @unit_stride(%x: memref<2x224x224x1x3xf16>, %w: memref<1x64x3x3x3xf16>,
                       %y: memref<2x224x224x1x64xf16>) {
  ck.conv_fwd ins(%x, %w : memref<2x224x224x1x3xf16>, memref<1x64x3x3x3xf16>)
    outs(%y : memref<2x224x224x1x64xf16>) layout <NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
  return
}
