//===- Report.cpp - What the model of time says beside a time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Report.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Report.h"

using namespace mlir::ck::emulator;

namespace {
/// The share of the time in which a unit worked.
struct Utilisation {
  llvm::StringLiteral name;
  double share;
};
} // namespace

/// A unit that is busy for this share of the time bounds the kernel.
static constexpr double kBound = 0.6;

static double getShare(double busy, double available) {
  return available > 0 ? busy / available : 0;
}

static std::vector<Utilisation>
getUtilisations(const TimedLaunch &launch, const SimulatedPart &part, const ReplayResult &result) {
  const auto cycles = double(result.end);
  const double units = part.simulatedUnits;
  const double simds = units * launch.chip->simdsPerUnit;
  const MemoryTraffic &traffic = result.traffic;
  return {{"matrix", getShare(result.matrixBusy, simds * cycles)},
          {"valu", getShare(result.valuBusy, simds * cycles)},
          {"lds", getShare(result.ldsBusy, units * cycles)},
          {"l1", getShare(traffic.l1BusyCycles, units * launch.parameters.l1Count * cycles)},
          {"l2", getShare(traffic.l2BusyCycles,
                          part.simulatedXcds * launch.parameters.l2Channels * cycles)},
          {"mall", getShare(traffic.mallBusyCycles, cycles)},
          {"hbm", getShare(traffic.hbmBusyCycles, cycles)}};
}

static StallCycles sumStalls(const StallTable &stalls) {
  StallCycles sum = {};
  for (const StallCycles &wave : stalls.byWave)
    for (unsigned i = 0; i < kNumStalls; ++i)
      sum[i] += wave[i];
  return sum;
}

/// What the time of the kernel is decided by.
static std::string findBound(const TimedLaunch &launch, const LaunchTiming &timing,
                             llvm::ArrayRef<Utilisation> utilisations, const StallCycles &stalls) {
  if (timing.launchMicroseconds > timing.microseconds)
    return "launch";
  const auto *busiest = std::max_element(
      utilisations.begin(), utilisations.end(),
      [](const Utilisation &a, const Utilisation &b) { return a.share < b.share; });
  if (busiest->share >= kBound)
    return busiest->name.str();
  if (launch.numGroups < launch.computeUnits)
    return "too few workgroups";
  const auto longest = Stall(std::max_element(stalls.begin(), stalls.end()) - stalls.begin());
  switch (longest) {
  case Stall::Barrier:
  case Stall::Flag:
    return "barriers";
  case Stall::Loads:
  case Stall::Stores:
  case Stall::Lds:
  case Stall::Scalar:
  case Stall::Fetch:
  case Stall::Dependency:
    return "latency";
  default:
    return busiest->name.str();
  }
}

/// The reasons that occurred, in cycles of waves or as shares of `total`.
static llvm::json::Object toJson(const StallCycles &stalls, double total) {
  llvm::json::Object object;
  for (unsigned i = 1; i < kNumStalls; ++i)
    if (stalls[i])
      object[getStallName(Stall(i))] = double(stalls[i]) / total;
  return object;
}

/// By number of the wave in its workgroup, which is its role.
static llvm::json::Array describeWaves(const StallTable &stalls) {
  llvm::json::Array array;
  for (size_t i = 0; i < stalls.byWave.size(); ++i) {
    uint64_t total = stalls.issueByWave[i];
    for (uint64_t cycles : stalls.byWave[i])
      total += cycles;
    if (total == 0)
      continue;
    array.push_back(llvm::json::Object{{"issue", double(stalls.issueByWave[i]) / double(total)},
                                       {"stalls", toJson(stalls.byWave[i], double(total))}});
  }
  return array;
}

static llvm::json::Array describeInstructions(const TimedLaunch &launch, const StallTable &stalls) {
  llvm::json::Array array;
  for (const Instruction &inst : launch.code->getInstructions()) {
    if (stalls.executions[inst.index] == 0)
      continue;
    array.push_back(
        llvm::json::Object{{"offset", int64_t(inst.offset)},
                           {"text", launch.code->getText(&inst).trim()},
                           {"executions", int64_t(stalls.executions[inst.index])},
                           {"stall_cycles", toJson(stalls.byInstruction[inst.index], 1)}});
  }
  return array;
}

llvm::json::Object mlir::ck::emulator::describeTiming(const TimedLaunch &launch,
                                                      const SimulatedPart &part,
                                                      const ReplayResult &result,
                                                      const StallTable &stalls,
                                                      const LaunchTiming &timing) {
  const std::vector<Utilisation> utilisations = getUtilisations(launch, part, result);
  const StallCycles sum = sumStalls(stalls);
  uint64_t total = 0;
  for (uint64_t cycles : sum)
    total += cycles;
  for (uint64_t cycles : stalls.issueByWave)
    total += cycles;
  llvm::json::Object shares;
  for (const Utilisation &utilisation : utilisations)
    shares[utilisation.name] = utilisation.share;
  const MemoryTraffic &traffic = result.traffic;
  return llvm::json::Object{
      {"bound", findBound(launch, timing, utilisations, sum)},
      {"utilisation", std::move(shares)},
      {"stalls", toJson(sum, double(std::max<uint64_t>(1, total)))},
      {"waves", describeWaves(stalls)},
      {"simulated_instructions", int64_t(result.instructions)},
      {"broken_dependencies", int64_t(result.brokenDependencies)},
      {"traffic",
       llvm::json::Object{{"l1_hit_rate", getShare(traffic.l1Hits, traffic.l1Requests)},
                          {"l2_hit_rate", getShare(traffic.l2HitBytes, traffic.l2Bytes)},
                          {"mall_hit_rate", getShare(traffic.mallHitBytes, traffic.mallBytes)},
                          {"hbm_bytes", traffic.hbmBytes}}},
      {"instructions", describeInstructions(launch, stalls)}};
}
