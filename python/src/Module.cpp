//===- Module.cpp - The module ck_mlir._native -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exceptions and threads of the extension. Its functions are for the package ck_mlir alone.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace ckpy;

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

/// The class of ck_mlir.errors that stands for a status.
static const char *getExceptionName(CkMlirStatus status) {
  switch (status) {
  case CkMlirStatusInvalidArgument:
    return "InvalidArgumentError";
  case CkMlirStatusUnsupported:
    return "UnsupportedError";
  case CkMlirStatusDeviceError:
    return "DeviceError";
  default:
    return "InternalError";
  }
}

static void translate(const std::exception_ptr &exception, void *) {
  try {
    std::rethrow_exception(exception);
  } catch (const Failure &failure) {
    nb::object type = nb::module_::import_("ck_mlir.errors").attr(getExceptionName(failure.status));
    PyErr_SetString(type.ptr(), failure.what());
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

namespace {
/// Work that runs in a thread of its own.
struct Work {
  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false;
  std::atomic<int> *abandoned = nullptr; // where it is counted, once nobody waits for it
  std::exception_ptr exception;
};
} // namespace

/// Works that nobody waits for any more: those that the end of the process waits for, and those
/// that it does not.
static std::atomic<int> numAbandoned = 0, numLeft = 0;

/// Sleeps until `ended` returns true; asks Python for signals in between.
static void waitFor(const std::function<bool(std::chrono::milliseconds)> &ended) {
  nb::gil_scoped_release release;
  while (!ended(std::chrono::milliseconds(50))) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
}

/// Ends the process before objects of the libraries are destroyed that a work still uses.
static void endAtOnce(int status, void *) {
  if (numLeft == 0)
    return;
  (void)fflush(nullptr);
  _exit(status);
}

/// Counts a work that nobody waits for any more.
static void abandon(Work &work, AtExit atExit) {
  std::lock_guard<std::mutex> lock(work.mutex);
  if (work.hasEnded)
    return;
  static std::once_flag once;
  std::call_once(once, [] { on_exit(endAtOnce, nullptr); });
  work.abandoned = atExit == AtExit::Leave ? &numLeft : &numAbandoned;
  ++*work.abandoned;
}

void ckpy::runInterruptibly(std::function<void()> work, AtExit atExit,
                            const std::function<void()> &cancel) {
  auto state = std::make_shared<Work>();
  std::thread([state, work = std::move(work)]() mutable {
    std::exception_ptr exception;
    try {
      work();
    } catch (...) {
      exception = std::current_exception();
    }
    work = nullptr; // drops what it holds before anybody is told
    std::lock_guard<std::mutex> lock(state->mutex);
    state->hasEnded = true;
    state->exception = exception;
    state->ended.notify_all();
    if (state->abandoned)
      --*state->abandoned;
  }).detach();
  try {
    waitFor([&](std::chrono::milliseconds time) {
      std::unique_lock<std::mutex> lock(state->mutex);
      return state->ended.wait_for(lock, time, [&] { return state->hasEnded; });
    });
  } catch (...) {
    abandon(*state, atExit);
    if (cancel)
      cancel();
    throw;
  }
  if (state->exception)
    std::rethrow_exception(state->exception);
}

/// Waits for what Ctrl-C left behind: it must not run while the process ends.
static void waitForAbandoned() {
  waitFor([](std::chrono::milliseconds time) {
    if (numAbandoned == 0)
      return true;
    std::this_thread::sleep_for(time);
    return numAbandoned == 0;
  });
}

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false); // what lives until the process ends is no leak
  nb::register_exception_translator(translate);
  module.doc() = "The C API of ck-mlir, for the package ck_mlir alone.";
  module.def("version", [] { return std::string(ckMlirGetVersion()); });
  module.def("wait_for_abandoned", waitForAbandoned,
             "Waits for calls that go on behind a KeyboardInterrupt.");
  bindCompiler(module);
  bindLibrary(module);
  bindRuntime(module);
  bindArrays(module);
}
