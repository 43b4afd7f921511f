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
    - C1: the map's tensor dimensions have the sizes of `tensor`, a packed memref, or stand for
      neighbouring dimensions of it, whose sizes they multiply.
    - C2: `tensor` and the view have the same element type.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    %a = ck.transform %dy : memref<8x14x14x1x64xf16> -> !a_view
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
    `c[g,m,n] = epilogue(sum over k of a[g,m,k] * b[g,n,k], d[g,m,n]...)` with accumulation in f32,
    or in i32 for i8 operands. Both operands have K as their last dimension; their views say how
    they lie in memory. The epilogue maps an accumulator and one element of every D operand to an
    element of `c`; without an epilogue the accumulator is converted.

    Elements of a view that lie in its padding are zeros, and their products are NaN where the other
    factor is an infinity or NaN. With `omit_padding`, the products of those of `b` are left out.

    Constraints:
    - C1: `a`, `b` and `c` have rank 3 and shapes GxMxK, GxNxK and GxMxN; `ds` are GxMxN.
    - C2: `a` and `b` have the same element type.
    - C3: the epilogue takes the accumulator and the elements of `ds` and yields an element of `c`;
      its ops are scalar and free of side effects. D operands need an epilogue.
    - C4: the schedule's matrix instruction multiplies elements of `a` and `b`.
    - C5: a layout has the waves and the matrix instruction of the schedule; a shuffle needs a
      layout.
    - C6: `direct` excludes a schedule and `omit_padding`.

    The `layout` of a scheduled GEMM says how lanes hold the accumulators. With a `shuffle`, results
    pass through LDS before they are stored. Instead of a schedule, a GEMM whose lanes compute by
    themselves has the results of a lane, `direct`.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) epilogue {
    ^bb0(%acc: f32):
      ck.yield %acc : f32
    }
    ```
  }];
  let arguments = (ins Arg<CK_ViewType, "rows", [MemRead]>:$a,
                       Arg<CK_ViewType, "columns", [MemRead]>:$b,
                       Arg<CK_ViewType, "result", [MemWrite]>:$c,
                       Arg<Variadic<CK_ViewType>, "of the epilogue", [MemRead]>:$ds,
                       OptionalAttr<CK_ScheduleAttr>:$schedule,
                       OptionalAttr<CK_AccLayoutAttr>:$layout,
                       OptionalAttr<CK_ShuffleAttr>:$shuffle,
                       OptionalAttr<CK_DirectAttr>:$direct, UnitAttr:$omit_padding);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` `outs` `(` $c `:` type($c) `)`
    (`ds` `(` $ds^ `:` type($ds) `)`)? (`omit_padding` $omit_padding^)? (`schedule` $schedule^)?
    (`layout` $layout^)? (`shuffle` $shuffle^)? (`direct` $direct^)? attr-dict (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

def CK_FillOp : CK_Op<"fill"> {
  let summary = "Write the epilogue of zero to every element of a view";
  let description = [{
    `c[g,m,n] = epilogue(0, d[g,m,n]...)`: a GEMM without K. Strided backward-data uses it for
    elements to which no product contributes.

    Constraints:
    - C1: `c` and `ds` have rank 3 and one shape.
    - C2: the epilogue takes an f32 or i32 zero and the elements of `ds` and yields an element of
      `c`; its ops are scalar and free of side effects. D operands need an epilogue.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    ck.fill outs(%c : !c_view)
    ```
  }];
  let arguments = (ins Arg<CK_ViewType, "result", [MemWrite]>:$c,
                       Arg<Variadic<CK_ViewType>, "of the epilogue", [MemRead]>:$ds);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    `outs` `(` $c `:` type($c) `)` (`ds` `(` $ds^ `:` type($ds) `)`)? attr-dict
    (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

def CK_GemmTableOp : CK_Op<"gemm_table", [NoTerminator, SingleBlock,
                                           RecursiveMemoryEffects]> {
  let summary = "Matrix products that run in one launch";
  let description = [{
    The GEMMs and fills of the region are independent of each other and become one kernel, whose
    workgroups share the tiles of all of them. Strided or dilated backward-data becomes such a
    table.

    Constraints:
    - C1: the region holds `ck.gemm` and `ck.fill` only, at least one GEMM.
    - C2: its GEMMs have one schedule and one layout, or one `direct`, or none.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    ck.gemm_table {
      ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) ds(%c : !c_view) epilogue {
      ^bb0(%acc: f32, %old: f32):
        %sum = arith.addf %acc, %old : f32
        ck.yield %sum : f32
      }
      ck.fill outs(%c : !c_view)
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def CK_YieldOp : CK_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "End a region of a ck op, handing values to it";
  let description = [{
    The enclosing op gives the values their meaning: the result of an epilogue, or the accumulator
    of a `ck.work`. At the end of a role there are no values.

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
