//===- VirtualMemory.cpp - Addresses and memory apart -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VirtualMemory.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/VirtualMemory.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace ckemu;
using namespace ckemu::hip;

static constexpr uint64_t kPage = 4096;

static void *toPointer(uint64_t address) { return reinterpret_cast<void *>(address); }

VirtualMemory &VirtualMemory::get() {
  // Never destroyed, as State.
  static VirtualMemory *memory = new VirtualMemory();
  return *memory;
}

/// Success when `value`, named `what`, is a positive multiple of the granularity.
static Result checkMultiple(uint64_t value, const char *what) {
  if (value != 0 && value % kGranularity == 0)
    return Result();
  return invalidValue(llvm::formatv("{0} must be a positive multiple of {1} bytes, got {2}", what,
                                    kGranularity, value));
}

Result VirtualMemory::reserve(uint64_t size, uint64_t alignment, uint64_t wanted, void **ptr) {
  if (Result result = checkMultiple(size, "size"); result.code != hipSuccess)
    return result;
  if ((alignment & (alignment - 1)) != 0)
    return invalidValue("alignment must be 0 or a power of 2, got " + std::to_string(alignment));
  const uint64_t aligned = std::max(alignment, kGranularity);
  constexpr uint64_t kMost = uint64_t(1) << 46; // of addresses that a process may have
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *map = MAP_FAILED;
  Reservation reservation;
  reservation.size = size;
  // There is a page on both sides that nobody may access.
  if (size <= kMost && wanted >= kPage && wanted % aligned == 0) {
    reservation.mapSize = size + 2 * kPage;
    map = mmap(toPointer(wanted - kPage), reservation.mapSize, PROT_NONE,
               flags | MAP_FIXED_NOREPLACE, -1, 0);
  }
  if (map == MAP_FAILED && size <= kMost && aligned <= kMost) {
    reservation.mapSize = size + aligned + 2 * kPage;
    map = mmap(nullptr, reservation.mapSize, PROT_NONE, flags, -1, 0);
  }
  if (map == MAP_FAILED)
    return Result(hipErrorOutOfMemory,
                  "cannot reserve " + std::to_string(size) + " bytes of addresses");
  reservation.mapBegin = reinterpret_cast<uint64_t>(map);
  const uint64_t begin = (reservation.mapBegin + kPage + aligned - 1) / aligned * aligned;
  std::lock_guard<std::mutex> lock(mutex);
  reservations[begin] = std::move(reservation);
  *ptr = toPointer(begin);
  return Result();
}

/// The reservation that [address, address + size) lies in.
Result VirtualMemory::find(uint64_t address, uint64_t size, Reservation *&reservation) {
  auto it = reservations.upper_bound(address);
  if (it != reservations.begin()) {
    --it;
    const uint64_t offset = address - it->first;
    if (offset <= it->second.size && size <= it->second.size - offset) {
      reservation = &it->second;
      return Result();
    }
  }
  return invalidValue(
      llvm::formatv("{0:x} of {1} bytes is in no range of hipMemAddressReserve", address, size));
}

/// The mappings in `begins` that [address, address + size) consists of.
Result VirtualMemory::findMappings(uint64_t address, uint64_t size, Reservation *&reservation,
                                   std::vector<uint64_t> &begins) {
  if (Result result = checkMultiple(size, "size"); result.code != hipSuccess)
    return result;
  if (Result result = find(address, size, reservation); result.code != hipSuccess)
    return result;
  uint64_t next = address;
  const uint64_t end = address + size;
  for (auto it = reservation->mappings.find(next);
       next < end && it != reservation->mappings.end() && it->first == next; ++it) {
    begins.push_back(next);
    next += it->second.size;
  }
  if (next == end)
    return Result();
  return invalidValue(llvm::formatv(
      "{0:x} of {1} bytes does not consist of whole mappings of hipMemMap", address, size));
}

Result VirtualMemory::findMapping(uint64_t address, Mapping *&mapping) {
  Reservation *reservation = nullptr;
  if (Result result = find(address, 1, reservation); result.code != hipSuccess)
    return result;
  auto next = reservation->mappings.upper_bound(address);
  if (next != reservation->mappings.begin()) {
    auto &[begin, last] = *std::prev(next);
    if (address - begin < last.size) {
      mapping = &last;
      return Result();
    }
  }
  return invalidValue(llvm::formatv("nothing is mapped at {0:x}", address));
}

/// Tells the memory table which ranges kernels may access.
void VirtualMemory::show(State &state, Reservation &reservation) {
  for (uint64_t begin : reservation.visible)
    state.memory.removeExternal(begin);
  reservation.visible.clear();
  uint64_t begin = 0, end = 0;
  unsigned access = 0;
  auto flush = [&] {
    if (access == 0)
      return;
    state.memory.addExternal(begin, end - begin, "mapped memory",
                             access == hipMemAccessFlagsProtReadWrite);
    reservation.visible.push_back(begin);
  };
  for (const auto &[address, mapping] : reservation.mappings) {
    if (address != end || mapping.access != access) {
      flush();
      begin = address;
      access = mapping.access;
    }
    end = address + mapping.size;
  }
  flush();
}

Result VirtualMemory::free(uint64_t address, uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = reservations.find(address);
  if (it == reservations.end() || it->second.size != size)
    return invalidValue(llvm::formatv(
        "{0:x} of {1} bytes is not what hipMemAddressReserve returned", address, size));
  if (!it->second.mappings.empty())
    return invalidValue(llvm::formatv("{0} mappings of {1:x} are left: expected hipMemUnmap before",
                                      it->second.mappings.size(), address));
  munmap(toPointer(it->second.mapBegin), it->second.mapSize);
  reservations.erase(it);
  return Result();
}

Result VirtualMemory::create(State &state, uint64_t size, MemoryHandle *handle) {
  if (Result result = checkMultiple(size, "size"); result.code != hipSuccess)
    return result;
  if (llvm::Error error = state.memory.charge(size, state.getOptions().chip->product->memoryBytes))
    return Result(hipErrorOutOfMemory, llvm::toString(std::move(error)));
  auto created = std::make_unique<ihipMemGenericAllocationHandle>();
  created->size = size;
  created->file = memfd_create("ck-emulator", MFD_CLOEXEC);
  if (created->file < 0 || ftruncate(created->file, off_t(size)) != 0) {
    if (created->file >= 0)
      close(created->file);
    state.memory.discharge(size);
    return Result(hipErrorOutOfMemory, "cannot make a file for " + std::to_string(size) + " bytes");
  }
  std::lock_guard<std::mutex> lock(mutex);
  *handle = handles.add(std::move(created));
  return Result();
}

Result VirtualMemory::checkHandle(MemoryHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return handles.contains(handle) && handle->references != 0
             ? Result()
             : invalidValue(handles.explain(handle));
}

/// Returns memory that has neither a reference nor a mapping.
void VirtualMemory::dropIfUnused(State &state, MemoryHandle handle) {
  if (handle->references != 0 || handle->mappings != 0)
    return;
  close(handle->file);
  state.memory.discharge(handle->size);
  handles.destroy(handle);
}

Result VirtualMemory::release(State &state, MemoryHandle handle) {
  if (Result result = checkHandle(handle); result.code != hipSuccess)
    return result;
  std::lock_guard<std::mutex> lock(mutex);
  --handle->references;
  dropIfUnused(state, handle);
  return Result();
}

Result VirtualMemory::map(uint64_t address, uint64_t size, uint64_t offset, MemoryHandle handle) {
  if (Result result = checkHandle(handle); result.code != hipSuccess)
    return result;
  if (Result result = checkMultiple(size, "size"); result.code != hipSuccess)
    return result;
  if (address % kGranularity != 0 || offset % kGranularity != 0)
    return invalidValue(llvm::formatv("the address {0:x} and the offset {1} must be multiples of "
                                      "{2} bytes",
                                      address, offset, kGranularity));
  std::lock_guard<std::mutex> lock(mutex);
  Reservation *reservation = nullptr;
  if (Result result = find(address, size, reservation); result.code != hipSuccess)
    return result;
  if (offset > handle->size || size > handle->size - offset)
    return invalidValue(llvm::formatv("{0} bytes at offset {1} exceed the memory of {2} bytes",
                                      size, offset, handle->size));
  auto next = reservation->mappings.lower_bound(address);
  const bool hitsNext = next != reservation->mappings.end() && next->first - address < size;
  if (hitsNext || (next != reservation->mappings.begin() &&
                   address - std::prev(next)->first < std::prev(next)->second.size))
    return invalidValue(
        llvm::formatv("there is a mapping in {0:x} of {1} bytes already", address, size));
  if (mmap(toPointer(address), size, PROT_NONE, MAP_SHARED | MAP_FIXED, handle->file,
           off_t(offset)) == MAP_FAILED)
    return Result(hipErrorOutOfMemory, "cannot map " + std::to_string(size) + " bytes");
  reservation->mappings[address] = {size, handle, 0};
  ++handle->mappings;
  return Result();
}

Result VirtualMemory::unmap(State &state, uint64_t address, uint64_t size) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    Reservation *reservation = nullptr;
    std::vector<uint64_t> begins;
    if (Result result = findMappings(address, size, reservation, begins); result.code != hipSuccess)
      return result;
    for (uint64_t begin : begins) {
      MemoryHandle handle = reservation->mappings[begin].handle;
      reservation->mappings.erase(begin);
      --handle->mappings;
      dropIfUnused(state, handle);
    }
    show(state, *reservation);
  }
  state.active.wait();
  if (mmap(toPointer(address), size, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return Result(hipErrorOutOfMemory, "cannot unmap " + std::to_string(size) + " bytes");
  return Result();
}

Result VirtualMemory::setAccess(State &state, uint64_t address, uint64_t size, unsigned access) {
  std::lock_guard<std::mutex> lock(mutex);
  Reservation *reservation = nullptr;
  std::vector<uint64_t> begins;
  if (Result result = findMappings(address, size, reservation, begins); result.code != hipSuccess)
    return result;
  const int protection = access == hipMemAccessFlagsProtReadWrite ? PROT_READ | PROT_WRITE
                         : access == hipMemAccessFlagsProtRead    ? PROT_READ
                                                                  : PROT_NONE;
  if (mprotect(toPointer(address), size, protection) != 0)
    return Result(hipErrorOutOfMemory, "cannot give access to " + std::to_string(size) + " bytes");
  for (uint64_t begin : begins)
    reservation->mappings[begin].access = access;
  show(state, *reservation);
  return Result();
}

Result VirtualMemory::getAccess(uint64_t address, unsigned long long *access) {
  std::lock_guard<std::mutex> lock(mutex);
  Mapping *mapping = nullptr;
  Result result = findMapping(address, mapping);
  if (result.code == hipSuccess)
    *access = mapping->access;
  return result;
}

Result VirtualMemory::retain(uint64_t address, MemoryHandle *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Mapping *mapping = nullptr;
  if (Result result = findMapping(address, mapping); result.code != hipSuccess)
    return result;
  ++mapping->handle->references;
  *handle = mapping->handle;
  return Result();
}
