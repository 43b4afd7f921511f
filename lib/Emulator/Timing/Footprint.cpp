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
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck::emulator;

static constexpr uint64_t kLineBytes = TraceLine::kBytes;

Footprint::Footprint(llvm::ArrayRef<AddressRange> ranges) {
  for (const AddressRange &range : ranges) {
    if (range.begin >= range.end)
      continue;
    Allocation allocation;
    allocation.firstLine = range.begin / kLineBytes;
    allocation.touched.resize(
        unsigned(llvm::divideCeil(range.end, kLineBytes) - allocation.firstLine));
    allocations.push_back(std::move(allocation));
  }
  std::sort(allocations.begin(), allocations.end(),
            [](const Allocation &a, const Allocation &b) { return a.firstLine < b.firstLine; });
}

void Footprint::add(const WaveTrace &wave) {
  for (const TraceLine &line : wave.lines) {
    const uint64_t number = line.getLine();
    auto holds = [&](const Allocation &a) {
      return number >= a.firstLine && number - a.firstLine < a.touched.size();
    };
    if (last >= allocations.size() || !holds(allocations[last])) {
      auto next =
          llvm::upper_bound(allocations, number, [](uint64_t n, const Allocation &allocation) {
            return n < allocation.firstLine;
          });
      if (next == allocations.begin() || !holds(*std::prev(next)))
        continue;
      last = size_t(std::prev(next) - allocations.begin());
    }
    allocations[last].touched.set(unsigned(number - allocations[last].firstLine));
  }
}

std::vector<SharedRange> Footprint::getSharing(double share) const {
  std::vector<SharedRange> result;
  for (const Allocation &allocation : allocations) {
    const int first = allocation.touched.find_first(), end = allocation.touched.find_last() + 1;
    if (first < 0)
      continue;
    SharedRange range;
    range.range = {(allocation.firstLine + uint64_t(first)) * kLineBytes,
                   (allocation.firstLine + uint64_t(end)) * kLineBytes};
    range.touchedLines = allocation.touched.count();
    const double part = range.touchedLines / (end - first);
    range.sharers = std::clamp(part / share, 1.0, std::max(1.0, 1 / share));
    result.push_back(range);
  }
  return result;
}
