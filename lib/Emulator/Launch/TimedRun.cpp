//===- TimedRun.cpp - A launch with the model of time beside it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimedRun.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/TimedRun.h"
#include "Emulator/Load/InitializedBytes.h"
#include "Emulator/Load/KernelName.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ckemu;

/// Where allocations begin on a chip, of those with at least 2 MiB and of others.
static constexpr uint64_t kLargePage = uint64_t(1) << 21, kSmallPage = uint64_t(1) << 16;
static constexpr uint64_t kFirstAddress = uint64_t(1) << 32;

static const char *getModeName(TimingMode mode) {
  switch (mode) {
  case TimingMode::Off:
    return "off";
  case TimingMode::On:
    return "on";
  case TimingMode::Full:
    return "full";
  case TimingMode::Only:
    return "only";
  }
  return "off";
}

TimedRun::TimedRun(LaunchContext &launch, uint64_t residentGroups,
                   llvm::ArrayRef<TimingSetting> settings)
    : launch(launch), mode(launch.options.timing),
      timedCode(makeTimedCode(launch.getCode(), launch.object.getChip())),
      store(unsigned(settings.size())) {
  const Kernel &kernel = launch.kernel;
  timed.code = &timedCode;
  timed.chip = &launch.object.getChip();
  timed.parameters = settings.front().parameters;
  timed.computeUnits = launch.options.computeUnits;
  timed.groupsPerUnit = unsigned(residentGroups / launch.options.computeUnits);
  timed.waveSize = kernel.descriptor.waveSize;
  timed.wavesPerGroup = unsigned(llvm::divideCeil(launch.shape.getGroupItems(), timed.waveSize));
  timed.halfUnit = !kernel.descriptor.wholeUnit;
  timed.numGroups = launch.shape.getNumGroups();
  const RecordedCode code =
      RecordedCode::inspect(launch.getCode(), launch.decoded.entry, kernel.codeBytes);
  timed.synchronizes = code.synchronizes;
  timed.takesTickets = code.takesTickets;
  if (mode == TimingMode::Only && code.takesTickets) {
    mode = TimingMode::On;
    reason = "the code has atomics that return a value, so that what workgroups do may depend on "
             "others that 'only' would not execute";
  }
  const Checks &checks = launch.checks;
  if (mode == TimingMode::Only && !checks.uninitialized && !checks.races &&
      launch.shape.getGroupItems() % timed.waveSize == 0)
    launch.dispensable = launch.object.findDispensable(kernel, code.synchronizes);
  const std::vector<uint64_t> shifts = placeAllocations();
  for (const TimingSetting &setting : settings) {
    models.push_back({setting.text, timed, {}, {}, {}});
    models.back().timed.parameters = setting.parameters;
  }
  if (!launch.options.timingTrace.empty())
    models.front().timed.timeline = &timeline;
  launch.recorder = std::make_shared<LaunchRecorder>(
      code, shifts, store, [this](uint64_t instructions) { return choose(instructions); },
      mode != TimingMode::Only, [this](const FirstRecords &records) { return extend(records); },
      launch.options.timingMemory);
}

TimedRun::~TimedRun() { join(); }

void TimedRun::join() {
  store.close();
  for (Model &model : models)
    if (model.thread.joinable())
      model.thread.join();
}

/// One behind the other in the order of their allocation, so that the times do not depend on where
/// the host has them. Returns the distance of each.
std::vector<uint64_t> TimedRun::placeAllocations() {
  const AllocationSnapshot &snapshot = *launch.snapshot;
  std::vector<size_t> order(snapshot.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) { return snapshot[a].number < snapshot[b].number; });
  std::vector<uint64_t> shifts(snapshot.size());
  uint64_t next = kFirstAddress;
  for (size_t i : order) {
    const Allocation &allocation = snapshot[i];
    next = llvm::alignTo(next, allocation.size >= kLargePage ? kLargePage : kSmallPage);
    shifts[i] = next - allocation.begin;
    timed.allocations.push_back({next, next + allocation.size});
    timed.resident.push_back({timed.allocations.back(), *allocation.changedByKernels});
    placed.push_back(&allocation);
    next += allocation.size;
  }
  return shifts;
}

/// For the launches that come after this one. Workgroups that were not executed would have written
/// to what the others wrote to, so that those launches may read all of it.
void TimedRun::noteChanges() {
  const std::vector<bool> &changed = models.front().timing.changed;
  const bool isPartial = mode == TimingMode::Only && sample.groups.size() < timed.numGroups;
  for (size_t i = 0; i < changed.size(); ++i) {
    if (!changed[i])
      continue;
    *placed[i]->changedByKernels = true;
    if (isPartial && placed[i]->initialized)
      placed[i]->initialized->mark(0, placed[i]->size);
  }
}

/// When the first workgroup has ended.
RecordedGroups TimedRun::choose(uint64_t instructions) {
  instructionsPerGroup = double(instructions);
  sample = chooseSample(timed, instructionsPerGroup, mode == TimingMode::Full);
  if (!timed.synchronizes && sample.skippedRounds > 0)
    return {chooseProbes(timed), {}, {}, /*isFinal=*/false};
  return start(!timed.synchronizes || sample.unitsPerXcd == timed.getUnitsPerXcd());
}

/// When all workgroups of the first choice have ended. Who meets should do so at least twice in a
/// part of a launch whose workgroups may wait for one another.
RecordedGroups TimedRun::extend(const FirstRecords &records) {
  if (!timed.synchronizes) {
    sample = chooseSample(timed, records.instructions);
    return start(/*isFinal=*/true);
  }
  const uint64_t together = uint64_t(sample.unitsPerXcd) * sample.simulatedXcds;
  if (records.largestMeeting != 0 && 2 * records.largestMeeting <= together)
    return start(/*isFinal=*/true);
  sample = chooseSample(timed, instructionsPerGroup, /*full=*/false, 2 * sample.unitsPerXcd);
  return start(sample.unitsPerXcd == timed.getUnitsPerXcd());
}

/// Starts the models when the choice is final.
RecordedGroups TimedRun::start(bool isFinal) {
  if (isFinal)
    for (Model &model : models)
      model.thread = std::thread([this, &model] { simulate(model); });
  return {sample.groups, sample.glimpses, sample.lastGlimpses, isFinal};
}

void TimedRun::simulate(Model &model) {
  try {
    model.timing = timeLaunch(model.timed, sample, store);
    if (model.timed.timeline && model.timing.isComplete)
      writeTimeline(model);
  } catch (const std::exception &error) {
    model.failure = error.what();
  }
  store.abandon();
}

void TimedRun::writeTimeline(Model &model) {
  const std::string &path = launch.options.timingTrace;
  std::string text;
  llvm::raw_string_ostream os(text);
  timeline.write(os, model.timed, sample, model.timing.clockMHz);
  if (llvm::Error error = cksupport::writeFile(path, text))
    timelineFailure = "CK_EMULATOR_TIMING_TRACE: " + llvm::toString(std::move(error));
}

/// What the settings beside the first say, without their instructions and stalls.
llvm::json::Array TimedRun::describeAlternatives() const {
  llvm::json::Array alternatives;
  for (const Model &model : llvm::ArrayRef(models).drop_front()) {
    llvm::json::Object object{{"parameters", model.text}};
    if (model.timing.isComplete) {
      object["modelled_us"] = model.timing.microseconds;
      object["cycles"] = model.timing.cycles;
      object["clock_mhz"] = model.timing.clockMHz;
      for (const char *field : {"bound", "utilisation", "traffic"})
        if (const llvm::json::Value *value = model.timing.details.get(field))
          object[field] = *value;
    } else {
      object["error"] = model.failure;
    }
    alternatives.push_back(std::move(object));
  }
  return alternatives;
}

/// Where traces had no room for all that workgroups execute, the time of what was simulated stands
/// for as many instructions of what was not. Returns what is said of it.
std::optional<llvm::json::Object> TimedRun::extrapolate() {
  const uint64_t simulated = launch.recorder->countRecorded();
  const uint64_t dropped = launch.recorder->countDropped();
  if (dropped == 0 || simulated == 0)
    return std::nullopt;
  const double factor = double(simulated + dropped) / double(simulated);
  for (Model &model : models) {
    model.timing.microseconds *= factor;
    model.timing.cycles *= factor;
  }
  return llvm::json::Object{{"simulated_instructions", int64_t(simulated)},
                            {"executed_instructions", int64_t(simulated + dropped)},
                            {"factor", factor}};
}

llvm::json::Object TimedRun::describe(ModelledLaunch &result) {
  Model &model = models.front();
  LaunchTiming &timing = model.timing;
  if (!timing.isComplete) {
    const std::string failure =
        model.failure.empty() ? "the model did not come to the end of the launch" : model.failure;
    result.failure = "no modelled time of kernel '" +
                     shortenKernelName(launch.kernel.metadata.name) + "': " + failure;
    return llvm::json::Object{{"error", failure}};
  }
  noteChanges();
  llvm::json::Object object = std::move(timing.details);
  if (std::optional<llvm::json::Object> extrapolated = extrapolate())
    object["extrapolated"] = std::move(*extrapolated);
  object["mode"] = getModeName(mode);
  if (!reason.empty())
    object["reason"] = reason;
  object["modelled_us"] = timing.microseconds;
  object["launch_us"] = timing.launchMicroseconds;
  object["cycles"] = timing.cycles;
  object["clock_mhz"] = timing.clockMHz;
  object["sampled"] = llvm::json::Object{{"groups", int64_t(sample.groups.size())},
                                         {"of", int64_t(timed.numGroups)}};
  if (models.size() > 1)
    object["alternatives"] = describeAlternatives();
  result.microseconds = timing.microseconds + timing.launchMicroseconds;
  result.kernelMicroseconds = timing.microseconds;
  return object;
}

std::optional<ModelledLaunch> TimedRun::finish() {
  join();
  if (launch.hasStopped())
    return std::nullopt;
  ModelledLaunch result;
  llvm::json::Object object = describe(result);
  if (!timelineFailure.empty()) {
    object["timeline_error"] = timelineFailure;
    result.failure = timelineFailure;
  }
  object["kernel"] = launch.kernel.metadata.name;
  object["chip"] = timed.chip->name.str();
  object["product"] = timed.chip->product->name.str();
  result.json = llvm::formatv("{0}", llvm::json::Value(std::move(object)));
  return result;
}
