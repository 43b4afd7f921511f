//===- CacheForecast.cpp - What caches hold for the simulated part -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CacheForecast.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/CacheForecast.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ckemu;

/// The workgroups that start first tell what the launch goes through and what it stores to, and
/// with it what the MALL holds changed of what launches before it left.
std::vector<bool> CacheForecast::tellResident(MemoryModel &memory) const {
  std::vector<ResidentRange> ranges(launch.resident);
  auto mark = [&](bool ResidentRange::*flag, TraceLine line) {
    const uint64_t address = line.getLine() * TraceLine::kBytes;
    for (ResidentRange &resident : ranges)
      if (address >= resident.range.begin && address < resident.range.end)
        resident.*flag = resident.touched = true;
  };
  uint64_t storedSectors = 0; // to L2s, by workgroups that start first: a round
  for (const auto &group : running)
    for (const WaveTrace &wave : group->waves)
      for (const TraceAccess &access : wave.accesses) {
        const auto lines = wave.getLines(access);
        if (access.kind == TraceAccessKind::Load && lines.size() > 0)
          mark(&ResidentRange::touched, lines[0]);
        if (access.kind != TraceAccessKind::Store && access.kind != TraceAccessKind::Atomic)
          continue;
        const bool past = goesPastL2(access, launch.parameters);
        for (const TraceLine &line : lines) {
          mark(&ResidentRange::stored, line);
          storedSectors += past ? 0 : llvm::popcount(line.getSectors());
        }
      }
  std::vector<bool> changed;
  for (ResidentRange &resident : ranges) {
    resident.changed |= resident.stored;
    changed.push_back(resident.changed);
  }
  const double ofRound = double(storedSectors) * TraceLine::kSectorBytes / TraceLine::kBytes;
  memory.setResident(ranges, {sample.skippedRounds > 0,
                              double(sample.skippedRounds) * ofRound / sample.simulatedXcds});
  return changed;
}

/// Workgroups that run at the same time tell what others touch as well: by glimpses of all, else by
/// the traces of those that start first. Streams share with others in the course of time, too, what
/// they do not when they begin.
void CacheForecast::tellSharing(MemoryModel &memory, const SimulatedPart &part) const {
  const std::vector<SharedRange> atOnce = compareGlimpses(sample.glimpses);
  if (!atOnce.empty() && !launch.synchronizes)
    return memory.setSharing(atOnce);
  Footprint footprint(launch.allocations);
  for (const auto &group : running)
    for (const WaveTrace &wave : group->waves)
      footprint.add(wave);
  const uint64_t atATime =
      std::min<uint64_t>(launch.numGroups, uint64_t(part.numUnits) * launch.groupsPerUnit);
  const std::vector<SharedRange> inTime =
      footprint.getSharing(double(running.size()) / double(atATime), part.getXcdShare());
  memory.setSharing(atOnce.empty() ? inTime : atOnce);
  if (!atOnce.empty())
    memory.setCapacity({atOnce, inTime});
}

void CacheForecast::tellLastSharing(MemoryModel &memory) const {
  const std::vector<SharedRange> atOnce = compareGlimpses(sample.lastGlimpses);
  if (!atOnce.empty())
    memory.changeSharing(atOnce);
}

/// None when there are no glimpses, or the launch has stopped before there were all.
std::vector<SharedRange> CacheForecast::compareGlimpses(GroupRange range) const {
  if (range.isEmpty())
    return {};
  const auto taken = traces.takeGlimpses(range);
  const TraceStore::Glimpses &glimpses = *taken;
  Footprint ofSample(launch.allocations), ofChip(launch.allocations);
  std::vector<Footprint> sampleOfXcd(sample.simulatedXcds, ofChip), xcds = sampleOfXcd;
  std::vector<std::vector<llvm::ArrayRef<uint64_t>>> ofXcd(sample.simulatedXcds);
  for (size_t i = 0; i < glimpses.size(); ++i) {
    const uint64_t id = range.begin + i, xcd = id % sample.activeXcds;
    ofChip.addGroup(glimpses[i]);
    if (xcd >= sample.simulatedXcds)
      continue;
    ofXcd[xcd].push_back(glimpses[i]);
    if (!isPending(id))
      continue;
    sampleOfXcd[xcd].addGroup(glimpses[i]);
    ofSample.addGroup(glimpses[i]);
  }
  const double l2Lines = launch.parameters.l2Bytes / TraceLine::kBytes;
  for (auto [xcd, groups] : llvm::zip_equal(xcds, ofXcd))
    xcd.addConcurrent(groups, uint64_t(l2Lines));
  std::vector<SharedRange> ranges = Footprint::compare(ofSample, ofChip, sampleOfXcd, xcds);
  if (sample.skippedRounds > 0 || !launch.synchronizes)
    estimateFetchedBefore(ranges, glimpses, ofChip);
  return ranges;
}

/// Of the lines that a round touches, but for the first round, those that an earlier round has
/// touched, on the average of all rounds: when the launch goes through the whole allocation once,
/// the others were new. Rounds that are simulated count, too: other parts of the chip touched other
/// lines in them. Glimpses see the begin of a workgroup; its trace says how much that is. Where the
/// MALL cannot hold what a round touches, each line has gone before the next round comes to it.
void CacheForecast::estimateFetchedBefore(std::vector<SharedRange> &ranges,
                                          const TraceStore::Glimpses &glimpses,
                                          const Footprint &ofChip) const {
  Footprint whole(launch.allocations), begun(launch.allocations);
  for (const auto &group : running) {
    const uint64_t id = group->linearId;
    if (!sample.glimpses.contains(id))
      continue;
    for (const WaveTrace &wave : group->waves)
      whole.add(wave);
    begun.addGroup(glimpses[id - sample.glimpses.begin]);
  }
  const double atATime = double(sample.glimpses.getSize());
  const double laterRounds = double(launch.numGroups) / atATime - 1;
  double linesOfRound = 0;
  for (SharedRange &range : ranges) {
    const auto seen = double(begun.countLines(range.range.begin));
    if (laterRounds <= 0 || seen == 0)
      continue;
    const double unseen = double(whole.countLines(range.range.begin)) / seen;
    const double lines = double(range.range.end - range.range.begin) / TraceLine::kBytes;
    const double ofRound = std::min(lines, double(ofChip.countLines(range.range.begin)) * unseen);
    linesOfRound += ofRound;
    range.linesOfRound = range.touchedLines * unseen;
    range.fetchedBefore = 1 - std::clamp((lines - ofRound) / (laterRounds * ofRound), 0.0, 1.0);
  }
  if (linesOfRound * TraceLine::kBytes > launch.parameters.mallBytes)
    for (SharedRange &range : ranges)
      range.fetchedBefore = 0;
}
