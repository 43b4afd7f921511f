//===- Stream.h - Queues of work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches go to a stream; waiting for the stream reports what went wrong in them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_STREAM_H
#define CK_MLIR_RUNTIME_STREAM_H

#include "ck-mlir/Runtime/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace mlir::ck {

/// The geometry of a launch.
struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1};  // workgroups
  std::array<uint32_t, 3> block = {1, 1, 1}; // work-items of a workgroup
  uint32_t dynamicLdsBytes = 0;
};

/// Launches a kernel whose arguments are all device pointers on `stream`; null: the default stream.
llvm::Error launchKernel(const HipApi &api, hip::StreamHandle stream, hip::FunctionHandle function,
                         const LaunchShape &shape, llvm::ArrayRef<void *> pointers);

/// A HIP stream; destroyed on destruction.
class Stream {
public:
  static llvm::Expected<Stream> create(const Device &device);

  Stream(Stream &&other) noexcept { swap(other); }
  Stream &operator=(Stream &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Stream();

  /// Launches a kernel whose arguments are all device pointers.
  llvm::Error launch(hip::FunctionHandle function, const LaunchShape &shape,
                     llvm::ArrayRef<void *> pointers) const;
  /// Waits for all work of the stream and returns its first error.
  llvm::Error synchronize() const;

  hip::StreamHandle getHandle() const { return handle; }

private:
  Stream() = default;
  void swap(Stream &other) noexcept {
    std::swap(api, other.api);
    std::swap(handle, other.handle);
  }

  std::shared_ptr<const HipApi> api;
  hip::StreamHandle handle = nullptr;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_STREAM_H
