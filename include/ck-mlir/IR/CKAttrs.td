//===- CKAttrs.td - Attributes of the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKATTRS_TD
#define CK_MLIR_IR_CKATTRS_TD

include "ck-mlir/IR/CKDialect.td"

//===----------------------------------------------------------------------===//
// Target and layouts
//===----------------------------------------------------------------------===//

def CK_TargetAttr : CK_Attr<"Target", "target"> {
  let summary = "The chip that a module is compiled for";
  let description = [{
    The module has it as its attribute `ck.target`. All code that depends on the chip looks up this
    name in the chip table (`ck-mlir/Chip/ChipInfo.h`).

    Example (test/IR/attributes.mlir):

    ```mlir
    module attributes {ck.target = #ck.target<"gfx942">} {}
    ```
  }];
  let parameters = (ins StringRefParameter<"chip name">:$chip);
  let assemblyFormat = "`<` $chip `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The row of the chip table.
    const ChipInfo &getInfo() const;
  }];
}

def CK_ConvLayoutAttr : CK_Attr<"ConvLayout", "conv_layout"> {
  let summary = "Memory order of the dimensions of a convolution's tensors";
  let description = [{
    There is one string of dimension letters for each of input, filter and output; the last letter
    is the fastest dimension. The letters are G for groups, N batch, K output channels, C input
    channels, D/H/W space, Z/Y/X filter.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    ```
  }];
  let parameters = (ins StringRefParameter<"input dimensions">:$input,
                        StringRefParameter<"filter dimensions">:$filter,
                        StringRefParameter<"output dimensions">:$output);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Coordinate transforms
//===----------------------------------------------------------------------===//

def CK_TransformKind : I32EnumAttr<"TransformKind", "kind of a coordinate transform", [
    I32EnumAttrCase<"Pass", 0, "pass">, I32EnumAttrCase<"Pad", 1, "pad">,
    I32EnumAttrCase<"Slice", 2, "slice">, I32EnumAttrCase<"Embed", 3, "embed">,
    I32EnumAttrCase<"Unmerge", 4, "unmerge">, I32EnumAttrCase<"Merge", 5, "merge">,
    I32EnumAttrCase<"Broadcast", 6, "broadcast">, I32EnumAttrCase<"Freeze", 7, "freeze">,
    I32EnumAttrCase<"Diagonal", 8, "diagonal">]> {
  let cppNamespace = "::mlir::ck";
  let genSpecializedAttr = 0;
}

def CK_TransformAttr : CK_Attr<"Transform", "step"> {
  let summary = "One coordinate transform between named dimensions";
  let description = [{
    Consumes the dimensions `from` on the tensor's side and produces the dimensions `into` on the
    view's side. It is written inside a `#ck.transform_map`, which describes the syntax; `values`
    holds the numbers of the written form in order.

    Example (test/IR/transform-map.mlir), the steps of a map:

    ```mlir
    [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1),
     embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)]
    ```
  }];
  let parameters = (ins EnumParameter<CK_TransformKind>:$kind,
                        ArrayRefParameter<"::mlir::StringAttr">:$from,
                        ArrayRefParameter<"::mlir::StringAttr">:$into,
                        OptionalArrayRefParameter<"int64_t">:$values);
  // Never printed on its own: `#ck.transform_map` prints its steps.
  let assemblyFormat = [{
    `<` $kind `from` `[` $from `]` `into` `[` $into `]` (`values` `[` $values^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def CK_TransformMapAttr : CK_Attr<"TransformMap", "transform_map"> {
  let summary = "Coordinate transforms from a tensor to a view of it";
  let description = [{
    Names the dimensions of a tensor in memory order with their sizes, and lists the steps that turn
    them into the dimensions of a view. A step consumes dimensions by name and produces new ones:

    | step | written | tensor coordinate from view coordinates |
    |---|---|---|
    | pass | `pass M = k` | k = M |
    | pad | `pad h 1 : 2` | h = h' - 1, size grows by 1 + 2; outside the tensor an element reads as zero |
    | slice | `slice h 2 to 5` | h = h' + 2, size 3 |
    | embed | `embed h = (y: 3 * 1, ho: 14 * 2) + 1` | h = y * 1 + ho * 2 + 1; sizes of y and ho are 3 and 14, coefficients may be negative |
    | unmerge | `unmerge k = (a: 4, b: 8)` | k = a * 8 + b |
    | merge | `merge K = (n, ho, wo)` | (n, ho, wo) = digits of K, last one fastest |
    | broadcast | `broadcast d : 4` | a new dimension that does not move in the tensor |
    | freeze | `freeze y = 1` | y = 1 |
    | diagonal | `diagonal g = (a, b)` | g = a, both of the size of g; where a and b differ, an element reads as zero |

    Every dimension that remains must be named exactly once in the list of view dimensions.

    Constraints:
    - C1: steps consume dimensions that exist and produce names that are free.
    - C2: sizes are positive; pads are not negative; slices and frozen coordinates lie inside.
    - C3: the coordinates that an embed computes lie inside the dimension that it consumes.
    - C4: the sizes of an unmerge multiply to the size of the dimension it consumes.
    - C5: the remaining dimensions are those of the view, with the same sizes.
    - C6: a diagonal makes two dimensions.
    - C7: sizes and coordinates are 64-bit numbers.

    Example (test/IR/transform-map.mlir):

    ```mlir
    #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by
                      [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1),
                       embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c),
                       merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$tensorDims,
                        ArrayRefParameter<"int64_t">:$tensorSizes,
                        ArrayRefParameter<"::mlir::ck::TransformAttr">:$steps,
                        ArrayRefParameter<"::mlir::StringAttr">:$viewDims,
                        ArrayRefParameter<"int64_t">:$viewSizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def CK_MmaAttr : CK_Attr<"Mma", "mma"> {
  let summary = "A matrix instruction, by its sizes and the type of its operands";
  let description = [{
    The M, N and K of an instruction of the chip table (`ck-mlir/Chip/ChipInfo.h`) and the type of
    the elements that it multiplies; the table says which lane holds which elements.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.mma<32x32x8xf16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "::mlir::Type":$operandType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilderWithInferredContext<(ins "const std::array<int64_t, 3> &":$sizes,
                                                      "::mlir::Type":$operandType), [{
    return $_get(operandType.getContext(), ::llvm::ArrayRef<int64_t>(sizes), operandType);
  }]>];
  let extraClassDeclaration = [{
    /// The row of the chip table, or null where `chip` has no such instruction.
    const MatrixInstruction *find(const ChipInfo &chip) const;
  }];
}

def CK_ScheduleAttr : CK_Attr<"Schedule", "schedule"> {
  let summary = "How a GEMM is tiled, mapped to waves and partitioned";
  let description = [{
    The fields of a complete schedule. `ck-mlir/Schedule/Schedule.h` documents and checks them;
    docs/Tools.md documents the text form that tools read and print. `roles` is `uniform`, or the
    numbers of load waves and math waves. `stages` is the number of slots of LDS for tiles of both
    operands, or those for A and B as in `2 + 3`. `mapping` has the window of tile rows and the chunk of
    tiles of an XCD. With `copies`, operand tiles go from memory to LDS through registers (`staged`)
    or without them (`async`). With `reads`, waves read operands from LDS in the step that multiplies
    them (`step`), or a K unit `ahead` of it. `mapping`, `deterministic`, `hints`, `copies` and
    `reads` are omitted if they have their defaults.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.schedule<tile = 128x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                 stages = 2, partition = data_parallel>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tile, ArrayRefParameter<"int64_t">:$waves,
                        "::mlir::ck::MmaAttr":$mma, "::mlir::ck::Roles":$roles, "::mlir::ck::Stages":$stages,
                        "::mlir::ck::Partition":$partition,
                        DefaultValuedParameter<"::mlir::ck::WorkgroupMapping",
                                               "::mlir::ck::WorkgroupMapping()">:$mapping,
                        DefaultValuedParameter<"bool", "false">:$deterministic,
                        OptionalParameter<"std::optional<::mlir::ck::Hints>">:$hints,
                        DefaultValuedParameter<"::mlir::ck::Copies",
                                               "::mlir::ck::Copies::Staged">:$copies,
                        DefaultValuedParameter<"::mlir::ck::Reads",
                                               "::mlir::ck::Reads::Step">:$reads);
  let assemblyFormat = [{
    `<` struct(custom<Sizes>($tile), custom<Sizes>($waves), custom<Mma>($mma),
               custom<Roles>($roles), custom<Stages>($stages), custom<Partition>($partition),
               custom<Mapping>($mapping), custom<Flag>($deterministic), custom<Hints>($hints),
               custom<Copies>($copies), custom<Reads>($reads)) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The schedule as a value.
    Schedule getValue() const;
    /// `schedule` for operands of `operandType`.
    static ScheduleAttr get(const Schedule &schedule, ::mlir::Type operandType);
  }];
}

def CK_DirectAttr : CK_Attr<"Direct", "direct"> {
  let summary = "The results that one lane of a direct kernel computes";
  let description = [{
    The schedule of a GEMM whose lanes load operands, multiply and add by themselves, without tiles:
    a lane has `channels` consecutive results, of neighbouring groups where a group has fewer, at
    each of `columns` x `rows` neighbouring positions of an image. With `slices`, it has all taps of
    `channels` consecutive input channels instead and sums over positions, of which it adds
    `columns` x `rows` in a step; as many workgroups share the positions. With `mfma`, lanes
    multiply together by matrix instructions of blocks with as many rows and columns, on chips with
    MFMA, of f16 or bf16: of 4, in multiples of four channels of a group, and with `slices` one
    input channel for each lane, of groups of 4, 8 or 16 channels, as many in as out; of 16, in
    multiples of 16 channels of a group, and with `slices` of groups of 16, as many in as out.

    Constraints:
    - C1: all numbers are in [1, 65536]; without `slices` it is 0.
    - C2: `mfma` is 4 or 16; without it, it is 0.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.direct<channels = 8, columns = 4, rows = 2>
    ```
  }];
  let parameters = (ins "int64_t":$channels, "int64_t":$columns, "int64_t":$rows,
                        DefaultValuedParameter<"int64_t", "0">:$slices,
                        DefaultValuedParameter<"int64_t", "0">:$mfma);
  let assemblyFormat = "`<` struct($channels, $columns, $rows, $slices, $mfma) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The numbers as a value.
    DirectTile getValue() const {
      return {getChannels(), getColumns(), getRows(), getSlices(), getMfma()};
    }
    static DirectAttr get(::mlir::MLIRContext *context, const DirectTile &tile) {
      return get(context, tile.channels, tile.columns, tile.rows, tile.slices, tile.mfma);
    }
  }];
}

def CK_AccDim : I32EnumAttr<"AccDim", "dimension of a tile that lanes hold runs along", [
    I32EnumAttrCase<"Rows", 0, "rows">, I32EnumAttrCase<"Columns", 1, "columns">]> {
  let cppNamespace = "::mlir::ck";
  let genSpecializedAttr = 0;
}

def CK_FragmentPath : I32EnumAttr<"FragmentPath", "way of an operand tile from global memory", [
    I32EnumAttrCase<"Staged", 0, "staged">, I32EnumAttrCase<"Held", 1, "held">,
    I32EnumAttrCase<"Async", 2, "async">]> {
  let cppNamespace = "::mlir::ck";
  let genSpecializedAttr = 0;
}

def CK_AccLayoutAttr : CK_Attr<"AccLayout", "acc_layout"> {
  let summary = "How the math waves of a workgroup hold an accumulator tile";
  let description = [{
    The tile is divided among `waves` (over M and N), and the part of each wave is divided into
    blocks of the matrix instruction `mma`. A lane holds several accumulators of a block `along` the
    rows, which is the order of the instruction, or along the columns, if its operands are
    exchanged. This makes results that are consecutive in memory consecutive in registers.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$waves, "::mlir::ck::MmaAttr":$mma,
                        EnumParameter<CK_AccDim>:$along);
  let assemblyFormat = "`<` struct(custom<Sizes>($waves), custom<Mma>($mma), $along) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows (0) or columns (1) of the tile that one wave has in a row of blocks, one of each.
    int64_t getUnit(unsigned dim) const { return getWaves()[dim] * getMma().getSizes()[dim]; }
  }];
}

def CK_ShuffleAttr : CK_Attr<"Shuffle", "shuffle"> {
  let summary = "How a wave passes results through LDS to store longer pieces of memory";
  let description = [{
    A wave moves one region of `blocks` of the matrix instruction at a time. The first number counts
    blocks along the dimension in which lanes hold several accumulators, the second across it. Lanes
    write the region to the wave's part of LDS as they hold it. They read it along that dimension,
    `width` elements per lane, and store these elements at once.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.shuffle<blocks = 2x1, width = 8>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$blocks, "int64_t":$width);
  let assemblyFormat = "`<` struct(custom<Sizes>($blocks), $width) `>`";
  let genVerifyDecl = 1;
}

def CK_RoleKind : I32EnumAttr<"RoleKind", "role of a wave", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Load", 1, "load">,
    I32EnumAttrCase<"Math", 2, "math">]> {
  let cppNamespace = "::mlir::ck";
  let genSpecializedAttr = 0;
}

def CK_RoleAttr : CK_Attr<"Role", "role"> {
  let summary = "A wave role and the number of its waves";
  let description = [{
    `uniform` waves load and compute; `load` waves only fill the LDS ring, and `math` waves only
    consume its tiles.

    Example (test/IR/block-ops.mlir):

    ```mlir
    #ck.role<uniform, 4>
    ```
  }];
  let parameters = (ins EnumParameter<CK_RoleKind>:$kind, "int64_t":$waves);
  let assemblyFormat = "`<` $kind `,` $waves `>`";
  let genVerifyDecl = 1;
}

def CK_PartitionAttr : CK_Attr<"Partition", "partition"> {
  let summary = "How work is distributed over workgroups";
  let description = [{
    One of: `data_parallel`; `split_k` with the number of slices, or `auto`, and with `two_stage` if
    a second kernel adds the slices; `stream_k` with the order of its reduction, `linear`, `tree` or `parallel`,
    and with `persistent` if a workgroup computes several tiles.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.partition<split_k<8, two_stage>>
    ```
  }];
  let parameters = (ins "::mlir::ck::Partition":$value);
  let assemblyFormat = "`<` custom<Partition>($value) `>`";
  let genVerifyDecl = 1;
}

def CK_WorkgroupMappingAttr : CK_Attr<"WorkgroupMapping", "workgroup_mapping"> {
  let summary = "Which tile a workgroup has";
  let description = [{
    Workgroups go to the `xcds` XCDs of the chip in turn. Tiles are numbered in windows of `window`
    tile rows, down each column of a window. Of every `xcds * chunk` tiles, each XCD has `chunk`
    neighbouring ones. With a window and a chunk of 1, workgroups have tiles in row-major order.
    As many slices of Split-K as go round the XCDs belong to neighbouring workgroups, and streams
    of StreamK that stay within tiles have neighbouring K steps on the same XCD.
    `ck-mlir/Schedule/WorkPartition.h` has the formulas.

    Constraints:
    - C1: all numbers are in [1, 65536].

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.workgroup_mapping<window = 8, chunk = 64, xcds = 8>
    ```
  }];
  let parameters = (ins "int64_t":$window, "int64_t":$chunk, "int64_t":$xcds);
  let assemblyFormat = "`<` struct($window, $chunk, $xcds) `>`";
  let genVerifyDecl = 1;
}

#endif // CK_MLIR_IR_CKATTRS_TD
