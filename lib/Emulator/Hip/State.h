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
#include "Emulator/Hip/ActiveWork.h"
#include "Emulator/Hip/HandleTable.h"
#include "Emulator/Hip/Log/LaunchLog.h"
#include "Emulator/Hip/Memory/FreedMemory.h"
#include "Emulator/Hip/ModelledClocks.h"
#include "Emulator/Hip/TimingSummary.h"
#include "Emulator/Load/CodeObject.h"
#include "Emulator/Load/MemoryTable.h"
#include "Emulator/Machine/Options.h"
#include "Emulator/Machine/Statistics.h"
#include <atomic>
#include <chrono>
#include <hip/hip_runtime_api.h>
#include <mutex>

#define CK_HIP_EXPORT extern "C" __attribute__((visibility("default")))

/// A kernel of a module.
struct ihipModuleSymbol_t {
  const ckemu::CodeObject *object = nullptr;
  const ckemu::Kernel *kernel = nullptr;
};

/// A loaded code object and the function handles given out for it.
struct ihipModule_t {
  std::unique_ptr<ckemu::CodeObject> object;
  std::map<std::string, ihipModuleSymbol_t *> functions;
};

namespace ckemu::hip {
struct Capture;
} // namespace ckemu::hip

/// Work is done when it is enqueued, so a stream is only a name, unless it is being captured.
struct ihipStream_t {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  std::shared_ptr<ckemu::hip::Capture> capture; ///< null: not captured
  std::vector<hipGraphNode_t> capturedTail;     ///< nodes that the next captured one depends on
};

/// The time at which it was recorded or, from a captured stream, the nodes that it stands for.
struct ihipEvent_t {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  std::optional<double> modelled; ///< microseconds of the stream's clock, when launches are timed
  std::shared_ptr<ckemu::hip::Capture> capture;
  std::vector<hipGraphNode_t> capturedTail;
};

namespace ckemu::hip {

/// What the HIP functions share.
class State {
public:
  /// The state of the process; the first call reads the environment.
  static State &get();

  /// The same, or null when no HIP function was called.
  static State *getIfUsed();

  /// Empty when the environment was understood.
  const std::string &getSetupError() const { return setupError; }
  const Options &getOptions() const { return options; }

  MemoryTable memory;
  FreedMemory freed;
  ActiveWork active; ///< launches, copies and fills under way
  /// Guards the handle tables, launchStatistics, launchTiming, timingFailure, clocks and
  /// timingSummary.
  std::mutex mutex;
  HandleTable<ihipModule_t> modules{"module", "unloaded"};
  HandleTable<ihipModuleSymbol_t> functions{"function", "unloaded with its module"};
  HandleTable<ihipStream_t> streams{"stream", "destroyed"};
  HandleTable<ihipEvent_t> events{"event", "destroyed"};
  std::string launchStatistics = "{}", launchTiming = "{}";
  std::string timingFailure; ///< of the model of time in the last launch; empty if there was none
  ModelledClocks clocks;
  TimingSummary timingSummary;
  LaunchLog log;
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
  bool printed = true; ///< whether the message goes to stderr, too

  Result() = default;
  Result(hipError_t code, std::string message) : code(code), message(std::move(message)) {}
};

inline Result invalidValue(std::string message) {
  return Result(hipErrorInvalidValue, std::move(message));
}

/// A failure that need not be printed: the answer to a question that programs ask to find out, or
/// one that was printed already.
inline Result quiet(hipError_t code, std::string message) {
  Result result(code, std::move(message));
  result.printed = false;
  return result;
}

/// Notes `result` for hipGetLastError and ckEmulatorGetLastMessage, and prints why it failed;
/// `name` is the HIP function.
hipError_t finish(const char *name, const Result &result) noexcept;
/// Whether the emulator may speak on standard error, or the program does it itself
/// (ckEmulatorSetErrorPrinting).
bool doesPrint();
/// The code that the last failing call of this thread returned, and why.
hipError_t getLastError(bool clear);
const std::string &getLastMessage();

/// Name of the allocations of hipMallocManaged.
inline constexpr char kManagedName[] = "managed allocation";
/// Name of the ranges of hipHostRegister.
inline constexpr char kRegisteredName[] = "registered host memory";

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
/// Success when `function` is a kernel of a loaded module.
Result checkFunction(State &state, const ihipModuleSymbol_t *function);
/// Runs `body`, which returns at once, while no thread can unload `function`.
template <class Body>
Result withFunction(State &state, const ihipModuleSymbol_t *function, Body body) {
  std::lock_guard<std::mutex> lock(state.mutex);
  return state.functions.contains(function)
             ? body()
             : Result(hipErrorInvalidDeviceFunction, state.functions.explain(function));
}
/// Loads the code object or offload bundle at `image`.
Result loadModule(State &state, hipModule_t *module, const void *image);
/// Loads the code object or offload bundle in a file.
Result loadModuleFile(State &state, hipModule_t *module, const char *fname);
/// The handle of a kernel of a module.
Result findKernel(State &state, hipFunction_t *function, hipModule_t module, const char *name);
/// The address and size of a variable of a module; either may be null.
Result findVariable(State &state, hipDeviceptr_t *address, size_t *bytes, hipModule_t module,
                    const char *name);
/// The kernel that `function`, a handle or the address of a host function that a fat binary
/// registered, stands for.
Result resolveFunction(State &state, const void *function, hipFunction_t &result);
/// A launch as all the functions for it describe it.
struct LaunchRequest {
  hipFunction_t function = nullptr;
  LaunchShape shape;
  hipStream_t stream = nullptr;
  void **kernelParams = nullptr; ///< an address for each argument, or
  void **extra = nullptr;        ///< a list with a packed buffer
  bool cooperative = false;      ///< all workgroups must be resident at a time
};
/// Launches a kernel, or adds it to the graph that its stream is captured into.
Result launch(State &state, const LaunchRequest &request);
/// Runs a kernel with packed arguments until it has ended.
Result runKernel(State &state, hipStream_t stream, hipFunction_t function, const LaunchShape &shape,
                 llvm::ArrayRef<uint8_t> arguments, bool cooperative);
/// Notes the time in `event`, which exists, as work of `stream`. With the lock held.
Result recordEvent(State &state, hipEvent_t event, hipStream_t stream);
/// Reads the arguments that `request` points to into the layout of the argument segment.
Result packArguments(const LaunchRequest &request, std::vector<uint8_t> &arguments);
/// Sets grid and block size, and the dynamic LDS, which must be below 4 GiB.
Result setShape(LaunchShape &shape, const dim3 &grid, const dim3 &block, size_t dynamicLds);

/// Workgroups of `blockSize` work-items that a compute unit holds at a time.
Result getActiveBlocks(State &state, int *numBlocks, hipFunction_t function, int blockSize,
                       size_t dynamicLds);
/// The workgroup size that keeps the most work-items resident, and the grid that fills the device.
Result getPotentialBlockSize(State &state, int *gridSize, int *blockSize, hipFunction_t function,
                             size_t dynamicLds, int blockSizeLimit);
/// Unloads a module once no launch uses it.
Result unload(State &state, ihipModule_t *module);
/// Frees the allocation at `ptr` (null: nothing); the message of an error says what it is.
Result release(State &state, void *ptr);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_STATE_H
