//===- Roofline.h - The least time that a problem can take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What hardly any kernel can be faster than: neither the operations nor the bytes of a problem
// depend on the schedule. Only where a stride skips parts of an input, fewer bytes may do.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_ROOFLINE_H
#define CK_MLIR_SCHEDULE_ROOFLINE_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Problem/Problem.h"

namespace mlir::ck {

/// Microseconds that a problem takes at least.
struct Roofline {
  double matrix = 0; ///< its operations at the peak of the chip's matrix instructions
  /// Its inputs, read once, and its result, written once, at the peak of the memory, or of the MALL
  /// where that can hold them.
  double memory = 0;

  double getMicroseconds() const { return matrix > memory ? matrix : memory; }
  /// The longer one: "matrix" or "memory".
  llvm::StringRef getBound() const { return matrix > memory ? "matrix" : "memory"; }
};

/// The roofline of `problem` on `chip`, with the rates of docs/Selection.md; a chip that has none
/// has those of the most similar one.
Roofline getRoofline(const Problem &problem, const ChipInfo &chip);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_ROOFLINE_H
