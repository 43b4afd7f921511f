// RUN: not ck-opt %s --ck-lower-to-scheduled="chip=gfx90a tuning-file=%S/Inputs/gfx942.tuning" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ck-opt %s --ck-lower-to-scheduled="chip=gfx942 tuning-file=%S/none.tuning" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ck-opt %s --ck-lower-to-scheduled="chip=gfx942 tuning-file=%s" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not ck-opt %s --ck-compile-problems="chip=gfx90a tuning-file=%S/Inputs/gfx942.tuning" 2>&1 | FileCheck %s --check-prefix=CHIP
// A tuning file of another chip, none, and another file.

// CHIP: error: '{{.*}}gfx942.tuning', line 1: expected the chip 'gfx90a', got 'gfx942'
// NONE: error: cannot read '{{.*}}none.tuning': No such file or directory
// OTHER: error: '{{.*}}tuned-invalid.mlir', line 1: malformed JSON in the line
func.func @gemm(%a: memref<1x64x64xf16>, %b: memref<1x64x64xf16>, %c: memref<1x64x64xf16>) {
  ck.batched_gemm ins(%a, %b : memref<1x64x64xf16>, memref<1x64x64xf16>)
    outs(%c : memref<1x64x64xf16>) layout "rcr"
  return
}
