//===- Print.cpp - The canonical problem string -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys in fixed order and defaults omitted, so that equal problems have equal strings: the string
// is a cache key and a test name.
//
//===----------------------------------------------------------------------===//

#include "Problem/ProblemDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::StringRef;

/// "1x2x3".
static std::string joinSizes(ArrayRef<int64_t> sizes) {
  return llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
}

/// Appends ",key=value" with one number when all are equal, nothing when all equal `defaultValue`.
static void printSizes(llvm::raw_ostream &os, StringRef key, ArrayRef<int64_t> sizes,
                       int64_t defaultValue) {
  if (llvm::all_of(sizes, [&](int64_t size) { return size == defaultValue; }))
    return;
  os << ',' << key << '=' << joinSizes(llvm::all_equal(sizes) ? sizes.take_front() : sizes);
}

static void printPadding(llvm::raw_ostream &os, ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
  if (left == right)
    return printSizes(os, "pad", left, 0);
  size_t count = llvm::all_equal(left) && llvm::all_equal(right) ? 1 : left.size();
  os << ",pad=";
  for (size_t i = 0; i < count; ++i) {
    os << (i ? "x" : "") << left[i];
    if (left[i] != right[i])
      os << ':' << right[i];
  }
}

/// The keys that convolutions and GEMMs share at the end.
template <typename ProblemTy>
static void printTail(llvm::raw_ostream &os, const ProblemTy &problem, DataType defaultOutDtype) {
  if (problem.preshuffle != 0)
    os << ",preshuffle=" << problem.preshuffle;
  if (problem.outDtype != defaultOutDtype)
    os << ",out_dtype=" << getName(problem.outDtype);
  if (!problem.epilogue.empty())
    os << ",epilogue=" << problem.epilogue;
}

std::string mlir::ck::toString(const ConvProblem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getName(problem.direction) << ':' << getName(problem.dtype) << ":N=" << problem.n;
  if (problem.g != 1)
    os << ",G=" << problem.g;
  os << ",K=" << problem.k << ",C=" << problem.c << ",in=" << joinSizes(problem.in)
     << ",filter=" << joinSizes(problem.filter);
  printSizes(os, "stride", problem.stride, 1);
  printSizes(os, "dilation", problem.dilation, 1);
  printPadding(os, problem.padLeft, problem.padRight);
  std::string layout = problem.inLayout + "_" + problem.filterLayout + "_" + problem.outLayout;
  if (layout != detail::getDefaultLayout(problem.getRank()))
    os << ",layout=" << layout;
  bool weightGradient = problem.direction == ConvDirection::BackwardWeight;
  printTail(os, problem, detail::getDefaultOutDtype(problem.dtype, weightGradient));
  return text;
}

std::string mlir::ck::toString(const GemmProblem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "gemm:" << getName(problem.dtype) << ":M=" << problem.m << ",N=" << problem.n
     << ",K=" << problem.k;
  if (problem.g != 1)
    os << ",G=" << problem.g;
  if (problem.layout != "rcr")
    os << ",layout=" << problem.layout;
  printTail(os, problem, detail::getDefaultOutDtype(problem.dtype, /*weightGradient=*/false));
  return text;
}

std::string mlir::ck::toString(const Problem &problem) {
  return std::visit([](const auto &p) { return toString(p); }, problem);
}
