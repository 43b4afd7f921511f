//===- CKTypes.td - Types of the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKTYPES_TD
#define CK_MLIR_IR_CKTYPES_TD

include "ck-mlir/IR/CKAttrs.td"

def CK_ViewType : CK_Type<"View", "view"> {
  let summary = "A tensor in memory under logical coordinates";
  let description = [{
    Element type and shape are those of the view; the map says where an element lies in the tensor.
    An element that the map puts into padding reads as zero. The map is part of the type, so that a
    view keeps its meaning through loops and region captures.

    Example (test/IR/gemm-ops.mlir):

    ```mlir
    #a_map = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, k: 64) by
                              [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 1, M: 64, K: 1568)>

    !a_view = !ck.view<1x64x1568xf16, #a_map>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::ck::TransformMapAttr":$map);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
                                                      "::mlir::ck::TransformMapAttr":$map), [{
    return $_get(elementType.getContext(), map.getViewSizes(), elementType, map);
  }]>];
}

def CK_CursorType : CK_Type<"Cursor", "cursor"> {
  let summary = "A position in a view that moves in constant steps";
  let description = [{
    A loop carries a cursor instead of recomputing coordinates: the lowering turns it into a byte
    offset and the digits that its next step needs. With a fragment type, a cursor is the position
    of a tile that all waves load together; without one, it is the position of a single lane.

    Example (test/IR/block-ops.mlir):

    ```mlir
    !cursor = !ck.cursor<!a_view, !a_fragment>
    ```
  }];
  let parameters = (ins "::mlir::ck::ViewType":$view,
                        OptionalParameter<"::mlir::ck::FragmentType">:$fragment);
  let assemblyFormat = "`<` $view (`,` $fragment^)? `>`";
}

def CK_AccType : CK_Type<"Acc", "acc"> {
  let summary = "The accumulator tile of a workgroup, spread over the registers of its math waves";
  let description = [{
    The layout says which lane of which wave holds an element. Ops that store the tile, or leave it
    in memory for another workgroup, need no further information.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    #layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>

    !acc = !ck.acc<64x128xf32, #layout>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::ck::AccLayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::mlir::ck::AccLayoutAttr":$layout)>];
  let extraClassDeclaration = [{
    /// Blocks of the matrix instruction that one wave has along the rows (0) or columns (1).
    int64_t getBlocks(unsigned dim) const { return getShape()[dim] / getLayout().getUnit(dim); }
    /// The dimension (0: rows, 1: columns) along which a lane holds accumulators.
    unsigned getAccDim() const { return static_cast<unsigned>(getLayout().getAlong()); }
  }];
}

def CK_FragmentType : CK_Type<"Fragment", "fragment"> {
  let summary = "An operand tile in the registers of the waves that loaded it";
  let description = [{
    The tile has `rows x k` elements and is on its way from global memory to LDS. The threads of the
    loading waves move it in micro tiles of the second shape. A thread loads vectors along the rows
    or along K of a micro tile, in the direction that is consecutive in memory.

    A fragment that is `held` does not go to LDS. Each math wave has the columns that it multiplies,
    and each lane has, as micro tiles, the elements that the matrix instruction takes from it.

    A fragment that is `async` is never in registers: its loads write to LDS themselves. It lies
    there as it does in memory, row by row, or along rows one K after the other, and then the reads
    transpose it; each micro tile is what one lane loads at once.

    Example (test/IR/block-ops.mlir):

    ```mlir
    !a_fragment = !ck.fragment<64x32xf16, 4x2 along rows>

    !held_fragment = !ck.fragment<128x32xf16, 1x8 held along k>

    !async_fragment = !ck.fragment<64x64xf16, 1x8 async along k>
    !transposed_fragment = !ck.fragment<64x64xf16, 8x1 async along rows>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$microTile, "bool":$alongK,
                        "::mlir::ck::FragmentPath":$path);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isHeld() const { return getPath() == FragmentPath::Held; }
    bool isAsync() const { return getPath() == FragmentPath::Async; }
    /// True if the tile lies in LDS along its rows, and is transposed when it is read.
    bool isTransposed() const { return isAsync() && !getAlongK(); }
  }];
}

def CK_RingType : CK_Type<"Ring", "ring"> {
  let summary = "A ring of LDS slots, each with one tile per operand";
  let description = [{
    The slots are used in order and then again from the first one: step `i` has slot `i mod slots`.
    The last operand may have one slot more than the others, so that its tiles are copied one more
    step ahead. The fragment type of a tile determines how the tile lies in its slot.

    Example (test/IR/block-ops.mlir):

    ```mlir
    !a_fragment = !ck.fragment<64x32xf16, 4x2 along rows>
    !b_fragment = !ck.fragment<128x32xf16, 4x4 along rows>

    !ring = !ck.ring<2 x [!a_fragment, !b_fragment]>
    !uneven_ring = !ck.ring<2 + 1 x [!a_fragment, !b_fragment]>
    ```
  }];
  let parameters = (ins "int64_t":$slots, DefaultValuedParameter<"int64_t", "0">:$more,
                        ArrayRefParameter<"::mlir::ck::FragmentType">:$tiles);
  let assemblyFormat = "`<` $slots (`+` $more^)? `x` `[` $tiles `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Slots of the tiles of `operand`.
    int64_t getSlots(size_t operand) const {
      return getSlots() + (operand + 1 == getTiles().size() ? getMore() : 0);
    }
    /// Steps after which all tiles have the same slots again.
    int64_t getPeriod() const;
  }];
}

def CK_SlotType : CK_Type<"Slot", "slot"> {
  let summary = "One slot of a ring, held by the wave that acquired or waited for it";
  let description = [{
    The right to write the tiles of a step, until it is committed, or to read them, until it is
    released.

    Example (test/IR/block-ops.mlir):

    ```mlir
    !slot = !ck.slot<!ring>
    ```
  }];
  let parameters = (ins "::mlir::ck::RingType":$ring);
  let assemblyFormat = "`<` $ring `>`";
}

def CK_UnitType : CK_Type<"Unit", "unit"> {
  let summary = "The operands of one K unit of a slot, in the registers of the waves that multiply";
  let description = [{
    A K unit is the K of a step that one read of LDS gives all lanes of a wave. The lanes hold what
    they multiply of the tiles of a slot for one unit, so that they can read a unit while they
    multiply the unit before.

    Example (test/IR/block-ops.mlir):

    ```mlir
    !unit = !ck.unit<!ring>
    ```
  }];
  let parameters = (ins "::mlir::ck::RingType":$ring);
  let assemblyFormat = "`<` $ring `>`";
}

#endif // CK_MLIR_IR_CKTYPES_TD
