//===- ProgressBar.cpp - A progress bar on a terminal -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line, redrawn in place.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/ProgressBar.h"
#include <algorithm>
#include <cmath>

using namespace cksupport;

std::string cksupport::formatProgress(size_t done, size_t total, llvm::StringRef label,
                                      size_t width) {
  constexpr size_t barWidth = 20;
  size_t filled = total == 0 ? barWidth : std::min(done, total) * barWidth / total;
  std::string bar(filled, '=');
  if (filled < barWidth)
    bar += '>';
  bar.resize(barWidth, ' ');
  std::string totalText = std::to_string(total), doneText = std::to_string(done);
  doneText.insert(0, totalText.size() - std::min(totalText.size(), doneText.size()), ' ');
  std::string text = "[" + bar + "] " + doneText + "/" + totalText + " " + label.str();
  return text.substr(0, width);
}

std::string cksupport::formatTimeLeft(size_t done, size_t total, double seconds) {
  constexpr double kSoonest = 2;
  if (done == 0 || done >= total || seconds < kSoonest)
    return std::string();
  const auto left = uint64_t(std::llround(seconds * double(total - done) / double(done)));
  auto format = [](uint64_t large, uint64_t small, const char *unit) {
    return std::to_string(large) + (small < 10 ? ":0" : ":") + std::to_string(small) + unit;
  };
  if (left < 60)
    return std::to_string(left) + " s left, ";
  return left < 3600 ? format(left / 60, left % 60, " min left, ")
                     : format(left / 3600, left / 60 % 60, " h left, ");
}

void ProgressBar::show(size_t done, llvm::StringRef label) {
  if (!os.is_displayed())
    return;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::string text =
      formatProgress(done, total, formatTimeLeft(done, total, taken.count()) + label.str());
  size_t columns = text.size();
  text.resize(std::max(columns, shownColumns), ' ');
  os << '\r' << text;
  os.flush();
  shownColumns = columns;
}

void ProgressBar::clear() {
  if (shownColumns == 0)
    return;
  os << '\r' << std::string(shownColumns, ' ') << '\r';
  os.flush();
  shownColumns = 0;
}
