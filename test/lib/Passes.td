//===- Passes.td - Passes of tests -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are no part of the product: a plugin of ck-opt and programs of tests hold them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_LIB_PASSES_TD
#define CK_MLIR_TEST_LIB_PASSES_TD

include "mlir/Pass/PassBase.td"

def DropSyncPass : Pass<"ck-drop-sync", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Break the synchronization of kernels, to test checks";
  let description = [{
    Leaves out what `drop` lists: `barrier:N` drops the N-th barrier, `wait:N` keeps it but lets no
    wave wait there for its accesses to LDS, `fence:N` drops the N-th fence at agent scope. Such
    kernels are wrong; the emulator must say so.

    Requires: wave. Establishes: wave.
    Example: test/lib/drop-sync.mlir
  }];
  let options = [Option<"dropped", "drop", "std::string", /*default=*/"\"\"",
                        "What to leave out: barrier:N,wait:N,fence:N,...">];
  let dependentDialects = ["::mlir::ROCDL::ROCDLDialect"];
}

#endif // CK_MLIR_TEST_LIB_PASSES_TD
