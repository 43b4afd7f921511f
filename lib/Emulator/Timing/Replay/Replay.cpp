//===- Replay.cpp - Traces on the compute units of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Replay.h: workgroups and waves. ReplayUnits.cpp has the units, ReplayOrder.cpp what waves
// wait for from each other.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Replay.h"
#include "Emulator/Timing/Footprint.h"

using namespace ckemu;

Replay::Replay(const TimedLaunch &launch, const GroupSample &sample, TraceStore &traces,
               MemoryModel &memory)
    : launch(launch), sample(sample), traces(traces), memory(memory), parameters(launch.parameters),
      costs(computeCosts(*launch.code, *launch.chip, launch.parameters, launch.waveSize)),
      simdsPerUnit(launch.chip->simdsPerUnit),
      simds(size_t(sample.simulatedXcds) * sample.unitsPerXcd * simdsPerUnit),
      units(size_t(sample.simulatedXcds) * sample.unitsPerXcd),
      groups(units.size() * launch.groupsPerUnit), waves(groups.size() * launch.wavesPerGroup),
      events(waves.size() + simds.size() * kPortsOfSimd),
      stalls(launch.code->size(), launch.wavesPerGroup), nextGroup(sample.simulatedXcds),
      groupsOfXcd(sample.simulatedXcds), dispatcherFree(sample.simulatedXcds) {
  for (uint32_t slot = uint32_t(groups.size()); slot-- > 0;)
    freeGroups.push_back(slot);
  for (uint32_t place = 0; place < sample.groups.size(); ++place) {
    groupsOfXcd[sample.groups[place] % sample.activeXcds % sample.simulatedXcds].push_back(place);
    pendingGroups.insert(sample.groups[place]);
  }
  result.waves.resize(launch.wavesPerGroup);
  result.groupStarts.resize(sample.groups.size());
  result.groupEnds.resize(sample.groups.size());
}

/// The workgroups that start first tell what the launch stores to, and with it what the MALL holds
/// changed of what launches before it left.
void Replay::tellResident() {
  std::vector<ResidentRange> ranges(launch.resident);
  auto markChanged = [&](uint64_t address) {
    for (ResidentRange &resident : ranges)
      resident.changed |= address >= resident.range.begin && address < resident.range.end;
  };
  for (const Group &group : groups) {
    if (!group.trace)
      continue;
    for (const WaveTrace &wave : group.trace->waves)
      for (const TraceAccess &access : wave.accesses)
        if (access.kind == TraceAccessKind::Store || access.kind == TraceAccessKind::Atomic)
          for (const TraceLine &line : wave.getLines(access))
            markChanged(line.getLine() * TraceLine::kBytes);
  }
  memory.setResident(ranges, sample.skippedRounds > 0);
  for (const ResidentRange &resident : ranges)
    result.changed.push_back(resident.changed);
}

/// Workgroups that run at the same time tell what others touch as well: by glimpses of all, else by
/// the traces of those that start first. Streams share with others in the course of time, too, what
/// they do not when they begin.
void Replay::tellSharing(const SimulatedPart &part) {
  const std::vector<SharedRange> atOnce = compareGlimpses();
  if (!atOnce.empty() && !launch.synchronizes)
    return memory.setSharing(atOnce);
  Footprint footprint(launch.allocations);
  uint64_t numGroups = 0;
  for (const Group &group : groups) {
    if (!group.trace)
      continue;
    ++numGroups;
    for (const WaveTrace &wave : group.trace->waves)
      footprint.add(wave);
  }
  const uint64_t atATime =
      std::min<uint64_t>(launch.numGroups, uint64_t(part.numUnits) * launch.groupsPerUnit);
  const std::vector<SharedRange> inTime =
      footprint.getSharing(double(numGroups) / double(atATime), part.getXcdShare());
  memory.setSharing(atOnce.empty() ? inTime : atOnce);
  if (!atOnce.empty())
    memory.setCapacity({atOnce, inTime});
}

/// None when there are no glimpses, or the launch has stopped before there were all.
std::vector<SharedRange> Replay::compareGlimpses() {
  if (sample.glimpseBegin == sample.glimpseEnd)
    return {};
  const auto taken = traces.takeGlimpses(sample.glimpseBegin, sample.glimpseEnd);
  const TraceStore::Glimpses &glimpses = *taken;
  Footprint ofSample(launch.allocations), ofChip(launch.allocations);
  std::vector<Footprint> sampleOfXcd(sample.simulatedXcds, ofChip), xcds = sampleOfXcd;
  for (size_t i = 0; i < glimpses.size(); ++i) {
    const uint64_t id = sample.glimpseBegin + i, xcd = id % sample.activeXcds;
    ofChip.addGroup(glimpses[i]);
    if (xcd >= sample.simulatedXcds)
      continue;
    xcds[xcd].addGroup(glimpses[i]);
    if (!pendingGroups.contains(id))
      continue;
    sampleOfXcd[xcd].addGroup(glimpses[i]);
    ofSample.addGroup(glimpses[i]);
  }
  std::vector<SharedRange> ranges = Footprint::compare(ofSample, ofChip, sampleOfXcd, xcds);
  if (sample.skippedRounds > 0)
    estimateFetchedBefore(ranges, glimpses, ofChip);
  return ranges;
}

/// Of the lines that a round touches, but for the first round, those that an earlier round has
/// touched, on the average of all rounds: when the launch goes through the whole allocation once,
/// the others were new. Glimpses see the begin of a workgroup; its trace says how much that is.
void Replay::estimateFetchedBefore(std::vector<SharedRange> &ranges,
                                   const TraceStore::Glimpses &glimpses,
                                   const Footprint &ofChip) const {
  Footprint whole(launch.allocations), begun(launch.allocations);
  for (const Group &group : groups) {
    const uint64_t id = sample.groups[group.place];
    if (!group.trace || id < sample.glimpseBegin || id >= sample.glimpseEnd)
      continue;
    for (const WaveTrace &wave : group.trace->waves)
      whole.add(wave);
    begun.addGroup(glimpses[id - sample.glimpseBegin]);
  }
  const double atATime = double(sample.glimpseEnd - sample.glimpseBegin);
  const double laterRounds = double(launch.numGroups) / atATime - 1;
  for (SharedRange &range : ranges) {
    const auto seen = double(begun.countLines(range.range.begin));
    if (laterRounds <= 0 || seen == 0)
      continue;
    const double unseen = double(whole.countLines(range.range.begin)) / seen;
    const double lines = double(range.range.end - range.range.begin) / TraceLine::kBytes;
    const double ofRound = std::min(lines, double(ofChip.countLines(range.range.begin)) * unseen);
    range.linesOfRound = range.touchedLines * unseen;
    range.fetchedBefore = 1 - std::clamp((lines - ofRound) / (laterRounds * ofRound), 0.0, 1.0);
  }
}

BusyCycles ReplayResult::sumBusy() const {
  BusyCycles sum = {};
  for (const WaveActivity &wave : waves)
    for (unsigned i = 0; i < kNumBusyUnits; ++i)
      sum[i] += wave.busy[i];
  return sum;
}

void Replay::sampleCounters(Cycle now) {
  const MemoryTraffic traffic = memory.getTraffic();
  launch.timeline->sample(now,
                          {result.sumBusy(), traffic.l2Bytes, traffic.mallBytes, traffic.hbmBytes});
}

ReplayResult Replay::run(const SimulatedPart &part) {
  // Meanwhile the dispatcher serves the compute units that are not simulated as well.
  dispatchCycles = parameters.dispatchCycles * launch.wavesPerGroup / part.getXcdShare();
  for (unsigned xcd = 0; xcd < sample.simulatedXcds; ++xcd)
    fillXcd(xcd, 0);
  tellResident();
  if (part.simulatedUnits < part.numUnits)
    tellSharing(part);
  while (!pendingGroups.empty() && !stopped) {
    uint32_t entry = 0;
    if (!events.take(entry)) {
      if (!breakDependency(events.getNow()))
        break;
      continue;
    }
    prefetch(events.guessNext());
    if (launch.timeline && launch.timeline->wantsSample(events.getNow()))
      sampleCounters(events.getNow());
    if (entry < waves.size())
      step(entry, events.getNow());
    else
      serve(entry - uint32_t(waves.size()), events.getNow());
  }
  result.isComplete = pendingGroups.empty();
  result.end = std::max(result.end, Cycle(memory.finish(double(result.end))));
  result.traffic = memory.getTraffic();
  if (launch.timeline)
    sampleCounters(result.end);
  return std::move(result);
}

/// Asks the host for what the turn of `entry` needs first.
void Replay::prefetch(uint32_t entry) const {
  if (entry >= waves.size())
    return;
  const auto *wave = reinterpret_cast<const char *>(&waves[entry]);
  for (size_t at = 0; at < kHotBytes; at += alignof(WaveReplay))
    __builtin_prefetch(wave + at);
}

/// The compute unit of `xcd` that gets the next workgroup: of those with the fewest, the one that
/// has waited longest; -1 when all are full.
int Replay::findUnit(unsigned xcd) const {
  int best = -1;
  for (unsigned i = 0; i < sample.unitsPerXcd; ++i) {
    const Unit &unit = units[xcd * sample.unitsPerXcd + i];
    if (unit.numGroups >= launch.groupsPerUnit)
      continue;
    const Unit *other = best < 0 ? nullptr : &units[size_t(best)];
    if (!other || unit.numGroups < other->numGroups ||
        (unit.numGroups == other->numGroups && unit.lastStart < other->lastStart))
      best = int(xcd * sample.unitsPerXcd + i);
  }
  return best;
}

/// Starts workgroups of `xcd` as long as there is room.
void Replay::fillXcd(unsigned xcd, Cycle now) {
  while (!stopped && nextGroup[xcd] < groupsOfXcd[xcd].size()) {
    const int unit = findUnit(xcd);
    if (unit < 0)
      return;
    const Cycle time = std::max(now, dispatcherFree[xcd]);
    dispatcherFree[xcd] = time + Cycle(dispatchCycles);
    startGroup(unsigned(unit), groupsOfXcd[xcd][nextGroup[xcd]++], time);
  }
}

void Replay::startGroup(unsigned unit, uint32_t place, Cycle time) {
  const uint32_t slot = freeGroups.back();
  Group &group = groups[slot];
  group = Group();
  group.trace = traces.take(sample.groups[place]);
  if (!group.trace) { // the launch has stopped
    stopped = true;
    return;
  }
  freeGroups.pop_back();
  group.place = place;
  group.unit = unit;
  group.firstWave = slot * launch.wavesPerGroup;
  group.alive = unsigned(group.trace->waves.size());
  ++units[unit].numGroups;
  units[unit].lastStart = ++age;
  slotOfGroup[sample.groups[place]] = slot;
  result.groupStarts[place] = time;
  startWaves(slot, time + Cycle(parameters.groupStartCycles));
}

/// Of `count` SIMDs, the one with the fewest waves.
unsigned Replay::findSimd(unsigned first, unsigned count) const {
  unsigned best = first;
  for (unsigned simd = first + 1; simd < first + count; ++simd)
    if (simds[simd].numWaves < simds[best].numWaves)
      best = simd;
  return best;
}

void Replay::startWaves(uint32_t slot, Cycle time) {
  Group &group = groups[slot];
  // In CU mode a workgroup stays in one half of the unit.
  unsigned firstSimd = group.unit * simdsPerUnit, numSimds = simdsPerUnit;
  if (launch.halfUnit) {
    numSimds /= 2;
    firstSimd = (findSimd(firstSimd, simdsPerUnit) / numSimds) * numSimds;
  }
  for (unsigned i = 0; i < group.trace->waves.size(); ++i) {
    const unsigned best = findSimd(firstSimd, numSimds);
    ++simds[best].numWaves;
    const uint32_t id = group.firstWave + i;
    WaveReplay &wave = waves[id];
    wave = WaveReplay();
    wave.trace = &group.trace->waves[i];
    wave.group = slot;
    wave.unit = uint16_t(group.unit);
    wave.simd = uint16_t(best);
    wave.waveInGroup = uint16_t(i);
    wave.age = ++age;
    watch(wave, group.trace->linearId);
    if (launch.timeline)
      launch.timeline->startWave(id, best, group.trace->linearId, i, time);
    if (wave.trace->runs.empty()) {
      endWave(wave, time);
      continue;
    }
    wave.instruction = wave.trace->runs[0].first;
    wave.runEnd = wave.trace->runs[0].last;
    findAccess(wave);
    scheduleNext(id, wave, time);
  }
}

/// Notes where the next access of the wave is.
void Replay::findAccess(WaveReplay &wave) {
  const auto &accesses = wave.trace->accesses;
  while (wave.access < accesses.size() && accesses[wave.access].position < wave.position)
    ++wave.access;
  wave.accessPosition = WaveReplay::kNever;
  if (wave.access == accesses.size())
    return;
  const TraceAccess &access = accesses[wave.access];
  wave.accessPosition = access.position;
  wave.firstLine = access.firstLine;
  wave.numLines = access.numLines;
}

/// Asks the host for the next access.
static void prefetchAccess(const WaveReplay &wave) {
  constexpr unsigned kTogether = 64 / sizeof(TraceLine);
  __builtin_prefetch(&wave.trace->accesses[wave.access]);
  const TraceLine *lines = wave.trace->lines.data() + wave.firstLine;
  for (unsigned i = 0; i < wave.numLines; i += kTogether)
    __builtin_prefetch(lines + i);
}

void Replay::endWave(WaveReplay &wave, Cycle now) {
  Group &group = groups[wave.group];
  --simds[wave.simd].numWaves;
  notifyWatchers(wave, now);
  group.lastStore = std::max({group.lastStore, wave.stores.getLatest(), wave.loads.getLatest()});
  wave.trace = nullptr;
  if (launch.timeline)
    launch.timeline->endWave(uint32_t(&wave - waves.data()), now);
  if (--group.alive == 0)
    endGroup(wave.group, now + Cycle(parameters.groupEndCycles));
  else
    completeBarrier(group, now);
}

void Replay::endGroup(uint32_t slot, Cycle time) {
  Group &group = groups[slot];
  const uint64_t linearId = group.trace->linearId;
  result.groupEnds[group.place] = time;
  result.end = std::max({result.end, time, group.lastStore});
  --units[group.unit].numGroups;
  slotOfGroup.erase(linearId);
  pendingGroups.erase(linearId);
  group.trace.reset();
  freeGroups.push_back(slot);
  fillXcd(group.unit / sample.unitsPerXcd, time);
}

/// Moves to the next instruction of the trace; false when there is none. A jump starts a new run.
bool Replay::advance(WaveReplay &wave) {
  ++wave.position;
  ++wave.sinceBranch;
  if (wave.instruction != wave.runEnd) {
    ++wave.instruction;
    return true;
  }
  if (++wave.run == wave.trace->runs.size())
    return false;
  const TraceRun &run = wave.trace->runs[wave.run];
  const bool isJump = run.first != wave.instruction + 1;
  wave.instruction = run.first;
  wave.runEnd = run.last;
  if (isJump)
    wave.sinceBranch = 0;
  return true;
}

/// The wave's next instruction comes to its turn when its operands and itself are there.
void Replay::scheduleNext(uint32_t id, WaveReplay &wave, Cycle earliest) {
  wave.earliest = earliest;
  wave.stall = Stall::None;
  Cycle time = earliest;
  if (wave.accessPosition == wave.position)
    prefetchAccess(wave);
  const InstructionCost &cost = costs[wave.instruction];
  for (const Producer &producer : cost.producers) {
    if (producer.distance == 0 || producer.distance > wave.sinceBranch)
      break;
    const uint32_t issueTime = wave.issueTimes[(wave.issued - producer.distance) % kProducerWindow];
    const Cycle ready = earliest - (uint32_t(earliest) - issueTime) + producer.latency;
    if (ready > time) {
      time = ready;
      wave.stall = Stall::Dependency;
    }
  }
  if (cost.codeLine != wave.codeLine) {
    wave.codeLine = cost.codeLine;
    const Cycle ready = Cycle(memory.fetch(wave.unit, wave.codeLine, double(earliest)));
    if (ready > time) {
      time = ready;
      wave.stall = Stall::Fetch;
    }
  }
  events.add(id, time);
}

/// Tries again at `until`.
void Replay::delay(uint32_t id, WaveReplay &wave, Cycle until, Stall stall) {
  wave.stall = stall;
  events.add(id, until);
}

void Replay::step(uint32_t id, Cycle now) {
  WaveReplay &wave = waves[id];
  if (!wave.trace)
    return;
  const InstructionCost &cost = costs[wave.instruction];
  if (cost.unit == TimingUnit::End) {
    noteIssue(wave, cost, now);
    endWave(wave, now);
    return;
  }
  if (!issue(id, wave, cost, now))
    return;
  noteIssue(wave, cost, now);
  notifyWatchers(wave, now);
  wave.issueTimes[wave.issued++ % kProducerWindow] = uint32_t(now);
  Cycle next = now + cost.issue;
  const uint32_t before = wave.instruction;
  if (!advance(wave)) {
    endWave(wave, next);
    return;
  }
  if (wave.accessPosition < wave.position)
    findAccess(wave);
  if (cost.unit == TimingUnit::Branch && wave.sinceBranch == 0)
    next += Cycle(parameters.branchCycles);
  if (launch.timeline && wave.instruction <= before)
    launch.timeline->jumpBack(id, wave.instruction, now);
  scheduleNext(id, wave, next);
}

void Replay::noteIssue(WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  ++result.instructions;
  ++stalls.executions[wave.instruction];
  if (now > wave.earliest) {
    const auto waited = uint64_t(now - wave.earliest);
    stalls.byInstruction[wave.instruction][size_t(wave.stall)] += waited;
    stalls.byWave[wave.waveInGroup][size_t(wave.stall)] += waited;
  }
  stalls.issueByWave[wave.waveInGroup] += cost.issue;
  if (cost.unit == TimingUnit::Matrix)
    getActivity(wave).multiplies = true;
  if (cost.fetches)
    getActivity(wave).loads = true;
  if (launch.timeline)
    launch.timeline->wait(uint32_t(&wave - waves.data()), wave.stall, wave.earliest, now);
}
