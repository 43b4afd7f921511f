//===- Execute.h - A kernel on tensors of the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything between host tensors and host tensors: buffers, times, counts. `LoadedKernel`
// launches.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUN_EXECUTE_H
#define CK_MLIR_LIB_RUN_EXECUTE_H

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Reference/TensorData.h"
#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Run/Report.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// What an execution measured.
struct Execution {
  std::vector<KernelReport> kernels;
  std::optional<double> milliseconds;    // median per run on a GPU
  std::optional<double> emulatedSeconds; // of the last run on the emulator
  std::optional<ProgramTiming> timing;   // of the last run, when it was asked for
};

/// Runs `kernel` on the tensors that its problem reads and copies what it wrote to `result`,
/// `options.repeat` times. Memory that a kernel must write holds no useful values before.
/// With `options.profile` or `time`, which the emulator alone offers, the kernels of the last run
/// have their profiles, by `roles`, or modelled times.
llvm::Expected<Execution> execute(const Device &device, const LoadedKernel &kernel,
                                  llvm::ArrayRef<TensorData> reads, TensorData &result,
                                  const RunOptions &options = {}, const Roles &roles = {});

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_RUN_EXECUTE_H
