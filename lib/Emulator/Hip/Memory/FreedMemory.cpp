//===- FreedMemory.cpp - What was freed, for messages -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FreedMemory.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/FreedMemory.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;
using namespace ckemu::hip;

static constexpr size_t kRemembered = 4096;

void FreedMemory::noteFree(const Allocation &allocation) {
  std::lock_guard<std::mutex> lock(mutex);
  freed[allocation.begin] = allocation;
  order.push_back(allocation.begin);
  if (order.size() <= kRemembered)
    return;
  freed.erase(order.front());
  order.pop_front();
}

void FreedMemory::noteAllocation(uint64_t begin, uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = freed.lower_bound(begin);
  if (it != freed.begin() && std::prev(it)->second.end() > begin)
    --it;
  while (it != freed.end() && it->first < begin + size)
    it = freed.erase(it);
}

std::string FreedMemory::describe(uint64_t address) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = freed.upper_bound(address);
  if (it == freed.begin())
    return std::string();
  const Allocation &allocation = std::prev(it)->second;
  if (!allocation.contains(address, 1))
    return std::string();
  uint64_t offset = address - allocation.begin;
  return llvm::formatv("is {0}a {1} of {2} bytes that was freed before",
                       offset == 0 ? std::string()
                                   : llvm::formatv("at offset {0} of ", offset).str(),
                       allocation.name, allocation.size);
}
