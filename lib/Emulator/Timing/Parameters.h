//===- Parameters.h - What the model of time must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One number per quantity and chip, each with its source, and no number for a shape or a kernel.
// Cycles are those of the shader clock. What products of one instruction set differ in is said
// once, in Chip/Products.cpp, and the parameters take it from there.
// docs/emulator/parameters.md has all of them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_PARAMETERS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_PARAMETERS_H

#include "Emulator/Chip/ChipModel.h"
#include <array>
#include <iterator>
#include <string>
#include <vector>

namespace ckemu {

/// The parameters of a chip. Their meaning, units and sources stand in getParameterRows.
struct TimingParameters {
  // Clock and launches.
  double clockMHz = 0, launchMicroseconds = 0, kernelMicroseconds = 0, dispatchCycles = 0;
  double groupStartCycles = 0, groupEndCycles = 0;
  // Issue.
  double issueCycles = 0, valuCycles = 0, valuLatency = 0, transCycles = 0, doubleCycles = 0;
  double packedCycles = 0, packedSwitchCycles = 0, quarterCycles = 0, crossingCycles = 0;
  double storeDwordCycles = 0;
  double saluCycles = 0, saluLatency = 0, branchCycles = 0, barrierCycles = 0, sleepCycles = 0;
  double matrixLatency = 0;
  // How matrix instructions slow the clock.
  double f16Slowdown = 0, bf16Slowdown = 0, bits8Slowdown = 0, wideSlowdown = 0;
  double wideTileSlowdown = 1, powerShare = 1;
  // LDS.
  double ldsLatency = 0, ldsBytes = 0, ldsPairBytes = 0, ldsQueue = 0;
  // Instruction fetch (from here on MemoryParameters.cpp).
  double instructionCacheBytes = 0, instructionMissCycles = 0;
  double instructionStreamCycles = 0;
  // Vector memory.
  double vectorIssueCycles = 0, outstandingLoads = 0, l1Bytes = 0, l1LineBytes = 0;
  double l1Latency = 0, l1Count = 0, l1BytesPerCycle = 0, l1FillBytesPerCycle = 0, l1Misses = 0;
  // Scalar memory.
  double scalarLatency = 0, scalarCacheBytes = 0;
  // Caches that compute units share, and memory.
  double numXcds = 0, l2Bytes = 0, l2Channels = 0, l2ReadBytes = 0, l2WriteBytes = 0;
  double l2FabricBytes = 0, l2Latency = 0, mallBytes = 0, mallGigabytes = 0, mallNanoseconds = 0;
  double hbmGigabytes = 0, hbmEfficiency = 0, hbmNanoseconds = 0, atomicCycles = 0, flagCycles = 0;
};

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

/// One parameter and its value for each chip.
struct ParameterRow {
  double TimingParameters::*member;
  ParameterKind kind;
  llvm::StringLiteral name, unit, meaning;
  std::array<double, std::size(kIsas)> values; ///< by Isa
  llvm::StringLiteral source;
  /// Where products differ, the value of one in place of `values`.
  double (*ofProduct)(const ChipProduct &) = nullptr;

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
