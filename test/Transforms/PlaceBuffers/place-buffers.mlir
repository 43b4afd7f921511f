// RUN: ck-opt %s --ck-place-buffers | FileCheck %s

// What the first kernel writes and the second reads is on the device alone. The host reads the
// result of the second, so that it has both sides.
// EXAMPLE-BEFORE: memref.alloc .. return
// EXAMPLE-AFTER: gpu.memcpy .. return
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    %[[X:.*]]: memref<1x64x32xf16>, %[[W:.*]]: memref<1x32x48xf16>
// CHECK:         %[[DW:.*]] = gpu.alloc () : memref<1x32x48xf16>
// CHECK:         %[[DX:.*]] = gpu.alloc () : memref<1x64x32xf16>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[T:.*]] = gpu.alloc () : memref<1x64x48xf16>
// CHECK:         gpu.memcpy %[[DX]], %[[X]]
// CHECK:         gpu.memcpy %[[DW]], %[[W]]
// CHECK:         ck.batched_gemm ins(%[[DX]], %[[DW]] {{.*}} outs(%[[T]] :
// CHECK:         %[[Y:.*]] = memref.alloc
// CHECK:         %[[DY:.*]] = gpu.alloc
// CHECK-NOT:     gpu.memcpy %{{.*}}, %[[T]]
// CHECK-NOT:     gpu.memcpy %[[T]]
// CHECK:         ck.batched_gemm ins(%[[T]], %{{.*}} outs(%[[DY]] :
// CHECK:         gpu.dealloc %[[T]]
// CHECK:         gpu.memcpy %[[Y]], %[[DY]]
// CHECK:         gpu.dealloc %[[DX]]
// CHECK:         gpu.dealloc %[[DY]]
// CHECK:         return %[[Y]]
func.func @chain(%x: memref<1x64x32xf16>, %w: memref<1x32x48xf16>, %v: memref<1x48x16xf16>)
    -> memref<1x64x16xf16> {
  %t = memref.alloc() : memref<1x64x48xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x48xf16>)
    outs(%t : memref<1x64x48xf16>) layout "rrr"
  %y = memref.alloc() : memref<1x64x16xf16>
  ck.batched_gemm ins(%t, %v : memref<1x64x48xf16>, memref<1x48x16xf16>)
    outs(%y : memref<1x64x16xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x48xf16>
  return %y : memref<1x64x16xf16>
}

// A view is followed to its buffer: its twin is seen in the same way.
// CHECK-LABEL: func.func @views
// CHECK:         %[[T:.*]] = gpu.alloc () : memref<64x32xf16>
// CHECK:         %[[V:.*]] = memref.expand_shape %[[T]]
// CHECK:         ck.batched_gemm {{.*}} outs(%[[V]] :
// CHECK-NOT:     gpu.memcpy
// CHECK:         ck.batched_gemm ins(%[[V]],
func.func @views(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %y: memref<1x64x32xf16>) {
  %t = memref.alloc() : memref<64x32xf16>
  %v = memref.expand_shape %t [[0, 1], [2]] output_shape [1, 64, 32]
    : memref<64x32xf16> into memref<1x64x32xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%v : memref<1x64x32xf16>) layout "rrr"
  ck.batched_gemm ins(%v, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<64x32xf16>
  return
}

memref.global "private" constant @weights : memref<1x32x32xf16> = dense<1.0>

// A constant goes to the device once, however often it is named.
// CHECK-LABEL: func.func @constants
// CHECK:         %[[C:.*]] = memref.get_global @weights
// CHECK:         %[[D:.*]] = gpu.alloc
// CHECK:         gpu.memcpy %[[D]], %[[C]]
// CHECK-NOT:     gpu.memcpy %{{.*}}, %[[C]]
// CHECK:         return
func.func @constants(%x: memref<1x64x32xf16>, %y: memref<1x64x32xf16>, %z: memref<1x64x32xf16>) {
  %c0 = memref.get_global @weights : memref<1x32x32xf16>
  ck.batched_gemm ins(%x, %c0 : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  %c1 = memref.get_global @weights : memref<1x32x32xf16>
  ck.batched_gemm ins(%x, %c1 : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%z : memref<1x64x32xf16>) layout "rrr"
  return
}

// The host adds to what the device wrote: down before, up behind.
// CHECK-LABEL: func.func @between
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         %[[D:.*]] = gpu.alloc () : memref<1x64x32xf16>
// CHECK:         ck.batched_gemm
// CHECK:         gpu.memcpy %[[T]], %[[D]]
// CHECK:         linalg.generic
// CHECK:         gpu.memcpy %[[D]], %[[T]]
// CHECK:         ck.batched_gemm
func.func @between(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %y: memref<1x64x32xf16>) {
  %t = memref.alloc() : memref<1x64x32xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%t : memref<1x64x32xf16>) layout "rrr"
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
    iterator_types = ["parallel", "parallel", "parallel"]} outs(%t : memref<1x64x32xf16>) {
  ^bb0(%e: f16):
    %s = arith.addf %e, %e : f16
    linalg.yield %s : f16
  }
  ck.batched_gemm ins(%t, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x32xf16>
  return
}

// What only the device holds is copied there.
// CHECK-LABEL: func.func @copies
// CHECK:         ck.batched_gemm {{.*}} outs(%[[T:.*]] :
// CHECK:         gpu.memcpy %[[U:.*]], %[[T]]
// CHECK-NOT:     gpu.memcpy %{{.*}}, %[[U]]
// CHECK:         ck.batched_gemm ins(%[[U]],
func.func @copies(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %y: memref<1x64x32xf16>) {
  %t = memref.alloc() : memref<1x64x32xf16>
  %u = memref.alloc() : memref<1x64x32xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%t : memref<1x64x32xf16>) layout "rrr"
  memref.copy %t, %u : memref<1x64x32xf16> to memref<1x64x32xf16>
  ck.batched_gemm ins(%u, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x32xf16>
  memref.dealloc %u : memref<1x64x32xf16>
  return
}
