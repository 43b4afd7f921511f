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
    Stands on the module as `ck.target`; everything that depends on the chip asks the chip table
    (`ck-mlir/Chip/ChipInfo.h`) for the row of this name.

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
    One string of dimension letters each for the input, the filter and the output, last letter
    fastest. Letters: G groups, N batch, K output channels, C input channels, D/H/W space, Z/Y/X
    filter.

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
    view's side. It is written inside a `#ck.transform_map`, see there; `values` holds the numbers of
    the written form in order.
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
    | diagonal | `diagonal g = (a, b)` | g = a, both of the size of g; where a and b differ an element reads as zero |

    Every dimension that is left must be named exactly once in the list of view dimensions.

    Constraints:
    - C1: steps consume dimensions that exist and produce names that are free.
    - C2: sizes are positive; pads are not negative; slices and frozen coordinates lie inside.
    - C3: the coordinates that an embed makes lie inside the dimension it consumes.
    - C4: the sizes of an unmerge multiply to the size of the dimension it consumes.
    - C5: the dimensions left are those of the view, with these sizes.
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

def CK_ScheduleAttr : CK_Attr<"Schedule", "schedule"> {
  let summary = "How a GEMM is tiled, mapped to waves and partitioned";
  let description = [{
    The fields of the schedule string, every one written out in canonical order; the text is the
    tuning key. `ck-mlir/Schedule/Schedule.h` documents the fields, parses and checks them.

    Example (test/IR/attributes.mlir):

    ```mlir
    #ck.schedule<"tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel,deterministic=false">
    ```
  }];
  let parameters = (ins StringRefParameter<"canonical schedule string">:$text);
  let assemblyFormat = "`<` $text `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The schedule as a value.
    Schedule getValue() const;
    static ScheduleAttr get(::mlir::MLIRContext *context, const Schedule &schedule);
  }];
}

def CK_RoleAttr : CK_Attr<"Role", "role"> {
  let summary = "A wave role and the number of its waves";
  let description = [{
    `uniform` waves load and compute; `load` waves only fill the LDS ring, `math` waves only consume
    it.

    Example (test/IR/block-ops.mlir):

    ```mlir
    #ck.role<uniform, 4>
    ```
  }];
  let parameters = (ins StringRefParameter<"role">:$name, "int64_t":$waves);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def CK_PartitionAttr : CK_Attr<"Partition", "partition"> {
  let summary = "How work is distributed over workgroups";
  let description = [{
    The partition of a schedule string: `data_parallel`, `split_k:...` or `stream_k:...`.

    Example (test/IR/grid-ops.mlir):

    ```mlir
    #ck.partition<"data_parallel">
    ```
  }];
  let parameters = (ins StringRefParameter<"partition">:$text);
  let assemblyFormat = "`<` $text `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The partition as a value.
    Partition getValue() const;
    static PartitionAttr get(::mlir::MLIRContext *context, const Partition &partition);
  }];
}

#endif // CK_MLIR_IR_CKATTRS_TD
