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

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a value on its way through the steps.
struct Bound {
  double magnitude; // of the exact value
  double error;     // of the computed one
};
} // namespace

/// The smallest positive number of `type`; for 8-bit floats the larger one of their formats.
static double getSmallest(DataType type) {
  switch (type) {
  case DataType::F16:
    return 0x1p-24;
  case DataType::BF16:
    return 0x1p-133;
  case DataType::F32:
    return 0x1p-149;
  case DataType::FP8:
    return 0x1p-9;
  case DataType::BF8:
    return 0x1p-16;
  case DataType::I8:
  case DataType::I32:
    break;
  }
  return 0;
}

/// How far the roundings to `type` of two numbers can be apart that are `error` apart. Integers
/// that are equal before their rounding are equal behind it.
static double getRoundedError(DataType type, const Bound &bound) {
  if (isInteger(type))
    return std::ceil(bound.error);
  return bound.error + 2 * getUnitRoundoff(type) * (bound.magnitude + bound.error) +
         getSmallest(type);
}

/// `bound` after `step`, whose operand has magnitudes up to `operand`.
static Bound applyStep(const EpilogueStep &step, Bound bound, double operand) {
  double half = getUnitRoundoff(DataType::F32);
  // Values behind the step up to `magnitude`, errors scaled by `slope`, `units` half units in the
  // last place of its own.
  auto make = [&](double magnitude, double slope, double units) {
    return Bound{magnitude, slope * bound.error + units * half * (magnitude + slope * bound.error) +
                                units * getSmallest(DataType::F32)};
  };
  switch (step.kind) {
  case EpilogueKind::Bias:
  case EpilogueKind::Add:
    return make(bound.magnitude + operand, 1, 1);
  case EpilogueKind::Scale:
    return make(bound.magnitude * operand, operand, 1);
  case EpilogueKind::Bilinear: {
    double alpha = std::abs(step.constants[0]), beta = std::abs(step.constants[1]);
    return make(alpha * bound.magnitude + beta * operand, alpha, 2);
  }
  case EpilogueKind::Relu:
    return bound;
  case EpilogueKind::Clamp:
    return {double(std::max(std::abs(step.constants[0]), std::abs(step.constants[1]))),
            bound.error};
  case EpilogueKind::LeakyRelu: {
    double slope = std::max(1.0f, std::abs(step.constants[0]));
    return make(slope * bound.magnitude, slope, 1);
  }
  case EpilogueKind::Gelu: // the slope is largest at sqrt(2): 1.129
    return make(bound.magnitude, 1.13, 4);
  case EpilogueKind::Silu: // the slope is largest at 2.4: 1.0999
    return make(bound.magnitude, 1.1, 4);
  case EpilogueKind::Sigmoid:
    return make(1, 0.25, 4);
  case EpilogueKind::Tanh:
    return make(std::min(1.0, bound.magnitude), 1, 4);
  case EpilogueKind::Convert:
    return {bound.magnitude, getRoundedError(step.type, bound)};
  }
  return bound;
}

Tolerance mlir::ck::getEpilogueTolerance(const Problem &problem, double maxSum,
                                         llvm::ArrayRef<double> maxOperands, int64_t splitK) {
  auto [dtype, outDtype] =
      std::visit([](const auto &p) { return std::make_pair(p.dtype, p.outDtype); }, problem);
  double half = getUnitRoundoff(DataType::F32);
  double accumulations = double(getReductionLength(problem) + splitK);
  Bound bound{maxSum, isInteger(dtype) ? 0 : half * accumulations * maxSum};
  for (const EpilogueStep &step : getEpilogueSteps(problem)) {
    bool reads = getOperandKind(step.kind) != OperandKind::None;
    bound = applyStep(step, bound, reads ? maxOperands.front() : 0);
    maxOperands = maxOperands.drop_front(reads);
  }
  if (isInteger(outDtype))
    return {0, getRoundedError(outDtype, bound)};
  return {2 * getUnitRoundoff(outDtype),
          bound.error * (1 + 2 * getUnitRoundoff(outDtype)) + getSmallest(outDtype)};
}
