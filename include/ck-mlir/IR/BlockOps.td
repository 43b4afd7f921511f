//===- BlockOps.td - Rung 4: wave roles, the LDS ring, tiles in registers -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_BLOCKOPS_TD
#define CK_MLIR_IR_BLOCKOPS_TD

include "ck-mlir/IR/CKAttrs.td"
include "ck-mlir/IR/CKTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CK_LdsRingOp : CK_Op<"lds_ring"> {
  let summary = "Allocate a ring of LDS slots";
  let description = [{
    The whole workgroup shares one allocation; slot `i mod slots` holds the tiles of K step `i`.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %ring = ck.lds_ring : !ring
    ```
  }];
  let results = (outs Res<CK_RingType, "the slots", [MemAlloc]>:$ring);
  let assemblyFormat = "attr-dict `:` type($ring)";
}

def CK_WaveSpecializeOp : CK_Op<"wave_specialize", [IsolatedFromAbove, RecursiveMemoryEffects]> {
  let summary = "Give the waves of a workgroup their roles";
  let description = [{
    There is one region per role, which the waves of the role run. The regions start together, and
    the op ends when all regions have ended. Regions use values from outside only as captures. A
    uniform kernel has the single role `uniform`.

    Constraints:
    - C1: there is one region per role; each takes the captures as block arguments.
    - C2: roles are `uniform` alone, or `load` and `math` in this order.
    - C3: the waves of role `math`, or `uniform`, are those of the layout, and all accumulators of
      the regions have this layout.
    - C4: load waves only write and math waves only read the ring; a ring that two roles share
      has at least two slots.
    - C5: all waves meet equally often and in the same order, since they meet at barriers, which
      count every wave of the workgroup. Math waves wait for exactly the steps that load waves
      commit, in the same loops and branches, and with the same `ck.sync` between the steps. Bounds
      may be computed in any way from constants, captures and ids of the workgroup.
    - C6: uniform waves wait for a step after they have committed it. They write a slot only after
      all waves have read its previous step: one wait later, or more waits with more slots.
    - C7: a `ck.sync` stands between the steps of two block GEMMs, which use the same slots, and
      before and after a `ck.store_tile` through the ring that steps precede or follow.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.wave_specialize(%a, %b, %ring) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%view: !a_view, %bview: !b_view, %r: !ring):
      %i = arith.constant 0 : index
      %p = ck.cursor %view[%i, %i, %i] : !a_view -> !ck.cursor<!a_view, !a_fragment>
      %pb = ck.cursor %bview[%i, %i, %i] : !b_view -> !ck.cursor<!b_view, !b_fragment>
      %q = ck.advance %p by [0, 0, 32] : !cursor
      %f = ck.load_tile %q : !ck.cursor<!a_view, !a_fragment> -> !a_fragment
      %g = ck.load_tile %pb in_bounds : !ck.cursor<!b_view, !b_fragment> -> !b_fragment
      %slot = ck.acquire %r[%i] : !ring
      ck.write_tile %f, %slot[0] : !a_fragment, !slot
      ck.write_tile %g, %slot[1] : !b_fragment, !slot
      ck.commit %slot : !slot
      %zero = ck.zero_acc : !acc
      %full = ck.wait %r[%i] : !ring
      %next = ck.mma_tile %full, %zero : !slot, !acc
      ck.release %full : !slot
      ck.sync
      ck.yield
    } : !a_view, !b_view, !ring
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$captures, ArrayAttr:$roles, CK_AccLayoutAttr:$layout);
  let regions = (region VariadicRegion<SizedRegion<1>>:$regions);
  let assemblyFormat = [{
    `(` $captures `)` `roles` $roles `layout` $layout $regions attr-dict `:` type($captures)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Waves that load; 0 where all waves do both.
    int64_t getLoadWaves();
  }];
}

def CK_SyncOp : CK_Op<"sync", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A meeting of all waves of the workgroup";
  let description = [{
    No wave, of any role, continues before all waves have finished their accesses to LDS.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

def CK_PriorityOp : CK_Op<"priority", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The priority of a wave from here on";
  let description = [{
    If several waves of a SIMD could issue an instruction, the wave with the highest priority does.
    This is a hint: results do not depend on it.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.priority 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I16Attr, [IntMinValue<0>, IntMaxValue<3>]>:$level);
  let assemblyFormat = "$level attr-dict";
}

def CK_LoadsFirstOp : CK_Op<"loads_first", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Order the instructions of a load loop";
  let description = [{
    Asks the instruction scheduler for an order of the instructions in the op's block: first the
    writes to LDS, which free registers, then the loads from global memory into these registers, and
    last the addresses of the next loads, while the loads are in flight. This is a hint: results do
    not depend on it.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.loads_first
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

class CK_SlotEntryOp<string mnemonic> : CK_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"slot of the ring", "ring", "slot",
                   "::mlir::ck::SlotType::get($_self.getContext(), ::llvm::cast<::mlir::ck::RingType>($_self))">]> {
  let arguments = (ins CK_RingType:$ring, Index:$step);
  let results = (outs CK_SlotType:$slot);
  let assemblyFormat = "$ring `[` $step `]` attr-dict `:` type($ring)";
}

class CK_SlotExitOp<string mnemonic> : CK_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins CK_SlotType:$slot);
  let assemblyFormat = "$slot attr-dict `:` type($slot)";
}

def CK_AcquireOp : CK_SlotEntryOp<"acquire"> {
  let summary = "Wait until the slot of a K step may be overwritten";
  let description = [{
    Returns the slot of step `step` once every reader has released its previous content.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %slot = ck.acquire %r[%i] : !ring
    ```
  }];
}

def CK_CommitOp : CK_SlotExitOp<"commit"> {
  let summary = "Publish a slot that has been written";
  let description = [{
    States that this wave has written its part of the tiles. Readers that wait for the slot's step
    continue when every writer has committed it.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.commit %slot : !slot
    ```
  }];
}

def CK_WaitOp : CK_SlotEntryOp<"wait"> {
  let summary = "Wait until the slot of a K step has been committed by all its writers";
  let description = [{
    Returns the slot of step `step` once all of its tiles can be read by this wave.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %full = ck.wait %r[%i] : !ring
    ```
  }];
}

def CK_ReleaseOp : CK_SlotExitOp<"release"> {
  let summary = "Give up a slot that has been read";
  let description = [{
    States that this wave has finished reading the slot. Writers may acquire the slot for a later
    step when every reader has released it.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.release %full : !slot
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Cursors and tiles
//===----------------------------------------------------------------------===//

def CK_CursorOp : CK_Op<"cursor", [Pure]> {
  let summary = "Point at an element of a view";
  let description = [{
    Coordinates are element coordinates of the view. In the form 'block' they are those of a tile's
    first element; the distribution to waves adds each lane's place in the tile.

    Constraints:
    - C1: one coordinate per dimension of the view.
    - C2: the result is a cursor of the view.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %p = ck.cursor %view[%i, %i, %i] : !a_view -> !ck.cursor<!a_view, !a_fragment>
    ```
  }];
  let arguments = (ins CK_ViewType:$view, Variadic<Index>:$coordinates);
  let results = (outs CK_CursorType:$cursor);
  let assemblyFormat = [{
    $view `[` $coordinates `]` attr-dict `:` type($view) `->` type($cursor)
  }];
  let hasVerifier = 1;
}

def CK_AdvanceOp : CK_Op<"advance", [Pure, SameOperandsAndResultType]> {
  let summary = "Move a cursor by a constant step";
  let description = [{
    The step is in elements, one entry per dimension of the view. A coordinate may pass the end of
    its dimension.

    Constraint C1: one entry per dimension, none negative.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %q = ck.advance %p by [0, 0, 32] : !cursor
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor, DenseI64ArrayAttr:$step);
  let results = (outs CK_CursorType:$result);
  let assemblyFormat = "$cursor `by` $step attr-dict `:` type($cursor)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def CK_LoadTileOp : CK_Op<"load_tile", [MemoryEffects<[MemRead]>]> {
  let summary = "Load an operand tile from global memory into registers";
  let description = [{
    The tile starts at the cursor and extends along the last two dimensions of its view. Elements
    past the end of the last dimension (K) are zero; `in_bounds` promises that there are none.
    Elements past the end of the dimension before it are unspecified (they only reach accumulators
    that are never stored).

    Constraint C1: the fragment type of the cursor is that of the result.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %f = ck.load_tile %q : !ck.cursor<!a_view, !a_fragment> -> !a_fragment
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor, UnitAttr:$in_bounds);
  let results = (outs CK_FragmentType:$fragment);
  let assemblyFormat = [{
    $cursor (`in_bounds` $in_bounds^)? attr-dict `:` type($cursor) `->` type($fragment)
  }];
  let hasVerifier = 1;
}

def CK_WriteTileOp : CK_Op<"write_tile", [MemoryEffects<[MemWrite]>]> {
  let summary = "Write an operand tile from registers to its place in an LDS slot";
  let description = [{
    Constraints:
    - C1: `operand` names a tile of the slot, of the fragment's type.
    - C2: the tile may have a wider float type than the fragment, which is converted to this type.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.write_tile %f, %slot[0] : !a_fragment, !slot
    ```
  }];
  let arguments = (ins CK_FragmentType:$fragment, CK_SlotType:$slot, I64Attr:$operand);
  let assemblyFormat = [{
    $fragment `,` $slot `[` $operand `]` attr-dict `:` type($fragment) `,` type($slot)
  }];
  let hasVerifier = 1;
}

def CK_CopyTileOp : CK_Op<"copy_tile", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start the copy of an operand tile from global memory to its place in an LDS slot";
  let description = [{
    The loads of this wave write to LDS themselves, without registers, at any time until
    `ck.commit_copies` of the slot's step. Which elements are zero or unspecified, and what
    `in_bounds` promises, is as for `ck.load_tile`.

    Constraints:
    - C1: `operand` names a tile of the slot, of the fragment type of the cursor.
    - C2: the fragment is `async`.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.copy_tile %async_p, %async_slot[0] in_bounds : !async_cursor, !async_slot
    ```
  }];
  let arguments = (ins CK_CursorType:$cursor, CK_SlotType:$slot, I64Attr:$operand,
                       UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $cursor `,` $slot `[` $operand `]` (`in_bounds` $in_bounds^)? attr-dict
    `:` type($cursor) `,` type($slot)
  }];
  let hasVerifier = 1;
}

def CK_CommitCopiesOp : CK_Op<"commit_copies", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Publish a slot that has been copied to";
  let description = [{
    Waits until the copies of this wave to the slot of K step `step` have ended, and states that, as
    `ck.commit` does. `ahead` is the number of later steps whose copies this wave has started; they
    may go on. If the last operand has more slots than the others, its copies of the step after
    those have been started as the last ones, unless `tail` says that there is none, and may go on
    as well.

    Constraint C1: `ahead` is smaller than the number of slots.

    Example (test/IR/block-ops.mlir):

    ```mlir
    ck.commit_copies %async_ring[%i] ahead 1 : !async_ring
    ```
  }];
  let arguments = (ins CK_RingType:$ring, Index:$step,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$ahead, UnitAttr:$tail);
  let assemblyFormat = [{
    $ring `[` $step `]` `ahead` $ahead (`tail` $tail^)? attr-dict `:` type($ring)
  }];
  let hasVerifier = 1;
}

def CK_ZeroAccOp : CK_Op<"zero_acc", [Pure]> {
  let summary = "An accumulator tile of zeros";
  let description = [{
    The initial value of a sum of products, and its result if there are no products.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %zero = ck.zero_acc : !acc
    ```
  }];
  let results = (outs CK_AccType:$acc);
  let assemblyFormat = "attr-dict `:` type($acc)";
}

def CK_MmaTileOp : CK_Op<"mma_tile", [MemoryEffects<[MemRead]>,
                                      DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Multiply the tiles of an LDS slot into an accumulator tile";
  let description = [{
    `result = acc + slot[0] * transpose(slot[1])`. With `columns`, which waves hold in registers,
    `result = acc + slot[0] * transpose(columns)`.

    Constraints:
    - C1: the slot has two tiles MxK and NxK of one type; the accumulator is MxN.
    - C2: with `columns`, the slot has only the tile MxK, and `columns` is a held fragment NxK of
      the same type.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %next = ck.mma_tile %full, %zero : !slot, !acc
    %product = ck.mma_tile %rows with %held, %zero : !row_slot with !held_fragment, !acc
    ```
  }];
  let arguments = (ins CK_SlotType:$slot, Optional<CK_FragmentType>:$columns, CK_AccType:$acc);
  let results = (outs CK_AccType:$result);
  let assemblyFormat = [{
    $slot (`with` $columns^)? `,` $acc attr-dict `:` type($slot) (`with` type($columns)^)?
    `,` type($acc)
  }];
  let hasVerifier = 1;
}

def CK_ReadUnitOp : CK_Op<"read_unit", [
    MemoryEffects<[MemRead]>,
    TypesMatchWith<"unit of the slot's ring", "slot", "unit",
                   "::mlir::ck::UnitType::get($_self.getContext(), ::llvm::cast<::mlir::ck::SlotType>($_self).getRing())">]> {
  let summary = "Read the operands of a K unit of an LDS slot";
  let description = [{
    Waves read the units of a slot one after the other, each while they multiply the unit before it.
    The tile K is divided evenly into units; the matrix instruction and the width of an LDS read
    determine how many there are.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %first = ck.read_unit %full[0] : !slot
    ```
  }];
  let arguments = (ins CK_SlotType:$slot, ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs CK_UnitType:$unit);
  let assemblyFormat = "$slot `[` $index `]` attr-dict `:` type($slot)";
}

def CK_MmaUnitOp : CK_Op<"mma_unit", [
    Pure, TypesMatchWith<"type of the accumulator", "acc", "result", "$_self">]> {
  let summary = "Multiply the operands of a K unit into an accumulator tile";
  let description = [{
    `result = acc + a * transpose(b)` for the rows and columns of one unit of a ring's tiles a and b.

    Constraint C1: the ring has two tiles MxK and NxK; the accumulator is MxN.

    Example (test/IR/block-ops.mlir):

    ```mlir
    %sum = ck.mma_unit %first, %zero : !ck.unit<!ring>, !acc
    ```
  }];
  let arguments = (ins CK_UnitType:$unit, CK_AccType:$acc);
  let results = (outs CK_AccType:$result);
  let assemblyFormat = "$unit `,` $acc attr-dict `:` type($unit) `,` type($acc)";
  let hasVerifier = 1;
}

#endif // CK_MLIR_IR_BLOCKOPS_TD
