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
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::ck::emulator;

double ParameterRow::getValue(Isa isa) const {
  switch (isa) {
  case Isa::Gfx90a:
    return gfx90a;
  case Isa::Gfx942:
    return gfx942;
  case Isa::Gfx950:
    return gfx950;
  case Isa::Gfx11:
    return gfx1100;
  case Isa::Gfx12:
    return gfx1201;
  }
  return 0;
}

const std::vector<ParameterRow> &mlir::ck::emulator::getParameterRows() {
  static const std::vector<ParameterRow> rows = [] {
    std::vector<ParameterRow> all(getUnitParameterRows());
    llvm::append_range(all, getMemoryParameterRows());
    return all;
  }();
  return rows;
}

/// Applies "name=value".
static llvm::Error applyOverride(TimingParameters &parameters, llvm::StringRef text) {
  const std::pair<llvm::StringRef, llvm::StringRef> parts = text.split('=');
  double number = 0;
  if (parts.second.getAsDouble(number) || !std::isfinite(number) || number < 0)
    return llvm::createStringError(
        llvm::formatv("expected a number that is not negative for '{0}', got '{1}'", parts.first,
                      parts.second)
            .str());
  std::string names;
  for (const ParameterRow &row : getParameterRows()) {
    if (row.name == parts.first) {
      parameters.*(row.member) = number;
      return llvm::Error::success();
    }
    names += (names.empty() ? "" : ", ") + row.name.str();
  }
  return llvm::createStringError(
      llvm::formatv("'{0}' is no parameter of the model of time; expected one of {1}", parts.first,
                    names)
          .str());
}

llvm::Expected<TimingParameters>
mlir::ck::emulator::getTimingParameters(const ChipModel &chip, llvm::StringRef overrides) {
  TimingParameters parameters;
  for (const ParameterRow &row : getParameterRows())
    parameters.*(row.member) = row.getValue(chip.isa);
  llvm::SmallVector<llvm::StringRef> parts;
  overrides.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    if (llvm::Error error = applyOverride(parameters, part.trim()))
      return std::move(error);
  return parameters;
}
