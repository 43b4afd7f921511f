//===- WaveReplay.cpp - A wave that repeats its trace -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See WaveReplay.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/WaveReplay.h"

using namespace ckemu;

bool WaveReplay::advance() {
  ++position;
  ++sinceBranch;
  if (instruction != runEnd) {
    ++instruction;
    return true;
  }
  if (++run == trace->runs.size())
    return false;
  const TraceRun &next = trace->runs[run];
  const bool isJump = next.first != instruction + 1;
  instruction = next.first;
  runEnd = next.last;
  if (isJump)
    sinceBranch = 0;
  return true;
}

void WaveReplay::findAccess() {
  const auto &accesses = trace->accesses;
  while (access < accesses.size() && accesses[access].position < position)
    ++access;
  accessPosition = kNever;
  if (access == accesses.size())
    return;
  const TraceAccess &next = accesses[access];
  accessPosition = next.position;
  firstLine = next.firstLine;
  numLines = next.numLines;
}

Cycle WaveReplay::getReady(const InstructionCost &cost) const {
  Cycle time = earliest;
  for (const Producer &producer : cost.producers) {
    if (producer.distance == 0 || producer.distance > sinceBranch)
      break;
    const uint32_t issueTime = issueTimes[(issued - producer.distance) % kProducerWindow];
    time = std::max(time, earliest - (uint32_t(earliest) - issueTime) + producer.latency);
  }
  return time;
}

void WaveReplay::prefetchAccess() const {
  constexpr unsigned kTogether = 64 / sizeof(TraceLine);
  __builtin_prefetch(&trace->accesses[access]);
  const TraceLine *next = trace->lines.data() + firstLine;
  for (unsigned i = 0; i < numLines; i += kTogether)
    __builtin_prefetch(next + i);
}

void WaveReplay::prefetch() const {
  const auto *bytes = reinterpret_cast<const char *>(this);
  for (size_t at = 0; at < kHotBytes; at += alignof(WaveReplay))
    __builtin_prefetch(bytes + at);
}
