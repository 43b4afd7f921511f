//===- Options.cpp - Settings of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Options.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/Options.h"
#include "Emulator/Machine/Variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <thread>

using namespace ckemu;
using llvm::StringRef;

/// Reads an unsigned variable in [1, limit]; absent leaves `value` alone.
template <class T>
static llvm::Error readNumber(const char *name, uint64_t limit, T &value) {
  const std::optional<std::string> text = getVariable(name);
  if (!text)
    return llvm::Error::success();
  uint64_t number = 0;
  if (StringRef(*text).getAsInteger(10, number) || number < 1 || number > limit)
    return llvm::createStringError(llvm::Twine(name) + " must be in [1, " + llvm::Twine(limit) +
                                   "], got '" + *text + "'");
  value = T(number);
  return llvm::Error::success();
}

/// Reads a variable that is on or off; absent leaves `value` alone.
static llvm::Error readSwitch(const char *name, bool &value) {
  const std::optional<std::string> text = getVariable(name);
  if (text && *text != "on" && *text != "off")
    return llvm::createStringError(llvm::Twine(name) + " must be on or off, got '" + *text + "'");
  value = text ? *text == "on" : value;
  return llvm::Error::success();
}

static llvm::Error readSchedule(std::optional<uint64_t> &seed) {
  const std::optional<std::string> text = getVariable("CK_EMULATOR_SCHEDULE");
  if (!text || *text == "round_robin")
    return llvm::Error::success();
  StringRef value(*text);
  uint64_t number = 0;
  if (!value.consume_front("random:") || value.getAsInteger(10, number))
    return llvm::createStringError(
        "CK_EMULATOR_SCHEDULE must be round_robin or random:SEED, got '" + llvm::Twine(*text) +
        "'");
  seed = number;
  return llvm::Error::success();
}

llvm::Expected<Checks> Checks::parse(StringRef text) {
  Checks result{false, false, false, false, false};
  if (text == "off")
    return result;
  llvm::SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    if (name == "bounds")
      continue;
    if (name == "on") {
      const bool barriers = result.barriers;
      result = Checks();
      result.barriers = barriers;
      continue;
    }
    bool *check = llvm::StringSwitch<bool *>(name)
                      .Case("uninitialized", &result.uninitialized)
                      .Case("races", &result.races)
                      .Case("barriers", &result.barriers)
                      .Case("alignment", &result.alignment)
                      .Case("waits", &result.waits)
                      .Default(nullptr);
    if (!check)
      return llvm::createStringError(
          "expected on, off or a list of bounds, uninitialized, races, barriers, alignment, waits, "
          "leaks, got '" +
          name + "'");
    *check = true;
  }
  return result;
}

/// Leaks are no concern of a launch: their name, which may stand in the list, is taken out of it.
static llvm::Error readChecks(Options &options) {
  const std::optional<std::string> text = getVariable("CK_EMULATOR_CHECKS");
  if (!text)
    return llvm::Error::success();
  llvm::SmallVector<StringRef> names;
  StringRef(*text).split(names, ',');
  options.leaks = llvm::is_contained(names, "on") || llvm::is_contained(names, "leaks");
  llvm::erase(names, "leaks");
  llvm::Expected<Checks> parsed = Checks::parse(names.empty() ? "off" : llvm::join(names, ","));
  if (!parsed)
    return llvm::createStringError("CK_EMULATOR_CHECKS: " + llvm::toString(parsed.takeError()));
  options.checks = *parsed;
  return llvm::Error::success();
}

llvm::Expected<TimingMode> ckemu::readTimingMode() {
  const std::string text = getVariable("CK_EMULATOR_TIMING").value_or("off");
  const auto mode = llvm::StringSwitch<std::optional<TimingMode>>(text)
                        .Case("off", TimingMode::Off)
                        .Case("on", TimingMode::On)
                        .Case("full", TimingMode::Full)
                        .Case("only", TimingMode::Only)
                        .Default(std::nullopt);
  if (!mode)
    return llvm::createStringError("CK_EMULATOR_TIMING must be off, on, full or only, got '" +
                                   text + "'");
  return *mode;
}

llvm::Expected<Options> Options::fromEnvironment() {
  Options options;
  auto chip = getChipModel(getVariable("CK_EMULATOR_CHIP").value_or("gfx942"));
  if (!chip)
    return llvm::createStringError("CK_EMULATOR_CHIP: " + llvm::toString(chip.takeError()));
  options.chip = *chip;
  options.computeUnits = options.chip->product->computeUnits;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  if (llvm::Error error = readNumber("CK_EMULATOR_CUS", 1u << 16, options.computeUnits))
    return std::move(error);
  if (llvm::Error error = readNumber("CK_EMULATOR_THREADS", 1024, options.threads))
    return std::move(error);
  if (llvm::Error error =
          readNumber("CK_EMULATOR_HANG_INSTRUCTIONS", ~0ull, options.hangInstructions))
    return std::move(error);
  if (llvm::Error error = readNumber("CK_EMULATOR_WAIT_SECONDS", 1u << 20, options.waitSeconds))
    return std::move(error);
  if (llvm::Error error =
          readNumber("CK_EMULATOR_TIMING_MEMORY", uint64_t(1) << 40, options.timingMemory))
    return std::move(error);
  if (llvm::Error error = readSwitch("CK_EMULATOR_PROFILE", options.profile))
    return std::move(error);
  if (llvm::Error error = readSwitch("CK_EMULATOR_PROGRESS", options.progress))
    return std::move(error);
  if (llvm::Error error = readSchedule(options.shuffleSeed))
    return std::move(error);
  if (llvm::Error error = readChecks(options))
    return std::move(error);
  llvm::Expected<TimingMode> timing = readTimingMode();
  if (!timing)
    return timing.takeError();
  options.timing = *timing;
  options.timingTrace = getVariable("CK_EMULATOR_TIMING_TRACE").value_or("");
  options.timingParameters = getVariable("CK_EMULATOR_TIMING_PARAMETERS").value_or("");
  return options;
}
