//===- Replay.cpp - Traces on the compute units of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Replay.h: workgroups and waves. ReplayUnits.cpp has the instructions.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Replay.h"
#include "Emulator/Timing/CacheForecast.h"

using namespace ckemu;

Replay::Replay(const TimedLaunch &launch, const GroupSample &sample, TraceStore &traces,
               MemoryModel &memory)
    : launch(launch), sample(sample), traces(traces), memory(memory), parameters(launch.parameters),
      costs(computeCosts(*launch.code, *launch.chip, launch.parameters, launch.waveSize)),
      numUnits(size_t(sample.simulatedXcds) * sample.unitsPerXcd),
      numSimds(numUnits * launch.chip->simdsPerUnit), groups(numUnits * launch.groupsPerUnit),
      waves(groups.size() * launch.wavesPerGroup),
      events(waves.size() + Ports::countEntries(numSimds)), places(launch, sample),
      ports(numSimds, waves, events, parameters),
      lds(numUnits, launch.chip->simdsPerUnit, launch.waveSize, parameters), memoryQueues(numUnits),
      flags(sample.groups, waves, events, parameters),
      stalls(launch.code->size(), launch.wavesPerGroup) {
  for (uint32_t slot = uint32_t(groups.size()); slot-- > 0;)
    freeGroups.push_back(slot);
  result.waves.resize(launch.wavesPerGroup);
  result.groupStarts.resize(sample.groups.size());
  result.groupEnds.resize(sample.groups.size());
}

/// What the workgroups that have started say of the caches.
void Replay::forecast(const SimulatedPart &part) {
  std::vector<std::shared_ptr<const GroupTrace>> running;
  for (const Group &group : groups)
    if (group.trace)
      running.push_back(group.trace);
  const auto isPending = [this](uint64_t group) { return flags.isPending(group); };
  const CacheForecast forecast(launch, sample, traces, std::move(running), isPending);
  result.changed = forecast.tellResident(memory);
  if (part.simulatedUnits < part.numUnits)
    forecast.tellSharing(memory, part);
}

/// What the workgroups that run last say of the caches.
void Replay::forecastLast() {
  const auto isPending = [this](uint64_t group) { return flags.isPending(group); };
  CacheForecast(launch, sample, traces, {}, isPending).tellLastSharing(memory);
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
  places.setDispatchCycles(parameters.dispatchCycles * launch.wavesPerGroup / part.getXcdShare());
  for (unsigned xcd = 0; xcd < sample.simulatedXcds; ++xcd)
    fillXcd(xcd, 0);
  forecast(part);
  while (flags.hasPending() && !stopped) {
    uint32_t entry = 0;
    if (!events.take(entry)) {
      if (!flags.breakDependency(events.getNow()))
        break;
      ++result.brokenDependencies;
      continue;
    }
    if (const uint32_t next = events.guessNext(); next < waves.size())
      waves[next].prefetch();
    if (launch.timeline && launch.timeline->wantsSample(events.getNow()))
      sampleCounters(events.getNow());
    if (entry < waves.size())
      step(entry, events.getNow());
    else
      ports.serve(entry - uint32_t(waves.size()), events.getNow(),
                  [this](uint32_t id) { step(id, events.getNow()); });
  }
  result.isComplete = !flags.hasPending();
  result.end = std::max(result.end, Cycle(memory.finish(double(result.end))));
  result.traffic = memory.getTraffic();
  if (launch.timeline)
    sampleCounters(result.end);
  return std::move(result);
}

/// Starts workgroups of `xcd` as long as there is room.
void Replay::fillXcd(unsigned xcd, Cycle now) {
  while (!stopped) {
    const std::optional<GroupPlaces::Start> start = places.startGroup(xcd, now);
    if (!start)
      return;
    startGroup(*start);
  }
}

void Replay::startGroup(const GroupPlaces::Start &start) {
  const uint32_t slot = freeGroups.back();
  Group &group = groups[slot];
  group = Group();
  group.trace = traces.take(sample.groups[start.place]);
  if (!group.trace) { // the launch has stopped
    stopped = true;
    return;
  }
  freeGroups.pop_back();
  if (sample.lastGlimpses.contains(group.trace->linearId) && !std::exchange(runsLast, true))
    forecastLast();
  group.place = start.place;
  group.unit = start.unit;
  group.firstWave = slot * launch.wavesPerGroup;
  group.alive = unsigned(group.trace->waves.size());
  flags.startGroup(group.trace->linearId, group.firstWave);
  result.groupStarts[start.place] = start.time;
  const GroupPlaces::SimdRange simds = places.chooseSimds(start.unit);
  const unsigned numWaves = group.alive;
  for (unsigned i = 0; i < numWaves; ++i)
    startWave(slot, i, places.startWave(simds), start.time + Cycle(parameters.groupStartCycles));
}

void Replay::startWave(uint32_t slot, unsigned number, unsigned simd, Cycle time) {
  const Group &group = groups[slot];
  const uint32_t id = group.firstWave + number;
  WaveReplay &wave = waves[id];
  wave = WaveReplay();
  wave.trace = &group.trace->waves[number];
  wave.group = slot;
  wave.unit = uint16_t(group.unit);
  wave.simd = uint16_t(simd);
  wave.waveInGroup = uint16_t(number);
  wave.age = ++age;
  flags.startWave(wave, group.trace->linearId);
  if (launch.timeline)
    launch.timeline->startWave(id, simd, group.trace->linearId, number, time);
  if (wave.trace->runs.empty()) {
    endWave(wave, time);
    return;
  }
  wave.begin();
  scheduleNext(id, wave, time);
}

void Replay::endWave(WaveReplay &wave, Cycle now) {
  Group &group = groups[wave.group];
  places.endWave(wave.simd);
  notify(wave, now);
  group.lastStore = std::max({group.lastStore, wave.stores.getLatest(), wave.loads.getLatest()});
  wave.trace = nullptr;
  if (launch.timeline)
    launch.timeline->endWave(uint32_t(&wave - waves.data()), now);
  if (--group.alive == 0)
    endGroup(wave.group, now + Cycle(parameters.groupEndCycles));
  else
    group.barrier.complete(group.alive, events, now, parameters.barrierCycles);
}

void Replay::endGroup(uint32_t slot, Cycle time) {
  Group &group = groups[slot];
  result.groupEnds[group.place] = time;
  result.end = std::max({result.end, time, group.lastStore});
  places.endGroup(group.unit);
  flags.endGroup(group.trace->linearId);
  group.trace.reset();
  freeGroups.push_back(slot);
  fillXcd(group.unit / sample.unitsPerXcd, time);
}

/// The wave's next instruction comes to its turn when its operands and itself are there.
void Replay::scheduleNext(uint32_t id, WaveReplay &wave, Cycle earliest) {
  wave.earliest = earliest;
  if (wave.hasAccess())
    wave.prefetchAccess();
  const InstructionCost &cost = costs[wave.instruction];
  Cycle time = wave.getReady(cost);
  wave.stall = time > earliest ? Stall::Dependency : Stall::None;
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
  notify(wave, now);
  wave.issueTimes[wave.issued++ % kProducerWindow] = uint32_t(now);
  Cycle next = now + cost.issue;
  const uint32_t before = wave.instruction;
  if (!wave.advance()) {
    endWave(wave, next);
    return;
  }
  if (wave.accessPosition < wave.position)
    wave.findAccess();
  if (cost.unit == TimingUnit::Branch && wave.sinceBranch == 0)
    next += Cycle(parameters.branchCycles);
  if (launch.timeline && wave.instruction <= before)
    launch.timeline->jumpBack(id, wave.instruction, now);
  scheduleNext(id, wave, next);
}

/// Tells those that wait for the instruction at the wave's position, or for its end.
void Replay::notify(WaveReplay &wave, Cycle now) {
  if (wave.position < wave.watched)
    return;
  const bool hasEnded = costs[wave.instruction].unit == TimingUnit::End;
  flags.notify(wave, groups[wave.group].trace->linearId, hasEnded, now);
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
