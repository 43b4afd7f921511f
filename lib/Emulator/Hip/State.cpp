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

#include "State.h"

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::hip;

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

State &State::get() {
  // Never destroyed: programs call HIP from their own exit handlers.
  static State *state = new State();
  return *state;
}

State::State() {
  llvm::Expected<Options> parsed = Options::fromEnvironment();
  if (parsed)
    options = *parsed;
  else
    setupError = llvm::toString(parsed.takeError());
}

hipError_t hip::finish(const char *name, const Result &result) noexcept {
  if (result.code == hipSuccess)
    return hipSuccess;
  try {
    ThreadErrors &errors = getThreadErrors();
    errors.code = result.code;
    errors.message = std::string(name) + ": " +
                     (result.message.empty() ? hipGetErrorString(result.code) : result.message);
  } catch (...) {
    // Without memory for the message the code must do.
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
  if (state.streams.count(stream))
    return Result();
  return Result(hipErrorInvalidHandle, "the stream does not exist");
}
