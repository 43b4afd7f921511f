//===- LaneOps.td - Rung 5: what single lanes move -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_LANEOPS_TD
#define CK_MLIR_IR_LANEOPS_TD

include "ck-mlir/IR/CKTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CK_LoadOp : CK_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "Load consecutive elements of one lane at a cursor";
  let description = [{
    The vector runs along the dimension of the view whose elements are consecutive in memory.
    `offset` moves the access by a constant; along dimensions that the map splits, the offset must
    stay inside the fastest part. Elements out of bounds, and `in_bounds`, are as for
    `ck.load_tile`.

    Constraints:
    - C1: vector and view have the same element type; `offset` has one entry per dimension.
    - C2: the vector has rank 1 and 1, 2, 4, 8 or 16 bytes; `atomic` takes elements of 4 bytes, and
      pairs of elements of 2 bytes.

    Example (test/IR/lane-ops.mlir):

    ```mlir
    %0 = ck.load %p offset [0, 0, 1] : !cursor -> vector<4xf16>
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor, DenseI64ArrayAttr:$offset, UnitAttr:$in_bounds);
  let results = (outs AnyVectorOfNonZeroRank:$value);
  let assemblyFormat = [{
    $cursor `offset` $offset (`in_bounds` $in_bounds^)? attr-dict
    `:` type($cursor) `->` type($value)
  }];
  let hasVerifier = 1;
}

def CK_IsInsideOp : CK_Op<"is_inside", [Pure]> {
  let summary = "Whether a lane's cursor is at an element of the tensor";
  let description = [{
    False where the view has padding. The cursor lies inside of the view.

    Constraints:
    - C1: the cursor is one of a lane, not of a tile.

    Example (test/IR/lane-ops.mlir):

    ```mlir
    %inside = ck.is_inside %p : !cursor
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor);
  let results = (outs I1:$inside);
  let assemblyFormat = "$cursor attr-dict `:` type($cursor)";
  let hasVerifier = 1;
}

def CK_CopyOp : CK_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Load consecutive elements of each lane at a cursor to LDS";
  let description = [{
    The wave writes the elements of its lanes one after the other from `lds[indices]` on, `width` of
    each lane, at any time before it has waited for its loads. The indices are the same for all
    lanes. `offset`, elements out of bounds and `in_bounds` are as for `ck.load`.

    Constraints:
    - C1: LDS and view have the same element type; there is an index per dimension of `lds`, and an
      entry of `offset` per dimension of the view.
    - C2: a lane loads 4 or 16 bytes.

    Example (test/IR/lane-ops.mlir):

    ```mlir
    ck.copy %p offset [0, 0, 0] width 8 to %lds[%i, %i] : !cursor, memref<64x64xf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor, DenseI64ArrayAttr:$offset, I64Attr:$width,
                       MemRefRankOf<[AnyType], [1, 2, 3]>:$lds, Variadic<Index>:$indices,
                       UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $cursor `offset` $offset `width` $width (`in_bounds` $in_bounds^)? `to` $lds `[` $indices `]`
    attr-dict `:` type($cursor) `,` type($lds)
  }];
  let hasVerifier = 1;
}

def CK_StoreOp : CK_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Store consecutive elements of one lane at a cursor";
  let description = [{
    The vector runs along the dimension of the view whose elements are consecutive in memory. It
    lies either completely inside or completely outside the view. Nothing is written where `mask` is
    false. `offset` is as for `ck.load`. With `atomic`, the elements are added to those in memory,
    one at a time or two 16-bit elements at once, without any order relative to other accesses.
    With `write_through`, the elements go past the L2 of an XCD at once, where a chip has several,
    and are not left there for the end of the kernel, which writes the L2s back; this pays where
    the lanes of a wave fill whole blocks of 64 bytes.

    Constraints:
    - C1: vector and view have the same element type; `offset` has one entry per dimension.
    - C2: the vector has rank 1 and 1, 2, 4, 8 or 16 bytes.
    - C3: not both `atomic` and `write_through`: atomics are executed where all XCDs see them.

    Example (test/IR/lane-ops.mlir):

    ```mlir
    ck.store %v, %p offset [0, 1, 0] mask %valid : vector<4xf16>, !cursor
    ck.store %v, %p offset [0, 2, 0] mask %valid write_through : vector<4xf16>, !cursor
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$value, CK_CursorType:$cursor,
                       DenseI64ArrayAttr:$offset, I1:$mask, UnitAttr:$atomic,
                       UnitAttr:$write_through);
  let assemblyFormat = [{
    $value `,` $cursor `offset` $offset `mask` $mask (`atomic` $atomic^)?
    (`write_through` $write_through^)? attr-dict
    `:` type($value) `,` type($cursor)
  }];
  let hasVerifier = 1;
}

#endif // CK_MLIR_IR_LANEOPS_TD
