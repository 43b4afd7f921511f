//===- ProgramPasses.td - Passes over whole programs -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs need around the ladder; a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_PROGRAMPASSES_TD
#define CK_MLIR_TRANSFORMS_PROGRAMPASSES_TD

include "mlir/Pass/PassBase.td"

def PlaceBuffersPass : Pass<"ck-place-buffers", "::mlir::func::FuncOp"> {
  let summary = "Place the buffers of kernels on the device";
  let description = [{
    Every buffer that a problem on memrefs or a `gpu.launch` works on gets a copy on the device,
    with `gpu.alloc` and `gpu.dealloc`. A `gpu.memcpy` of the whole buffer is made only where the
    host reads a buffer that the device wrote last, or the device one that the host wrote last. A
    buffer that the host does not access is only on the device; constants are copied once per call.
    The pass follows views to the buffer that they start from. A `memref.copy` of a buffer that only
    the device holds runs on the device.

    The pass follows loops and branches of `scf`: a buffer that a loop reads is copied before the
    loop. Arguments, variables and values that pass through calls or control flow may overlap;
    therefore, what the device writes to them is copied back to the host at once. In other control
    flow, every op gets its own copies.

    Requires: problem. Establishes: problem.
    Example: test/Transforms/PlaceBuffers/place-buffers.mlir

    Before:
    ```mlir
    %t = memref.alloc() : memref<1x64x48xf16>
    ck.batched_gemm ins(%x, %w : memref<1x64x32xf16>, memref<1x32x48xf16>)
      outs(%t : memref<1x64x48xf16>) layout "rrr"
    %y = memref.alloc() : memref<1x64x16xf16>
    ck.batched_gemm ins(%t, %v : memref<1x64x48xf16>, memref<1x48x16xf16>)
      outs(%y : memref<1x64x16xf16>) layout "rrr"
    memref.dealloc %t : memref<1x64x48xf16>
    return %y : memref<1x64x16xf16>
    ```

    After:
    ```mlir
    gpu.memcpy  %memref_1, %arg0 : memref<1x64x32xf16>, memref<1x64x32xf16>
    gpu.memcpy  %memref_0, %arg1 : memref<1x32x48xf16>, memref<1x32x48xf16>
    ck.batched_gemm ins(%memref_1, %memref_0 : memref<1x64x32xf16>, memref<1x32x48xf16>)
        outs(%memref_2 : memref<1x64x48xf16>) layout "rrr"
    %alloc = memref.alloc() : memref<1x64x16xf16>
    %memref_3 = gpu.alloc  () : memref<1x64x16xf16>
    gpu.memcpy  %memref, %arg2 : memref<1x48x16xf16>, memref<1x48x16xf16>
    ck.batched_gemm ins(%memref_2, %memref : memref<1x64x48xf16>, memref<1x48x16xf16>)
        outs(%memref_3 : memref<1x64x16xf16>) layout "rrr"
    gpu.dealloc  %memref_2 : memref<1x64x48xf16>
    gpu.memcpy  %alloc, %memref_3 : memref<1x64x16xf16>, memref<1x64x16xf16>
    gpu.dealloc  %memref_1 : memref<1x64x32xf16>
    gpu.dealloc  %memref_0 : memref<1x32x48xf16>
    gpu.dealloc  %memref : memref<1x48x16xf16>
    gpu.dealloc  %memref_3 : memref<1x64x16xf16>
    return %alloc : memref<1x64x16xf16>
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

#endif // CK_MLIR_TRANSFORMS_PROGRAMPASSES_TD
