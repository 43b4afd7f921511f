//===- LoadedKernel.h - A kernel on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For callers that have memory and streams of their own and launch a kernel many times.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_KERNEL_LOADEDKERNEL_H
#define CK_MLIR_KERNEL_LOADEDKERNEL_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Runtime/Module.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace mlir::ck {

/// Device pointers for one launch.
struct LaunchArguments {
  llvm::ArrayRef<void *> tensors; // in the order of `KernelImage::tensors`, packed
  void *workspace = nullptr;
  size_t workspaceBytes = 0;
  /// The first `KernelImage::workspaceZeroBytes` of the workspace are zero, and no launch needs to
  /// zero them: nothing but launches of this kernel has written to them since they were zeroed.
  /// Results are wrong if that is not true.
  bool workspaceIsZeroed = false;
};

/// An image whose code object is on a device; unloaded on destruction. Launches may come from
/// several threads at the same time.
class LoadedKernel {
public:
  /// Success if the device has the chip that `image` was compiled for.
  static llvm::Error checkChip(const Device &device, const KernelImage &image);

  /// Errors: that of `checkChip`, the code object cannot be loaded, or lacks a kernel.
  static llvm::Expected<LoadedKernel> load(const Device &device,
                                           std::shared_ptr<const KernelImage> image);

  const KernelImage &getImage() const { return *image; }
  const HipApi &getApi() const { return *api; }

  /// What is wrong with `arguments` for a launch on `stream`: the stream is one of another device,
  /// the number of tensors, a null pointer, the workspace.
  llvm::Error check(hip::StreamHandle stream, const LaunchArguments &arguments) const;

  /// Puts the zeros that the kernels need and the kernels on `stream`, null for the default stream,
  /// and returns. Allocates no device memory and waits for nothing. `arguments` must have passed
  /// `check`; no other launch may use the workspace until this one has ended. A launch that ends
  /// without a fault leaves zeros where it needs them in the workspace.
  /// `launched` is called with each launch after that was put on the stream.
  llvm::Error launch(hip::StreamHandle stream, const LaunchArguments &arguments,
                     llvm::function_ref<llvm::Error(const ImageLaunch &)> launched = nullptr) const;

  /// `check`, then `launch`.
  llvm::Error run(hip::StreamHandle stream, const LaunchArguments &arguments) const;

private:
  LoadedKernel(const Device &device, Module &&module, std::shared_ptr<const KernelImage> image)
      : api(device.getSharedApi()), ordinal(device.getOrdinal()), module(std::move(module)),
        image(std::move(image)) {}
  llvm::Error zero(hip::StreamHandle stream, void *pointer, int64_t bytes) const;

  std::shared_ptr<const HipApi> api;
  int ordinal;
  Module module;
  std::shared_ptr<const KernelImage> image;
  std::vector<hip::FunctionHandle> functions; // of each launch
};

} // namespace mlir::ck

#endif // CK_MLIR_KERNEL_LOADEDKERNEL_H
