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
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace ckemu;

/// A unit that is busy for this share of the time bounds the kernel.
static constexpr double kBound = 0.6;

static double getShare(double busy, double available) {
  return available > 0 ? busy / available : 0;
}

/// How many cycles each unit of the simulated part has.
static BusyCycles getAvailable(const TimedLaunch &launch, const SimulatedPart &part,
                               const ReplayResult &result) {
  const auto cycles = double(result.end);
  const double units = part.simulatedUnits;
  const double simds = units * launch.chip->simdsPerUnit;
  return {simds * cycles,
          simds * cycles,
          simds * cycles,
          units * cycles,
          units * launch.parameters.l1Count * cycles,
          part.simulatedXcds * launch.parameters.l2Channels * cycles,
          cycles,
          cycles};
}

/// The cycles in which the units worked, also for what is written back, which no wave has asked
/// for.
static BusyCycles getBusy(const ReplayResult &result) {
  BusyCycles busy = result.sumBusy();
  busy[size_t(BusyUnit::L2)] = result.traffic.l2BusyCycles;
  busy[size_t(BusyUnit::Mall)] = result.traffic.mallBusyCycles;
  busy[size_t(BusyUnit::Hbm)] = result.traffic.hbmBusyCycles;
  return busy;
}

/// The shares of the time in which units worked.
static BusyCycles getUtilisation(const BusyCycles &busy, const BusyCycles &available) {
  BusyCycles shares = {};
  for (unsigned i = 0; i < kNumBusyUnits; ++i)
    shares[i] = getShare(busy[i], available[i]);
  return shares;
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
                             const BusyCycles &utilisation, const StallCycles &stalls) {
  if (timing.launchMicroseconds > timing.microseconds)
    return "launch";
  const auto *busiest = llvm::max_element(utilisation);
  const auto unit = BusyUnit(busiest - utilisation.begin());
  if (*busiest >= kBound)
    return getUnitName(unit).str();
  if (launch.numGroups < launch.computeUnits)
    return "too few workgroups";
  const auto longest = Stall(llvm::max_element(stalls) - stalls.begin());
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
    return getUnitName(unit).str();
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

/// By unit.
static llvm::json::Object toJson(const BusyCycles &numbers) {
  llvm::json::Object object;
  for (unsigned i = 0; i < kNumBusyUnits; ++i)
    object[getUnitName(BusyUnit(i))] = numbers[i];
  return object;
}

/// What the waves of one role do, and what they keep busy.
static llvm::json::Object describeRole(WaveRole role, llvm::ArrayRef<WaveRole> roles,
                                       const ReplayResult &result, const StallTable &stalls,
                                       const BusyCycles &available) {
  llvm::json::Array waves;
  BusyCycles busy = {};
  StallCycles sum = {};
  uint64_t issue = 0;
  for (size_t wave = 0; wave < roles.size(); ++wave) {
    if (roles[wave] != role)
      continue;
    waves.push_back(int64_t(wave));
    for (unsigned i = 0; i < kNumBusyUnits; ++i)
      busy[i] += result.waves[wave].busy[i];
    for (unsigned i = 0; i < kNumStalls; ++i)
      sum[i] += stalls.byWave[wave][i];
    issue += stalls.issueByWave[wave];
  }
  const auto total = double(std::max<uint64_t>(1, std::accumulate(sum.begin(), sum.end(), issue)));
  return llvm::json::Object{
      {"name", getRoleName(role)},      {"waves", std::move(waves)},
      {"issue", double(issue) / total}, {"stalls", toJson(sum, total)},
      {"busy_cycles", toJson(busy)},    {"utilisation", toJson(getUtilisation(busy, available))}};
}

static llvm::json::Array describeRoles(const ReplayResult &result, const StallTable &stalls,
                                       const BusyCycles &available) {
  const std::vector<WaveRole> roles = findRoles(result.waves);
  llvm::json::Array array;
  for (unsigned i = 0; i < kNumWaveRoles; ++i)
    if (llvm::is_contained(roles, WaveRole(i)))
      array.push_back(describeRole(WaveRole(i), roles, result, stalls, available));
  return array;
}

/// By number of the wave in its workgroup.
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
  for (size_t i = 0; i < launch.code->size(); ++i) {
    if (stalls.executions[i] == 0)
      continue;
    const TimedInstruction &inst = (*launch.code)[i];
    array.push_back(llvm::json::Object{{"offset", int64_t(inst.offset)},
                                       {"text", inst.text},
                                       {"executions", int64_t(stalls.executions[i])},
                                       {"stall_cycles", toJson(stalls.byInstruction[i], 1)}});
  }
  return array;
}

llvm::json::Object ckemu::describeTiming(const TimedLaunch &launch, const SimulatedPart &part,
                                         const ReplayResult &result, const StallTable &stalls,
                                         const LaunchTiming &timing) {
  const BusyCycles available = getAvailable(launch, part, result);
  const BusyCycles utilisation = getUtilisation(getBusy(result), available);
  const StallCycles sum = sumStalls(stalls);
  const uint64_t issue =
      std::accumulate(stalls.issueByWave.begin(), stalls.issueByWave.end(), uint64_t(0));
  const uint64_t total = std::accumulate(sum.begin(), sum.end(), issue);
  const MemoryTraffic &traffic = result.traffic;
  return llvm::json::Object{
      {"bound", findBound(launch, timing, utilisation, sum)},
      {"utilisation", toJson(utilisation)},
      {"stalls", toJson(sum, double(std::max<uint64_t>(1, total)))},
      {"roles", describeRoles(result, stalls, available)},
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
