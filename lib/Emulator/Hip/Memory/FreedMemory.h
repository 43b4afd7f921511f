//===- FreedMemory.h - What was freed, for messages -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer that is no longer valid is best explained by what it was.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_FREEDMEMORY_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_FREEDMEMORY_H

#include "Emulator/Load/MemoryTable.h"
#include <deque>

namespace ckemu::hip {

/// The most recently freed allocations whose addresses are not in use again.
class FreedMemory {
public:
  void noteFree(const Allocation &allocation);
  /// The addresses are in use again: allocated, reserved, or registered memory of the host.
  void noteAllocation(uint64_t begin, uint64_t size);
  /// "is at offset 4 of a device allocation of 64 bytes that was freed before", or an empty string.
  std::string describe(uint64_t address) const;

private:
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> freed; ///< by begin
  std::deque<uint64_t> order;           ///< of freeing, begins
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_FREEDMEMORY_H
