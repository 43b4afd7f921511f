//===- Launch.h - A kernel with its tensors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the examples share: a device, tensors on it, launches, and how long they take.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_EXAMPLES_LAUNCH_H
#define CK_MLIR_EXAMPLES_LAUNCH_H

#include "ck-mlir/Library/KernelLibrary.h"
#include "ck-mlir/Reference/Compare.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Stream.h"

namespace example {

/// The GPU, or the emulator as `chip` where there is none.
llvm::Expected<mlir::ck::Device> openDevice(llvm::StringRef chip);

/// How long a launch takes.
struct LaunchTime {
  double microseconds = 0;
  /// On the emulator the time is modelled, and nine of ten measured times lie in this band.
  std::optional<std::pair<double, double>> band;
};

/// The tensors of a problem on a device, and the workspace of one of its kernels.
class Launch {
public:
  /// Allocates them. `reads` are the values of the tensors that are read, in their order.
  static llvm::Expected<Launch> create(const mlir::ck::Device &device,
                                       std::shared_ptr<const mlir::ck::LoadedKernel> kernel,
                                       llvm::ArrayRef<mlir::ck::TensorData> reads);

  /// Runs the kernel once and returns what it wrote.
  llvm::Expected<mlir::ck::TensorData> compute() const;
  /// The mean of so many launches on a GPU; on the emulator the time by its model of the chip.
  llvm::Expected<LaunchTime> measure(int launches) const;

private:
  Launch(const mlir::ck::Device &device, std::shared_ptr<const mlir::ck::LoadedKernel> kernel,
         mlir::ck::Stream stream)
      : device(device), kernel(std::move(kernel)), stream(std::move(stream)) {}
  llvm::Error add(size_t bytes);
  mlir::ck::LaunchArguments getArguments() const;
  /// Puts the kernel on the stream.
  llvm::Error run() const;

  mlir::ck::Device device;
  std::shared_ptr<const mlir::ck::LoadedKernel> kernel;
  mlir::ck::Stream stream;
  std::vector<mlir::ck::Buffer> buffers; // the tensors, then the workspace
  std::vector<void *> pointers;          // of `buffers`
};

/// Prints how `result` compares with `reference`: all bits, or within the tolerance of the
/// problem. Error: it is wrong.
llvm::Error verify(const mlir::ck::Problem &problem, const mlir::ck::TensorData &result,
                   const mlir::ck::TensorData &reference, bool isExact);

/// Prints what `measure` found, with the rate of `problem`.
void printTime(const mlir::ck::Problem &problem, const LaunchTime &time);

} // namespace example

#endif // CK_MLIR_EXAMPLES_LAUNCH_H
