//===- Timing.cpp - How long the waves of a trace take on a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir/Emulator/Timing.h: what a trace must be for the model to replay it, and the way from
// there to timeLaunch, which the emulator calls as well.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Emulator/Timing.h"
#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/Replay/Stalls.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;

/// Waves of a workgroup, and bytes of a lane's access, at most.
static constexpr size_t kMostWaves = 32;
static constexpr unsigned kMostBytes = 32;
static constexpr unsigned kMostUnits = 65536;

template <class... Args>
static llvm::Error refuse(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

/// Whether instructions of this class have accesses in a trace.
static bool accessesMemory(TimingClass timing) {
  return timing == TimingClass::Smem || timing == TimingClass::Vmem || timing == TimingClass::Lds;
}

static llvm::Error checkCode(llvm::ArrayRef<TimedInstruction> code) {
  for (size_t i = 0; i < code.size(); ++i) {
    const TimedInstruction &inst = code[i];
    if (inst.size < 4 || inst.size % 4 != 0)
      return refuse("the size of instruction {0} must be a multiple of 4, got {1}", i,
                    unsigned(inst.size));
    if (i > 0 && inst.offset < code[i - 1].offset + code[i - 1].size)
      return refuse("the offset of instruction {0} must be at least {1}, got {2}", i,
                    code[i - 1].offset + code[i - 1].size, inst.offset);
    if (inst.timing > TimingClass::End)
      return refuse("instruction {0} has no timing class, got {1}", i, unsigned(inst.timing));
    if (inst.bytesPerLane < 4 || inst.bytesPerLane > kMostBytes)
      return refuse("the bytes of a lane of instruction {0} must be in [4, {1}], got {2}", i,
                    kMostBytes, unsigned(inst.bytesPerLane));
    const MatrixShape &shape = inst.matrix;
    if (inst.timing == TimingClass::Matrix && (!shape.m || !shape.n || !shape.k))
      return refuse("the shape of matrix instruction {0} must not be 0, got {1}x{2}x{3}", i,
                    unsigned(shape.m), unsigned(shape.n), shape.k);
  }
  return llvm::Error::success();
}

namespace {
/// Checks one wave of a launch.
class WaveChecker {
public:
  WaveChecker(const LaunchTrace &launch, size_t group, size_t number)
      : launch(launch), wave(launch.groups[group].waves[number]),
        name(llvm::formatv("wave {0} of workgroup {1}", number, group).str()) {}

  llvm::Error check();

private:
  const LaunchTrace &launch;
  const WaveTrace &wave;
  const std::string name;
  std::vector<uint32_t> executed; ///< instructions by position

  llvm::Error checkRuns();
  llvm::Error checkAccess(size_t number, uint32_t next) const;
  llvm::Error checkDependencies() const;
};
} // namespace

static uint64_t countInstructions(const WaveTrace &wave) {
  uint64_t count = 0;
  for (const TraceRun &run : wave.runs)
    count += uint64_t(run.last) - run.first + 1;
  return count;
}

llvm::Error WaveChecker::checkRuns() {
  for (const TraceRun &run : wave.runs) {
    if (run.first > run.last || run.last >= launch.code.size())
      return refuse("{0} must execute instructions in [0, {1}) in ascending order, got {2} to {3}",
                    name, launch.code.size(), run.first, run.last);
    for (uint32_t inst = run.first; inst <= run.last; ++inst)
      executed.push_back(inst);
  }
  return llvm::Error::success();
}

/// `next` is the position of the access before it.
llvm::Error WaveChecker::checkAccess(size_t number, uint32_t next) const {
  const TraceAccess &access = wave.accesses[number];
  if (access.position < next || access.position >= executed.size())
    return refuse("the position of access {0} of {1} must be in [{2}, {3}), got {4}", number, name,
                  next, executed.size(), access.position);
  const uint32_t inst = executed[access.position];
  if (!accessesMemory(launch.code[inst].timing))
    return refuse("access {0} of {1} is of instruction {2}, which accesses no memory", number, name,
                  inst);
  if (uint64_t(access.firstLine) + access.numLines > wave.lines.size())
    return refuse("access {0} of {1} needs {2} lines, got {3}", number, name,
                  uint64_t(access.firstLine) + access.numLines, wave.lines.size());
  if (access.numDependencies != 0 &&
      uint64_t(access.dependency) + access.numDependencies > wave.dependencies.size())
    return refuse("access {0} of {1} needs {2} dependencies, got {3}", number, name,
                  uint64_t(access.dependency) + access.numDependencies, wave.dependencies.size());
  return llvm::Error::success();
}

llvm::Error WaveChecker::checkDependencies() const {
  for (const TraceDependency &dependency : wave.dependencies) {
    if (dependency.group >= launch.groups.size() ||
        dependency.wave >= launch.groups[dependency.group].waves.size())
      return refuse("{0} depends on wave {1} of workgroup {2}, which has no trace", name,
                    dependency.wave, dependency.group);
    const WaveTrace &other = launch.groups[dependency.group].waves[dependency.wave];
    if (dependency.position >= countInstructions(other))
      return refuse("{0} depends on instruction {1} of a wave that executes {2}", name,
                    dependency.position, countInstructions(other));
  }
  return llvm::Error::success();
}

llvm::Error WaveChecker::check() {
  if (llvm::Error error = checkRuns())
    return error;
  uint32_t next = 0;
  for (size_t i = 0; i < wave.accesses.size(); ++i) {
    if (llvm::Error error = checkAccess(i, next))
      return error;
    next = wave.accesses[i].position;
  }
  return checkDependencies();
}

/// Checks what waves execute, and that the groups of `timed` have room.
static llvm::Error checkGroups(const LaunchTrace &launch, const TimedLaunch &timed) {
  const ChipModel &chip = *timed.chip;
  if (launch.groups.empty())
    return refuse("a launch requires at least one workgroup");
  for (size_t group = 0; group < launch.groups.size(); ++group) {
    const size_t numWaves = launch.groups[group].waves.size();
    if (numWaves == 0 || numWaves > kMostWaves)
      return refuse("workgroup {0} must have 1 to {1} waves, got {2}", group, kMostWaves, numWaves);
    for (size_t wave = 0; wave < numWaves; ++wave)
      if (llvm::Error error = WaveChecker(launch, group, wave).check())
        return error;
  }
  const uint64_t places = uint64_t(chip.simdsPerUnit) * chip.wavesPerSimd;
  if (timed.groupsPerUnit == 0 || uint64_t(timed.groupsPerUnit) * timed.wavesPerGroup > places)
    return refuse("a compute unit of {0} holds at least one workgroup and at most {1} waves, got "
                  "{2} workgroups of {3} waves",
                  chip.name, places, timed.groupsPerUnit, timed.wavesPerGroup);
  return llvm::Error::success();
}

static llvm::Expected<TimedLaunch> makeLaunch(const LaunchTrace &launch) {
  llvm::Expected<const ChipModel *> chip = getChipModel(launch.chip);
  if (!chip)
    return chip.takeError();
  llvm::Expected<TimingParameters> parameters = getTimingParameters(**chip, launch.parameters);
  if (!parameters)
    return parameters.takeError();
  TimedLaunch timed;
  timed.code = &launch.code;
  timed.chip = *chip;
  timed.parameters = *parameters;
  timed.computeUnits = launch.computeUnits ? launch.computeUnits : (*chip)->product->computeUnits;
  timed.groupsPerUnit = launch.groupsPerUnit;
  timed.waveSize = launch.waveSize ? launch.waveSize : (*chip)->waveSize;
  timed.numGroups = launch.groups.size();
  for (const GroupTrace &group : launch.groups) {
    timed.wavesPerGroup = std::max(timed.wavesPerGroup, unsigned(group.waves.size()));
    for (const WaveTrace &wave : group.waves)
      timed.synchronizes |= !wave.dependencies.empty();
  }
  if (timed.computeUnits > kMostUnits)
    return refuse("the compute units must be in [1, {0}], got {1}", kMostUnits, timed.computeUnits);
  if (timed.waveSize != 64 && (timed.waveSize != 32 || isCdna((*chip)->isa)))
    return refuse("waves of {0} have {1} lanes, got {2}", (*chip)->name,
                  isCdna((*chip)->isa) ? "64" : "32 or 64", timed.waveSize);
  if (llvm::Error error = checkCode(launch.code))
    return std::move(error);
  if (llvm::Error error = checkGroups(launch, timed))
    return std::move(error);
  return timed;
}

static LaunchTimes makeTiming(LaunchTiming timing) {
  LaunchTimes result;
  result.cycles = timing.cycles;
  result.clockMHz = timing.clockMHz;
  result.microseconds = timing.microseconds;
  result.launchMicroseconds = timing.launchMicroseconds;
  result.groupStarts.assign(timing.groupStarts.begin(), timing.groupStarts.end());
  result.groupEnds.assign(timing.groupEnds.begin(), timing.groupEnds.end());
  for (size_t i = 0; i < timing.stallsOfWaves.size(); ++i) {
    WaveTiming wave;
    wave.issueCycles = timing.issueOfWaves[i];
    for (unsigned stall = 1; stall < kNumStalls; ++stall)
      if (uint64_t cycles = timing.stallsOfWaves[i][stall])
        wave.stallCycles[getStallName(Stall(stall)).str()] = cycles;
    result.waves.push_back(std::move(wave));
  }
  result.report = llvm::formatv("{0}", llvm::json::Value(std::move(timing.details)));
  return result;
}

std::string ckemu::timeTraces(const LaunchTrace &launch, LaunchTimes &timing) {
  llvm::Expected<TimedLaunch> timed = makeLaunch(launch);
  if (!timed)
    return llvm::toString(timed.takeError());
  TraceStore store;
  for (size_t i = 0; i < launch.groups.size(); ++i) {
    auto group = std::make_unique<GroupTrace>(launch.groups[i]);
    group->linearId = i;
    for (WaveTrace &wave : group->waves)
      wave.numInstructions = uint32_t(countInstructions(wave));
    store.put(std::move(group));
  }
  store.close();
  const GroupSample sample = chooseSample(*timed, /*instructionsPerGroup=*/1, /*full=*/true);
  LaunchTiming modelled = timeLaunch(*timed, sample, store);
  if (!modelled.isComplete)
    return "the model did not come to the end of the launch";
  timing = makeTiming(std::move(modelled));
  return "";
}
