//===- MemoryType.h - hipMemoryType of HIP 5 and of HIP 6 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HIP 6 gave the names of hipMemoryType other numbers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MEMORY_MEMORYTYPE_H
#define CK_MLIR_LIB_EMULATOR_HIP_MEMORY_MEMORYTYPE_H

#include "Emulator/Hip/State.h"
#include "Emulator/Hip/Version.h"

namespace ckemu::hip {

/// The numbers of HIP 6 and 7.
enum class MemoryType : unsigned {
  Unregistered = 0,
  Host = 1,
  Device = 2,
  Managed = 3,
  Array = 10,
  Unified = 11
};

/// The number in the program's HIP.
inline hipMemoryType encode(MemoryType type) {
  if (getHipVersion() >= 6)
    return hipMemoryType(unsigned(type));
  switch (type) {
  case MemoryType::Unregistered:
  case MemoryType::Host:
    return hipMemoryTypeHost;
  case MemoryType::Device:
  case MemoryType::Managed: // hipPointerAttribute_t says it besides
    return hipMemoryTypeDevice;
  case MemoryType::Array:
    return hipMemoryTypeArray;
  case MemoryType::Unified:
    break;
  }
  return hipMemoryTypeUnified;
}

/// The type whose number in the program's HIP is `type`.
inline MemoryType decode(hipMemoryType type) {
  if (getHipVersion() >= 6)
    return MemoryType(unsigned(type));
  switch (type) {
  case hipMemoryTypeHost:
    return MemoryType::Host;
  case hipMemoryTypeDevice:
    return MemoryType::Device;
  case hipMemoryTypeUnified:
    return MemoryType::Unified;
  default:
    return MemoryType::Array;
  }
}

/// True for memory that the host allocated: pinned or registered.
inline bool isOnHost(const Allocation &allocation) {
  return allocation.host || allocation.name == kRegisteredName;
}

inline MemoryType getMemoryType(const Allocation &allocation) {
  if (isOnHost(allocation))
    return MemoryType::Host;
  return allocation.name == kManagedName ? MemoryType::Managed : MemoryType::Device;
}

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MEMORY_MEMORYTYPE_H
