//===- TransformOps.td - Ops of the transform dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What scripts of upstream's transform dialect can do with problems, on ops that they choose.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CONVERSION_TRANSFORMOPS_TD
#define CK_MLIR_CONVERSION_TRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"

def ApplyLinalgToCKPatternsOp : Op<Transform_Dialect, "apply_patterns.ck.linalg_to_ck",
    [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>]> {
  let summary = "The patterns of convert-linalg-to-ck";
  let description = [{
    Selects, in `transform.apply_patterns`, the patterns that turn convolutions, their gradients and
    matrix products of linalg into `ck` problems, and fuse elementwise ops into their epilogues.

    Example: test/Conversion/transform-ops.mlir

    ```mlir
    transform.apply_patterns to %function {
      transform.apply_patterns.ck.linalg_to_ck
    } : !transform.any_op
    ```
  }];
  let cppNamespace = "::mlir::ck";
  let assemblyFormat = "attr-dict";
}

#endif // CK_MLIR_CONVERSION_TRANSFORMOPS_TD
