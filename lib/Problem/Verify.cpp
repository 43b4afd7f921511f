//===- Verify.cpp - Legality of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A verified problem has positive sizes, and no size, offset or byte count that anything later
// computes from it overflows 64 bits.
//
//===----------------------------------------------------------------------===//

#include "Problem/ProblemDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static Error verifyAtLeast(StringRef key, int64_t value, int64_t minimum) {
  if (value >= minimum)
    return Error::success();
  return createStringError("'" + key + "' must be at least " + Twine(minimum) + ", got " +
                           Twine(value));
}

static Error verifySizes(StringRef key, ArrayRef<int64_t> values, unsigned rank, int64_t minimum) {
  if (values.size() != rank)
    return createStringError("expected " + Twine(rank) + " values for '" + key + "', got " +
                             Twine(values.size()));
  for (int64_t value : values)
    if (Error error = verifyAtLeast(key, value, minimum))
      return error;
  return Error::success();
}

/// Only an epilogue that stands as a region makes numbers of another kind.
static Error verifyTypes(DataType dtype, DataType outDtype, StringRef epilogue) {
  if (dtype == DataType::I32)
    return createStringError("expected an input type of f16, bf16, f32, i8, fp8, bf8, got 'i32'");
  if (isInteger(dtype) == isInteger(outDtype) || epilogue == epilogueRegion)
    return Error::success();
  return createStringError("'out_dtype' must be " +
                           Twine(isInteger(dtype) ? "i8 or i32" : "f16, bf16, f32, fp8 or bf8") +
                           " for " + getName(dtype) + ", got '" + getName(outDtype) + "'");
}

static Error verifyLayout(StringRef what, StringRef layout, StringRef letters) {
  std::string sorted = layout.str(), expected = letters.str();
  llvm::sort(sorted);
  llvm::sort(expected);
  if (sorted == expected)
    return Error::success();
  return createStringError("'layout' of the " + what + " must be a permutation of " + letters +
                           ", got '" + layout + "'");
}

/// Whether weights whose columns are dimension `columns` of the problem, and whose sums run over
/// `reduced`, can be shuffled into blocks of `preshuffle` columns.
static Error verifyShuffle(int64_t preshuffle, DataType dtype, StringRef columnsKey,
                           int64_t columns, StringRef reducedKey, int64_t reduced) {
  if (preshuffle != 16 && preshuffle != 32)
    return createStringError("'preshuffle' must be 16 or 32, or 0 for none, got " +
                             Twine(preshuffle));
  if (columns % preshuffle != 0)
    return createStringError("'preshuffle' requires '" + columnsKey + "' to be a multiple of " +
                             Twine(preshuffle) + ", got " + Twine(columns));
  if (int64_t unit = getShuffledUnit(dtype); reduced % unit != 0)
    return createStringError("'preshuffle' requires '" + reducedKey + "' to be a multiple of " +
                             Twine(unit) + " for " + getName(dtype) + ", got " + Twine(reduced));
  return Error::success();
}

/// Only where weights are read as they are multiplied, and have the common layout before.
static Error verifyShuffle(const ConvProblem &p) {
  if (p.preshuffle == 0)
    return Error::success();
  if (p.direction != ConvDirection::Forward)
    return createStringError("'preshuffle' is not supported for " + getName(p.direction) +
                             ": expected conv_fwd or gemm");
  std::string layout = "GK" + detail::getFilterLetters(p.getRank()).str() + "C";
  if (p.filterLayout != layout)
    return createStringError("'preshuffle' requires the filter layout " + layout + ", got '" +
                             p.filterLayout + "'");
  return verifyShuffle(p.preshuffle, p.dtype, "K", p.k, "C", p.c);
}

/// Computes the output size of one dimension with overflow checks.
static Error verifyOutputSize(const ConvProblem &p, unsigned i) {
  char letter = detail::getSpaceLetters(p.getRank())[i];
  int64_t window, padded, rest;
  if (llvm::MulOverflow(p.dilation[i], p.filter[i] - 1, window) ||
      llvm::AddOverflow<int64_t>(window, 1, window))
    return createStringError("the dilated filter along " + Twine(letter) +
                             " overflows 64 bits: dilation " + Twine(p.dilation[i]) + ", filter " +
                             Twine(p.filter[i]));
  if (llvm::AddOverflow(p.in[i], p.padLeft[i], padded) ||
      llvm::AddOverflow(padded, p.padRight[i], padded))
    return createStringError("the padded input along " + Twine(letter) + " overflows 64 bits: in " +
                             Twine(p.in[i]) + ", pad " + Twine(p.padLeft[i]) + ":" +
                             Twine(p.padRight[i]));
  rest = padded - window;
  int64_t size = llvm::divideFloorSigned(rest, p.stride[i]) + 1;
  if (size >= 1)
    return Error::success();
  return createStringError("output size along " + Twine(letter) + " must be at least 1, got " +
                           Twine(size) + " from in " + Twine(p.in[i]) + ", filter " +
                           Twine(p.filter[i]) + ", stride " + Twine(p.stride[i]) + ", dilation " +
                           Twine(p.dilation[i]) + ", pad " + Twine(p.padLeft[i]) + ":" +
                           Twine(p.padRight[i]));
}

/// The bytes of a tensor (and with them every size of the implicit GEMM, each of which is a product
/// of dimensions of one tensor) fit 64 bits.
static Error verifyBytes(const TensorDesc &tensor) {
  int64_t bytes = getSizeInBytes(tensor.type);
  for (int64_t size : tensor.shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return createStringError(
          "size of tensor '" + tensor.name + "' overflows 64 bits: " +
          llvm::join(llvm::map_range(tensor.shape, [](int64_t s) { return std::to_string(s); }),
                     "x") +
          " elements of " + getName(tensor.type));
  return Error::success();
}

/// a + b where that fits 64 bits, else the largest number; both are positive.
static int64_t addUpTo(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

/// a * b in the same way.
static int64_t multiplyUpTo(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

/// The coordinates of the implicit GEMM, also those in the padding and those between two positions
/// that have the same taps, stay in 64 bits when they are multiplied by the strides of a tensor.
static Error verifyReach(const ConvProblem &p) {
  // Leaves room for the bytes of an element and for ranges of positions that are rounded up.
  constexpr int64_t limit = int64_t(1) << 55;
  int64_t reach = std::max(multiplyUpTo(p.n, std::max(p.k, p.c)), multiplyUpTo(p.k, p.c));
  reach = multiplyUpTo(p.g, reach);
  for (unsigned i = 0; i < p.getRank(); ++i) {
    int64_t padded = p.in[i] + p.padLeft[i] + p.padRight[i];
    int64_t window = p.dilation[i] * (p.filter[i] - 1) + 1;
    int64_t cycle = multiplyUpTo(p.stride[i] / std::gcd(p.stride[i], p.dilation[i]), p.dilation[i]);
    reach = multiplyUpTo(reach, addUpTo(addUpTo(padded, window), cycle));
  }
  if (reach <= limit)
    return Error::success();
  return createStringError("coordinates are too large: batch, groups and channels of a tensor, "
                           "times the sum of padded input, dilated filter and common multiple of "
                           "stride and dilation in each dimension, must be at most 2^55");
}

/// The steps can be read, unless they stand as a region, and the bytes of their operands fit 64
/// bits.
template <typename ProblemTy>
static Error verifyEpilogue(const ProblemTy &problem) {
  if (problem.epilogue != epilogueRegion)
    if (Error error = parseEpilogue(problem.epilogue, problem.outDtype).takeError())
      return error;
  for (const TensorDesc &tensor : problem.getEpilogueOperands())
    if (Error error = verifyBytes(tensor))
      return error;
  return Error::success();
}

static Error verifyFields(const ConvProblem &p) {
  std::pair<StringRef, int64_t> scalars[] = {{"N", p.n}, {"G", p.g}, {"K", p.k}, {"C", p.c}};
  for (auto [key, value] : scalars)
    if (Error error = verifyAtLeast(key, value, 1))
      return error;
  unsigned rank = p.getRank();
  if (rank < 1 || rank > detail::maxRank)
    return createStringError("expected 1 to 3 values for 'in', got " + Twine(rank));
  struct {
    StringRef key;
    ArrayRef<int64_t> values;
    int64_t minimum;
  } vectors[] = {{"in", p.in, 1},         {"filter", p.filter, 1},
                 {"stride", p.stride, 1}, {"dilation", p.dilation, 1},
                 {"pad", p.padLeft, 0},   {"pad", p.padRight, 0}};
  for (auto &[key, values, minimum] : vectors)
    if (Error error = verifySizes(key, values, rank, minimum))
      return error;
  return Error::success();
}

Error ConvProblem::verify() const {
  if (Error error = verifyFields(*this))
    return error;
  if (Error error = verifyTypes(dtype, outDtype, epilogue))
    return error;
  unsigned rank = getRank();
  std::string space = detail::getSpaceLetters(rank).str();
  if (Error error = verifyLayout("input", inLayout, "N" + space + "GC"))
    return error;
  if (Error error =
          verifyLayout("filter", filterLayout, "GK" + detail::getFilterLetters(rank).str() + "C"))
    return error;
  if (Error error = verifyLayout("output", outLayout, "N" + space + "GK"))
    return error;
  for (unsigned i = 0; i < rank; ++i)
    if (Error error = verifyOutputSize(*this, i))
      return error;
  if (Error error = verifyShuffle(*this))
    return error;
  for (const TensorDesc &tensor : {getInput(), getFilter(), getOutput()})
    if (Error error = verifyBytes(tensor))
      return error;
  if (Error error = verifyReach(*this))
    return error;
  return verifyEpilogue(*this);
}

Error GemmProblem::verify() const {
  std::pair<StringRef, int64_t> scalars[] = {{"M", m}, {"N", n}, {"K", k}, {"G", g}};
  for (auto [key, value] : scalars)
    if (Error error = verifyAtLeast(key, value, 1))
      return error;
  if (Error error = verifyTypes(dtype, outDtype, epilogue))
    return error;
  if (!llvm::is_contained(detail::gemmLayouts, layout))
    return createStringError("'layout' must be one of " +
                             llvm::join(ArrayRef(detail::gemmLayouts), ", ") + ", got '" + layout +
                             "'");
  if (preshuffle != 0) {
    if (layout[1] != 'c')
      return createStringError("'preshuffle' requires a column-major B, as of 'layout' rcr or ccr, "
                               "got '" +
                               layout + "'");
    if (Error error = verifyShuffle(preshuffle, dtype, "N", n, "K", k))
      return error;
  }
  for (const TensorDesc &tensor : {getA(), getB(), getC()})
    if (Error error = verifyBytes(tensor))
      return error;
  return verifyEpilogue(*this);
}
