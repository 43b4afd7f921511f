//===- Calls.h - What every function of the C API goes through -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of the C API is the body of a C++ function that returns an Outcome; `guard` turns that
// into a status and the message of the thread, and stops exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CAPI_CALLS_H
#define CK_MLIR_LIB_CAPI_CALLS_H

#include "ck-mlir-c/Library.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Library/KernelLibrary.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::ck {
struct PartitionReports;
} // namespace mlir::ck

#pragma GCC visibility push(hidden)

namespace mlir::ck::capi {

/// How a call ended: success, or a failure with its message.
class Outcome {
public:
  Outcome() = default;
  Outcome(CkMlirStatus status, const llvm::Twine &message)
      : status(status), message(message.str()) {}

  CkMlirStatus status = CkMlirStatusSuccess;
  std::string message;
};

inline Outcome invalid(const llvm::Twine &message) {
  return {CkMlirStatusInvalidArgument, message};
}
inline Outcome invalid(llvm::Error error) { return invalid(llvm::toString(std::move(error))); }
inline Outcome unsupported(llvm::Error error) {
  return {CkMlirStatusUnsupported, llvm::toString(std::move(error))};
}
/// Success, or a failure of the device.
inline Outcome onDevice(llvm::Error error) {
  if (!error)
    return {};
  return {CkMlirStatusDeviceError, llvm::toString(std::move(error))};
}
/// "expected a <what>, got null".
inline Outcome missing(const llvm::Twine &what) {
  return invalid("expected " + what + ", got null");
}

/// Runs the body of a call.
CkMlirStatus guard(llvm::function_ref<Outcome()> body) noexcept;

/// Calls `body` with the problem of a string. InvalidArgument where that is null or is none, and
/// where `place` for the result of the call, "a place for the <what>", is null.
Outcome withProblem(const char *problem, const void *place, llvm::StringRef what,
                    llvm::function_ref<Outcome(const Problem &)> body);

/// A text for the caller.
CkMlirText createText(std::string text);

/// The options behind a handle; the default ones behind null.
CompileOptions getOptions(CkMlirCompileOptions options);

/// InvalidArgument where chip, schedule or residents of `options` are not ones.
Outcome checkOptions(const CompileOptions &options);

/// A program for the caller: one that was just compiled, or one that was there.
Outcome createProgram(const CompiledProgram &compiled, CkMlirProgram &program);
CkMlirProgram createProgram(std::shared_ptr<const KernelImage> image);
/// The image behind a handle that is not null.
const std::shared_ptr<const KernelImage> &getImage(CkMlirProgram program);

/// The device behind a handle that is not null.
const Device &getDevice(CkMlirDevice device);
/// The library behind a handle that is not null.
KernelLibrary &getLibrary(CkMlirLibrary library);
/// An executable for the caller.
CkMlirExecutable createExecutable(std::shared_ptr<const LoadedKernel> kernel);
/// Launches a kernel.
Outcome launch(const LoadedKernel &kernel, void *hipStream, const LaunchArguments &arguments);

/// Prints how kernels of every partition would share the tiles of a problem, see
/// ckMlirCreatePartitionReport.
Outcome
reportPartitions(const char *problem, CkMlirCompileOptions options, int64_t computeUnits,
                 int64_t occupancy,
                 llvm::function_ref<void(llvm::raw_ostream &, const PartitionReports &)> print,
                 CkMlirText *text);

} // namespace mlir::ck::capi

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CAPI_CALLS_H
