//===- LaunchLog.h - What a process did, for ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With CK_EMULATOR_LOG, each process that uses the emulator appends a line of JSON to a file for
// all that it launches and does wrong. A process that ends by a signal leaves what it has written.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_LOG_LAUNCHLOG_H
#define CK_MLIR_LIB_EMULATOR_HIP_LOG_LAUNCHLOG_H

#include "Emulator/Launch/Dispatcher.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>

namespace ckemu::hip {

/// The log of this process. docs/emulator/ck-emulate.md describes its lines. Any thread may call.
class LaunchLog {
public:
  LaunchLog();
  ~LaunchLog();
  LaunchLog(const LaunchLog &) = delete;
  LaunchLog &operator=(const LaunchLog &) = delete;

  /// Why there is no log although there should be one, or an empty string.
  const std::string &getError() const { return error; }
  bool isOn() const { return descriptor >= 0; }

  /// The first HIP call of the process.
  void noteStart(const ChipModel &chip);
  /// Keeps the ELF that `object` was loaded from, if faults can be found in its source by it.
  void noteImage(const CodeObject &object, llvm::StringRef elf);
  /// A launch has ended, with `statistics` as a JSON object.
  void noteLaunch(const CodeObject &object, const Kernel &kernel, const LaunchOutcome &outcome,
                  llvm::StringRef statistics);
  /// A call has failed, and the reason was printed.
  void noteError(llvm::StringRef call, llvm::StringRef reason);
  /// Something was never freed.
  void noteLeaks(llvm::StringRef text);

private:
  std::string path, error;
  int descriptor = -1;
  std::atomic<bool> hasFailed{false};
  std::mutex mutex;
  llvm::DenseMap<const CodeObject *, std::string> images;
  unsigned numFaults = 0;

  void write(llvm::json::Object line);
  void noteFailure(int number);
  llvm::json::Object describeFault(const CodeObject &object, const Kernel &kernel,
                                   const Fault &fault);
  std::string writeImage(const CodeObject &object);
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_LOG_LAUNCHLOG_H
