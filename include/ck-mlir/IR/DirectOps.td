//===- DirectOps.td - Kernels without matrix instructions -*- tablegen -*-===//
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

#endif // CK_MLIR_IR_DIRECTOPS_TD
