//===- Parameters.cpp - What the model of time must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Parameters.h: how the rows become the parameters of a chip. The rows are in
// UnitParameters.cpp and MemoryParameters.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace ckemu;

double ParameterRow::getValue(const ChipModel &chip) const {
  return ofProduct ? ofProduct(*chip.product) : chip.timing->find(member)->value;
}

namespace {
/// The values that a kind can have.
struct Range {
  double least, most;
  bool isWhole = false;
};
} // namespace

static Range getRange(ParameterKind kind) {
  constexpr double kMany = 1e6, kCycles = 10000, kTebi = 1099511627776.0;
  switch (kind) {
  case ParameterKind::Clock:
    return {1, kMany};
  case ParameterKind::Duration:
    return {0, kMany};
  case ParameterKind::Bandwidth:
    return {1, kMany};
  case ParameterKind::Delay:
    return {0, kCycles};
  case ParameterKind::Cycles:
    return {1, kCycles};
  case ParameterKind::Rate:
    return {1, 65536};
  case ParameterKind::Mall:
    return {0, kTebi};
  case ParameterKind::Capacity:
    return {1024, kTebi};
  case ParameterKind::Line:
    return {64, 128, /*isWhole=*/true};
  case ParameterKind::Count:
    return {1, 65536, /*isWhole=*/true};
  case ParameterKind::Efficiency:
    return {0.01, 1};
  case ParameterKind::Factor:
    return {0, 100};
  }
  return {0, 0};
}

bool ParameterRow::accepts(double value) const {
  const Range range = getRange(kind);
  if (kind == ParameterKind::Line)
    return value == range.least || value == range.most;
  return value >= range.least && value <= range.most &&
         (!range.isWhole || value == std::floor(value));
}

std::string ParameterRow::describeRange() const {
  const Range range = getRange(kind);
  const std::string least = llvm::formatv("{0}", llvm::json::Value(range.least)),
                    most = llvm::formatv("{0}", llvm::json::Value(range.most));
  if (kind == ParameterKind::Line)
    return least + " or " + most;
  return (range.isWhole ? "a whole number from " : "a number from ") + least + " to " + most;
}

const std::vector<ParameterRow> &ckemu::getParameterRows() {
  static const std::vector<ParameterRow> rows = [] {
    std::vector<ParameterRow> all;
    for (llvm::ArrayRef<ParameterGroup> groups : {getUnitParameters(), getMemoryParameters()})
      for (const ParameterGroup &group : groups)
        llvm::append_range(all, group.rows);
    return all;
  }();
  return rows;
}

static llvm::Expected<const ParameterRow *> findRow(llvm::StringRef name) {
  std::string names;
  for (const ParameterRow &row : getParameterRows()) {
    if (row.name == name)
      return &row;
    names += (names.empty() ? "" : ", ") + row.name.str();
  }
  return llvm::createStringError(
      llvm::formatv("'{0}' is no parameter of the model of time; expected one of {1}", name, names)
          .str());
}

/// Applies "name=value".
static llvm::Error applyOverride(TimingParameters &parameters, llvm::StringRef text,
                                 llvm::StringSet<> &names) {
  const auto [name, value] = text.split('=');
  if (!text.contains('='))
    return llvm::createStringError(llvm::formatv("expected name=value, got '{0}'", text).str());
  llvm::Expected<const ParameterRow *> row = findRow(name);
  if (!row)
    return row.takeError();
  double number = 0;
  if (value.getAsDouble(number) || !(*row)->accepts(number))
    return llvm::createStringError(
        llvm::formatv("expected {0} for '{1}', got '{2}'", (*row)->describeRange(), name, value)
            .str());
  if (!names.insert(name).second)
    return llvm::createStringError(llvm::formatv("'{0}' stands twice", name).str());
  parameters.*((*row)->member) = number;
  return llvm::Error::success();
}

/// What each parameter may be, but not together.
static llvm::Error checkTogether(const TimingParameters &parameters) {
  if ((parameters.mallBytes == 0) != (parameters.mallGigabytes == 0))
    return llvm::createStringError(
        "'mall_bytes' and 'mall_gigabytes' must both be 0, for a chip without a MALL, or neither");
  return llvm::Error::success();
}

llvm::Expected<TimingParameters> ckemu::getTimingParameters(const ChipModel &chip,
                                                            llvm::StringRef overrides) {
  TimingParameters parameters;
  for (const ParameterRow &row : getParameterRows())
    parameters.*(row.member) = row.getValue(chip);
  if (overrides.trim().empty())
    return parameters;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringSet<> names;
  overrides.split(parts, ',');
  for (llvm::StringRef part : parts)
    if (llvm::Error error = applyOverride(parameters, part.trim(), names))
      return std::move(error);
  if (llvm::Error error = checkTogether(parameters))
    return std::move(error);
  return parameters;
}

llvm::Expected<std::vector<TimingSetting>> ckemu::getTimingSettings(const ChipModel &chip,
                                                                    llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ';');
  if (parts.size() > kMostSettings)
    return llvm::createStringError(
        llvm::formatv("expected at most {0} settings, got {1}", kMostSettings, parts.size()).str());
  std::vector<TimingSetting> settings;
  for (llvm::StringRef part : parts) {
    llvm::Expected<TimingParameters> parameters = getTimingParameters(chip, part);
    if (!parameters)
      return parameters.takeError();
    settings.push_back({part.trim().str(), *parameters});
    if (parameters->numXcds != settings.front().parameters.numXcds)
      return llvm::createStringError(
          "'num_xcds' must be the same in all settings: it decides which "
          "workgroups are simulated");
  }
  return settings;
}
