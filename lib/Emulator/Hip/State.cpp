//===- State.cpp - The device behind the HIP API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See State.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/State.h"
#include "Emulator/Hip/Refuse.h"
#include "Emulator/Hip/Version.h"
#include "Emulator/Machine/Variables.h"
#include "ck-mlir/Emulator/EmulatorApi.h"
#include <cstdio>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

namespace {
struct ThreadErrors {
  hipError_t code = hipSuccess;
  std::string message;
};
} // namespace

static ThreadErrors &getThreadErrors() {
  static thread_local ThreadErrors errors;
  return errors;
}

/// Set once the state exists.
static std::atomic<State *> existingState{nullptr};

State &State::get() {
  // Never destroyed: programs call HIP from their own exit handlers.
  static State *state = [] {
    existingState = new State();
    return existingState.load();
  }();
  return *state;
}

State *State::getIfUsed() { return existingState; }

State::State() {
  llvm::Expected<Options> parsed = Options::fromEnvironment();
  if (parsed)
    options = *parsed;
  else
    setupError = llvm::toString(parsed.takeError());
  if (llvm::Expected<unsigned> version = readHipVersion(); !version)
    setupError = llvm::toString(version.takeError());
  if (!log.getError().empty())
    setupError = log.getError();
  if (setupError.empty())
    log.noteStart(*options.chip);
}

int ckEmulatorSetVariable(const char *name, const char *value) {
  return name && value && setVariable(name, value);
}

/// ckEmulatorSetErrorPrinting
static std::atomic<bool> printsErrors{true};

void ckEmulatorSetErrorPrinting(int enabled) { printsErrors = enabled != 0; }

bool hip::doesPrint() { return printsErrors; }

hipError_t hip::finish(const char *name, const Result &result) noexcept {
  if (result.code == hipSuccess)
    return hipSuccess;
  ThreadErrors &errors = getThreadErrors();
  try {
    errors.code = result.code;
    errors.message = std::string(name) + ": " +
                     (result.message.empty() ? hipGetErrorString(result.code) : result.message);
    if (!result.printed)
      return result.code;
    if (printsErrors)
      std::fprintf(stderr, "ck-mlir emulator: %s\n", errors.message.c_str());
    if (State *state = State::getIfUsed())
      state->log.noteError(name, errors.message.substr(std::strlen(name) + 2));
  } catch (...) { // without memory for the message the code must do
    errors.message.clear();
  }
  return result.code;
}

hipError_t hip::getLastError(bool clear) {
  ThreadErrors &errors = getThreadErrors();
  hipError_t code = errors.code;
  if (clear)
    errors.code = hipSuccess;
  return code;
}

const std::string &hip::getLastMessage() { return getThreadErrors().message; }

Result hip::checkDevice(int device) {
  if (device == 0)
    return Result();
  return Result(hipErrorInvalidDevice, "device must be in [0, 0], got " + std::to_string(device));
}

Result hip::checkStream(State &state, hipStream_t stream) {
  // Null, hipStreamLegacy (1) and hipStreamPerThread (2).
  if (reinterpret_cast<uintptr_t>(stream) <= 2)
    return Result();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.streams.contains(stream))
    return Result();
  return Result(hipErrorInvalidHandle, state.streams.explain(stream));
}

Result hip::checkFunction(State &state, const ihipModuleSymbol_t *function) {
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.functions.contains(function))
    return Result();
  return Result(hipErrorInvalidDeviceFunction, state.functions.explain(function));
}

/// Notes and prints that `name` is not there, and `why`.
static int refuse(const char *name, const char *why) noexcept {
  std::fprintf(stderr, "ck-mlir emulator: %s %s\n", name, why);
  if (State *state = State::getIfUsed())
    state->log.noteError(name, why);
  return int(finish(name, quiet(hipErrorNotSupported, why)));
}

int hip::refuse(const char *name) noexcept { return ::refuse(name, "is not implemented"); }

int hip::refuseTexture(const char *name) noexcept {
  return ::refuse(name, "is not implemented: the device has no textures, surfaces and arrays "
                        "(hipDeviceAttributeImageSupport is 0); kernels can read the memory by its "
                        "address");
}

/// Describes elements of arrays, which programs may do without having any.
CK_HIP_EXPORT hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                        hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
