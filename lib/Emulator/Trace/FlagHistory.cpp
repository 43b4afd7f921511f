//===- FlagHistory.cpp - What was written to flags -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FlagHistory.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/FlagHistory.h"

using namespace ckemu;

/// Writes that are remembered in all; when there are more, nothing is known.
static constexpr size_t kMostWrites = 1 << 20;

void FlagHistory::settle(uint64_t address, uint32_t value) {
  if (isFull)
    return;
  auto [found, isNew] = flags.try_emplace(address);
  Flag &flag = found->second;
  if (isNew)
    flag.initial = value;
  else if (!flag.isSettled)
    flag.writes.back().value = value;
  flag.isSettled = true;
}

void FlagHistory::note(uint64_t address, const TraceDependency &writer) {
  if (isFull)
    return;
  if (++numWrites > kMostWrites) {
    isFull = true;
    flags.clear(); // A history with gaps would name wrong causes.
    return;
  }
  Flag &flag = flags[address];
  flag.writes.push_back({writer});
  flag.isSettled = false;
}

FlagHistory::Cause FlagHistory::findCause(uint64_t address,
                                          llvm::function_ref<bool(uint32_t)> isSatisfying) const {
  auto found = flags.find(address);
  if (found == flags.end() || found->second.writes.empty())
    return {};
  const Flag &flag = found->second;
  for (size_t last = flag.writes.size() - 1;; --last) {
    const uint32_t before = last == 0 ? flag.initial : flag.writes[last - 1].value;
    if (!isSatisfying(before))
      return {true, &flag.writes[last].writer};
    if (last == 0)
      return {true, nullptr};
  }
}
