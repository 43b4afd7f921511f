//===- Footprint.cpp - What workgroups touch of device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bit for each line of 128 bytes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Footprint.h"
#include "Emulator/Timing/CacheTags.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

static constexpr uint64_t kLineBytes = TraceLine::kBytes;

Footprint::Footprint(llvm::ArrayRef<AddressRange> ranges) {
  for (const AddressRange &range : ranges) {
    if (range.begin >= range.end)
      continue;
    Allocation allocation;
    allocation.firstLine = range.begin / kLineBytes;
    allocation.numLines = llvm::divideCeil(range.end, kLineBytes) - allocation.firstLine;
    allocations.push_back(std::move(allocation));
  }
  std::sort(allocations.begin(), allocations.end(),
            [](const Allocation &a, const Allocation &b) { return a.firstLine < b.firstLine; });
}

/// The allocation that has the line, with room to note it; null when none has.
Footprint::Allocation *Footprint::find(uint64_t line) {
  if (last >= allocations.size() || !allocations[last].holds(line)) {
    auto next = llvm::upper_bound(allocations, line, [](uint64_t n, const Allocation &allocation) {
      return n < allocation.firstLine;
    });
    if (next == allocations.begin() || !std::prev(next)->holds(line))
      return nullptr;
    last = size_t(std::prev(next) - allocations.begin());
  }
  Allocation &allocation = allocations[last];
  if (allocation.touched.empty())
    allocation.touched.resize(unsigned(allocation.numLines));
  return &allocation;
}

/// The same, and the line is noted.
Footprint::Allocation *Footprint::touch(uint64_t line) {
  Allocation *allocation = find(line);
  if (allocation)
    allocation->touched.set(allocation->getIndex(line));
  return allocation;
}

void Footprint::add(const WaveTrace &wave) {
  for (const TraceLine &line : wave.lines)
    touch(line.getLine());
}

void Footprint::addGroup(llvm::ArrayRef<uint64_t> lines) {
  for (const uint64_t line : lines)
    if (Allocation *allocation = touch(line))
      ++allocation->groupLines;
}

void Footprint::addConcurrent(llvm::ArrayRef<llvm::ArrayRef<uint64_t>> groups,
                              uint64_t cacheLines) {
  CacheTags cache(cacheLines);
  CacheTags::Place place;
  bool areLeft = true;
  for (size_t i = 0; areLeft; ++i) {
    areLeft = false;
    for (const llvm::ArrayRef<uint64_t> &lines : groups) {
      if (i >= lines.size())
        continue;
      areLeft = true;
      Allocation *allocation = find(lines[i]);
      if (!allocation)
        continue;
      ++allocation->groupLines;
      const unsigned index = allocation->getIndex(lines[i]);
      if (!cache.find(lines[i], place)) {
        cache.put(lines[i], place, 0);
        allocation->lostLines += allocation->touched.test(index);
      }
      allocation->touched.set(index);
    }
  }
}

uint64_t Footprint::countLines(uint64_t address) const {
  const uint64_t line = address / kLineBytes;
  const auto found = llvm::find_if(
      allocations, [&](const Allocation &allocation) { return allocation.holds(line); });
  return found != allocations.end() ? found->touched.count() : 0;
}

/// How many workgroups of the same footprint have a line that one of them touches from the same
/// fetch, on the average.
double Footprint::getUsers(llvm::ArrayRef<Footprint> footprints, size_t allocation) {
  uint64_t groupLines = 0, lines = 0;
  for (const Footprint &footprint : footprints) {
    groupLines += footprint.allocations[allocation].groupLines;
    lines += footprint.allocations[allocation].countFetched();
  }
  return lines ? double(groupLines) / double(lines) : 1;
}

std::vector<SharedRange> Footprint::compare(const Footprint &sample, const Footprint &chip,
                                            llvm::ArrayRef<Footprint> sampleOfXcd,
                                            llvm::ArrayRef<Footprint> xcds) {
  std::vector<SharedRange> result;
  for (size_t i = 0; i < chip.allocations.size(); ++i) {
    const Allocation &own = sample.allocations[i];
    if (own.groupLines == 0)
      continue;
    SharedRange range;
    range.range = own.getRange();
    range.touchedLines = own.touched.count();
    range.sharersOfXcd = std::max(1.0, getUsers(xcds, i) / getUsers(sampleOfXcd, i));
    range.sharers = std::max(range.sharersOfXcd, getUsers(chip, i) / getUsers(sample, i));
    result.push_back(range);
  }
  return result;
}

std::vector<SharedRange> Footprint::getSharing(double share, double shareOfXcd) const {
  std::vector<SharedRange> result;
  for (const Allocation &allocation : allocations) {
    const int first = allocation.touched.find_first(), end = allocation.touched.find_last() + 1;
    if (first < 0)
      continue;
    SharedRange range;
    range.range = allocation.getRange();
    range.touchedLines = allocation.touched.count();
    const double part = range.touchedLines / (end - first);
    range.sharers = std::clamp(part / share, 1.0, std::max(1.0, 1 / share));
    range.sharersOfXcd = std::min(range.sharers, std::max(1.0, 1 / shareOfXcd));
    result.push_back(range);
  }
  return result;
}
