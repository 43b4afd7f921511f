//===- GridOps.td - Rung 3: work distribution over workgroups -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_GRIDOPS_TD
#define CK_MLIR_IR_GRIDOPS_TD

include "ck-mlir/IR/CKAttrs.td"
include "ck-mlir/IR/CKTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CK_DistributeOp : CK_Op<"distribute", [NoTerminator, SingleBlock]> {
  let summary = "Distribute output tiles over the workgroups of a launch";
  let description = [{
    The `partition` gives each workgroup units of work. For each unit, the workgroup runs the body
    of the `ck.work` that the unit belongs to, and passes the accumulator to its epilogue. If
    several workgroups share the tile, their accumulators are added before.

    `residents` is the number of workgroups that are assumed to be resident at the same time:
    Split-K chooses its slices by it, and StreamK shares work among this many workgroups.
    `ck-mlir/Schedule/WorkPlan.h` says which workgroup does which work. Workgroups pass sums to each
    other through `workspace`. For StreamK it has a line of 128 bytes with flags per stream, which
    must be zero at launch, then a partial tile per stream; for two-stage Split-K it has a partial
    tile per slice and tile.

    Tiles are numbered in row-major order unless a `mapping` permutes them.

    Constraints:
    - C1: the region holds only `ck.work`, at least one.
    - C2: `residents` is positive, and there is a work plan for this number.
    - C3: partitions that leave sums have a workspace of i32 that is large enough.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    ck.distribute #ck.partition<data_parallel> {
      ck.work tiles [1, 1, 5] k_steps 49 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.block_gemm %a[%g, %tm], %b[%tn] k_steps(%k0 to %k1) schedule #s
          : !a_view, !b_view -> !acc
        ck.yield %acc : !acc
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
        ck.store_tile %acc, %c[%g, %tm, %tn] : !acc, !c_view
      }
    }
    ```
  }];
  let arguments = (ins CK_PartitionAttr:$partition, DefaultValuedAttr<I64Attr, "1">:$residents,
                       OptionalAttr<CK_WorkgroupMappingAttr>:$mapping,
                       Optional<AnyStaticShapeMemRef>:$workspace);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $partition (`residents` $residents^)? (`mapping` $mapping^)? (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
    $body attr-dict
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The plan of the works, or why there is none.
    ::llvm::Expected<::mlir::ck::WorkPlan> getPlan();
  }];
}

def CK_WorkOp : CK_Op<"work", [SingleBlockImplicitTerminator<"::mlir::ck::YieldOp">,
                               HasParent<"::mlir::ck::DistributeOp">]> {
  let summary = "The tiles of one GEMM that a launch distributes";
  let description = [{
    The body computes one unit of work: its block arguments are the unit's group, tile row, tile
    column and range of K steps. The epilogue takes the first three and the complete accumulator.
    Without K steps, every accumulator is zero.

    Constraints:
    - C1: `tiles` has three positive entries (groups, tile rows, tile columns); `k_steps` is not
      negative.
    - C2: the body takes five indices (g, tile row, tile column, first K step, end of the K steps)
      and yields one accumulator.
    - C3: the epilogue takes three indices (g, tile row, tile column) and that accumulator.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    ck.work tiles [1, 1, 5] k_steps 49 {
    ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
      %acc = ck.block_gemm %a[%g, %tm], %b[%tn] k_steps(%k0 to %k1) schedule #s
        : !a_view, !b_view -> !acc
      ck.yield %acc : !acc
    } epilogue {
    ^bb0(%g: index, %tm: index, %tn: index, %acc: !acc):
      ck.store_tile %acc, %c[%g, %tm, %tn] : !acc, !c_view
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$tiles, I64Attr:$k_steps);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `tiles` $tiles `k_steps` $k_steps attr-dict-with-keyword $body `epilogue` $epilogue
  }];
  let hasVerifier = 1;
}

def CK_BlockGemmOp : CK_Op<"block_gemm"> {
  let summary = "One output tile's matrix product by one workgroup";
  let description = [{
    `acc = sum over k of a[g, row tile, k] * b[g, column tile, k]` over the K steps
    `k_begin .. k_end - 1`, each `tile` K elements long. Rows, columns and K elements outside the
    views count as zero products.

    Constraints:
    - C1: the accumulator has the shape of the schedule's block tile, its waves and its matrix
      instruction.
    - C2: `a` and `b` have rank 3 and the same element type.
    - C3: the schedule's matrix instruction multiplies elements of this type.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    %acc = ck.block_gemm %a[%g, %tm], %b[%tn] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> !acc
    ```
  }];
  let arguments = (ins Arg<CK_ViewType, "rows", [MemRead]>:$a,
                       Arg<CK_ViewType, "columns", [MemRead]>:$b, Index:$group, Index:$row_tile,
                       Index:$column_tile, Index:$k_begin, Index:$k_end,
                       CK_ScheduleAttr:$schedule);
  let results = (outs CK_AccType:$acc);
  let assemblyFormat = [{
    $a `[` $group `,` $row_tile `]` `,` $b `[` $column_tile `]`
    `k_steps` `(` $k_begin `to` $k_end `)` `schedule` $schedule attr-dict
    `:` type($a) `,` type($b) `->` type($acc)
  }];
  let hasVerifier = 1;
}

def CK_StoreTileOp : CK_Op<"store_tile", [MemoryEffects<[MemRead, MemWrite]>,
                                           AttrSizedOperandSegments]> {
  let summary = "Store an accumulator tile through the epilogue";
  let description = [{
    Writes `epilogue(acc, d...)` to the tile of `c` at (group, tile row, tile column); elements
    outside the view are dropped. With a `ring`, results pass through its LDS, so that they are
    stored in longer pieces: each wave uses its own part of the LDS, as `shuffle` describes, and the
    previous contents of the slots are lost. A `shuffle` without a ring takes effect when a pass
    gives the op a ring.

    With `atomic` the results are added to the tile, since other workgroups add to it as well.

    With `recompute(%a, %b)`, the accumulators are sums of products over all of K, of which those
    with elements of `b` in its padding are to be left out. They are zeros but for infinities and NaN
    in `a`: a wave that has an accumulator which is NaN computes its part of the tile again, one
    element at a time, from the products that remain.

    Constraints:
    - C1: the accumulator has rank 2, `c` has rank 3, and `ds` have the shape of `c`.
    - C2: the epilogue takes an element of the accumulator and of each of `ds`, and yields an
      element of `c`. D operands need an epilogue.
    - C3: a ring needs a shuffle, and a shuffle excludes `atomic`.
    - C4: the blocks of the shuffle divide those of a wave.
    - C5: `recompute` has two views of floating-point numbers, GxMxK and GxNxK for a result GxMxN,
      and excludes `atomic`.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    ck.store_tile %acc, %c[%i, %i, %i] ds(%c) through %ring shuffle <blocks = 2x1, width = 4>
        : !acc, !c_view, !c_view through !ring epilogue {
    ^bb0(%e: f32, %bias: f32):
      %sum = arith.addf %e, %bias : f32
      ck.yield %sum : f32
    }
    ```
  }];
  let arguments = (ins CK_AccType:$acc, CK_ViewType:$c, Index:$group, Index:$row_tile,
                       Index:$column_tile, Variadic<CK_ViewType>:$ds, Optional<CK_RingType>:$ring,
                       Variadic<CK_ViewType>:$factors, OptionalAttr<CK_ShuffleAttr>:$shuffle, UnitAttr:$atomic);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    $acc `,` $c `[` $group `,` $row_tile `,` $column_tile `]` (`ds` `(` $ds^ `)`)?
    (`through` $ring^)? (`recompute` `(` $factors^ `)`)? (`shuffle` $shuffle^)?
    (`atomic` $atomic^)? attr-dict
    `:` type($acc) `,` type($c) (`,` type($ds)^)? (`through` type($ring)^)?
    (`recompute` type($factors)^)? (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
}

#endif // CK_MLIR_IR_GRIDOPS_TD
