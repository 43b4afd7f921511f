//===- VirtualMemory.h - Addresses and memory apart -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program reserves a range of addresses, creates memory, and maps the one to the other. Memory is
// a file without a name, so that it can be mapped at several places. What kernels may access is the
// longest ranges that are mapped without a gap with the same access: each is one allocation of the
// memory table, as a copy may cross the borders of mappings.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_VIRTUALMEMORY_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_VIRTUALMEMORY_H

#include "Emulator/Hip/State.h"

/// Memory that hipMemCreate made.
struct ihipMemGenericAllocationHandle {
  int file = -1;
  uint64_t size = 0;
  unsigned references = 1; ///< hipMemRelease takes one away
  unsigned mappings = 0;
};

namespace ckemu::hip {

using MemoryHandle = ihipMemGenericAllocationHandle *;

/// Sizes and addresses are multiples of it.
inline constexpr uint64_t kGranularity = uint64_t(1) << 21;

/// The reserved ranges and the created memory of the process.
class VirtualMemory {
public:
  static VirtualMemory &get();

  /// Reserves `size` bytes of addresses, at `wanted` where that is free.
  Result reserve(uint64_t size, uint64_t alignment, uint64_t wanted, void **ptr);
  /// Ends a reservation, in which nothing may be mapped.
  Result free(uint64_t address, uint64_t size);
  /// Makes `size` bytes of memory, which hold zeros.
  Result create(State &state, uint64_t size, MemoryHandle *handle);
  /// Takes a reference away; memory lives until the last one, and the last mapping, has gone.
  Result release(State &state, MemoryHandle handle);
  /// Maps [offset, offset + size) of the memory, without access.
  Result map(uint64_t address, uint64_t size, uint64_t offset, MemoryHandle handle);
  /// Ends the mappings that the range consists of, when what runs has ended.
  Result unmap(State &state, uint64_t address, uint64_t size);
  /// Sets the access (hipMemAccessFlags) of the mappings that the range consists of.
  Result setAccess(State &state, uint64_t address, uint64_t size, unsigned access);
  Result getAccess(uint64_t address, unsigned long long *access);
  /// Another reference to the memory that is mapped at `address`.
  Result retain(uint64_t address, MemoryHandle *handle);
  Result checkHandle(MemoryHandle handle);

private:
  struct Mapping {
    uint64_t size = 0;
    MemoryHandle handle = nullptr;
    unsigned access = 0; ///< hipMemAccessFlags
  };
  struct Reservation {
    uint64_t size = 0, mapBegin = 0, mapSize = 0;
    std::map<uint64_t, Mapping> mappings; ///< by address
    std::vector<uint64_t> visible;        ///< begins of its allocations in the memory table
  };

  std::mutex mutex;
  std::map<uint64_t, Reservation> reservations; ///< by address
  HandleTable<ihipMemGenericAllocationHandle> handles{"memory handle", "released"};

  // With the lock held.
  Result find(uint64_t address, uint64_t size, Reservation *&reservation);
  Result findMappings(uint64_t address, uint64_t size, Reservation *&reservation,
                      std::vector<uint64_t> &begins);
  Result findMapping(uint64_t address, Mapping *&mapping);
  static void show(State &state, Reservation &reservation);
  void dropIfUnused(State &state, MemoryHandle handle);
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_VIRTUALMEMORY_H
