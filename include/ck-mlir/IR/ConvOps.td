//===- ConvOps.td - Rung 0: convolutions -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CONVOPS_TD
#define CK_MLIR_IR_CONVOPS_TD

include "ck-mlir/IR/CKAttrs.td"
include "ck-mlir/IR/CKInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def CK_MemRefOrTensor
    : AnyTypeOf<[AnyStaticShapeMemRef, AnyStaticShapeTensor]>;

def CK_ConvBwdWeightOp : CK_Op<"conv_bwd_weight", [
    DeclareOpInterfaceMethods<CK_ConvOpInterface>,
    DestinationStyleOpInterface]> {
  let summary = "Gradient of a grouped convolution with respect to its filter";
  let description = [{
    `dw[g,k,f,c] = sum over n, o of dy[n,o,g,k] * x[n, o*stride + f*dilation - pad_low, g, c]`
    where `o` and `f` run over the output and filter space, and elements of `x` outside the tensor
    are zero. K and C count channels of one group. Sums are kept in f32. The optional epilogue maps
    an accumulator to an element of `dw`; without it the accumulator is converted to that type.

    Constraints:
    - C1: `layout` has the letters of a convolution of the rank that `strides` gives.
    - C2: `strides`, `dilations`, `pad_low`, `pad_high` have one entry per spatial dimension;
      strides and dilations are positive, pads not negative.
    - C3: the shapes of `x`, `dy` and `dw` agree in G, N, K, C and in the output size that the
      strides, dilations and pads give.
    - C4: `x` and `dy` have the same element type; memrefs are packed.
    - C5: memrefs need no result, tensors return `dw`.
    - C6: the epilogue takes the f32 accumulator and yields an element of `dw`; its ops are scalar
      and free of side effects.

    Example (test/IR/conv-ops.mlir):

    ```mlir
    ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
      outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
    ```
  }];
  let arguments = (ins CK_MemRefOrTensor:$x, CK_MemRefOrTensor:$dy, CK_MemRefOrTensor:$dw,
                       CK_ConvLayoutAttr:$layout, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$pad_low,
                       DenseI64ArrayAttr:$pad_high);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    `ins` `(` $x `,` $dy `:` type($x) `,` type($dy) `)` `outs` `(` $dw `:` type($dw) `)`
    `layout` $layout `strides` $strides `dilations` $dilations `pad_low` $pad_low
    `pad_high` $pad_high attr-dict (`epilogue` $epilogue^)? (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDwMutable(); }
  }];
}

#endif // CK_MLIR_IR_CONVOPS_TD
