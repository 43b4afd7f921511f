//===- ActiveWork.h - What other threads have under way -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is complete when the call returns that enqueues it, but another thread may be in such a
// call. What frees memory or code waits for it, as HIP does; work of one stream runs one after the
// other.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_ACTIVEWORK_H
#define CK_MLIR_LIB_EMULATOR_HIP_ACTIVEWORK_H

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

namespace ckemu::hip {

/// The launches, copies and fills of all threads. A thread that is inside of one (a host function
/// of a graph calls HIP) does not wait for itself.
class ActiveWork {
public:
  /// Work of a stream, from construction, which waits for the earlier work of that stream, to
  /// destruction.
  class Scope {
  public:
    Scope(ActiveWork &work, const void *stream);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    ActiveWork &work;
    uint64_t ticket = 0; ///< 0: part of the work that this thread is in
  };

  /// Waits until all that is under way has ended; what begins meanwhile is not waited for.
  void wait();
  /// The same for the work of one stream.
  void wait(const void *stream);
  /// True when work of `stream` is under way in another thread.
  bool isActive(const void *stream) const;

private:
  mutable std::mutex mutex;
  std::condition_variable ended;
  std::map<uint64_t, const void *> tickets; ///< stream by ticket
  uint64_t lastTicket = 0;

  template <class Matches>
  void waitFor(std::unique_lock<std::mutex> &lock, uint64_t before, Matches matches);
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_ACTIVEWORK_H
