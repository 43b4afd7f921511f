//===- Compare.cpp - A result against the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every element is looked at; the first difference is kept with its coordinates.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Compare.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace mlir::ck;

/// "dw[g=0, k=1]: expected 3, got 4".
static std::string describe(const TensorData &tensor, int64_t index, double expected, double got) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tensor.getDesc().name << '[' << tensor.getCoordinates(index) << "]: expected "
     << llvm::format("%.9g", expected) << ", got " << llvm::format("%.9g", got);
  return text;
}

/// How far numbers are apart. Equal infinities are not, nor are any two NaN.
static double getError(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return 0;
  bool finite = std::isfinite(got) && std::isfinite(expected);
  return finite ? std::abs(got - expected) : std::numeric_limits<double>::infinity();
}

Comparison mlir::ck::compare(const TensorData &result, const TensorData &reference,
                             const Tolerance &tolerance) {
  assert(result.getDesc().shape == reference.getDesc().shape &&
         result.getDesc().layout == reference.getDesc().layout && "tensors of one problem");
  Comparison comparison;
  comparison.elements = result.getNumElements();
  for (int64_t i = 0; i < comparison.elements; ++i) {
    double got = result.get(i), expected = reference.get(i);
    double error = getError(got, expected), magnitude = std::abs(expected);
    comparison.maxAbsError = std::max(comparison.maxAbsError, error);
    if (error > 0 && expected != 0)
      comparison.maxRelError =
          std::max(comparison.maxRelError, std::isfinite(error) ? error / magnitude : error);
    bool close = std::isfinite(error) && error <= tolerance.atol + tolerance.rtol * magnitude;
    if (error == 0 || close)
      continue;
    if (comparison.mismatches++ == 0)
      comparison.firstMismatch = describe(reference, i, expected, got);
  }
  return comparison;
}

double mlir::ck::getMaxMagnitude(const TensorData &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (double value = std::abs(tensor.get(i)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}
