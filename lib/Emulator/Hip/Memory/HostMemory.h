//===- HostMemory.h - Reading memory that may not be there -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers of the program are read through the operating system, which answers an unreadable
// address with an error, not a signal.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_HOSTMEMORY_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_HOSTMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <optional>

namespace ckemu::hip {

/// Bytes to copy from memory of the program.
struct HostRange {
  const void *from;
  void *to;
  size_t size;
};

/// Copies all ranges; the number of the first that is not readable as a whole, or none.
std::optional<size_t> readHostMemory(llvm::ArrayRef<HostRange> ranges);

/// Copies [from, from + size); false when some of it is not readable.
inline bool readHostMemory(const void *from, void *to, size_t size) {
  return !readHostMemory(HostRange{from, to, size});
}

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_HOSTMEMORY_H
