//===- DirectOps.td - Kernels whose lanes compute by themselves -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_DIRECTOPS_TD
#define CK_MLIR_IR_DIRECTOPS_TD

include "ck-mlir/IR/CKAttrs.td"
include "ck-mlir/IR/CKTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CK_DirectGemmOp : CK_Op<"direct_gemm", [MemoryEffects<[MemRead, MemWrite]>,
                                             AttrSizedOperandSegments]> {
  let summary = "The results of one workgroup whose lanes compute by themselves";
  let description = [{
    `c[g,m,n] = epilogue(sum over k of a[g,m,k] * b[g,n,k], d[g,m,n]...)` for the results that the
    workgroup with number `workgroup` has, all K of each. Without `a` and `b` the sums are zero. A
    lane computes the results that `direct` says, and neighbouring lanes neighbouring channels.
    Numbers of workgroups go round the `xcds` XCDs of the chip, of which each gets neighbouring
    results. Numbers past the last workgroup have no results.

    Constraints:
    - C1: `a` and `b` are both there or both missing; they have rank 3 and one element type, and
      shapes GxMxK and GxNxK where `c` is GxMxN.
    - C2: `ds` have the shape of `c`; the epilogue takes the accumulator and the elements of `ds`
      and yields an element of `c`. D operands need an epilogue.
    - C3: the results can be computed with `direct`.

    Example (test/IR/direct-ops.mlir):

    ```mlir
    ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
        direct <channels = 8, columns = 4, rows = 1>
    ```
  }];
  let arguments = (ins Index:$workgroup, Optional<CK_ViewType>:$a, Optional<CK_ViewType>:$b,
                       CK_ViewType:$c, Variadic<CK_ViewType>:$ds, CK_DirectAttr:$direct,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$xcds);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    $workgroup (`ins` `(` $a^ `,` $b `:` type($a) `,` type($b) `)`)?
    `outs` `(` $c `:` type($c) `)` (`ds` `(` $ds^ `:` type($ds) `)`)?
    `direct` $direct (`xcds` $xcds^)? attr-dict (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

def CK_DirectSumOp : CK_Op<"direct_sum", [MemoryEffects<[MemRead, MemWrite]>,
                                           AttrSizedOperandSegments]> {
  let summary = "The sums over positions of one workgroup whose lanes compute by themselves";
  let description = [{
    `c[g,m,n] = epilogue(sum over k of a[g,m,k] * b[g,n,k], d[g,m,n]...)` for the results that the
    workgroup with number `workgroup` has, where K are positions in images. A lane keeps the sums
    of all taps of its input channels while it walks over positions. Lanes of the workgroup with
    the same results add their sums through LDS. With several slices, each workgroup leaves the
    sums of its positions in the workspace and signals; the last workgroups of the launch wait for
    these signals, add the sums in the order of the slices and take the signals back. Numbers of
    workgroups that sum go round the `xcds` XCDs of the chip, of which each gets neighbouring
    positions.

    Constraints:
    - C1: `a` and `b` have rank 3 and one element type, and shapes GxMxK and GxNxK where `c` is
      GxMxN.
    - C2: `ds` have the shape of `c`; the epilogue takes the accumulator and the elements of `ds`
      and yields an element of `c`. D operands need an epilogue.
    - C3: the results can be computed with `direct`, which has slices.
    - C4: there is a workspace where there are several slices, and only there.

    Example (test/IR/direct-ops.mlir):

    ```mlir
    ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
        workspace(%ws : memref<4096xi32>) direct <channels = 4, columns = 2, rows = 1, slices = 2>
    ```
  }];
  let arguments = (ins Index:$workgroup, CK_ViewType:$a, CK_ViewType:$b, CK_ViewType:$c,
                       Variadic<CK_ViewType>:$ds, Optional<MemRefRankOf<[I32], [1]>>:$workspace,
                       CK_DirectAttr:$direct,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$xcds);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    $workgroup `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    `outs` `(` $c `:` type($c) `)` (`ds` `(` $ds^ `:` type($ds) `)`)?
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
    `direct` $direct (`xcds` $xcds^)? attr-dict (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

#endif // CK_MLIR_IR_DIRECTOPS_TD
