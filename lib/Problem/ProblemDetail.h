//===- ProblemDetail.h - What parser, printer and verifier share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Letters, default layouts and default types, so that the parser's defaults and the printer's
// omissions cannot drift apart.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_PROBLEM_PROBLEMDETAIL_H
#define CK_MLIR_LIB_PROBLEM_PROBLEMDETAIL_H

#include "ck-mlir/Problem/Problem.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

inline constexpr unsigned maxRank = 3;

/// Letters of input and output space for a rank of 1 to 3: "W", "HW", "DHW".
inline llvm::StringRef getSpaceLetters(unsigned rank) {
  return llvm::StringRef("DHW").take_back(rank);
}

/// Letters of filter space for a rank of 1 to 3: "X", "YX", "ZYX".
inline llvm::StringRef getFilterLetters(unsigned rank) {
  return llvm::StringRef("ZYX").take_back(rank);
}

/// The channels-last layout of all three tensors, as in "NHWGC_GKYXC_NHWGK".
inline std::string getDefaultLayout(unsigned rank) {
  std::string space = getSpaceLetters(rank).str(), filter = getFilterLetters(rank).str();
  return "N" + space + "GC_GK" + filter + "C_N" + space + "GK";
}

/// The output type when `out_dtype` is not given. Weight gradients stay in f32.
inline DataType getDefaultOutDtype(DataType dtype, bool weightGradient) {
  switch (dtype) {
  case DataType::F16:
  case DataType::BF16:
    return weightGradient ? DataType::F32 : dtype;
  case DataType::I8:
    return DataType::I32;
  case DataType::FP8:
  case DataType::BF8:
    return DataType::F16;
  case DataType::F32:
  case DataType::I32:
    return dtype;
  }
  return dtype;
}

inline constexpr llvm::StringLiteral gemmLayouts[] = {"rcr", "rrr", "crr", "ccr"};

/// The parts of `text` between separators that stand outside of parentheses.
llvm::SmallVector<llvm::StringRef> splitOutsideParentheses(llvm::StringRef text, char separator);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_PROBLEM_PROBLEMDETAIL_H
