//===- Event.h - Points in time of a stream -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For measuring how long kernels run.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_EVENT_H
#define CK_MLIR_RUNTIME_EVENT_H

#include "ck-mlir/Runtime/Stream.h"

namespace mlir::ck {

/// A HIP event; destroyed on destruction.
class Event {
public:
  static llvm::Expected<Event> create(const Device &device);

  Event(Event &&other) noexcept { swap(other); }
  Event &operator=(Event &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Event();

  /// Marks the point after the work that `stream` has been given so far.
  llvm::Error record(const Stream &stream);
  /// Waits for the event.
  llvm::Error synchronize() const;
  /// Milliseconds from `start` to this event; both must have been recorded and reached.
  llvm::Expected<float> getMillisecondsSince(const Event &start) const;

private:
  Event() = default;
  void swap(Event &other) noexcept {
    std::swap(api, other.api);
    std::swap(handle, other.handle);
  }

  std::shared_ptr<const HipApi> api;
  hip::EventHandle handle = nullptr;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_EVENT_H
