//===- LaunchRecorder.cpp - Which workgroups of a launch are recorded -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LaunchRecorder.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/LaunchRecorder.h"

using namespace ckemu;

/// Bytes of traces that wait for the model of time, beyond which no further workgroup starts.
static constexpr uint64_t kStoreLimit = uint64_t(1) << 30;

/// True for atomics that return what was there before.
static bool takesTicket(const Instruction &inst) {
  if (inst.facts->action != MemoryAction::Atomic || inst.kind == InstructionClass::Lds)
    return false;
  return inst.has(Modifier::Glc) ||
         (inst.kind == InstructionClass::Vmem && inst.has(Modifier::Sc0));
}

/// True for loads that see what other workgroups did.
static bool looksAtOthers(const Instruction &inst) {
  if (inst.facts->action != MemoryAction::Load || inst.kind == InstructionClass::Lds)
    return false;
  return inst.kind == InstructionClass::Smem ? inst.has(Modifier::Glc) : hasDeviceScope(inst);
}

static bool updatesLds(const Instruction &inst) {
  return inst.facts->action == MemoryAction::Atomic && inst.kind == InstructionClass::Lds;
}

static bool isCall(const Instruction &inst) {
  return inst.facts->control == ControlFlowKind::ComputedJump ||
         inst.facts->control == ControlFlowKind::Call;
}

RecordedCode RecordedCode::inspect(const DecodedCode &code, const Instruction *entry,
                                   uint32_t numBytes) {
  auto inspectIf = [&](auto isPart) {
    RecordedCode result;
    bool calls = false;
    for (const Instruction &inst : code.getInstructions()) {
      if (!isPart(inst))
        continue;
      result.takesTickets |= takesTicket(inst);
      result.synchronizes |= result.takesTickets || looksAtOthers(inst);
      result.updatesLds |= ::updatesLds(inst);
      calls |= isCall(inst);
    }
    return std::pair(result, calls);
  };
  const auto [own, calls] = inspectIf([&](const Instruction &inst) {
    return inst.offset >= entry->offset && inst.offset - entry->offset < numBytes;
  });
  return calls || numBytes == 0 ? inspectIf([](const Instruction &) { return true; }).first : own;
}

LaunchRecorder::LaunchRecorder(RecordedCode code, std::vector<uint64_t> shifts, TraceStore &store,
                               Choose choose, bool executesOthers, Extend extend,
                               uint64_t groupLimit)
    : code(code), groupLimit(groupLimit), shifts(std::move(shifts)), store(store),
      choose(std::move(choose)), extend(std::move(extend)), executesOthers(executesOthers) {}

void LaunchRecorder::note(const RecordedGroups &recorded) {
  std::lock_guard<std::mutex> lock(mutex);
  sample.insert(recorded.groups.begin(), recorded.groups.end());
  glimpses = recorded.glimpses;
  lastGlimpses = recorded.lastGlimpses;
  chosen = true;
  isFinal = recorded.isFinal;
  chosenGroups = recorded.groups;
}

bool LaunchRecorder::isInSample(uint64_t linearId) {
  std::lock_guard<std::mutex> lock(mutex);
  return !chosen || sample.contains(linearId);
}

/// Until the choice is final, whoever runs may be wanted yet.
bool LaunchRecorder::isRecorded(uint64_t linearId) {
  std::lock_guard<std::mutex> lock(mutex);
  return !isFinal || sample.contains(linearId);
}

bool LaunchRecorder::isGlimpsed(uint64_t linearId) {
  std::lock_guard<std::mutex> lock(mutex);
  return !isFinal || glimpses.contains(linearId) || lastGlimpses.contains(linearId);
}

std::shared_ptr<GroupRecorder> LaunchRecorder::start(uint64_t linearId, unsigned numWaves) {
  return isRecorded(linearId) || isGlimpsed(linearId)
             ? std::make_shared<GroupRecorder>(*this, linearId, numWaves)
             : nullptr;
}

bool LaunchRecorder::executes(uint64_t linearId) {
  if (isInSample(linearId))
    return true;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!isFinal)
      return false;
  }
  return executesOthers || isGlimpsed(linearId);
}

bool LaunchRecorder::settle() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!chosen || isFinal)
      return false;
  }
  FirstRecords records{meetings.findLargest(), {}};
  for (uint64_t id : chosenGroups)
    records.instructions.push_back(instructionsOf.lookup(id));
  note(extend(records));
  return true;
}

bool LaunchRecorder::glimpse(GroupRecorder &group) {
  group.wasGlimpsed = true;
  if (isGlimpsed(group.linearId))
    store.putGlimpse(group.linearId, group.listLines());
  return isRecorded(group.linearId);
}

void LaunchRecorder::finish(GroupRecorder &group) {
  std::unique_ptr<GroupTrace> trace = group.finish();
  if (code.synchronizes)
    meetings.add(*trace);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!isFinal)
      instructionsOf[trace->linearId] = trace->countInstructions();
  }
  if (trace->linearId == 0)
    note(choose(trace->countInstructions()));
  if (!isRecorded(trace->linearId))
    return;
  numRecorded += trace->countInstructions();
  numDropped += trace->countDropped();
  store.put(std::move(trace));
}

void LaunchRecorder::waitForRoom() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!isFinal) // nobody takes traces yet
      return;
  }
  store.waitForRoom(kStoreLimit);
}
