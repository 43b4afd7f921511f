//===- TimingSummary.cpp - What a process learns of modelled times -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimingSummary.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/TimingSummary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <vector>

using namespace ckemu;
using namespace ckemu::hip;

/// Kernels that the line names.
static constexpr size_t kListed = 3;

void TimingSummary::add(const std::string &kernel, double microseconds) {
  Launches &launches = kernels[kernel];
  ++launches.count;
  launches.microseconds += microseconds;
}

std::string TimingSummary::describe(const ChipModel &chip) const {
  if (isRead)
    return std::string();
  if (kernels.empty())
    return hasHostTime ? "the times between events are those of this computer, not of a chip; "
                         "with CK_EMULATOR_TIMING=on they are those of a model of the chip"
                       : "";
  std::vector<std::pair<std::string, Launches>> longest(kernels.begin(), kernels.end());
  llvm::sort(longest, [](const auto &a, const auto &b) {
    return std::make_pair(-a.second.microseconds, a.first) <
           std::make_pair(-b.second.microseconds, b.first);
  });
  size_t launches = 0;
  double microseconds = 0;
  for (const auto &entry : longest) {
    launches += entry.second.count;
    microseconds += entry.second.microseconds;
  }
  std::string text = llvm::formatv(
      "modelled time on {0} ({1}), not measured: {2:f1} us in {3}", chip.name, chip.product->name,
      microseconds, launches == 1 ? "1 launch" : std::to_string(launches) + " launches");
  size_t listed = 0;
  for (size_t i = 0; i < std::min(kListed, longest.size()); ++i) {
    listed += longest[i].second.count;
    text += llvm::formatv("{0} {1} {2:f1} us in {3}", i == 0 ? ";" : ",", longest[i].first,
                          longest[i].second.microseconds, longest[i].second.count);
  }
  if (longest.size() > kListed)
    text += ", others in " + std::to_string(launches - listed);
  return text;
}
