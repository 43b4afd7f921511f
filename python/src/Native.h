//===- Native.h - What the parts of ck_mlir._native share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extension is a thin layer over the C API: handles with owners, statuses as exceptions, and
// calls that take long in threads of their own, so that Ctrl-C is seen while they run.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_PYTHON_NATIVE_H
#define CK_MLIR_PYTHON_NATIVE_H

#include "ck-mlir-c/Runtime.h"
#include <exception>
#include <functional>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <stdexcept>
#include <string>

namespace ckpy {

namespace nb = nanobind;

/// A status that is no success, with the message of its thread.
class Failure : public std::runtime_error {
public:
  Failure(CkMlirStatus status, const std::string &message)
      : std::runtime_error(message), status(status) {}

  CkMlirStatus status;
};

/// Throws a Failure unless `status` is success.
inline void check(CkMlirStatus status) {
  if (status != CkMlirStatusSuccess)
    throw Failure(status, ckMlirGetLastMessage());
}

/// `text` for the C API, whose texts end at the first NUL: one with a NUL of its own is an error.
inline const char *toC(const std::string &text) {
  size_t nul = text.find('\0');
  if (nul != std::string::npos)
    throw Failure(CkMlirStatusInvalidArgument,
                  "expected a text without NUL characters, got one behind '" + text.substr(0, nul) +
                      "'");
  return text.c_str();
}

/// A handle of the C API with shared owners, the last of which destroys it.
template <typename Handle, void (*Destroy)(Handle)>
class Owned {
public:
  explicit Owned(Handle handle) : pointer(handle.ptr, [](void *held) { Destroy(Handle{held}); }) {}

  Handle get() const { return Handle{pointer.get()}; }

private:
  std::shared_ptr<void> pointer;
};

using Program = Owned<CkMlirProgram, ckMlirProgramDestroy>;
using Device = Owned<CkMlirDevice, ckMlirDeviceDestroy>;
using Buffer = Owned<CkMlirBuffer, ckMlirBufferDestroy>;
using Stream = Owned<CkMlirStream, ckMlirStreamDestroy>;
using Executable = Owned<CkMlirExecutable, ckMlirExecutableDestroy>;
using CompileOptions = Owned<CkMlirCompileOptions, ckMlirCompileOptionsDestroy>;

/// The text that `create` makes.
template <typename Create>
std::string takeText(Create create) {
  CkMlirText text;
  check(create(&text));
  std::string result(ckMlirTextGetData(text), ckMlirTextGetSize(text));
  ckMlirTextDestroy(text);
  return result;
}

/// Options of a compilation.
CompileOptions makeOptions(const std::string &chip, const std::string &schedule, int64_t residents,
                           bool assembly = false, bool verify = false,
                           const std::string &tuning = "");

/// What becomes of work that goes on behind Ctrl-C when the process ends.
enum class AtExit {
  Wait,  // It is waited for: it uses memory that goes with the process.
  Leave, // It ends with the process.
};

/// Runs `work` in a thread of its own and waits for it without the GIL. Ctrl-C ends the waiting and
/// calls `cancel`; the work goes on until it has noticed, keeps alive what it holds, and its result
/// is dropped.
void runInterruptibly(std::function<void()> work, AtExit atExit = AtExit::Wait,
                      const std::function<void()> &cancel = nullptr);

/// The same for work with a result.
template <typename Result>
Result callInterruptibly(std::function<Result()> work, AtExit atExit = AtExit::Wait) {
  auto result = std::make_shared<std::optional<Result>>();
  runInterruptibly([result, work = std::move(work)] { result->emplace(work()); }, atExit);
  return std::move(**result);
}

void bindCompiler(nb::module_ &module);
void bindLibrary(nb::module_ &module);
void bindRuntime(nb::module_ &module);
void bindArrays(nb::module_ &module);

} // namespace ckpy

#endif // CK_MLIR_PYTHON_NATIVE_H
