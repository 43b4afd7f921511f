//===- Recorder.cpp - Records what a wave executes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Recorder.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/Recorder.h"
#include "Emulator/Decode/FlagStore.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "Emulator/Trace/TouchedLines.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ckemu;

/// Instructions between two looks at a flag, and different flags that a wave looks at in turn.
static constexpr unsigned kLookDistance = 64, kLookLimit = 8;
/// Dwords whose writers are remembered.
static constexpr unsigned kWriterLimit = 1u << 22;
/// Where private memory lies, and of how many workgroups: far from device memory.
static constexpr uint64_t kPrivateBase = uint64_t(1) << 46, kPrivateGroups = 1024;

void LastWriters::note(uint64_t dword, const TraceDependency &writer) {
  if (writers.size() < kWriterLimit || writers.count(dword))
    writers[dword] = writer;
}

const TraceDependency *LastWriters::find(uint64_t dword) const {
  auto found = writers.find(dword);
  return found == writers.end() ? nullptr : &found->second;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 32;
}

/// Calls `body` with address / 4 of every dword that a lane touches.
template <class Body>
static void forEachDword(const RecordedAccess &access, Body body) {
  for (LaneMask rest = access.lanes; rest; rest &= rest - 1) {
    const uint64_t address = access.addresses[unsigned(__builtin_ctzll(rest))] + access.shift;
    for (uint64_t dword = address / 4; dword <= (address + access.size - 1) / 4; ++dword)
      body(dword);
  }
}

/// True when all lanes access one place.
template <class Addresses>
static bool isUniform(const Addresses &addresses, LaneMask lanes) {
  const auto first = addresses[unsigned(__builtin_ctzll(lanes))];
  for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
    if (addresses[unsigned(__builtin_ctzll(lanes))] != first)
      return false;
  return true;
}

/// True when `inst` looks at what `last` has looked at, and a branch lies between. Compilers begin
/// a loop that waits with a look of its own.
bool TraceRecorder::isInVain(const Look &last, const Instruction *inst, uint64_t place) const {
  if (last.place != place || getPosition(inst) - last.position > kLookDistance)
    return false;
  return trace.runs.size() != last.runs ||
         std::any_of(last.inst, inst, [](const Instruction &between) {
           return between.kind == InstructionClass::Branch;
         });
}

/// Takes back the look at the same place that was in vain, or else remembers this one.
void TraceRecorder::look(const Instruction *inst, uint64_t place) {
  if (isFull)
    return looks.clear();
  auto isSame = [&](const Look &last) { return isInVain(last, inst, place); };
  if (Look *last = llvm::find_if(looks, isSame); last != looks.end()) {
    trace.runs.resize(last->runs);
    trace.accesses.resize(last->accesses);
    trace.lines.resize(last->lines);
    trace.dependencies.resize(last->dependencies);
    first = last->first;
    firstPosition = last->firstPosition;
    end = last->inst->index;
    looks.erase(last + 1, looks.end());
    if (last->inst == inst)
      return;
    // The run that goes on is that of this instruction.
    jumpTo(inst->index);
    looks.pop_back();
  }
  if (looks.size() == kLookLimit)
    looks.erase(looks.begin());
  looks.push_back({place, inst, getPosition(inst), first, firstPosition, trace.runs.size(),
                   trace.accesses.size(), trace.lines.size(), trace.dependencies.size()});
}

void TraceRecorder::addDependency(TraceAccess &access, const TraceDependency &writer) {
  if (writer.group == group->linearId && writer.wave == wave)
    return;
  if (access.numDependencies == 0)
    access.dependency = uint32_t(trace.dependencies.size());
  auto known = trace.dependencies.begin() + access.dependency;
  auto same = std::find_if(known, trace.dependencies.end(), [&](const TraceDependency &other) {
    return other.group == writer.group && other.wave == writer.wave;
  });
  if (same != trace.dependencies.end()) {
    same->position = std::max(same->position, writer.position);
    return;
  }
  trace.dependencies.push_back(writer);
  ++access.numDependencies;
}

void TraceRecorder::addDependencies(TraceAccess &access, const RecordedAccess &from) {
  forEachDword(from, [&](uint64_t dword) {
    if (const TraceDependency *writer = group->launch.writers.find(dword))
      addDependency(access, *writer);
  });
}

void TraceRecorder::record(const RecordedAccess &access) {
  const bool synchronizes = group->launch.code.synchronizes && access.deviceScope &&
                            (access.kind == TraceAccessKind::Load || access.returns);
  if (synchronizes) {
    uint64_t place = mix(access.size, access.lanes);
    forEachDword(access, [&](uint64_t dword) { place = mix(place, dword); });
    look(access.inst, place);
  } else {
    looks.clear();
  }
  // A flag is stored with the scope of the device or, on some chips, as anything else is.
  const bool saysSo = access.deviceScope && access.size <= kWidestFlagStore;
  const bool isFlag = group->launch.code.synchronizes && access.kind == TraceAccessKind::Store &&
                      (saysSo || isUniform(access.addresses, access.lanes));
  if (isFull)
    return isFlag ? recordUpdate(access) : void();
  TraceAccess result;
  result.position = getPosition(access.inst);
  result.kind = access.kind;
  result.deviceScope = access.deviceScope;
  result.returns = access.returns;
  result.bytesPerLane = uint8_t(access.size);
  result.activeLanes = uint8_t(__builtin_popcountll(access.lanes));
  result.firstLine = uint32_t(trace.lines.size());
  result.addressCycles = uint16_t(
      findTouchedLines(access.addresses, access.shift, access.lanes, access.size, trace.lines));
  result.numLines = uint16_t(trace.lines.size() - result.firstLine);
  if (access.kind == TraceAccessKind::Atomic)
    countChangedDwords(access.addresses, access.shift, access.lanes, access.size,
                       llvm::MutableArrayRef<TraceLine>(trace.lines).drop_front(result.firstLine));
  if (synchronizes)
    addDependencies(result, access);
  trace.accesses.push_back(result);
  if (isFlag)
    recordUpdate(access);
}

TraceDependency TraceRecorder::getWriter(const Instruction *inst) const {
  return {group->linearId, wave, getPosition(inst)};
}

void TraceRecorder::recordUpdate(const RecordedAccess &access) {
  looks.clear();
  if (!group->launch.code.synchronizes)
    return;
  const TraceDependency writer = getWriter(access.inst);
  forEachDword(access, [&](uint64_t dword) { group->launch.writers.note(dword, writer); });
}

void TraceRecorder::recordScalar(const Instruction *inst, uint64_t address, unsigned size,
                                 bool deviceScope, const FlagHistory::Cause &cause) {
  const bool synchronizes = group->launch.code.synchronizes && deviceScope;
  if (synchronizes)
    look(inst, mix(size, address));
  else
    looks.clear();
  if (isFull)
    return;
  TraceAccess result;
  result.position = getPosition(inst);
  result.kind = TraceAccessKind::ScalarLoad;
  result.deviceScope = deviceScope;
  result.bytesPerLane = uint8_t(size);
  result.activeLanes = 1;
  result.firstLine = uint32_t(trace.lines.size());
  constexpr uint64_t kBytes = TraceLine::kBytes, kSector = TraceLine::kSectorBytes;
  for (uint64_t at = address / kSector * kSector; at < address + size; at += kSector) {
    const unsigned sector = 1u << (at % kBytes / kSector);
    if (trace.lines.size() > result.firstLine && trace.lines.back().getLine() == at / kBytes)
      trace.lines.back().bits |= sector;
    else
      trace.lines.emplace_back(at / kBytes, sector);
  }
  result.numLines = uint16_t(trace.lines.size() - result.firstLine);
  if (cause.writer)
    addDependency(result, *cause.writer);
  const bool asksLast = synchronizes && !cause.isKnown;
  for (uint64_t dword = address / 4; asksLast && dword <= (address + size - 1) / 4; ++dword)
    if (const TraceDependency *writer = group->launch.writers.find(dword))
      addDependency(result, *writer);
  trace.accesses.push_back(result);
}

/// Dword d of lane l lies at dword 64 d + l of the wave's part of private memory.
void TraceRecorder::recordPrivate(const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                                  unsigned size, uint32_t laneBytes) {
  looks.clear();
  if (isFull)
    return;
  TraceAccess result;
  result.position = getPosition(inst);
  result.kind = TraceAccessKind::Scratch;
  result.bytesPerLane = uint8_t(size);
  result.activeLanes = uint8_t(__builtin_popcountll(lanes));
  result.firstLine = uint32_t(trace.lines.size());
  const uint64_t slot = group->linearId % kPrivateGroups * group->waves.size() + wave;
  const uint64_t base = kPrivateBase + slot * laneBytes * kLanes;
  for (unsigned at = 0; at < size; at += 4) {
    Lanes64 addresses;
    for (unsigned i = 0; i < kLanes; ++i) {
      const uint64_t offset = uint64_t(offsets[i]) + at;
      addresses[i] = base + offset / 4 * 4 * kLanes + size_t(4) * i + offset % 4;
    }
    result.addressCycles +=
        uint16_t(findTouchedLines(addresses, 0, lanes, std::min(size - at, 4u), trace.lines));
  }
  result.numLines = uint16_t(trace.lines.size() - result.firstLine);
  trace.accesses.push_back(result);
}

void TraceRecorder::recordLds(const RecordedLdsAccess &access) {
  const bool synchronizes = group->launch.code.updatesLds && (access.isLoad || access.returns);
  if (isFull)
    return looks.clear();
  TraceAccess result;
  if (synchronizes && isUniform(access.offsets, access.lanes)) {
    const uint32_t offset = access.offsets[unsigned(__builtin_ctzll(access.lanes))];
    look(access.inst, mix(mix(access.size, access.lanes), offset));
    for (uint32_t dword = offset / 4; dword <= (offset + access.size - 1) / 4; ++dword)
      if (const TraceDependency *writer = group->lds.find(dword))
        addDependency(result, *writer);
  } else {
    looks.clear();
  }
  if (access.conflicts == 0 && result.numDependencies == 0)
    return;
  result.position = getPosition(access.inst);
  result.kind = TraceAccessKind::Lds;
  result.returns = access.returns;
  result.bytesPerLane = uint8_t(access.size);
  result.activeLanes = uint8_t(__builtin_popcountll(access.lanes));
  result.conflictCycles = uint16_t(access.conflicts);
  result.firstLine = uint32_t(trace.lines.size());
  trace.accesses.push_back(result);
}

void TraceRecorder::recordLdsUpdate(const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                                    unsigned size) {
  looks.clear();
  const TraceDependency writer{group->linearId, wave, getPosition(inst)};
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t offset = offsets[unsigned(__builtin_ctzll(lanes))];
    for (uint32_t dword = offset / 4; dword <= (offset + size - 1) / 4; ++dword)
      group->lds.note(dword, writer);
  }
}

WaveTrace TraceRecorder::finish() {
  closeRun();
  first = end;
  trace.numInstructions = firstPosition;
  return std::move(trace);
}

GroupRecorder::GroupRecorder(LaunchRecorder &launch, uint64_t linearId, unsigned numWaves)
    : launch(launch), linearId(linearId) {
  waves.reserve(numWaves);
  for (unsigned i = 0; i < numWaves; ++i)
    waves.emplace_back(*this, i, launch.groupLimit / numWaves);
}

std::unique_ptr<GroupTrace> GroupRecorder::finish() {
  auto trace = std::make_unique<GroupTrace>();
  trace->linearId = linearId;
  for (TraceRecorder &wave : waves)
    trace->waves.push_back(wave.finish());
  return trace;
}

bool GroupRecorder::touches() const {
  return llvm::any_of(waves, [](const TraceRecorder &wave) { return wave.touches(); });
}

std::vector<uint64_t> GroupRecorder::listLines() const {
  std::vector<uint64_t> lines;
  llvm::DenseSet<uint64_t> known;
  bool areLeft = true;
  for (size_t i = 0; areLeft; ++i) {
    areLeft = false;
    for (const TraceRecorder &wave : waves) {
      const llvm::ArrayRef<TraceLine> touched = wave.getLines();
      areLeft |= i < touched.size();
      if (i < touched.size() && known.insert(touched[i].getLine()).second)
        lines.push_back(touched[i].getLine());
    }
  }
  return lines;
}
