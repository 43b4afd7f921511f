//===- SharedMemory.cpp - L2, MALL and memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An L2 is written back, its lines are fetched whole and written by sectors; a line of which all
// that is read was written before is not fetched. At the start of a kernel the L2 is empty: the
// acquire in front of a kernel invalidates what others may have changed, and workgroups come to
// other XCDs than before. The MALL lies at the memory and keeps what it has.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/SharedMemory.h"
#include "ck-mlir/Emulator/Trace.h"
#include <cmath>

using namespace ckemu;

static constexpr unsigned kLineBytes = TraceLine::kBytes, kBlockBytes = 64;
static constexpr uint8_t kAllSectors = (1u << kLineBytes / TraceLine::kSectorBytes) - 1;
static constexpr double kMissing = 1e30; ///< cycles for a byte where a chip has no such cache

/// Blocks of 64 bytes that have one of `sectors`.
static unsigned countBlocks(unsigned sectors) {
  return ((sectors & 3) != 0) + ((sectors >> 2) != 0);
}

static double getBytesPerCycle(double gigabytes, double clockMHz) {
  return gigabytes * 1e3 / clockMHz;
}

SharedMemory::SharedMemory(const TimingParameters &parameters, const SimulatedPart &part)
    : parameters(parameters), part(part) {
  const double chip = part.getChipShare(), xcd = part.getXcdShare(), clock = parameters.clockMHz;
  numChannels = uint32_t(std::max(1.0, std::round(parameters.l2Channels * xcd)));
  const double slower = numChannels / (parameters.l2Channels * xcd);
  readCycles = slower / parameters.l2ReadBytes;
  writeCycles = slower * kBlockBytes / parameters.l2WriteBytes;
  atomicCycles = slower * parameters.atomicCycles / (double(kBlockBytes) / 4);
  const double fabric = parameters.l2Channels * parameters.l2FabricBytes * xcd * part.simulatedXcds;
  const double mallRate = getBytesPerCycle(parameters.mallGigabytes, clock) * chip;
  const double memoryRate =
      getBytesPerCycle(parameters.hbmGigabytes, clock) * parameters.hbmEfficiency * chip;
  mallCycles = mallRate ? 1 / std::min(mallRate, fabric) : kMissing;
  memoryCycles = 1 / std::min(memoryRate, fabric);
  mallLatency = parameters.mallNanoseconds * clock / 1e3;
  memoryLatency = parameters.hbmNanoseconds * clock / 1e3;
  makeCaches(xcd, chip);
}

/// The simulated part has `xcdScale` of each of its L2s and `chipScale` of the MALL.
void SharedMemory::makeCaches(double xcdScale, double chipScale) {
  xcds.clear();
  mall.clear();
  for (unsigned i = 0; i < part.simulatedXcds; ++i)
    xcds.emplace_back(uint64_t(parameters.l2Bytes * xcdScale / kLineBytes), numChannels);
  if (const auto lines = uint64_t(parameters.mallBytes * chipScale / kLineBytes))
    mall.emplace_back(lines);
}

/// Of the lines that a launch goes through, those that the MALL still has from the launch before,
/// when all take `size` times the room that it has. Where each line that comes takes the place of
/// any other, a share of exp(-size * (1 - share)) is left after all have come. Where it takes that
/// of the line that is needed next, none is. The fifth power lies between, as launches do.
static double getFoundShare(double size) {
  double share = 0;
  for (unsigned i = 0; i < 64; ++i)
    share = std::exp(-size * (1 - share));
  return std::pow(share, 5);
}

/// True for as many of all lines as `share` says.
static bool isOfShare(uint64_t line, double share) {
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15; // 2^64 / golden ratio
  return double(line * kSpread >> 32) < share * 0x1p32;
}

void SharedMemory::setResident(llvm::ArrayRef<ResidentRange> ranges, const SkippedRounds &skipped) {
  resident.clear();
  double total = 0, changed = 0, touched = 0, stored = 0;
  for (const ResidentRange &left : ranges) {
    const AddressRange lines = {left.range.begin / kLineBytes,
                                llvm::divideCeil(left.range.end, kLineBytes)};
    resident.push_back(left);
    resident.back().range = lines;
    const double count = double(lines.end - lines.begin);
    total += count;
    changed += left.changed ? count : 0;
    touched += left.touched ? count : 0;
    stored += left.stored ? count : 0;
  }
  const double capacity = parameters.mallBytes / kLineBytes;
  double changedShare = total > 0 ? changed / total : 0;
  rangeLines = total;
  residentLines = std::min(total, capacity);
  residentShare = total > 0 ? residentLines / total : 0;
  isMixed = skipped.any && total > capacity;
  if (isMixed) {
    residentShare = getFoundShare(total / capacity);
    if (touched > capacity)
      changedShare = (capacity * changedShare + (touched - capacity) * stored / touched) / touched;
  }
  changedLines = residentLines * changedShare;
  skippedStores = skipped.storedLines;
}

void SharedMemory::changeSharing(llvm::ArrayRef<SharedRange> ranges) {
  shared.assign(ranges.begin(), ranges.end());
  std::sort(shared.begin(), shared.end(), [](const SharedRange &a, const SharedRange &b) {
    return a.range.begin < b.range.begin;
  });
  fetchedLines.assign(shared.size(), 0);
}

void SharedMemory::setSharing(llvm::ArrayRef<SharedRange> ranges) {
  changeSharing(ranges);
  setCapacity({shared});
}

void SharedMemory::setCapacity(llvm::ArrayRef<std::vector<SharedRange>> views) {
  // The part holds as much of a cache as it touches of what all touch.
  const double inXcd = 1 / part.getXcdShare(), inChip = 1 / part.getChipShare();
  double ofXcd = 0, ofChip = 0;
  for (const std::vector<SharedRange> &ranges : views) {
    double touched = 0, byXcd = 0, byChip = 0;
    for (const SharedRange &range : ranges) {
      touched += range.touchedLines;
      byXcd += range.touchedLines * std::max(1.0, inXcd / range.sharersOfXcd);
      byChip += range.touchedLines * std::max(1.0, inChip / range.sharers);
    }
    if (touched == 0)
      continue;
    ofXcd = std::max(ofXcd, touched / byXcd);
    ofChip = std::max(ofChip, touched / byChip);
  }
  if (ofXcd > 0)
    makeCaches(ofXcd, ofChip);
}

const SharedRange *SharedMemory::findShared(uint64_t line) const {
  const uint64_t address = line * kLineBytes;
  for (const SharedRange &range : shared)
    if (address < range.range.end)
      return address + kLineBytes > range.range.begin ? &range : nullptr;
  return nullptr;
}

double SharedMemory::takeChannel(Xcd &xcd, uint64_t line, double cycles, double now,
                                 double arrival) {
  // 256 bytes to a channel; strides of a power of two are spread.
  const uint64_t block = line >> 1, folded = block ^ block >> 4 ^ block >> 8 ^ block >> 13;
  traffic.l2BusyCycles += cycles;
  return xcd.channels[uint32_t(folded) % numChannels].take(now, arrival, cycles);
}

double SharedMemory::takeMemory(double bytes, double now, double cycle) {
  traffic.hbmBytes += bytes;
  traffic.hbmBusyCycles += bytes * memoryCycles;
  return memory.take(now, cycle, bytes * memoryCycles);
}

double SharedMemory::takeMall(double bytes, double now, double cycle) {
  traffic.mallBytes += bytes;
  traffic.mallBusyCycles += bytes * mallCycles;
  return mall.front().server.take(now, cycle, bytes * mallCycles);
}

/// The range of `line` when an earlier kernel has left it in the MALL, else null. From now on it
/// counts as a line of this launch.
const ResidentRange *SharedMemory::takeResident(uint64_t line) {
  for (const ResidentRange &left : resident) {
    const AddressRange &lines = left.range;
    if (line < lines.begin || line >= lines.end)
      continue;
    const bool isLeft =
        isMixed ? isOfShare(line, residentShare)
                : double(lines.end - line) <= residentShare * double(lines.end - lines.begin);
    if (!isLeft)
      return nullptr;
    const double ofChip = countLinesOfChip(line);
    residentLines = std::max(0.0, residentLines - ofChip);
    if (left.changed)
      changedLines = std::max(0.0, changedLines - ofChip);
    return &left;
  }
  return nullptr;
}

/// How many parts of the chip touch a line.
double SharedMemory::countSharers(uint64_t line) const {
  const SharedRange *range = findShared(line);
  return range ? range->sharers : 1;
}

/// So many lines the whole chip has when the part has `line`.
double SharedMemory::countLinesOfChip(uint64_t line) const {
  return std::max(1.0, 1 / (part.getChipShare() * countSharers(line)));
}

/// What lies at `place` goes, for `line`: what was changed, to memory. Where nothing lies, the MALL
/// may be full of what earlier kernels and skipped rounds left: then goes what was used longest
/// ago, of earlier kernels the begin of each range. What several parts of the chip have changed is
/// written once for all of them.
void SharedMemory::makeRoomInMall(CacheTags::Place place, uint64_t line, double now, double cycle) {
  if (place.isUsed()) {
    if (place.dirty())
      takeMemory(countBlocks(place.dirty()) * kBlockBytes / countSharers(place.getLine()), now,
                 cycle);
    place.dirty() = 0;
    return;
  }
  usedLines += countLinesOfChip(line);
  const double room = std::max(0.0, parameters.mallBytes / kLineBytes - usedLines);
  if (residentLines <= room)
    return;
  const double lines = residentLines - room, changed = changedLines * lines / residentLines;
  if (!isMixed)
    residentShare = std::max(0.0, residentShare - lines / rangeLines);
  residentLines = room;
  changedLines -= changed;
  if (changed > 0)
    takeMemory(changed * kLineBytes * part.getChipShare(), now, cycle);
}

/// Whether a line that the part fetches to the MALL for the first time lies there already, since
/// others have fetched it in an earlier round. That is true for all lines of as many rounds as it
/// is true for of all lines: workgroups that run at the same time mostly go through new rows of
/// tiles or through known ones, and a wait for many loads takes as long as one of them from memory.
bool SharedMemory::wasFetchedBefore(const SharedRange *range) {
  if (!range || range->fetchedBefore <= 0)
    return false;
  double &fetched = fetchedLines[size_t(range - shared.data())];
  const double round = std::floor(fetched++ / range->linesOfRound);
  auto countKnown = [&](double rounds) { return std::floor(rounds * range->fetchedBefore + 0.5); };
  return round >= 1 && countKnown(round) > countKnown(round - 1);
}

/// Reads a line from the MALL or memory; when it can be used.
double SharedMemory::fetchLine(uint64_t line, unsigned bytes, double now, double cycle) {
  const SharedRange *range = findShared(line);
  const double sharers = range ? range->sharers : 1;
  // Units of the same XCD that share a line fetch it once; every XCD fetches it from the MALL.
  const double fetched = bytes / (range ? range->sharersOfXcd : 1);
  if (mall.empty())
    return takeMemory(bytes / sharers, now, cycle) + parameters.l2Latency + memoryLatency;
  const double start = takeMall(fetched, now, cycle);
  Mall &m = mall.front();
  CacheTags::Place place;
  const double hit = start + parameters.l2Latency + mallLatency;
  if (m.tags.find(line, place)) {
    traffic.mallHitBytes += fetched;
    return std::max<double>(hit, place.ready());
  }
  double done = hit;
  const ResidentRange *left = takeResident(line);
  if (left || wasFetchedBefore(range))
    traffic.mallHitBytes += fetched;
  else
    done = takeMemory(bytes / sharers, now, start) + parameters.l2Latency + memoryLatency;
  makeRoomInMall(place, line, now, start);
  m.tags.put(line, place, done);
  if (left && left->changed)
    place.dirty() = kAllSectors;
  return done;
}

/// Writes sectors of a line to the MALL or memory; when that is acknowledged.
double SharedMemory::storeLine(uint64_t line, unsigned sectors, double now, double cycle) {
  const double bytes = countBlocks(sectors) * kBlockBytes;
  if (mall.empty())
    return takeMemory(bytes, now, cycle) + parameters.l2Latency + memoryLatency;
  const double start = takeMall(bytes, now, cycle);
  Mall &m = mall.front();
  CacheTags::Place place;
  if (!m.tags.find(line, place)) {
    takeResident(line);
    makeRoomInMall(place, line, now, start);
    m.tags.put(line, place, 0);
  }
  place.dirty() |= uint8_t(sectors);
  return start + parameters.l2Latency + mallLatency;
}

/// What lies at `place` of an L2 goes, to memory when it was changed. The line that comes is one
/// that the launch `stores` or reads.
void SharedMemory::makeRoom(Xcd &xcd, CacheTags::Place place, bool stores, double now,
                            double cycle) {
  if (!place.isUsed())
    pushOutSkipped(xcd, stores, now, cycle);
  if (!place.dirty())
    return;
  storeLine(place.getLine(), place.dirty(), now, cycle);
  place.dirty() = 0;
  --xcd.dirtyLines;
}

/// Where nothing lies, an L2 may be full of what rounds of the launch left that are not simulated:
/// of their lines, as many were stored as of those that come now. The MALL holds them as it holds
/// others of the launch.
void SharedMemory::pushOutSkipped(Xcd &xcd, bool stores, double now, double cycle) {
  constexpr unsigned kMostAtOnce = 2; // the first rounds read for long before they store
  if (skippedStores <= 0)
    return;
  xcd.placed += 1;
  xcd.stored += stores;
  const double share = double(xcd.stored) / double(xcd.placed);
  if (share <= 0 || double(xcd.placed) + skippedStores / share <= double(xcd.tags.getNumLines()))
    return;
  xcd.leftLines += share;
  for (unsigned i = 0; i < kMostAtOnce && xcd.leftLines >= 1; ++i, xcd.leftLines -= 1)
    if (!mall.empty() && (!isMixed || isOfShare(skippedLine, residentShare))) {
      ++skippedLine;
      takeMall(kLineBytes, now, cycle);
    } else {
      storeLine(skippedLine++, kAllSectors, now, cycle);
    }
}

void SharedMemory::change(Xcd &xcd, CacheTags::Place place, unsigned sectors) {
  xcd.dirtyLines += place.dirty() == 0;
  place.dirty() |= uint8_t(sectors);
}

double SharedMemory::read(unsigned number, uint64_t line, unsigned bytes, bool past, double now,
                          double arrival) {
  Xcd &xcd = xcds[number];
  traffic.l2Bytes += bytes;
  const double start = takeChannel(xcd, line, bytes * readCycles, now, arrival);
  if (past)
    return fetchLine(line, kBlockBytes, now, start);
  CacheTags::Place place;
  if (xcd.tags.find(line, place)) {
    traffic.l2HitBytes += bytes;
    return std::max<double>(start + parameters.l2Latency, place.ready());
  }
  makeRoom(xcd, place, /*stores=*/false, now, start);
  const double done = fetchLine(line, kLineBytes, now, start);
  xcd.tags.put(line, place, done);
  return done;
}

double SharedMemory::write(unsigned number, uint64_t line, unsigned sectors, bool past, double now,
                           double arrival) {
  Xcd &xcd = xcds[number];
  const unsigned blocks = countBlocks(sectors);
  traffic.l2Bytes += blocks * kBlockBytes;
  const double start = takeChannel(xcd, line, blocks * writeCycles, now, arrival);
  if (past)
    return storeLine(line, sectors, now, start);
  CacheTags::Place place;
  if (xcd.tags.find(line, place)) {
    traffic.l2HitBytes += blocks * kBlockBytes;
  } else {
    makeRoom(xcd, place, /*stores=*/true, now, start);
    xcd.tags.put(line, place, 0);
  }
  change(xcd, place, sectors);
  return start + parameters.l2Latency;
}

double SharedMemory::updatePast(Xcd &xcd, TraceLine line, double start, double now,
                                double arrival) {
  PastUpdate &last = xcd.pastUpdates[line.getLine() % kPastUpdates];
  const bool joins = last.line == line.getLine() && last.start > arrival;
  const unsigned sectors = line.getSectors(), known = joins ? last.sectors : 0;
  const unsigned blocks = countBlocks(sectors | known) - countBlocks(known);
  double done = joins ? std::max(last.done, start) : start;
  if (blocks) {
    done = std::max(done, fetchLine(line.getLine(), blocks * kBlockBytes, now, start));
    storeLine(line.getLine(), sectors & ~known, now, start);
  }
  last = {line.getLine(), sectors | known, start, done};
  return done;
}

double SharedMemory::update(unsigned number, TraceLine line, bool past, double now,
                            double arrival) {
  Xcd &xcd = xcds[number];
  const unsigned sectors = line.getSectors();
  const unsigned bytes = countBlocks(sectors) * kBlockBytes;
  traffic.l2Bytes += bytes;
  const double cycles = line.getChangedDwords() * atomicCycles;
  const double start = takeChannel(xcd, line.getLine(), cycles, now, arrival);
  if (past)
    return updatePast(xcd, line, start, now, arrival);
  CacheTags::Place place;
  double done = start + parameters.l2Latency;
  if (xcd.tags.find(line.getLine(), place)) {
    traffic.l2HitBytes += bytes;
    done = std::max<double>(done, place.ready());
  } else {
    makeRoom(xcd, place, /*stores=*/true, now, start);
    done = fetchLine(line.getLine(), kLineBytes, now, start);
    xcd.tags.put(line.getLine(), place, done);
  }
  change(xcd, place, sectors);
  return done;
}

double SharedMemory::writeBack(unsigned number, double cycle) {
  Xcd &xcd = xcds[number];
  double done = cycle + parameters.l2Latency;
  for (uint32_t i = 0; xcd.dirtyLines; ++i) {
    const CacheTags::Place place = xcd.tags.getPlace(i);
    if (!place.dirty())
      continue;
    done = std::max(done, storeLine(place.getLine(), place.dirty(), cycle, cycle));
    place.dirty() = 0;
    --xcd.dirtyLines;
  }
  return done;
}

double SharedMemory::finish(double cycle) {
  double done = cycle;
  for (unsigned i = 0; i < xcds.size(); ++i)
    if (xcds[i].dirtyLines)
      done = std::max(done, writeBack(i, cycle));
  return done;
}
