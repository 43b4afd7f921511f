//===- MemoryTable.cpp - Device memory of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Memory.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/MemoryTable.h"
#include "Emulator/Load/InitializedBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <sys/mman.h>

using namespace ckemu;

static constexpr uint64_t kPage = 4096, kHugePage = uint64_t(1) << 21;
static constexpr uint64_t kAlignment = 256;

static uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

const Allocation *ckemu::findAllocation(const AllocationSnapshot &snapshot, uint64_t address) {
  auto it = llvm::upper_bound(snapshot, address,
                              [](uint64_t a, const Allocation &b) { return a < b.begin; });
  if (it == snapshot.begin())
    return nullptr;
  --it;
  return address < it->end() ? &*it : nullptr;
}

static std::string describeRange(const Allocation &allocation) {
  return llvm::formatv("the {0} {1:x} of {2} bytes", allocation.name, allocation.begin,
                       allocation.size);
}

std::string ckemu::describeAddress(const AllocationSnapshot &snapshot, uint64_t address) {
  if (const Allocation *inside = findAllocation(snapshot, address))
    return llvm::formatv("at offset {0} of {1}", address - inside->begin, describeRange(*inside));
  auto next = llvm::upper_bound(snapshot, address,
                                [](uint64_t a, const Allocation &b) { return a < b.begin; });
  constexpr uint64_t kNear = 1u << 30;
  uint64_t before = next == snapshot.end() ? kNear : next->begin - address;
  uint64_t after = next == snapshot.begin() ? kNear : address - std::prev(next)->end();
  if (std::min(before, after) >= kNear)
    return "in no allocation";
  if (after <= before)
    return llvm::formatv("{0} bytes past the end of {1}", after, describeRange(*std::prev(next)));
  return llvm::formatv("{0} bytes before the begin of {1}", before, describeRange(*next));
}

MemoryTable::~MemoryTable() {
  for (auto &entry : allocations)
    if (entry.second.mapBegin)
      unmap(entry.second);
}

/// With the lock held: whether `size` bytes more fit.
llvm::Error MemoryTable::checkRoom(uint64_t size, uint64_t capacity) const {
  if (size <= capacity && usedBytes <= capacity - size)
    return llvm::Error::success();
  return llvm::createStringError(
      "cannot allocate %llu bytes of device memory: %llu of %llu bytes are in use",
      (unsigned long long)size, (unsigned long long)usedBytes, (unsigned long long)capacity);
}

llvm::Error MemoryTable::charge(uint64_t size, uint64_t capacity) {
  std::lock_guard<std::mutex> lock(mutex);
  if (llvm::Error error = checkRoom(size, capacity))
    return error;
  usedBytes += size;
  return llvm::Error::success();
}

void MemoryTable::discharge(uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  usedBytes -= size;
}

llvm::Expected<uint64_t> MemoryTable::allocate(uint64_t size, llvm::StringRef name, bool host,
                                               uint64_t capacity) {
  std::lock_guard<std::mutex> lock(mutex);
  if (llvm::Error error = checkRoom(size, capacity))
    return std::move(error);
  uint64_t body = alignUp(size, kPage);
  uint64_t total = body + 2 * kPage;
  void *map = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return llvm::createStringError("cannot allocate %llu bytes of host memory",
                                   (unsigned long long)size);
  uint64_t mapBegin = reinterpret_cast<uint64_t>(map);
  if (mprotect(reinterpret_cast<void *>(mapBegin + kPage), body, PROT_READ | PROT_WRITE) != 0) {
    munmap(map, total);
    return llvm::createStringError("cannot allocate %llu bytes of host memory",
                                   (unsigned long long)size);
  }
  // Kernels go through large allocations: fewer faults of the host's pages. No matter if it fails.
  if (body >= kHugePage)
    madvise(reinterpret_cast<void *>(mapBegin + kPage), body, MADV_HUGEPAGE);
  Allocation allocation;
  allocation.begin = mapBegin + kPage + body - alignUp(size, kAlignment);
  allocation.size = size;
  allocation.name = name.str();
  allocation.host = host;
  allocation.mapBegin = mapBegin;
  allocation.mapSize = total;
  usedBytes += size;
  add(allocation);
  return allocation.begin;
}

/// With the lock held.
void MemoryTable::add(Allocation allocation) {
  allocation.number = ++lastNumber;
  const uint64_t begin = allocation.begin;
  allocations[begin] = std::move(allocation);
  snapshot.reset();
}

void MemoryTable::addExternal(uint64_t begin, uint64_t size, llvm::StringRef name, bool writable) {
  std::lock_guard<std::mutex> lock(mutex);
  Allocation allocation;
  allocation.begin = begin;
  allocation.size = size;
  allocation.name = name.str();
  allocation.writable = writable;
  allocation.freeable = false;
  add(allocation);
}

void MemoryTable::removeExternal(uint64_t begin) {
  std::lock_guard<std::mutex> lock(mutex);
  allocations.erase(begin);
  snapshot.reset();
}

llvm::Expected<Allocation> MemoryTable::remove(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(address);
  if (it == allocations.end() || !it->second.freeable)
    return llvm::createStringError("cannot free 0x%llx: expected the begin of a live allocation",
                                   (unsigned long long)address);
  Allocation removed = std::move(it->second);
  usedBytes -= removed.size;
  allocations.erase(it);
  snapshot.reset();
  return removed;
}

void MemoryTable::unmap(const Allocation &allocation) {
  munmap(reinterpret_cast<void *>(allocation.mapBegin), allocation.mapSize);
}

bool MemoryTable::find(uint64_t address, Allocation &result) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return false;
  --it;
  if (address >= it->second.end())
    return false;
  result = it->second;
  return true;
}

void MemoryTable::trackInitialized(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(address);
  if (it == allocations.end())
    return;
  it->second.initialized = std::make_shared<InitializedBytes>(it->second.size);
  snapshot.reset();
}

void MemoryTable::markInitialized(uint64_t address, uint64_t size) {
  Allocation allocation;
  if (size != 0 && find(address, allocation) && allocation.initialized)
    allocation.initialized->mark(address - allocation.begin,
                                 std::min(size, allocation.end() - address));
}

uint64_t MemoryTable::getUsedBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  return usedBytes;
}

std::shared_ptr<const AllocationSnapshot> MemoryTable::getSnapshot() const {
  std::lock_guard<std::mutex> lock(mutex);
  if (!snapshot) {
    auto result = std::make_shared<AllocationSnapshot>();
    result->reserve(allocations.size());
    for (const auto &entry : allocations)
      result->push_back(entry.second);
    snapshot = std::move(result);
  }
  return snapshot;
}
