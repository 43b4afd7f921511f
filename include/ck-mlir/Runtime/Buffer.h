//===- Buffer.h - Device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory that frees itself.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_BUFFER_H
#define CK_MLIR_RUNTIME_BUFFER_H

#include "ck-mlir/Runtime/Device.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::ck {

/// An allocation on a device. Freed on destruction; an error of that call is not reported, as every
/// error of earlier work has been reported by the call that waited for it.
class Buffer {
public:
  /// Allocates `bytes`, which may be 0 (then there is no memory and the pointer is null).
  static llvm::Expected<Buffer> allocate(const Device &device, size_t bytes);

  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  void *getPointer() const { return pointer; }
  size_t getSize() const { return size; }

  /// Copies from or to the host; the sizes must be equal.
  llvm::Error copyFromHost(llvm::ArrayRef<uint8_t> data);
  llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> data) const;
  /// Sets every byte.
  llvm::Error fill(uint8_t byte);
  /// Sets the first `bytes` to zero and waits for it, as a copy does and a fill need not.
  llvm::Error zero(size_t bytes);

private:
  Buffer() = default;
  void swap(Buffer &other) noexcept {
    std::swap(api, other.api);
    std::swap(pointer, other.pointer);
    std::swap(size, other.size);
  }

  std::shared_ptr<const HipApi> api;
  void *pointer = nullptr;
  size_t size = 0;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_BUFFER_H
