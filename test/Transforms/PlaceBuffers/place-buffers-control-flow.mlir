// RUN: ck-opt %s --ck-place-buffers --split-input-file | FileCheck %s

// What a loop reads goes to the device in front of it, what it writes stays there.
// CHECK-LABEL: func.func @loop
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x64x32xf16>, %[[W:[a-z0-9]+]]: memref<1x32x32xf16>
// CHECK-DAG:     gpu.memcpy %[[DX:.*]], %[[X]]
// CHECK-DAG:     gpu.memcpy %[[DW:.*]], %[[W]]
// CHECK:         scf.for
// CHECK-NOT:       gpu.memcpy
// CHECK:           ck.batched_gemm ins(%[[DX]], %[[DW]]
// CHECK:         }
// CHECK:         gpu.memcpy %[[Y:.*]], %
// CHECK:         memref.load %[[Y]]
func.func @loop(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %y = memref.alloc() : memref<1x64x32xf16>
  scf.for %i = %c0 to %c9 step %c1 {
    ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
      outs(%y : memref<1x64x32xf16>) layout "rrr"
  }
  %r = memref.load %y[%c0, %c0, %c0] : memref<1x64x32xf16>
  memref.dealloc %y : memref<1x64x32xf16>
  return %r : f16
}

// -----

// The host writes the weights in the loop: they go to the device in each turn.
// CHECK-LABEL: func.func @training
// CHECK-DAG:     gpu.memcpy %{{.*}}, %arg0
// CHECK:         scf.for
// CHECK:           gpu.memcpy %[[DW:.*]], %[[W:[a-z0-9_]+]] :
// CHECK:           ck.batched_gemm ins(%{{.*}}, %[[DW]]
// CHECK:           gpu.memcpy %[[Y:.*]], %
// CHECK:           memref.load %[[Y]]
// CHECK:           memref.store %{{.*}}, %[[W]]
// CHECK:         }
func.func @training(%x: memref<1x64x32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %w = memref.alloc() : memref<1x32x32xf16>
  %y = memref.alloc() : memref<1x64x32xf16>
  scf.for %i = %c0 to %c9 step %c1 {
    ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
      outs(%y : memref<1x64x32xf16>) layout "rrr"
    %r = memref.load %y[%c0, %c0, %c0] : memref<1x64x32xf16>
    memref.store %r, %w[%c0, %c0, %c0] : memref<1x32x32xf16>
  }
  memref.dealloc %y : memref<1x64x32xf16>
  memref.dealloc %w : memref<1x32x32xf16>
  return
}

// -----

// One branch leaves the buffer on the device, the other on the host: it goes to the host where they
// meet.
// CHECK-LABEL: func.func @branches
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         %[[D:.*]] = gpu.alloc () : memref<1x64x32xf16>
// CHECK:         scf.if
// CHECK:           ck.batched_gemm {{.*}} outs(%[[D]] :
// CHECK:           gpu.memcpy %[[T]], %[[D]]
// CHECK:         } else {
// CHECK:           linalg.fill
// CHECK-NOT:       gpu.memcpy
// CHECK:         }
// CHECK:         gpu.memcpy %[[D]], %[[T]]
// CHECK:         ck.batched_gemm ins(%[[D]],
func.func @branches(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %y: memref<1x64x32xf16>,
                    %which: i1) {
  %zero = arith.constant 0.0 : f16
  %t = memref.alloc() : memref<1x64x32xf16>
  scf.if %which {
    ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
      outs(%t : memref<1x64x32xf16>) layout "rrr"
  } else {
    linalg.fill ins(%zero : f16) outs(%t : memref<1x64x32xf16>)
  }
  ck.batched_gemm ins(%t, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x32xf16>
  return
}

// -----

func.func private @other(memref<1x64x32xf16>)

// A call reads and writes what it gets.
// CHECK-LABEL: func.func @calls
// CHECK:         ck.batched_gemm {{.*}} outs(%[[D:.*]] :
// CHECK:         gpu.memcpy %[[T:.*]], %[[D]]
// CHECK:         call @other(%[[T]])
// CHECK:         gpu.memcpy %[[D]], %[[T]]
// CHECK:         ck.batched_gemm ins(%[[D]],
func.func @calls(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>) {
  %t = memref.alloc() : memref<1x64x32xf16>
  %u = memref.alloc() : memref<1x64x32xf16>
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%t : memref<1x64x32xf16>) layout "rrr"
  call @other(%t) : (memref<1x64x32xf16>) -> ()
  ck.batched_gemm ins(%t, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%u : memref<1x64x32xf16>) layout "rrr"
  memref.dealloc %t : memref<1x64x32xf16>
  memref.dealloc %u : memref<1x64x32xf16>
  return
}

// -----

// Two arguments may be one buffer: what the device writes to the one goes to the host at once, and
// the other is read again from there.
// CHECK-LABEL: func.func @arguments
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x64x32xf16>, %[[Y:[a-z0-9]+]]: memref<1x64x32xf16>
// CHECK:         ck.batched_gemm ins(%[[DX:.*]], %{{.*}} outs(%[[DY:.*]] :
// CHECK-NEXT:    gpu.memcpy %[[Y]], %[[DY]]
// CHECK:         gpu.memcpy %[[DX]], %[[X]]
// CHECK:         ck.batched_gemm ins(%[[DX]],
func.func @arguments(%x: memref<1x64x32xf16>, %y: memref<1x64x32xf16>, %w: memref<1x32x32xf16>) {
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  return
}

// -----

// A buffer that a loop hands on has two names: it is shared.
// CHECK-LABEL: func.func @carried
// CHECK:         scf.for {{.*}} iter_args(%[[A:[a-z0-9]+]] =
// CHECK:           %[[D:.*]] = gpu.alloc
// CHECK:           ck.batched_gemm {{.*}} outs(%[[D]] :
// CHECK-NEXT:      gpu.memcpy %[[A]], %[[D]]
// CHECK:           gpu.dealloc %[[D]]
func.func @carried(%x: memref<1x64x32xf16>, %w: memref<1x32x32xf16>, %a: memref<1x64x32xf16>,
                   %b: memref<1x64x32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<1x64x32xf16>, memref<1x64x32xf16>) {
    ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
      outs(%p : memref<1x64x32xf16>) layout "rrr"
    scf.yield %q, %p : memref<1x64x32xf16>, memref<1x64x32xf16>
  }
  return
}

// -----

// Other control flow is not followed: every op gets copies of its own.
// CHECK-LABEL: func.func @blocks
// CHECK:       ^bb1:
// CHECK:         %[[D:.*]] = gpu.alloc
// CHECK:         gpu.memcpy %[[D]], %arg0
// CHECK:         ck.batched_gemm ins(%[[D]], %{{.*}} outs(%[[Y:.*]] :
// CHECK:         gpu.memcpy %arg1, %[[Y]]
// CHECK:         gpu.dealloc %[[Y]]
// CHECK:       ^bb2:
func.func @blocks(%x: memref<1x64x32xf16>, %y: memref<1x64x32xf16>, %w: memref<1x32x32xf16>,
                  %which: i1) {
  cf.cond_br %which, ^bb1, ^bb2
^bb1:
  ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x32xf16>)
    outs(%y : memref<1x64x32xf16>) layout "rrr"
  cf.br ^bb2
^bb2:
  return
}
