//===- ConvOps.td - Rung 0: convolutions and matrix products -*- tablegen -*-===//
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

/// A problem in destination-passing style that reads `a`, `b` and D operands and writes `c`.
class CK_ProblemOp<string mnemonic, string a, string b, string c, string accessor,
                   list<Trait> traits = []>
    : CK_Op<mnemonic, !listconcat(traits, [DestinationStyleOpInterface])> {
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region AnyRegion:$epilogue);
  let hasVerifier = 1;

  string operandFormat =
      "`ins` `(` $" # a # " `,` $" # b # " `:` type($" # a # ") `,` type($" # b # ") `)` " #
      "`outs` `(` $" # c # " `:` type($" # c # ") `)` (`ds` `(` $ds^ `:` type($ds) `)`)? ";
  string endFormat = " attr-dict (`epilogue` $epilogue^)? (`->` type($results)^)?";
  code problemMethods = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return get}] # accessor # [{Mutable(); }
    /// The two tensors that are multiplied, and the one that is written.
    ::llvm::SmallVector<::mlir::Value> getFactors() {
      return {(*this)->getOperand(0), (*this)->getOperand(1)};
    }
    ::mlir::Value getWritten() { return (*this)->getOperand(2); }
    ::mlir::ck::Problem getProblem();
  }];
}

/// A convolution that computes `c` from `a` and `b`; `input`, `filter` and `output` are the
/// accessors of the three tensors under their forward roles.
/// `extraArguments` stand behind the others, their text in `extraFormat` before the attributes.
class CK_ConvOp<string mnemonic, string direction, string a, string b, string c, string input,
                string filter, string output, string accessor, dag extraArguments = (ins),
                string extraFormat = "">
    : CK_ProblemOp<mnemonic, a, b, c, accessor, [CK_ConvOpInterface, CK_ProblemOpInterface]> {
  let arguments =
      !con(!dag(ins, [CK_MemRefOrTensor, CK_MemRefOrTensor, CK_MemRefOrTensor, CK_ConvLayoutAttr,
                      DenseI64ArrayAttr, DenseI64ArrayAttr, DenseI64ArrayAttr, DenseI64ArrayAttr,
                      Variadic<CK_MemRefOrTensor>],
                     [a, b, c, "layout", "strides", "dilations", "pad_low", "pad_high", "ds"]),
           extraArguments);
  let assemblyFormat =
      operandFormat # "`layout` $layout `strides` $strides `dilations` $dilations " #
      "`pad_low` $pad_low `pad_high` $pad_high" # extraFormat # endFormat;
  let extraClassDeclaration = problemMethods # [{
    /// Which of the three tensors is computed.
    ::mlir::ck::ConvDirection getDirection() { return ::mlir::ck::ConvDirection::}] # direction # [{; }
    /// The tensors under their forward roles.
    ::mlir::Value getConvInput() { return get}] # input # [{(); }
    ::mlir::Value getConvFilter() { return get}] # filter # [{(); }
    ::mlir::Value getConvOutput() { return get}] # output # [{(); }
  }];
  let extraClassDefinition = [{
    ::mlir::ck::Problem $cppClass::getProblem() { return ::mlir::ck::makeConvProblem(*this); }
    ::llvm::LogicalResult $cppClass::verify() { return ::mlir::ck::verifyConv(*this); }
  }];

  /// What the constraints of every convolution are.
  string constraints = [{
    Sums are accumulated in f32, or in i32 for i8 operands. The optional epilogue maps an
    accumulator, and one element of every D operand, to an element of the result; without an
    epilogue, the accumulator is converted to the type of the result.

    Constraints:
    - C1: `layout` has the letters of a convolution of the rank that `strides` gives.
    - C2: `strides`, `dilations`, `pad_low`, `pad_high` have one entry per spatial dimension;
      strides and dilations are positive, pads not negative.
    - C3: the shapes of the tensors agree in G, N, K, C and in the output size that the strides,
      dilations and pads give.
    - C4: the tensors that are read have the same element type; memrefs are packed.
    - C5: with memrefs the op has no result; with tensors it returns the written tensor.
    - C6: the epilogue takes the accumulator (f32, or i32 for i8) and one element of every D
      operand, and yields an element of the result; its ops are scalar and free of side effects.
    - C7: a D operand has the shape of the result, or is GxK (GxC for backward-data): one value per
      channel of the result. D operands need an epilogue.
  }];
}

def CK_ConvFwdOp : CK_ConvOp<"conv_fwd", "Forward", "x", "w", "y", "X", "W", "Y", "Y",
                             (ins OptionalAttr<I64Attr>:$preshuffle),
                             " (`preshuffle` $preshuffle^)?"> {
  let summary = "Grouped convolution";
  let description = [{
    `y[n,g,k,o] = sum over c, f of x[n,g,c, o*stride + f*dilation - pad_low] * w[g,k,c,f]`
    where `o` and `f` run over the output and filter space, and elements of `x` outside the tensor
    are zero. K and C count channels of one group. With `preshuffle` nb the filter is shuffled ahead
    of time: K is split into blocks of nb channels and C into units of 16 bytes. The channels within
    a block and within a unit are the last two dimensions of `w`, for example
    G x K/nb x Y x X x C/8 x nb x 8 for f16.
  }] # constraints # [{
    - C8: `preshuffle` is 16 or 32, divides K, and the filter's layout is channels-last.

    Example (test/IR/conv-ops.mlir):

    ```mlir
    ck.conv_fwd ins(%x, %w : memref<8x14x14x1x64xf16>, memref<1x32x3x3x64xf16>)
      outs(%y : memref<8x14x14x1x32xf16>) ds(%bias : memref<1x32xf32>)
      layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] epilogue {
    ^bb0(%acc: f32, %b: f32):
      %sum = arith.addf %acc, %b : f32
      %out = arith.truncf %sum : f32 to f16
      ck.yield %out : f16
    }
    ```
  }];
}

def CK_ConvBwdDataOp
    : CK_ConvOp<"conv_bwd_data", "BackwardData", "dy", "w", "dx", "Dx", "W", "Dy", "Dx"> {
  let summary = "Gradient of a grouped convolution with respect to its input";
  let description = [{
    `dx[n,g,c,i] = sum over k, and over o, f with o*stride + f*dilation - pad_low = i, of
    dy[n,g,k,o] * w[g,k,c,f]`. An element without any such o and f is the epilogue of zero.
  }] # constraints # [{
    Example (test/IR/conv-ops.mlir):

    ```mlir
    ck.conv_bwd_data ins(%dy, %w : memref<8x7x7x1x32xf16>, memref<1x32x3x3x64xf16>)
      outs(%dx : memref<8x14x14x1x64xf16>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
    ```
  }];
}

def CK_ConvBwdWeightOp
    : CK_ConvOp<"conv_bwd_weight", "BackwardWeight", "x", "dy", "dw", "X", "Dw", "Dy", "Dw"> {
  let summary = "Gradient of a grouped convolution with respect to its filter";
  let description = [{
    `dw[g,k,c,f] = sum over n, o of dy[n,g,k,o] * x[n,g,c, o*stride + f*dilation - pad_low]`
    where `o` and `f` run over the output and filter space, and elements of `x` outside the tensor
    are zero. K and C count channels of one group.
  }] # constraints # [{
    Example (test/IR/conv-ops.mlir):

    ```mlir
    ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x64xf16>)
      outs(%dw : memref<1x64x3x3x64xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
    ```
  }];
}

def CK_BatchedGemmOp
    : CK_ProblemOp<"batched_gemm", "a", "b", "c", "C", [CK_ProblemOpInterface]> {
  let summary = "Batched matrix product";
  let description = [{
    `c[g,m,n] = sum over k of a[g,m,k] * b[g,k,n]`. `layout` has a letter r (row major) or c (column
    major) for each matrix: `a` is GxMxK or GxKxM, `b` GxKxN or GxNxK, `c` GxMxN. Sums are
    accumulated in f32, or in i32 for i8 operands; the optional epilogue is that of the
    convolutions. With `preshuffle` nb, a column-major `b` is shuffled ahead of time into blocks of
    nb columns and units of 16 bytes along K: G x N/nb x K/8 x nb x 8 for f16.

    Constraints:
    - C1: `layout` is rcr, rrr, crr or ccr.
    - C2: the tensors have rank 3 (a shuffled `b` has rank 5) and agree in G, M, N and K.
    - C3: `a` and `b` have the same element type; memrefs are packed.
    - C4: with memrefs the op has no result; with tensors it returns `c`.
    - C5: the epilogue takes the accumulator (f32, or i32 for i8) and one element of every D
      operand, and yields an element of `c`; its ops are scalar and free of side effects.
    - C6: a D operand has the shape of `c`, or is GxN: one value per column. D operands need an
      epilogue.
    - C7: `preshuffle` is 16 or 32, divides N, and the unit divides K.

    Example (test/IR/conv-ops.mlir):

    ```mlir
    ck.batched_gemm ins(%a, %b : memref<1x128x64xf16>, memref<1x96x64xf16>)
      outs(%c : memref<1x128x96xf16>) layout "rcr"
    ```
  }];
  let arguments = (ins CK_MemRefOrTensor:$a, CK_MemRefOrTensor:$b, CK_MemRefOrTensor:$c,
                       StrAttr:$layout, Variadic<CK_MemRefOrTensor>:$ds,
                       OptionalAttr<I64Attr>:$preshuffle);
  let assemblyFormat = operandFormat # "`layout` $layout (`preshuffle` $preshuffle^)?" # endFormat;
  let extraClassDeclaration = problemMethods # [{
    /// The product as a value; defined for a verified op.
    ::mlir::ck::GemmProblem getGemmProblem();
  }];
}

#endif // CK_MLIR_IR_CONVOPS_TD
