//===- ProgressBar.h - A progress bar on a terminal -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Long lists of problems show where they are. Nothing is printed when the stream is no terminal, so
// that logs and pipes stay clean.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SUPPORT_PROGRESSBAR_H
#define CK_MLIR_SUPPORT_PROGRESSBAR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <string>

namespace cksupport {

/// The text of a bar: "[=====>    ]  5/10 label", at most `width` columns.
std::string formatProgress(size_t done, size_t total, llvm::StringRef label, size_t width = 79);

/// The time that is left when `done` of `total` took `seconds`: "45 s left, ", "3:07 min left, ",
/// "1:02 h left, ". Empty in the first two seconds, and where nothing is done or left.
std::string formatTimeLeft(size_t done, size_t total, double seconds);

/// Redraws one line of a terminal; does nothing on any other stream.
class ProgressBar {
public:
  ProgressBar(llvm::raw_ostream &os, size_t total) : os(os), total(total) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  /// Shows that `done` of the total are finished and `label` is under way.
  void show(size_t done, llvm::StringRef label);
  /// Removes the bar from the terminal.
  void clear();

private:
  llvm::raw_ostream &os;
  size_t total;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  size_t shownColumns = 0;
};

} // namespace cksupport

#endif // CK_MLIR_SUPPORT_PROGRESSBAR_H
