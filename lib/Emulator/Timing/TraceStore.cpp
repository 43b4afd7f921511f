//===- TraceStore.cpp - Traces between those who execute and the model -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TraceStore.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/TraceStore.h"

using namespace ckemu;

template <class T>
static uint64_t countBytes(const std::vector<T> &values) {
  return values.capacity() * sizeof(T);
}

uint64_t GroupTrace::getBytes() const {
  uint64_t bytes = sizeof(GroupTrace) + countBytes(waves);
  for (const WaveTrace &wave : waves)
    bytes += countBytes(wave.runs) + countBytes(wave.accesses) + countBytes(wave.lines) +
             countBytes(wave.dependencies);
  return bytes;
}

uint64_t GroupTrace::countInstructions() const {
  uint64_t count = 0;
  for (const WaveTrace &wave : waves)
    count += wave.numInstructions;
  return count;
}

uint64_t GroupTrace::countDropped() const {
  uint64_t count = 0;
  for (const WaveTrace &wave : waves)
    count += wave.numDropped;
  return count;
}

void TraceStore::put(std::unique_ptr<GroupTrace> trace) {
  std::lock_guard<std::mutex> lock(mutex);
  if (abandoned)
    return;
  bytes += trace->getBytes();
  const uint64_t linearId = trace->linearId;
  traces[linearId] = {std::move(trace), 0};
  changed.notify_all();
}

void TraceStore::putGlimpse(uint64_t linearId, std::vector<uint64_t> lines) {
  std::lock_guard<std::mutex> lock(mutex);
  if (abandoned)
    return;
  glimpses[linearId] = std::move(lines);
  if (glimpses.size() >= wantedGlimpses) // wakes no one before
    changed.notify_all();
}

std::shared_ptr<const TraceStore::Glimpses> TraceStore::takeGlimpses(GroupRange range) {
  std::unique_lock<std::mutex> lock(mutex);
  uint64_t next = range.begin;
  auto haveAll = [&] {
    while (next < range.end && glimpses.count(next))
      ++next;
    return next == range.end || allGlimpses.count(range.begin);
  };
  ++takers;
  wantedGlimpses = size_t(range.getSize());
  changed.notify_all();
  changed.wait(lock, [&] { return haveAll() || closed; });
  --takers;
  std::shared_ptr<const Glimpses> &all = allGlimpses[range.begin];
  if (all)
    return all;
  Glimpses result;
  if (haveAll())
    for (uint64_t id = range.begin; id < range.end; ++id)
      result.push_back(std::move(glimpses[id]));
  for (uint64_t id = range.begin; id < range.end; ++id)
    glimpses.erase(id);
  all = std::make_shared<const Glimpses>(std::move(result));
  changed.notify_all();
  return all;
}

void TraceStore::waitForRoom(uint64_t limit) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return bytes <= limit || takers != 0 || closed || abandoned; });
}

void TraceStore::close() {
  std::lock_guard<std::mutex> lock(mutex);
  closed = true;
  changed.notify_all();
}

void TraceStore::abandon() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--readersLeft > 0)
    return;
  abandoned = true;
  traces.clear();
  glimpses.clear();
  bytes = 0;
  changed.notify_all();
}

std::shared_ptr<const GroupTrace> TraceStore::take(uint64_t linearId) {
  std::unique_lock<std::mutex> lock(mutex);
  auto found = traces.find(linearId);
  if (found == traces.end() && !closed) {
    ++takers;
    changed.notify_all();
    changed.wait(lock, [&] {
      found = traces.find(linearId);
      return found != traces.end() || closed;
    });
    --takers;
  }
  if (found == traces.end())
    return nullptr;
  std::shared_ptr<const GroupTrace> trace = found->second.trace;
  if (++found->second.timesTaken < readers)
    return trace;
  traces.erase(found);
  bytes -= trace->getBytes();
  changed.notify_all();
  return trace;
}

uint64_t TraceStore::getBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  return bytes;
}
