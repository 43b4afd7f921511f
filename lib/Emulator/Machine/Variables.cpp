//===- Variables.cpp - The variables that set the emulator up -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Variables.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/Variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cstdlib>
#include <mutex>

using namespace ckemu;

namespace {
/// The values that the program gave.
struct GivenValues {
  std::mutex mutex;
  llvm::StringMap<std::string> byName;
};
} // namespace

static GivenValues &getGivenValues() {
  static GivenValues *values = new GivenValues(); // launches may outlive static objects
  return *values;
}

llvm::ArrayRef<llvm::StringLiteral> ckemu::getVariableNames() {
  static constexpr llvm::StringLiteral names[] = {"CK_EMULATOR_CHIP",
                                                  "CK_EMULATOR_CUS",
                                                  "CK_EMULATOR_THREADS",
                                                  "CK_EMULATOR_SCHEDULE",
                                                  "CK_EMULATOR_VECTORS",
                                                  "CK_EMULATOR_CHECKS",
                                                  "CK_EMULATOR_HANG_INSTRUCTIONS",
                                                  "CK_EMULATOR_WAIT_SECONDS",
                                                  "CK_EMULATOR_TIMING",
                                                  "CK_EMULATOR_TIMING_PARAMETERS",
                                                  "CK_EMULATOR_TIMING_MEMORY",
                                                  "CK_EMULATOR_TIMING_TRACE",
                                                  "CK_EMULATOR_PROFILE",
                                                  "CK_EMULATOR_PROGRESS",
                                                  "CK_EMULATOR_LOG",
                                                  "CK_EMULATOR_HIP_VERSION"};
  return names;
}

bool ckemu::setVariable(llvm::StringRef name, llvm::StringRef value) {
  if (!llvm::is_contained(getVariableNames(), name))
    return false;
  GivenValues &given = getGivenValues();
  std::lock_guard<std::mutex> lock(given.mutex);
  given.byName[name] = value.str();
  return true;
}

std::optional<std::string> ckemu::getVariable(const char *name) {
  {
    GivenValues &given = getGivenValues();
    std::lock_guard<std::mutex> lock(given.mutex);
    auto found = given.byName.find(name);
    if (found != given.byName.end() && !found->second.empty())
      return found->second;
  }
  const char *text = std::getenv(name);
  return text && *text ? std::optional<std::string>(text) : std::nullopt;
}
