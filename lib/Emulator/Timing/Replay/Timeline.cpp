//===- Timeline.cpp - What waves do, as slices of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Timeline.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Timeline.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace ckemu;

/// Shorter waits are not shown.
static constexpr Cycle kShortestWait = 4;

/// Waits for others, for which people look; the rest belongs to the way of every instruction.
static bool isShown(Stall stall) {
  switch (stall) {
  case Stall::Loads:
  case Stall::Stores:
  case Stall::Lds:
  case Stall::Scalar:
  case Stall::Barrier:
  case Stall::Flag:
    return true;
  default:
    return false;
  }
}

void Timeline::add(const Slice &slice) {
  if (slices.size() < kSliceLimit)
    slices.push_back(slice);
  else
    isCut = true;
}

void Timeline::startWave(uint32_t wave, unsigned simd, uint64_t group, unsigned waveInGroup,
                         Cycle time) {
  if (wave >= active.size())
    active.resize(size_t(wave) + 1);
  if (simd >= taken.size())
    taken.resize(size_t(simd) + 1);
  const unsigned place = ~taken[simd] == 0 ? 0 : unsigned(__builtin_ctzll(~taken[simd]));
  taken[simd] |= uint64_t(1) << place;
  active[wave] = {group, time, time, simd * kPlaces + place, ~0u, uint16_t(waveInGroup)};
}

void Timeline::endWave(uint32_t wave, Cycle time) {
  const ActiveWave &ended = active[wave];
  taken[ended.track / kPlaces] &= ~(uint64_t(1) << ended.track % kPlaces);
  add({ended.start, time, ended.group, ended.track, 0, ended.wave, SliceKind::Wave, Stall::None});
}

void Timeline::wait(uint32_t wave, Stall stall, Cycle from, Cycle to) {
  if (to - from >= kShortestWait && isShown(stall))
    add({from, to, 0, active[wave].track, 0, 0, SliceKind::Wait, stall});
}

void Timeline::jumpBack(uint32_t wave, uint32_t instruction, Cycle time) {
  ActiveWave &jumps = active[wave];
  if (jumps.stepInstruction == instruction)
    add({jumps.stepStart, time, 0, jumps.track, instruction, 0, SliceKind::Step, Stall::None});
  jumps.stepInstruction = instruction;
  jumps.stepStart = time;
}

void Timeline::sample(Cycle time, const TimelineCounters &counters) {
  if (!samples.empty() && samples.back().time >= time)
    return;
  samples.push_back({time, counters});
  nextSample = time + kInterval;
}

/// The process of the counters comes behind those of the compute units.
static int64_t getCounterProcess(const TimedLaunch &launch, const GroupSample &sample) {
  return std::max<int64_t>(launch.computeUnits, int64_t(sample.simulatedXcds) * sample.unitsPerXcd);
}

/// An event of the format.
template <class Body>
static void writeEvent(llvm::json::OStream &json, llvm::StringRef phase, const llvm::Twine &name,
                       int64_t process, Body body) {
  json.object([&] {
    json.attribute("ph", phase);
    json.attribute("name", name.str());
    json.attribute("pid", process);
    body();
  });
}

/// "math wave 5"; of waves without roles only "wave 5".
std::string Timeline::getWaveName(const Slice &slice) const {
  const WaveRole role = slice.wave < roles.size() ? roles[slice.wave] : WaveRole::All;
  const std::string name = llvm::formatv("wave {0}", slice.wave);
  return role == WaveRole::All ? name : (getRoleName(role) + " " + name).str();
}

void Timeline::writeNames(llvm::json::OStream &json, const TimedLaunch &launch,
                          const GroupSample &sample) const {
  const unsigned simds = launch.chip->simdsPerUnit;
  std::set<uint32_t> tracks;
  std::set<uint32_t> units;
  for (const Slice &slice : slices) {
    tracks.insert(slice.track);
    units.insert(slice.track / kPlaces / simds);
  }
  auto writeName = [&](const char *what, int64_t unit, int64_t track, const std::string &name) {
    writeEvent(json, "M", what, unit, [&] {
      json.attribute("tid", track);
      json.attributeObject("args", [&] { json.attribute("name", name); });
    });
  };
  for (uint32_t unit : units)
    writeName(
        "process_name", unit, 0,
        llvm::formatv("XCD {0} unit {1}", unit / sample.unitsPerXcd, unit % sample.unitsPerXcd));
  writeName("process_name", getCounterProcess(launch, sample), 0,
            llvm::formatv("{0}, simulated part", launch.chip->name));
  for (uint32_t track : tracks)
    writeName("thread_name", track / kPlaces / simds, track,
              llvm::formatv("SIMD {0} place {1}", track / kPlaces % simds, track % kPlaces));
}

void Timeline::writeSlice(llvm::json::OStream &json, const TimedLaunch &launch, const Slice &slice,
                          double clock) const {
  std::string name;
  const char *category = "";
  switch (slice.kind) {
  case SliceKind::Wave:
    category = "wave";
    name = llvm::formatv("workgroup {0} {1}", slice.group, getWaveName(slice));
    break;
  case SliceKind::Step:
    category = "step";
    name = llvm::formatv("step of the loop at {0:x}", (*launch.code)[slice.instruction].offset);
    break;
  case SliceKind::Wait:
    category = "wait";
    name = ("waits: " + getStallName(slice.stall)).str();
    break;
  }
  writeEvent(json, "X", name, slice.track / kPlaces / launch.chip->simdsPerUnit, [&] {
    json.attribute("tid", int64_t(slice.track));
    json.attribute("cat", category);
    json.attribute("ts", double(slice.begin) / clock);
    json.attribute("dur", double(slice.end - slice.begin) / clock);
  });
}

void Timeline::writeCounters(llvm::json::OStream &json, const TimedLaunch &launch,
                             const GroupSample &sample, double clock) const {
  const double units = double(sample.simulatedXcds) * sample.unitsPerXcd;
  const double simds = units * launch.chip->simdsPerUnit;
  for (size_t i = 1; i < samples.size(); ++i) {
    const TimelineCounters &a = samples[i - 1].counters, &b = samples[i].counters;
    const double cycles = double(samples[i].time - samples[i - 1].time);
    auto writeCounter = [&](const char *name, const char *unit, double value) {
      writeEvent(json, "C", name, getCounterProcess(launch, sample), [&] {
        json.attribute("ts", double(samples[i - 1].time) / clock);
        json.attributeObject("args", [&] { json.attribute(unit, value); });
      });
    };
    auto getPercent = [&](BusyUnit unit, double count) {
      return 100 * (b.busy[size_t(unit)] - a.busy[size_t(unit)]) / (count * cycles);
    };
    writeCounter("matrix pipes", "percent", getPercent(BusyUnit::Matrix, simds));
    writeCounter("vector units", "percent", getPercent(BusyUnit::Valu, simds));
    writeCounter("scalar units", "percent", getPercent(BusyUnit::Salu, simds));
    writeCounter("LDS", "percent", getPercent(BusyUnit::Lds, units));
    writeCounter("L1", "percent", getPercent(BusyUnit::L1, units * launch.parameters.l1Count));
    const double gigabytes = clock * 1e-3 / cycles; // of one byte
    writeCounter("L2", "GB/s", (b.l2Bytes - a.l2Bytes) * gigabytes);
    writeCounter("MALL", "GB/s", (b.mallBytes - a.mallBytes) * gigabytes);
    writeCounter("HBM", "GB/s", (b.hbmBytes - a.hbmBytes) * gigabytes);
  }
}

void Timeline::write(llvm::raw_ostream &os, const TimedLaunch &launch, const GroupSample &sample,
                     double clockMHz) const {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeObject("otherData", [&] {
      json.attribute("times", "of a model, not measured");
      json.attribute("complete", !isCut);
    });
    json.attributeArray("traceEvents", [&] {
      writeNames(json, launch, sample);
      for (const Slice &slice : slices)
        writeSlice(json, launch, slice, clockMHz);
      writeCounters(json, launch, sample, clockMHz);
    });
  });
  json.flush();
}
