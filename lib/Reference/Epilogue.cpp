//===- Epilogue.cpp - Epilogues on the reference's sums -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One formula per step. erfc and expm1-like forms keep the tails of the activations accurate in
// double.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Epilogue.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck;

/// Where gelu and silu are zero, and their formulas would multiply infinity by it.
static bool isFarBelow(double value) { return value < -1e4; }

/// `value` after one step; `operand` is its element of the step's operand, if it has one.
static double applyStep(const EpilogueStep &step, double value, double operand, Fp8Format fp8) {
  switch (step.kind) {
  case EpilogueKind::Bias:
  case EpilogueKind::Add:
    return value + operand;
  case EpilogueKind::Scale:
    return value * operand;
  case EpilogueKind::Bilinear:
    return double(step.constants[0]) * value + double(step.constants[1]) * operand;
  case EpilogueKind::Relu:
    return std::max(value, 0.0);
  case EpilogueKind::Clamp:
    return std::min(std::max(value, double(step.constants[0])), double(step.constants[1]));
  case EpilogueKind::Gelu: // 1 + erf(t) = erfc(-t), which keeps its digits for negative t
    return isFarBelow(value) ? -0.0 : 0.5 * value * std::erfc(-value * 0.70710678118654752440);
  case EpilogueKind::Silu:
    return isFarBelow(value) ? -0.0 : value / (1.0 + std::exp(-value));
  case EpilogueKind::Sigmoid:
    return 1.0 / (1.0 + std::exp(-value));
  case EpilogueKind::Tanh:
    return std::tanh(value);
  case EpilogueKind::LeakyRelu:
    return value < 0 ? double(step.constants[0]) * value : value;
  case EpilogueKind::Convert:
    return decode(encode(value, step.type, fp8), step.type, fp8);
  }
  return value;
}

EpilogueFunction mlir::ck::makeEpilogueFunction(llvm::ArrayRef<EpilogueStep> steps,
                                                bool integerSums, Fp8Format fp8) {
  llvm::SmallVector<EpilogueStep, 4> copies(steps);
  return [copies, integerSums, fp8](double sum, llvm::ArrayRef<double> operands) {
    double value = integerSums ? double(static_cast<float>(sum)) : sum;
    for (const EpilogueStep &step : copies) {
      double operand = 0;
      if (getOperandKind(step.kind) != OperandKind::None) {
        operand = operands.front();
        operands = operands.drop_front();
      }
      value = applyStep(step, value, operand, fp8);
    }
    return value;
  };
}

ElementEpilogue::ElementEpilogue(const TensorDesc &write, llvm::ArrayRef<TensorData> operands,
                                 EpilogueFunction function)
    : operands(operands), function(std::move(function)) {
  for (const TensorData &operand : operands) {
    const TensorDesc &desc = operand.getDesc();
    Access access{desc.layout != write.layout, 1, 1, 1, 1};
    if (access.perChannel) {
      char channel = desc.layout[1];
      access = {true, write.getSize('G'), write.getStride('G'), write.getSize(channel),
                write.getStride(channel)};
    }
    accesses.push_back(access);
  }
}

double ElementEpilogue::apply(double sum, int64_t index) const {
  llvm::SmallVector<double, 4> elements;
  for (auto [operand, access] : llvm::zip(operands, accesses)) {
    int64_t at = index;
    if (access.perChannel)
      at = index / access.groupStride % access.groups * access.channels +
           index / access.channelStride % access.channels;
    elements.push_back(operand.get(at));
  }
  return function(sum, elements);
}

//===----------------------------------------------------------------------===//
// Exactness
//===----------------------------------------------------------------------===//

/// The bound of the magnitude after `step`, from the one before; negative if the result need not
/// be a whole number.
static double getWholeBound(const EpilogueStep &step, double bound, double operand) {
  for (float constant : step.constants)
    if (constant != std::nearbyint(constant))
      return -1;
  switch (step.kind) {
  case EpilogueKind::Bias:
  case EpilogueKind::Add:
    return bound + operand;
  case EpilogueKind::Scale:
    return bound * operand;
  case EpilogueKind::Bilinear:
    return std::abs(step.constants[0]) * bound + std::abs(step.constants[1]) * operand;
  case EpilogueKind::Relu:
    return bound;
  case EpilogueKind::Clamp:
    return std::max(std::abs(step.constants[0]), std::abs(step.constants[1]));
  case EpilogueKind::LeakyRelu:
    return bound * std::max(1.0f, std::abs(step.constants[0]));
  case EpilogueKind::Convert: // rounds up to at most the next power of two
    return 2 * bound;
  case EpilogueKind::Gelu:
  case EpilogueKind::Silu:
  case EpilogueKind::Sigmoid:
  case EpilogueKind::Tanh:
    return -1;
  }
  return -1;
}

bool mlir::ck::isEpilogueExact(const Problem &problem, int64_t intRange) {
  if (std::visit([](const auto &p) { return p.epilogue == epilogueRegion; }, problem))
    return false;
  double range = double(intRange);
  double bound = double(getReductionLength(problem)) * range * range;
  for (const EpilogueStep &step : getEpilogueSteps(problem)) {
    // Also the product inside of a step must be exact, which the bound behind it covers.
    bound = getWholeBound(step, bound, range);
    if (bound < 0 || bound > 0x1p24)
      return false;
  }
  return true;
}
