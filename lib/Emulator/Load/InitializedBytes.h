//===- InitializedBytes.h - Bytes that were written -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fresh device memory holds anything. To tell a kernel that reads it, the allocation remembers by
// bit which bytes were written; the bits are pages that the host maps when they are used.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_INITIALIZEDBYTES_H
#define CK_MLIR_LIB_EMULATOR_LOAD_INITIALIZEDBYTES_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ckemu {

/// Which of `size` bytes were written. Thread safe.
class InitializedBytes {
public:
  explicit InitializedBytes(uint64_t size);
  ~InitializedBytes();
  InitializedBytes(const InitializedBytes &) = delete;
  InitializedBytes &operator=(const InitializedBytes &) = delete;

  /// Notes that [offset, offset + bytes) was written.
  void mark(uint64_t offset, uint64_t bytes);
  /// Which of [offset, offset + bytes) were written, bit 0 the first; `bytes` 1 to 64.
  uint64_t getMarks(uint64_t offset, unsigned bytes) const;
  /// True when all of them were.
  bool isMarked(uint64_t offset, unsigned bytes) const {
    return getMarks(offset, bytes) == getMask(0, bytes);
  }
  /// True when every byte was written by one copy.
  bool isComplete() const { return complete.load(std::memory_order_relaxed); }

private:
  /// The bits of [first, first + count) of a word.
  static uint64_t getMask(unsigned first, unsigned count) {
    return (count == 64 ? ~0ull : (1ull << count) - 1) << first;
  }

  uint64_t size;
  size_t mapSize;
  uint64_t *words; ///< null when the host has no memory for them: all count as written
  std::atomic<bool> complete{false};
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_INITIALIZEDBYTES_H
