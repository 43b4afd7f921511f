//===- Problem.h - Convolution and GEMM problems as plain values -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one description of a problem that the generator, the compiler, the reference, the runtime and
// the command line share, and its text form:
//
//   OP:DTYPE:key=value,...      conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1
//
// Letters: G groups, N batch, K output channels per group, C input channels per group, D/H/W input
// or output space, Z/Y/X filter space.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_PROBLEM_PROBLEM_H
#define CK_MLIR_PROBLEM_PROBLEM_H

#include "ck-mlir/Problem/Epilogue.h"
#include <variant>

namespace mlir::ck {

enum class ConvDirection : uint8_t { Forward, BackwardData, BackwardWeight };

/// "conv_fwd", "conv_bwd_data" or "conv_bwd_weight".
llvm::StringRef getName(ConvDirection direction);

/// A tensor of a problem. `layout` names the dimensions in memory order, last letter fastest, and
/// `shape` gives their sizes in that order; the tensor is packed. A small letter is the fast part
/// of a dimension that is split: element n of N is element n % size('n') of block n / size('n').
struct TensorDesc {
  std::string name;
  DataType type;
  std::string layout;
  llvm::SmallVector<int64_t, 6> shape;

  int64_t getNumElements() const;
  int64_t getSizeInBytes() const;
  /// The size of dimension `letter`; the letter must be part of the layout.
  int64_t getSize(char letter) const;
  /// The element stride of dimension `letter`; the letter must be part of the layout.
  int64_t getStride(char letter) const;
};

/// A grouped convolution of spatial rank 1 to 3.
///
/// out[n,g,k,o] = sum over c, f of in[n,g,c,o*stride + f*dilation - padLeft] * filter[g,k,c,f]
///
/// conv_fwd computes y from x and w, conv_bwd_data dx from dy and w, conv_bwd_weight dw from x and
/// dy, each as the gradient of that formula.
struct ConvProblem {
  ConvDirection direction = ConvDirection::Forward;
  DataType dtype = DataType::F16;
  DataType outDtype = DataType::F16;
  int64_t n = 1, g = 1, k = 1, c = 1;
  // One entry per spatial dimension, outermost first (D, H, W).
  llvm::SmallVector<int64_t, 3> in, filter, stride, dilation, padLeft, padRight;
  std::string inLayout, filterLayout, outLayout; // "NHWGC", "GKYXC", "NHWGK"
  int64_t preshuffle = 0; // output channels of a block of the filter (GKYXCkc), 0: not shuffled
  std::string epilogue;   // NAME(+NAME)*, empty for none; see Epilogue.h
  llvm::SmallVector<TensorDesc, 2> regionOperands; // that `epilogueRegion` reads

  unsigned getRank() const { return in.size(); }
  /// floor((in + padLeft + padRight - (dilation * (filter - 1) + 1)) / stride) + 1 per dimension.
  llvm::SmallVector<int64_t, 3> getOutputSize() const;

  /// The three tensors under their forward roles. The written one has `outDtype`, the read ones
  /// `dtype`. Names: x/w/y forward, dx/w/dy backward-data, x/dw/dy backward-weight.
  TensorDesc getInput() const;
  TensorDesc getFilter() const;
  TensorDesc getOutput() const;

  /// The tensors the operation reads, in argument order (forward: x, w; backward-data: dy, w;
  /// backward-weight: x, dy; then the operands of the epilogue), and the one it writes.
  llvm::SmallVector<TensorDesc, 2> getReads() const;
  TensorDesc getWrite() const;
  /// The steps of a verified problem; none for `epilogueRegion`.
  llvm::SmallVector<EpilogueStep, 4> getEpilogueSteps() const;
  /// The tensors that the steps of a verified problem read. Those per channel have layout "GK", for
  /// backward-data "GC"; those per element the layout of the written tensor.
  llvm::SmallVector<TensorDesc, 2> getEpilogueOperands() const;

  /// Number of products summed into one output element (the GEMM-K of the implicit GEMM; for
  /// backward-data the largest over input positions).
  int64_t getReductionLength() const;
  /// Multiply-accumulates of the whole problem times two.
  double getFlops() const;
  /// An error naming the field, its value and what was expected; success for a legal problem.
  llvm::Error verify() const;
};

/// A batched matrix product C[g] = A[g] * B[g] with A MxK, B KxN, C MxN. `layout` has a letter r
/// (row major) or c (column major) for A, B and C, as in "rcr"; the batch dimension is outermost.
struct GemmProblem {
  DataType dtype = DataType::F16;
  DataType outDtype = DataType::F16;
  int64_t m = 1, n = 1, k = 1, g = 1;
  std::string layout = "rcr";
  int64_t preshuffle = 0; // columns of a block of B (GNKnk), 0: not shuffled
  std::string epilogue;
  llvm::SmallVector<TensorDesc, 2> regionOperands;

  /// a, b, c. Layout letters G, M, N, K.
  TensorDesc getA() const;
  TensorDesc getB() const;
  TensorDesc getC() const;
  /// a, b, then the operands of the epilogue.
  llvm::SmallVector<TensorDesc, 2> getReads() const;
  TensorDesc getWrite() const;
  /// As those of ConvProblem; operands per channel have layout "GN".
  llvm::SmallVector<EpilogueStep, 4> getEpilogueSteps() const;
  llvm::SmallVector<TensorDesc, 2> getEpilogueOperands() const;
  int64_t getReductionLength() const { return k; }
  double getFlops() const;
  llvm::Error verify() const;
};

using Problem = std::variant<ConvProblem, GemmProblem>;

/// Parses a problem string. Errors name the offending key and value and what was expected. The
/// result has passed `verify`. Defaults: G=1, stride=1, dilation=1, pad=0, channels-last layouts,
/// `out_dtype` f32 for the weight gradient of f16/bf16 (gradients are kept in f32), i32 for i8, f16
/// for fp8/bf8, otherwise DTYPE.
llvm::Expected<Problem> parseProblem(llvm::StringRef text);

/// The canonical string: keys in fixed order, defaults omitted; parses back to an equal problem.
std::string toString(const Problem &problem);
std::string toString(const ConvProblem &problem);
std::string toString(const GemmProblem &problem);

/// Consecutive elements of the reduced dimension that stand together in weights of `type` that are
/// shuffled ahead of time: those of 16 bytes.
int64_t getShuffledUnit(DataType type);

/// Shared accessors over both alternatives.
llvm::SmallVector<TensorDesc, 2> getReads(const Problem &problem);
TensorDesc getWrite(const Problem &problem);
int64_t getReductionLength(const Problem &problem);
llvm::SmallVector<EpilogueStep, 4> getEpilogueSteps(const Problem &problem);
llvm::SmallVector<TensorDesc, 2> getEpilogueOperands(const Problem &problem);
double getFlops(const Problem &problem);

} // namespace mlir::ck

#endif // CK_MLIR_PROBLEM_PROBLEM_H
