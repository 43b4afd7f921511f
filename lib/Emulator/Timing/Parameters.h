//===- Parameters.h - What the model of time must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One number per quantity and chip, each with its source, and no number for a shape or a kernel.
// Here is what the parameters are; Chip/TimingFigures.h has their values for each chip, and
// Chip/Products.cpp what products with one chip differ in.
// docs/emulator/parameters.md has all of them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_PARAMETERS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_PARAMETERS_H

#include "Emulator/Chip/ChipModel.h"
#include <string>
#include <vector>

namespace ckemu {

/// What a parameter is, and with it which values it can have; its unit stands in its row.
enum class ParameterKind : uint8_t {
  Clock,      ///< MHz
  Duration,   ///< microseconds or nanoseconds, or none
  Cycles,     ///< at least one
  Delay,      ///< cycles, or none
  Rate,       ///< bytes a cycle
  Bandwidth,  ///< GB/s
  Mall,       ///< bytes or GB/s of the MALL, 0 where there is none
  Capacity,   ///< bytes of a cache
  Line,       ///< bytes of a line: 64 or 128
  Count,      ///< a whole number, at least one
  Efficiency, ///< a share of what is best, above 0
  Factor      ///< any other of 1
};

/// One parameter. The figures of chips have its values with their sources.
struct ParameterRow {
  double TimingParameters::*member;
  ParameterKind kind;
  llvm::StringLiteral name, unit, meaning;
  /// Where products differ, the value of one and where the values come from.
  double (*ofProduct)(const ChipProduct &) = nullptr;
  llvm::StringLiteral source = "";

  double getValue(const ChipModel &chip) const;
  /// Whether `value` is in the range of the kind, and that range in words.
  bool accepts(double value) const;
  std::string describeRange() const;
};

/// Rows that belong together.
struct ParameterGroup {
  llvm::StringLiteral title;
  llvm::ArrayRef<ParameterRow> rows;
};

/// The parameters of compute units and launches, of memory, and all.
llvm::ArrayRef<ParameterGroup> getUnitParameters();
llvm::ArrayRef<ParameterGroup> getMemoryParameters();
const std::vector<ParameterRow> &getParameterRows();

/// The parameters of `chip`, changed by `overrides`, which is empty or "name=value,...". An error
/// names the parameter, the value and what was expected.
llvm::Expected<TimingParameters> getTimingParameters(const ChipModel &chip,
                                                     llvm::StringRef overrides = "");

/// Parameters with the text that changed them.
struct TimingSetting {
  std::string text;
  TimingParameters parameters;
};

/// The settings of `text`, "name=value,...;name=value,...;...", at most kMostSettings: the first is
/// the model's, the others are asked for beside it. An empty text is one setting that changes
/// nothing. All must have the same XCDs, which decide what is simulated.
inline constexpr size_t kMostSettings = 64;
llvm::Expected<std::vector<TimingSetting>> getTimingSettings(const ChipModel &chip,
                                                             llvm::StringRef text);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_PARAMETERS_H
