//===- Lists.cpp - What the emulator knows, for ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of the emulator as JSON, from the code that uses them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Refuse.h"
#include "Emulator/Hip/State.h"
#include "Emulator/Hip/Version.h"
#include "Emulator/Isa/VectorLevel.h"
#include "Emulator/Machine/Variables.h"
#include "Emulator/Timing/Parameters.h"
#include "ck-mlir/Emulator/EmulatorApi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace ckemu;
using namespace ckemu::hip;

static llvm::json::Array listProducts() {
  llvm::json::Array result;
  for (const ChipModel &model : getProductModels())
    result.push_back(llvm::json::Object{{"chip", model.name},
                                        {"product", model.product->name},
                                        {"device", model.product->deviceName},
                                        {"units", int64_t(model.product->computeUnits)},
                                        {"clock_mhz", int64_t(model.product->clockMHz)},
                                        {"memory_bytes", int64_t(model.product->memoryBytes)}});
  return result;
}

static llvm::json::Array listRefusedFunctions() {
  std::vector<std::string> names;
  for (const RefusedName *refused = RefusedName::first; refused; refused = refused->next)
    names.emplace_back(refused->name);
  llvm::sort(names);
  return llvm::json::Array(names);
}

static std::optional<llvm::json::Array> list(llvm::StringRef what) {
  if (what == "variables") {
    llvm::json::Array names;
    for (llvm::StringRef name : getVariableNames())
      names.push_back(name);
    return names;
  }
  if (what == "products")
    return listProducts();
  if (what == "refused functions")
    return listRefusedFunctions();
  if (!what.consume_front("instructions "))
    return std::nullopt;
  llvm::Expected<const ChipModel *> chip = getChipModel(what);
  if (chip)
    return llvm::json::Array(getInstructionTable((*chip)->isa).getMnemonics());
  llvm::consumeError(chip.takeError());
  return std::nullopt;
}

const char *ckEmulatorList(const char *what) {
  static thread_local std::string text;
  std::optional<llvm::json::Array> found = what ? list(what) : std::nullopt;
  text = found ? llvm::formatv("{0}", llvm::json::Value(std::move(*found))).str() : "";
  return text.c_str();
}

/// What the first call of HIP or a launch would find wrong.
static llvm::Error checkVariables() {
  llvm::Expected<Options> options = Options::fromEnvironment();
  if (!options)
    return options.takeError();
  if (llvm::Expected<unsigned> version = readHipVersion(); !version)
    return version.takeError();
  if (llvm::Expected<VectorLevel> level = selectVectorLevel(); !level)
    return level.takeError();
  llvm::Expected<std::vector<TimingSetting>> settings =
      getTimingSettings(*options->chip, options->timingParameters);
  return settings ? llvm::Error::success()
                  : llvm::createStringError("CK_EMULATOR_TIMING_PARAMETERS: " +
                                            llvm::toString(settings.takeError()));
}

const char *ckEmulatorCheckVariables() {
  static thread_local std::string text;
  text = llvm::toString(checkVariables());
  return text.c_str();
}
