//===- MemoryTable.h - Device memory of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is host memory: a device pointer is a host pointer. What makes an access legal is
// the table of allocations kept here; every access of a kernel is checked against a snapshot of it.
// Pages around each allocation are inaccessible, so that even with the checks off an access far out
// of bounds cannot silently hit a neighbour.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_MEMORYTABLE_H
#define CK_MLIR_LIB_EMULATOR_LOAD_MEMORYTABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ckemu {

class InitializedBytes;

/// One range of memory that kernels may access.
struct Allocation {
  uint64_t begin = 0; ///< first byte
  uint64_t size = 0;  ///< bytes
  std::string name;   ///< for messages: "device allocation", "code object", "kernel arguments"
  bool writable = true;
  bool freeable = true;  ///< hipFree / hipHostFree may free it
  bool host = false;     ///< pinned host memory
  uint64_t mapBegin = 0; ///< the mapping with its guard pages; 0 when not owned
  uint64_t mapSize = 0;
  uint64_t number = 0; ///< grows from one allocation to the next

  /// A launch whose time was modelled has stored to it.
  std::shared_ptr<std::atomic<bool>> changedByKernels = std::make_shared<std::atomic<bool>>(false);
  /// Which bytes were written; null where all count as written.
  std::shared_ptr<InitializedBytes> initialized;

  uint64_t end() const { return begin + size; }
  /// True when [address, address + bytes) lies inside.
  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= begin && bytes <= size && address - begin <= size - bytes;
  }
};

/// The allocations at one moment, ordered by address. Immutable.
using AllocationSnapshot = std::vector<Allocation>;

/// The allocation of `snapshot` that contains `address`, or null.
const Allocation *findAllocation(const AllocationSnapshot &snapshot, uint64_t address);
/// Says where `address` lies: "24 bytes past the end of the device allocation 0x.. of 1024 bytes",
/// "in no allocation".
std::string describeAddress(const AllocationSnapshot &snapshot, uint64_t address);

/// All allocations of the device. Thread safe.
class MemoryTable {
public:
  ~MemoryTable();

  /// Allocates `size` (> 0) bytes, aligned to 256 bytes and placed so that the end of the
  /// allocation touches the guard page as closely as the alignment permits. Fails when the device's
  /// `capacity` or the host's memory is exhausted.
  llvm::Expected<uint64_t> allocate(uint64_t size, llvm::StringRef name, bool host,
                                    uint64_t capacity);
  /// Counts `size` bytes that someone else allocates as in use; fails as `allocate` does.
  llvm::Error charge(uint64_t size, uint64_t capacity);
  /// No longer counts them.
  void discharge(uint64_t size);
  /// Makes memory that someone else owns accessible to kernels.
  void addExternal(uint64_t begin, uint64_t size, llvm::StringRef name, bool writable);
  void removeExternal(uint64_t begin);
  /// Takes out the allocation that begins at `address`; fails when there is none. Launches that
  /// began before may still use it, until the caller gives it to `unmap`.
  llvm::Expected<Allocation> remove(uint64_t address);
  /// Returns the memory of what was taken out.
  static void unmap(const Allocation &allocation);

  /// The allocation that contains `address`, if any.
  bool find(uint64_t address, Allocation &result) const;
  /// Remembers from now on which bytes of the allocation that begins at `address` were written.
  void trackInitialized(uint64_t address);
  /// Notes that the host, or a copy, wrote [address, address + size).
  void markInitialized(uint64_t address, uint64_t size);
  /// Bytes allocated by `allocate`, and charged.
  uint64_t getUsedBytes() const;
  std::shared_ptr<const AllocationSnapshot> getSnapshot() const;

private:
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  mutable std::shared_ptr<const AllocationSnapshot> snapshot;
  uint64_t usedBytes = 0;
  uint64_t lastNumber = 0;

  void add(Allocation allocation);
  llvm::Error checkRoom(uint64_t size, uint64_t capacity) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_MEMORYTABLE_H
