//===- KernelTimer.cpp - How long kernels of one problem take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelTimer.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/KernelTimer.h"
#include "ck-mlir/Run/ModelTime.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

/// Of every byte of the tensors: about 1 in f16, small in other types.
static constexpr uint8_t kContents = 0x3c;

Expected<KernelTimer> KernelTimer::create(const Device &device, const Problem &problem) {
  KernelTimer timer(device);
  for (const TensorDesc &tensor : getReads(problem)) {
    Expected<Buffer> buffer = Buffer::allocate(device, tensor.getSizeInBytes());
    if (!buffer)
      return buffer.takeError();
    if (Error error = buffer->fill(kContents))
      return std::move(error);
    timer.reads.push_back(std::move(*buffer));
  }
  return timer;
}

Expected<ProgramTiming> KernelTimer::model(const std::shared_ptr<const KernelImage> &image) {
  Expected<LoadedKernel> kernel = LoadedKernel::load(device, image);
  if (!kernel)
    return kernel.takeError();
  Expected<Buffer> written = Buffer::allocate(device, image->getWritten().getSizeInBytes());
  if (!written)
    return written.takeError();
  Expected<Buffer> workspace = Buffer::allocate(device, size_t(image->workspaceBytes));
  if (!workspace)
    return workspace.takeError();
  std::vector<void *> pointers;
  for (const Buffer &tensor : reads)
    pointers.push_back(tensor.getPointer());
  pointers.push_back(written->getPointer());
  const LaunchArguments arguments{pointers, workspace->getPointer(), workspace->getSize()};
  if (Error error = kernel->check(nullptr, arguments))
    return std::move(error);
  return modelTime(*kernel, arguments);
}
