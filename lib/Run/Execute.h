//===- Execute.h - A compiled program on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything between host tensors and host tensors: buffers, launches, times, counts.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUN_EXECUTE_H
#define CK_MLIR_LIB_RUN_EXECUTE_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Reference/TensorData.h"
#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Run/Report.h"
#include "ck-mlir/Runtime/Device.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// What an execution measured.
struct Execution {
  std::vector<KernelReport> kernels;
  std::optional<double> milliseconds;    // median per run on a GPU
  std::optional<double> emulatedSeconds; // of the last run on the emulator
  std::optional<ProgramTiming> timing;   // of the last run, when it was asked for
};

/// Workgroups of the first kernel of `program` that a compute unit of `device` runs at a time.
llvm::Expected<int64_t> getOccupancy(const Device &device, const CompiledProgram &program);

/// Runs all kernels of `program` on the tensors that its problem reads and copies the result to
/// `result`, `options.repeat` times. Memory that a kernel must write holds no useful values before.
/// With `options.profile` or `time`, which the emulator alone offers, the kernels of the last run
/// have their profiles or modelled times.
llvm::Expected<Execution> execute(const Device &device, const CompiledProgram &program,
                                  llvm::ArrayRef<TensorData> reads, TensorData &result,
                                  const RunOptions &options = {});

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_RUN_EXECUTE_H
