//===- MemoryModel.cpp - Caches and memory as the model of time sees them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caches of compute units: the L1 of vector memory, and those of scalars and instructions.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/MemoryModel.h"

using namespace ckemu;

namespace {

/// The vector memory of a compute unit.
struct VectorUnit {
  VectorUnit(uint64_t numLines, size_t misses) : tags(numLines), inFlight(misses) {}

  CacheTags tags;
  std::vector<double> inFlight; ///< when the last requests end, in a ring
  size_t oldest = 0;
  double free = 0; ///< when the next access can begin
  Server fill;     ///< the way from and to the L2
};

constexpr unsigned kSmallLineBytes = 64; ///< of scalar and instruction caches
constexpr unsigned kAhead = 4;           ///< lines of an access whose tags the host is asked for

/// One access on its way through the L1.
struct Passage {
  VectorUnit &unit;
  unsigned xcd;
  bool past; ///< to where all XCDs see it
  double now;
  double delay = 0; ///< for want of a place for another request
};

} // namespace

struct MemoryModel::State {
  State(const TimingParameters &parameters, const ChipModel &chip, const SimulatedPart &part)
      : parameters(parameters), shared(parameters, part),
        unitsPerXcd(std::max(1u, part.simulatedUnits / part.simulatedXcds)),
        unitsPerSmallCache(chip.unitsPerScalarCache),
        smallCachesPerXcd(unsigned(llvm::divideCeil(unitsPerXcd, unitsPerSmallCache))),
        halfLines(parameters.l1LineBytes < TraceLine::kBytes) {
    for (unsigned i = 0; i < part.simulatedUnits; ++i)
      units.emplace_back(uint64_t(parameters.l1Bytes / parameters.l1LineBytes),
                         size_t(parameters.l1Misses));
    for (unsigned i = 0; i < part.simulatedXcds * smallCachesPerXcd; ++i) {
      scalars.emplace_back(uint64_t(parameters.scalarCacheBytes) / kSmallLineBytes);
      code.emplace_back(uint64_t(parameters.instructionCacheBytes) / kSmallLineBytes);
    }
  }

  unsigned getXcd(unsigned unit) const { return unit / unitsPerXcd; }
  unsigned getSmallCache(unsigned unit) const {
    return getXcd(unit) * smallCachesPerXcd + unit % unitsPerXcd / unitsPerSmallCache;
  }

  /// Asks the host for what an access of the line needs.
  void prefetch(const Passage &passage, uint64_t line) const {
    passage.unit.tags.prefetch(halfLines ? line * 2 : line);
    shared.prefetch(passage.xcd, line);
  }

  double request(Passage &passage, double at, double bytes);
  double load(Passage &passage, uint64_t key, double at);
  double loadLine(Passage &passage, TraceLine line, double at);
  double changeLine(Passage &passage, TraceLine line, bool atomic, double at);
  double readSmall(std::vector<CacheTags> &caches, unsigned unit, uint64_t key, double hit,
                   double miss, double now);

  TimingParameters parameters;
  SharedMemory shared;
  unsigned unitsPerXcd, unitsPerSmallCache, smallCachesPerXcd;
  bool halfLines; ///< the L1 has lines of 64 bytes
  std::vector<VectorUnit> units;
  std::vector<CacheTags> scalars, code;
  double requests = 0, hits = 0, busy = 0;
};

MemoryModel::MemoryModel(const TimingParameters &parameters, const ChipModel &chip,
                         const SimulatedPart &part)
    : state(std::make_unique<State>(parameters, chip, part)) {}
MemoryModel::~MemoryModel() = default;

void MemoryModel::setResident(llvm::ArrayRef<ResidentRange> ranges, const SkippedRounds &skipped) {
  state->shared.setResident(ranges, skipped);
}

void MemoryModel::setSharing(llvm::ArrayRef<SharedRange> ranges) {
  state->shared.setSharing(ranges);
}

void MemoryModel::changeSharing(llvm::ArrayRef<SharedRange> ranges) {
  state->shared.changeSharing(ranges);
}

void MemoryModel::setCapacity(llvm::ArrayRef<std::vector<SharedRange>> views) {
  state->shared.setCapacity(views);
}

/// When a request for `bytes` leaves for the L2. It waits while as many are on their way as the L1
/// can have, and with it all that come after it.
double MemoryModel::State::request(Passage &passage, double at, double bytes) {
  VectorUnit &unit = passage.unit;
  const double wait = std::max(0.0, unit.inFlight[unit.oldest] - at);
  passage.delay += wait;
  return unit.fill.take(passage.now, at + wait, bytes / parameters.l1FillBytesPerCycle);
}

static void remember(VectorUnit &unit, double done) {
  unit.inFlight[unit.oldest] = done;
  if (++unit.oldest == unit.inFlight.size())
    unit.oldest = 0;
}

/// Loads a line of the L1, whose number is `key`.
double MemoryModel::State::load(Passage &passage, uint64_t key, double at) {
  VectorUnit &unit = passage.unit;
  CacheTags::Place place;
  ++requests;
  if (!passage.past && unit.tags.find(key, place)) {
    ++hits;
    return std::max<double>(at + parameters.l1Latency, place.ready());
  }
  const unsigned bytes = unsigned(parameters.l1LineBytes);
  const double leaves = request(passage, at, bytes);
  const double done = shared.read(passage.xcd, halfLines ? key >> 1 : key, bytes, passage.past,
                                  passage.now, leaves);
  remember(unit, done);
  if (!passage.past)
    unit.tags.put(key, place, done);
  return done;
}

double MemoryModel::State::loadLine(Passage &passage, TraceLine line, double at) {
  if (!halfLines)
    return load(passage, line.getLine(), at);
  const double before = passage.delay;
  double done = 0;
  if (line.getSectors() & 3)
    done = load(passage, line.getLine() * 2, at);
  // What the first half waited for, the second need not wait for again.
  if (line.getSectors() >> 2)
    done = std::max(done, load(passage, line.getLine() * 2 + 1, at + passage.delay - before));
  return done;
}

/// Stores go through the L1, which keeps nothing of them; atomics are executed beyond it.
double MemoryModel::State::changeLine(Passage &passage, TraceLine line, bool atomic, double at) {
  ++requests;
  const unsigned sectors = line.getSectors();
  const double bytes = 64 * (((sectors & 3) != 0) + ((sectors >> 2) != 0));
  const double leaves = request(passage, at, bytes);
  const double done = atomic ? shared.update(passage.xcd, line, passage.past, passage.now, leaves)
                             : shared.write(passage.xcd, line.getLine(), sectors, passage.past,
                                            passage.now, leaves);
  remember(passage.unit, done);
  return done;
}

AccessTimes MemoryModel::access(unsigned number, const TraceAccess &access,
                                llvm::ArrayRef<TraceLine> lines, double cycle) {
  if (access.kind == TraceAccessKind::Lds)
    return {cycle, cycle};
  const TimingParameters &p = state->parameters;
  VectorUnit &unit = state->units[number];
  const double bytes = double(access.activeLanes) * access.bytesPerLane;
  const double addresses = std::max<double>(1, access.addressCycles) / p.l1Count;
  const double busy = std::max(addresses, bytes / p.l1BytesPerCycle);
  const double start = std::max(cycle, unit.free);
  const bool changes =
      access.kind == TraceAccessKind::Store || access.kind == TraceAccessKind::Atomic;
  Passage passage = {unit, state->getXcd(number), goesPastL2(access, p), cycle};
  const double step = lines.empty() ? 0 : busy / double(lines.size());
  double done = start + p.l1Latency, at = start;
  for (const TraceLine &line : lines.take_front(kAhead))
    state->prefetch(passage, line.getLine());
  for (const TraceLine &line : lines) {
    if (const TraceLine *next = &line + kAhead; next < lines.end())
      state->prefetch(passage, next->getLine());
    const double reached = at + passage.delay;
    const double lineDone =
        changes ? state->changeLine(passage, line, access.kind == TraceAccessKind::Atomic, reached)
                : state->loadLine(passage, line, reached);
    done = std::max(done, lineDone);
    at += step;
  }
  unit.free = start + busy + passage.delay;
  state->busy += busy;
  return {unit.free, done};
}

/// Reads a line of 64 bytes through a cache that units share.
double MemoryModel::State::readSmall(std::vector<CacheTags> &caches, unsigned unit, uint64_t key,
                                     double hit, double miss, double now) {
  CacheTags &cache = caches[getSmallCache(unit)];
  CacheTags::Place place;
  if (cache.find(key, place))
    return std::max<double>(now + hit, place.ready());
  const double there = shared.read(getXcd(unit), key >> 1, kSmallLineBytes, false, now, now);
  const double done = there - parameters.l2Latency + miss;
  cache.put(key, place, done);
  return done;
}

double MemoryModel::loadScalar(unsigned unit, llvm::ArrayRef<TraceLine> lines, double cycle) {
  const TimingParameters &p = state->parameters;
  const double miss = p.scalarLatency + p.l2Latency - p.l1Latency;
  double done = cycle + p.scalarLatency;
  for (const TraceLine &line : lines)
    for (unsigned half = 0; half < 2; ++half)
      if (line.getSectors() >> 2 * half & 3)
        done = std::max(done, state->readSmall(state->scalars, unit, line.getLine() * 2 + half,
                                               p.scalarLatency, miss, cycle));
  return done;
}

double MemoryModel::fetch(unsigned unit, uint64_t line, double cycle) {
  CacheTags &cache = state->code[state->getSmallCache(unit)];
  CacheTags::Place place, before;
  if (cache.find(line, place))
    return std::max<double>(cycle, place.ready());
  // What follows the line that was fetched before is asked for ahead of its time.
  const bool isNext = line > 0 && cache.find(line - 1, before);
  const TimingParameters &p = state->parameters;
  const double done = cycle + (isNext ? p.instructionStreamCycles : p.instructionMissCycles);
  cache.put(line, place, done);
  return done;
}

void MemoryModel::invalidate(unsigned unit) {
  state->units[unit].tags.clear();
  state->scalars[state->getSmallCache(unit)].clear();
}

double MemoryModel::writeBack(unsigned unit, double cycle) {
  return state->shared.writeBack(state->getXcd(unit), cycle);
}

double MemoryModel::finish(double cycle) { return state->shared.finish(cycle); }

MemoryBusy MemoryModel::getBusy() const {
  const MemoryTraffic &traffic = state->shared.getTraffic();
  return {state->busy, traffic.l2BusyCycles, traffic.mallBusyCycles, traffic.hbmBusyCycles};
}

MemoryTraffic MemoryModel::getTraffic() const {
  MemoryTraffic traffic = state->shared.getTraffic();
  traffic.l1Requests = state->requests;
  traffic.l1Hits = state->hits;
  traffic.l1BusyCycles = state->busy;
  return traffic;
}
