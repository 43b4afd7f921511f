//===- GemmOps.td - Rungs 1 and 2: views and the implicit GEMM -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_GEMMOPS_TD
#define CK_MLIR_IR_GEMMOPS_TD

include "ck-mlir/IR/CKAttrs.td"
include "ck-mlir/IR/CKTypes.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CK_TransformOp : CK_Op<"transform", [Pure]> {
  let summary = "View a tensor in memory under logical coordinates";
  let description = [{
    The result's map says where the elements of the view lie in `tensor`.

    Constraints:
    - C1: the map's tensor dimensions have the sizes of `tensor`, a packed memref.
    - C2: `tensor` and the view have the same element type.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    %a = ck.transform %dy : memref<8x14x14x1x64xf16> -> !ck.view<1x64x1568xf16, #a_map>
    ```
  }];
  let arguments = (ins AnyStaticShapeMemRef:$tensor);
  let results = (outs CK_ViewType:$view);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($view)";
  let hasVerifier = 1;
}

def CK_GemmOp : CK_Op<"gemm"> {
  let summary = "Batched matrix product of two views into a third";
  let description = [{
    `c[g,m,n] = epilogue(sum over k of a[g,m,k] * b[g,n,k])` with f32 accumulation. Both operands
    have K as their last dimension; how an operand lies in memory is its view's business. The
    optional epilogue maps an accumulator to an element of `c`; without it the accumulator is
    converted.

    Constraints:
    - C1: `a`, `b` and `c` have rank 3 and shapes GxMxK, GxNxK and GxMxN.
    - C2: `a` and `b` have the same element type.
    - C3: the epilogue takes the f32 accumulator and yields an element of `c`; its ops are scalar
      and free of side effects.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      epilogue { ^bb0(%acc: f32): ck.yield %acc : f32 }
    ```
  }];
  let arguments = (ins CK_ViewType:$a, CK_ViewType:$b, CK_ViewType:$c,
                       OptionalAttr<CK_ScheduleAttr>:$schedule);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` `outs` `(` $c `:` type($c) `)`
    (`schedule` $schedule^)? attr-dict (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

def CK_YieldOp : CK_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "End a region of a ck op, handing values to it";
  let description = [{
    Example (test/IR/gemm-ops.mlir):

    ```mlir
    ck.yield %acc : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

#endif // CK_MLIR_IR_GEMMOPS_TD
