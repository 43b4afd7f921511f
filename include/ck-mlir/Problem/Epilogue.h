//===- Epilogue.h - Chains of steps on the accumulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `epilogue=NAME(+NAME)*` of a problem means, as plain values: the generator, the reference
// and the tolerances read the same steps. docs/Epilogues.md is the user's page.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_PROBLEM_EPILOGUE_H
#define CK_MLIR_PROBLEM_EPILOGUE_H

#include "ck-mlir/Problem/DataType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::ck {

/// What one step computes from the value `v` so far, an f32, and element `d` of its operand.
enum class EpilogueKind : uint8_t {
  Bias,      // v + d, one d per output channel
  Scale,     // v * d, one d per output channel
  Add,       // v + d, one d per output element
  Bilinear,  // alpha * v + beta * d, one d per output element
  Relu,      // max(v, 0)
  Clamp,     // min(max(v, low), high)
  Gelu,      // v * (1 + erf(v / sqrt(2))) / 2
  Silu,      // v / (1 + exp(-v))
  Sigmoid,   // 1 / (1 + exp(-v))
  Tanh,      // tanh(v)
  LeakyRelu, // v < 0 ? slope * v : v
  Convert    // v rounded to a type, saturating as an output of that type does
};

/// The text of an epilogue that stands as a region in IR. Only the region knows what it computes,
/// so `parseEpilogue` refuses the word.
inline constexpr llvm::StringLiteral epilogueRegion = "region";

/// "bias", "scale", ...
llvm::StringRef getName(EpilogueKind kind);

/// Which operand a step reads.
enum class OperandKind : uint8_t {
  None,
  PerChannel, // [G, output channels of a group]
  PerElement  // shape and layout of the output
};

OperandKind getOperandKind(EpilogueKind kind);

/// One step of a chain.
struct EpilogueStep {
  EpilogueKind kind;
  /// Bilinear: alpha, beta. Clamp: low, high. LeakyRelu: slope. Empty for the others.
  llvm::SmallVector<float, 2> constants;
  /// Of the operand, or what Convert rounds to; otherwise the output type.
  DataType type;

  bool operator==(const EpilogueStep &other) const {
    return kind == other.kind && constants == other.constants && type == other.type;
  }
};

/// The steps of "NAME(+NAME)*", where a NAME may be followed by its parameters in parentheses, as
/// in "bias(f16)+clamp(-1,1)"; none for an empty text. What is left out gets its default:
/// bilinear(1,1), clamp(0,6), leaky_relu(0.01), operands per channel f32, other types `outDtype`.
/// Composable Kernel's names are read as well: PassThrough is no step, MultiDAdd(COUNT,TYPE) as
/// many `add`; Relu, Gelu, Silu, Sigmoid and Tanh (or TanH). Errors name the step and what was
/// expected.
llvm::Expected<llvm::SmallVector<EpilogueStep, 4>> parseEpilogue(llvm::StringRef text,
                                                                 DataType outDtype);

/// The canonical text of `steps`, defaults left out; parses back to equal steps.
std::string toString(llvm::ArrayRef<EpilogueStep> steps, DataType outDtype);

/// Names of the operands of `steps` in order: that of the step, with a number from its second use
/// on ("bias", "add", "add1").
llvm::SmallVector<std::string, 2> getOperandNames(llvm::ArrayRef<EpilogueStep> steps);

} // namespace mlir::ck

#endif // CK_MLIR_PROBLEM_EPILOGUE_H
