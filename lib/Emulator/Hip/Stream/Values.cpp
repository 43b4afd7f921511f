//===- Values.cpp - HIP: values in memory that streams wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is complete when it is enqueued, so a stream waits inside of the call. Another thread may
// write the value meanwhile; the calling thread cannot, so a wait that nobody ends is an error.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include <thread>

using namespace ckemu;
using namespace ckemu::hip;

/// Whether `value` in memory is what a stream waits for.
template <class T>
static bool isReached(T value, T wanted, unsigned condition, T mask) {
  switch (condition) {
  case hipStreamWaitValueGte:
    return (value & mask) >= wanted;
  case hipStreamWaitValueEq:
    return (value & mask) == wanted;
  case hipStreamWaitValueAnd:
    return ((value & mask) & wanted) != 0;
  default:
    return T(~((value & mask) | (wanted & mask))) != 0;
  }
}

/// Success when `ptr` is where a value of type T may be, and the stream is not captured.
template <class T>
static Result checkValue(State &state, hipStream_t stream, void *ptr) {
  Result result = checkStream(state, stream);
  if (result.code != hipSuccess || refuseInCapture(state, stream, "a value in memory", result))
    return result;
  if (reinterpret_cast<uintptr_t>(ptr) % sizeof(T) != 0)
    return invalidValue(
        llvm::formatv("expected an address that is a multiple of {0}, got {1}", sizeof(T), ptr));
  return ptr ? checkRange(state, ptr, sizeof(T), "value") : invalidValue("ptr is null");
}

template <class T>
static Result waitForValue(State &state, hipStream_t stream, void *ptr, T wanted,
                           unsigned condition, T mask) {
  if (condition > hipStreamWaitValueNor)
    return invalidValue("flags must be in [0, 3], got " + std::to_string(condition));
  if (Result result = checkValue<T>(state, stream, ptr); result.code != hipSuccess)
    return result;
  state.active.wait(stream);
  llvm::Expected<Options> options = Options::fromEnvironment();
  if (!options)
    return invalidValue(llvm::toString(options.takeError()));
  const std::chrono::seconds patience(options->waitSeconds);
  const auto &place = *static_cast<std::atomic<T> *>(ptr);
  T last = place.load();
  auto since = std::chrono::steady_clock::now();
  while (!isReached(last, wanted, condition, mask)) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const auto now = std::chrono::steady_clock::now();
    if (const T value = place.load(); value != last) {
      last = value;
      since = now;
    } else if (now - since > patience) {
      return Result(
          hipErrorLaunchTimeOut,
          llvm::formatv("the value at {0} stayed {1} for {2} s (CK_EMULATOR_WAIT_SECONDS), "
                        "which condition {3} on {4} does not hold for: work is complete "
                        "when it is enqueued, so the value must be written by earlier "
                        "work or another thread",
                        ptr, last, patience.count(), condition, wanted));
    }
  }
  return Result();
}

template <class T>
static Result writeValue(State &state, hipStream_t stream, void *ptr, T value, unsigned flags) {
  if (flags != 0)
    return invalidValue("flags must be 0, got " + std::to_string(flags));
  if (Result result = checkValue<T>(state, stream, ptr); result.code != hipSuccess)
    return result;
  ActiveWork::Scope scope(state.active, stream);
  static_cast<std::atomic<T> *>(ptr)->store(value);
  state.memory.markInitialized(reinterpret_cast<uint64_t>(ptr), sizeof(T));
  return Result();
}

CK_HIP_EXPORT hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value,
                                              unsigned int flags, uint32_t mask) {
  return call("hipStreamWaitValue32", [&](State &state) {
    return waitForValue<uint32_t>(state, stream, ptr, value, flags, mask);
  });
}

CK_HIP_EXPORT hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value,
                                              unsigned int flags, uint64_t mask) {
  return call("hipStreamWaitValue64", [&](State &state) {
    return waitForValue<uint64_t>(state, stream, ptr, value, flags, mask);
  });
}

CK_HIP_EXPORT hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value,
                                               unsigned int flags) {
  return call("hipStreamWriteValue32",
              [&](State &state) { return writeValue<uint32_t>(state, stream, ptr, value, flags); });
}

CK_HIP_EXPORT hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value,
                                               unsigned int flags) {
  return call("hipStreamWriteValue64",
              [&](State &state) { return writeValue<uint64_t>(state, stream, ptr, value, flags); });
}
