//===- KernelTimer.h - How long kernels of one problem take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the emulator by its model of the chip, which never is a measured time; on a GPU by events.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_KERNELTIMER_H
#define CK_MLIR_TUNE_KERNELTIMER_H

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Buffer.h"
#include <memory>

namespace mlir::ck {

/// The device that `options` ask for, see `openRunDevice`; the emulator without the checks of what
/// kernels do, which need the time of a sample several times over.
llvm::Expected<Device> openTimedDevice(const RunOptions &options);

/// How long a kernel takes.
struct KernelTime {
  double microseconds = 0;
  ProgramTiming timing; ///< what the model says, on the emulator
};

/// Times kernels on the tensors of one problem, which stay on the device. For one thread.
class KernelTimer {
public:
  /// Allocates the tensors that `problem` reads. Their contents are any numbers but zero: adding
  /// zeros atomically changes no memory, which the model would notice.
  static llvm::Expected<KernelTimer> create(const Device &device, const Problem &problem);

  /// On the emulator, what the model says of all launches of `image`; a sample of the workgroups is
  /// executed. What is written and the workspace are new for each kernel, so that no time depends
  /// on what was timed before: what a kernel leaves in the caches, others must write to memory.
  llvm::Expected<ProgramTiming> model(const std::shared_ptr<const KernelImage> &image);

  /// On a GPU, the median of several launches, each from its zero-fills to the end of its last
  /// kernel, after some that are not counted.
  llvm::Expected<double> measure(const std::shared_ptr<const KernelImage> &image);

  /// `model` on the emulator, `measure` on a GPU.
  llvm::Expected<KernelTime> time(const std::shared_ptr<const KernelImage> &image);

private:
  using Launch = llvm::function_ref<llvm::Error(const LoadedKernel &, const LaunchArguments &)>;
  llvm::Error run(const std::shared_ptr<const KernelImage> &image, Launch launch);
  explicit KernelTimer(const Device &device) : device(device) {}

  Device device;
  std::vector<Buffer> reads;
};

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_KERNELTIMER_H
