//===- Timing.cpp - Times of the model of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Timing.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Environment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Stall reasons and units that the text shows.
static constexpr size_t kListed = 5;

double ProgramTiming::getMicroseconds() const {
  double sum = 0;
  for (size_t i = 0; i < kernels.size(); ++i)
    sum += kernels[i].second.microseconds + (i == 0 ? 0 : kernels[i].second.launchMicroseconds);
  return sum;
}

std::pair<double, double> ProgramTiming::getError() const {
  double low = 0, high = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const KernelTiming &kernel = kernels[i].second;
    const double us = kernel.microseconds + (i == 0 ? 0 : kernel.launchMicroseconds);
    low += us * kernel.lowest;
    high += us * kernel.highest;
  }
  return {low, high};
}

const KernelTiming &ProgramTiming::getLongest() const {
  return llvm::max_element(kernels,
                           [](const auto &a, const auto &b) {
                             return a.second.microseconds < b.second.microseconds;
                           })
      ->second;
}

/// The numbers of an object, largest first.
static std::vector<std::pair<std::string, double>> readNumbers(const llvm::json::Object *object) {
  std::vector<std::pair<std::string, double>> numbers;
  if (!object)
    return numbers;
  for (const auto &[name, value] : *object)
    numbers.emplace_back(name.str(), value.getAsNumber().value_or(0));
  llvm::sort(numbers, [](const auto &a, const auto &b) {
    return std::make_pair(-a.second, a.first) < std::make_pair(-b.second, b.first);
  });
  return numbers;
}

static void readInstructions(const llvm::json::Array *array, KernelTiming &timing) {
  for (size_t i = 0; array && i < array->size(); ++i) {
    const llvm::json::Object *entry = (*array)[i].getAsObject();
    if (!entry)
      continue;
    timing.instructions.push_back({entry->getInteger("offset").value_or(0),
                                   entry->getInteger("executions").value_or(0),
                                   readNumbers(entry->getObject("stall_cycles"))});
  }
}

static void readRoles(const llvm::json::Array *array, KernelTiming &timing) {
  for (size_t i = 0; array && i < array->size(); ++i) {
    const llvm::json::Object *entry = (*array)[i].getAsObject();
    const llvm::json::Array *waves = entry ? entry->getArray("waves") : nullptr;
    if (!waves)
      continue;
    RoleTiming role;
    role.name = entry->getString("name").value_or("").str();
    for (const llvm::json::Value &wave : *waves)
      role.waves.push_back(wave.getAsInteger().value_or(0));
    role.issue = entry->getNumber("issue").value_or(0);
    role.stalls = readNumbers(entry->getObject("stalls"));
    role.busyCycles = readNumbers(entry->getObject("busy_cycles"));
    role.utilisation = readNumbers(entry->getObject("utilisation"));
    timing.roles.push_back(std::move(role));
  }
}

static void readAlternatives(const llvm::json::Array *array, KernelTiming &timing) {
  for (size_t i = 0; array && i < array->size(); ++i)
    if (const llvm::json::Object *entry = (*array)[i].getAsObject())
      timing.alternatives.push_back({entry->getString("parameters").value_or("").str(),
                                     entry->getNumber("modelled_us").value_or(0),
                                     entry->getString("bound").value_or("unknown").str()});
}

Expected<KernelTiming> mlir::ck::readTiming(const llvm::json::Object &object) {
  KernelTiming timing;
  std::optional<double> microseconds = object.getNumber("modelled_us");
  std::optional<double> launch = object.getNumber("launch_us");
  if (!microseconds || !launch)
    return llvm::createStringError("the emulator has no modelled time of the launch: " +
                                   object.getString("error").value_or("it was not timed"));
  if (std::optional<llvm::StringRef> error = object.getString("timeline_error"))
    return llvm::createStringError(*error);
  timing.microseconds = *microseconds;
  timing.clockMHz = object.getNumber("clock_mhz").value_or(0);
  timing.launchMicroseconds = *launch;
  timing.bound = object.getString("bound").value_or("unknown").str();
  timing.utilisation = readNumbers(object.getObject("utilisation"));
  timing.stalls = readNumbers(object.getObject("stalls"));
  timing.note = object.getString("reason").value_or("").str();
  if (const llvm::json::Object *sampled = object.getObject("sampled")) {
    timing.sampledGroups = sampled->getInteger("groups").value_or(0);
    timing.numGroups = sampled->getInteger("of").value_or(0);
  }
  if (const llvm::json::Object *extrapolated = object.getObject("extrapolated")) {
    timing.simulatedInstructions = extrapolated->getInteger("simulated_instructions").value_or(0);
    timing.executedInstructions = extrapolated->getInteger("executed_instructions").value_or(0);
  }
  if (const llvm::json::Object *judged = object.getObject("modelled_error")) {
    timing.lowest = judged->getNumber("lowest").value_or(1);
    timing.highest = judged->getNumber("highest").value_or(1);
    timing.judgedBy = (llvm::Twine(judged->getInteger("calls").value_or(0)) + " calls, " +
                       judged->getString("source").value_or("unknown") + ", " +
                       judged->getString("kernels").value_or("unknown"))
                          .str();
  }
  readRoles(object.getArray("roles"), timing);
  readInstructions(object.getArray("instructions"), timing);
  readAlternatives(object.getArray("alternatives"), timing);
  return timing;
}

Error mlir::ck::checkTiming(const HipApi &api) {
  if (api.isEmulator())
    return Error::success();
  return llvm::createStringError("modelled time exists only in the emulator, got '" +
                                 api.getPath() + "', which runs kernels on a GPU");
}

Error mlir::ck::startTiming(const HipApi &api, TimedGroups groups) {
  if (Error error = checkTiming(api))
    return error;
  std::string mode = getVariable("CK_EMULATOR_TIMING");
  if (mode.empty() || mode == "off")
    mode = groups == TimedGroups::All ? "on" : "only";
  return api.setVariable("CK_EMULATOR_TIMING", mode);
}

Error mlir::ck::stopTiming(const HipApi &api) {
  for (const char *name : {"CK_EMULATOR_TIMING", "CK_EMULATOR_TIMING_TRACE"})
    if (Error error = api.setVariable(name, getVariable(name)))
      return error;
  return Error::success();
}

Expected<KernelTiming> mlir::ck::readLaunchTiming(const HipApi &api) {
  Expected<llvm::json::Value> value = api.getLaunchTiming();
  if (!value)
    return value.takeError();
  if (!value->getAsObject())
    return llvm::createStringError("the emulator returned no modelled time");
  return readTiming(*value->getAsObject());
}

Expected<ProgramTiming> mlir::ck::modelTime(const LoadedKernel &kernel,
                                            const LaunchArguments &arguments, TimedGroups groups) {
  const HipApi &api = kernel.getApi();
  if (Error error = startTiming(api, groups))
    return error;
  ProgramTiming timing;
  Error error = kernel.launch(nullptr, arguments, [&](const ImageLaunch &launch) -> Error {
    if (Error fault = api.check(api.StreamSynchronize(nullptr), "hipStreamSynchronize"))
      return fault;
    Expected<KernelTiming> ofLaunch = readLaunchTiming(api);
    if (!ofLaunch)
      return ofLaunch.takeError();
    timing.kernels.emplace_back(launch.kernel, std::move(*ofLaunch));
    return Error::success();
  });
  error = llvm::joinErrors(std::move(error), stopTiming(api));
  if (error)
    return error;
  return timing;
}

void mlir::ck::addStalls(KernelProfile &profile, const KernelTiming &timing) {
  for (RoleProfile &role : profile.roles)
    for (InstructionProfile &inst : role.instructions) {
      auto found =
          llvm::find_if(timing.instructions, [&](const auto &i) { return i.pc == inst.pc; });
      if (found == timing.instructions.end() || found->executions == 0)
        continue;
      double cycles = 0;
      for (const auto &[reason, count] : found->stallCycles)
        cycles += count;
      inst.stallCycles = cycles / double(found->executions);
      if (cycles > 0)
        inst.stallReason = found->stallCycles.front().first;
    }
}

static void writeNumbers(llvm::json::OStream &json, StringRef name,
                         llvm::ArrayRef<std::pair<std::string, double>> numbers) {
  json.attributeObject(name, [&] {
    for (const auto &[key, value] : numbers)
      json.attribute(key, value);
  });
}

static void writeRole(llvm::json::OStream &json, const RoleTiming &role) {
  json.object([&] {
    json.attribute("name", role.name);
    json.attributeArray("waves", [&] {
      for (int64_t wave : role.waves)
        json.value(wave);
    });
    json.attribute("issue", role.issue);
    writeNumbers(json, "stalls", role.stalls);
    writeNumbers(json, "busy_cycles", role.busyCycles);
    writeNumbers(json, "utilisation", role.utilisation);
  });
}

void mlir::ck::writeJson(llvm::json::OStream &json, const ProgramTiming &timing) {
  const auto [low, high] = timing.getError();
  const KernelTiming &longest = timing.getLongest();
  json.attribute("modelled_us", timing.getMicroseconds());
  json.attribute("modelled_error", llvm::json::Array{low, high});
  json.attribute("modelled_bound", longest.bound);
  writeNumbers(json, "modelled_utilisation", longest.utilisation);
  writeNumbers(json, "modelled_stalls", longest.stalls);
  json.attributeArray("modelled_kernels", [&] {
    for (const auto &entry : timing.kernels)
      json.object([&] {
        const KernelTiming &kernel = entry.second;
        json.attribute("name", entry.first);
        json.attribute("modelled_us", kernel.microseconds);
        json.attribute("clock_mhz", kernel.clockMHz);
        json.attribute("launch_us", kernel.launchMicroseconds);
        json.attribute("bound", kernel.bound);
        json.attribute("modelled_error", llvm::json::Array{kernel.lowest * kernel.microseconds,
                                                           kernel.highest * kernel.microseconds});
        json.attribute("judged_by", kernel.judgedBy);
        json.attribute("groups", kernel.numGroups);
        json.attribute("simulated_groups", kernel.sampledGroups);
        if (kernel.executedInstructions != 0) {
          json.attribute("simulated_instructions", kernel.simulatedInstructions);
          json.attribute("executed_instructions", kernel.executedInstructions);
        }
        json.attributeArray("roles", [&] {
          for (const RoleTiming &role : kernel.roles)
            writeRole(json, role);
        });
        if (!kernel.note.empty())
          json.attribute("reason", kernel.note);
        if (!kernel.alternatives.empty())
          json.attributeArray("alternatives", [&] {
            for (const KernelTiming::Alternative &other : kernel.alternatives)
              json.value(llvm::json::Object{{"parameters", other.parameters},
                                            {"modelled_us", other.microseconds},
                                            {"bound", other.bound}});
          });
      });
  });
}

/// "matrix 61 %, lds 40 %" of the largest.
static std::string formatShares(llvm::ArrayRef<std::pair<std::string, double>> shares) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, share] : shares.take_front(kListed))
    if (share >= 0.005)
      os << (text.empty() ? "" : ", ") << name << llvm::format(" %.0f %%", 100 * share);
  return text.empty() ? "nothing" : text;
}

/// "0-3, 6" of ascending numbers.
static std::string formatRanges(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
    last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    os << (first == 0 ? "" : ", ") << numbers[first];
    if (last != first)
      os << '-' << numbers[last];
  }
  return text;
}

/// What the waves do that were given a part of the work.
static void printRole(llvm::raw_ostream &os, const RoleTiming &role) {
  os << "          " << llvm::left_justify(role.name, 8) << " wave"
     << (role.waves.size() == 1 ? " " : "s ") << formatRanges(role.waves)
     << llvm::format(" issue %.0f %% of their time", 100 * role.issue) << "; units "
     << formatShares(role.utilisation) << "; stalls " << formatShares(role.stalls) << '\n';
}

void mlir::ck::printText(llvm::raw_ostream &os, const ProgramTiming &timing, double flops) {
  const double microseconds = timing.getMicroseconds();
  const auto [low, high] = timing.getError();
  os << llvm::format("modelled  %.1f us (%.1f TFLOPS) by the model of the chip, not measured; "
                     "nine of ten measured times lie between %.1f and %.1f us\n",
                     microseconds, flops / (microseconds * 1e6), low, high);
  for (const auto &[name, kernel] : timing.kernels) {
    os << "          " << name
       << llvm::format(": %.1f us at %.0f MHz, bound by ", kernel.microseconds, kernel.clockMHz)
       << kernel.bound << "; " << kernel.sampledGroups << " of " << kernel.numGroups
       << " workgroups simulated\n";
    os << llvm::format("          nine of ten such kernels between %.2f and %.2f times that: ",
                       kernel.lowest, kernel.highest)
       << kernel.judgedBy << '\n';
    if (kernel.executedInstructions != 0)
      os << "          extrapolated: of " << kernel.executedInstructions
         << " instructions of these workgroups " << kernel.simulatedInstructions
         << " had room in their traces (CK_EMULATOR_TIMING_MEMORY)\n";
    if (!kernel.note.empty())
      os << "          all workgroups were executed: " << kernel.note << '\n';
    os << "          units    " << formatShares(kernel.utilisation) << '\n';
    os << "          stalls   " << formatShares(kernel.stalls) << '\n';
    if (kernel.roles.size() > 1)
      for (const RoleTiming &role : kernel.roles)
        printRole(os, role);
    for (const KernelTiming::Alternative &other : kernel.alternatives)
      os << "          with "
         << (other.parameters.empty() ? "the chip's parameters" : other.parameters)
         << llvm::format(": %.1f us, bound by ", other.microseconds) << other.bound << '\n';
  }
}
