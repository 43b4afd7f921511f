//===- State.h - The device behind the HIP API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One emulated device per process. Every HIP function runs its body through `call`, so that no
// exception leaves the library, errors get their message, and hipGetLastError works.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_STATE_H
#define CK_MLIR_LIB_EMULATOR_HIP_STATE_H

#define __HIP_PLATFORM_AMD__
#include "ck-mlir/Emulator/CodeObject.h"
#include "ck-mlir/Emulator/Memory.h"
#include "ck-mlir/Emulator/Options.h"
#include <atomic>
#include <chrono>
#include <hip/hip_runtime_api.h>
#include <mutex>
#include <set>

#define CK_HIP_EXPORT extern "C" __attribute__((visibility("default")))

/// A kernel of a module.
struct ihipModuleSymbol_t {
  const mlir::ck::emulator::CodeObject *object = nullptr;
  const mlir::ck::emulator::Kernel *kernel = nullptr;
};

/// A loaded code object and the function handles given out for it.
struct ihipModule_t {
  std::unique_ptr<mlir::ck::emulator::CodeObject> object;
  std::map<std::string, ihipModuleSymbol_t> functions;
};

/// Work is done when it is enqueued, so a stream is only a name.
struct ihipStream_t {
  unsigned flags = 0;
  int priority = 0;
};

/// The time at which it was recorded.
struct ihipEvent_t {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

namespace mlir::ck::emulator::hip {

/// What the HIP functions share.
class State {
public:
  /// The state of the process; the first call reads the environment.
  static State &get();

  /// Empty when the environment was understood.
  const std::string &getSetupError() const { return setupError; }
  const Options &getOptions() const { return options; }

  MemoryTable memory;
  /// Guards the handle sets.
  std::mutex mutex;
  std::set<ihipModule_t *> modules;
  std::set<const ihipModuleSymbol_t *> functions;
  std::set<ihipStream_t *> streams;
  std::set<ihipEvent_t *> events;
  std::string launchStatistics = "{}";
  std::atomic<bool> profiling{false}; ///< ckEmulatorSetProfiling

private:
  State();
  Options options;
  std::string setupError;
};

/// The result of a HIP function: a code, and for a failure why.
struct Result {
  hipError_t code = hipSuccess;
  std::string message;

  Result() = default;
  Result(hipError_t code, std::string message) : code(code), message(std::move(message)) {}
};

inline Result invalidValue(std::string message) {
  return Result(hipErrorInvalidValue, std::move(message));
}

/// Notes `result` for hipGetLastError and ckEmulatorGetLastMessage; `name` is the HIP function.
hipError_t finish(const char *name, const Result &result) noexcept;
/// The code that the last failing call of this thread returned, and why.
hipError_t getLastError(bool clear);
const std::string &getLastMessage();

/// Runs the body of a HIP function: `body(State &) -> Result`.
template <class Body>
hipError_t call(const char *name, Body body) noexcept {
  try {
    State &state = State::get();
    if (!state.getSetupError().empty())
      return finish(name, Result(hipErrorNotInitialized, state.getSetupError()));
    return finish(name, body(state));
  } catch (const std::bad_alloc &) {
    return finish(name, Result(hipErrorOutOfMemory, std::string()));
  } catch (...) {
    return finish(name, Result(hipErrorUnknown, std::string()));
  }
}

/// Success when `device` is 0, the only device.
Result checkDevice(int device);
/// Success when `stream` is one that exists or a default stream.
Result checkStream(State &state, hipStream_t stream);

} // namespace mlir::ck::emulator::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_STATE_H
