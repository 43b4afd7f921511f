//===- TransferCheck.cpp - Checks of copies and fills -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TransferCheck.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/TransferCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/mman.h>

using namespace ckemu;
using namespace ckemu::hip;

Result hip::checkRange(State &state, const void *ptr, size_t size, const char *what) {
  Allocation allocation;
  uint64_t address = reinterpret_cast<uint64_t>(ptr);
  if (size == 0)
    return Result();
  if (!state.memory.find(address, allocation)) {
    if (std::string before = state.freed.describe(address); !before.empty())
      return Result(hipErrorInvalidValue,
                    llvm::formatv("the {0} {1:x} {2}", what, address, before));
    return Result(hipErrorInvalidValue,
                  llvm::formatv("the {0} {1:x} is not in device memory: {2}", what, address,
                                describeAddress(*state.memory.getSnapshot(), address)));
  }
  if (allocation.contains(address, size))
    return Result();
  return Result(hipErrorInvalidValue,
                llvm::formatv("the {0} of {1} bytes at offset {2} exceeds the {3} {4:x} of "
                              "{5} bytes",
                              what, size, address - allocation.begin, allocation.name,
                              allocation.begin, allocation.size));
}

/// True when `address` was in freed device memory and nothing has taken its place since. (The host
/// may have: then it is ordinary memory.)
static bool isGone(State &state, uint64_t address) {
  unsigned char resident;
  return !state.freed.describe(address).empty() &&
         mincore(reinterpret_cast<void *>(address / 4096 * 4096), 1, &resident) != 0;
}

/// The side of a hipMemcpyDefault copy: host memory unless it begins in an allocation, or did.
static Result checkAnySide(State &state, const void *ptr, size_t size, const char *what) {
  Allocation allocation;
  uint64_t address = reinterpret_cast<uint64_t>(ptr);
  if (!state.memory.find(address, allocation) && !isGone(state, address))
    return Result();
  return checkRange(state, ptr, size, what);
}

Result hip::checkCopy(State &state, const void *dst, const void *src, size_t size,
                      hipMemcpyKind kind) {
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault)
    return Result(hipErrorInvalidMemcpyDirection,
                  "kind must be in [0, 4], got " + std::to_string(int(kind)));
  if (size == 0)
    return Result();
  if (!dst || !src)
    return invalidValue(dst ? "the source is null" : "the destination is null");
  bool toDevice = kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
  bool fromDevice = kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
  Result result = toDevice ? checkRange(state, dst, size, "destination")
                           : checkAnySide(state, dst, size, "destination");
  if (result.code != hipSuccess)
    return result;
  return fromDevice ? checkRange(state, src, size, "source")
                    : checkAnySide(state, src, size, "source");
}
