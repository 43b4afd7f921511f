//===- Leaks.cpp - What was never freed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Leaks.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Leaks.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstdio>

using namespace ckemu;
using namespace ckemu::hip;

/// Allocations that are listed one by one.
static constexpr size_t kListed = 10;

/// "2 streams" when there are any.
static void addCount(std::vector<std::string> &parts, size_t count, const char *name) {
  if (count != 0)
    parts.push_back(std::to_string(count) + " " + name + (count == 1 ? "" : "s"));
}

std::string hip::describeLeaks(State &state) {
  std::shared_ptr<const AllocationSnapshot> snapshot = state.memory.getSnapshot();
  std::vector<Allocation> leaked;
  std::copy_if(snapshot->begin(), snapshot->end(), std::back_inserter(leaked),
               [](const Allocation &allocation) { return allocation.freeable; });
  std::sort(leaked.begin(), leaked.end(), [](const Allocation &a, const Allocation &b) {
    return a.size != b.size ? a.size > b.size : a.begin < b.begin;
  });
  uint64_t bytes = 0;
  for (const Allocation &allocation : leaked)
    bytes += allocation.size;
  std::vector<std::string> parts;
  addCount(parts, leaked.size(), "allocation");
  if (!parts.empty())
    parts.back() += " of " + std::to_string(bytes) + " bytes";
  std::lock_guard<std::mutex> lock(state.mutex);
  addCount(parts, state.modules.size(), "module");
  addCount(parts, state.streams.size(), "stream");
  addCount(parts, state.events.size(), "event");
  if (parts.empty())
    return std::string();
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  text += " never freed\n";
  for (size_t i = 0; i < std::min(leaked.size(), kListed); ++i)
    text += llvm::formatv("  {0} {1:x} of {2} bytes\n", leaked[i].name, leaked[i].begin,
                          leaked[i].size);
  if (leaked.size() > kListed)
    text += "  and " + std::to_string(leaked.size() - kListed) + " more\n";
  return text;
}

void hip::reportLeaks(State &state, const char *when) {
  if (!state.getOptions().leaks)
    return;
  std::string text = describeLeaks(state);
  if (text.empty())
    return;
  std::fprintf(stderr, "ck-mlir emulator: leaks %s: %s", when, text.c_str());
  state.log.noteLeaks(text);
}

/// Runs after the destructors of all programs and libraries that use this one.
__attribute__((destructor)) static void reportAtExit() {
  State *state = State::getIfUsed();
  if (!state)
    return;
  reportLeaks(*state, "at the end of the process");
  if (const ChipModel *chip =
          doesPrint() && !state->log.isOn() ? state->getOptions().chip : nullptr)
    if (std::string text = state->timingSummary.describe(*chip); !text.empty())
      std::fprintf(stderr, "ck-mlir emulator: %s\n", text.c_str());
}
