//===- Tolerance.cpp - How far a result may be from the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of Composable Kernel's get_relative_threshold and get_absolute_threshold, with the
// true GEMM-K as the number of accumulations.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Tolerance.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;

/// Half a unit in the last place of 1.
static double getUnitRoundoff(DataType type) {
  return std::ldexp(0.5, -int(getMantissaBits(type)));
}

double mlir::ck::getRelativeTolerance(DataType compute, DataType out, DataType acc,
                                      int64_t accumulations) {
  if (isInteger(compute) || isInteger(out) || isInteger(acc))
    return 0;
  return std::max({getUnitRoundoff(compute), getUnitRoundoff(out),
                   getUnitRoundoff(acc) * double(accumulations)});
}

double mlir::ck::getAbsoluteTolerance(DataType compute, DataType out, DataType acc, double maxValue,
                                      int64_t accumulations) {
  // 2^(log2|max| - mantissa) / 2 is |max| times the unit roundoff.
  return std::abs(maxValue) * getRelativeTolerance(compute, out, acc, accumulations);
}

Tolerance mlir::ck::getTolerance(const Problem &problem, double maxValue, int64_t splitK) {
  auto [dtype, outDtype] =
      std::visit([](const auto &p) { return std::make_pair(p.dtype, p.outDtype); }, problem);
  DataType acc = isInteger(dtype) ? DataType::I32 : DataType::F32;
  int64_t accumulations = std::max<int64_t>(1, getReductionLength(problem));
  int64_t part = llvm::divideCeil(accumulations, splitK);
  Tolerance tolerance;
  tolerance.rtol = getRelativeTolerance(dtype, outDtype, acc, part);
  tolerance.atol = getAbsoluteTolerance(dtype, outDtype, acc, maxValue / double(splitK), part);
  if (splitK > 1) {
    tolerance.rtol =
        std::max(tolerance.rtol, getRelativeTolerance(outDtype, outDtype, outDtype, splitK));
    tolerance.atol = std::max(tolerance.atol,
                              getAbsoluteTolerance(outDtype, outDtype, outDtype, maxValue, splitK));
  }
  return tolerance;
}
