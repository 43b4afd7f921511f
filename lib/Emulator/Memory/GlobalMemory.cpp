//===- GlobalMemory.cpp - Checked access to device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most instructions touch one allocation: the smallest and largest address of the wave decide, and
// the allocation that was hit last is tried first. Only what that does not settle is looked up lane
// by lane.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/GlobalShadow.h"
#include "Emulator/Load/InitializedBytes.h"
#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaneExtents.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Memory/LaneMemory.h"
#include "Emulator/Memory/Recording.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace ckemu;

static const char *getAccessName(Access access) {
  switch (access) {
  case Access::Load:
    return "load";
  case Access::Store:
    return "store";
  case Access::Atomic:
    return "atomic";
  }
  return "access";
}

static void reportOutOfBounds(Wave &wave, const Instruction *inst, int lane, uint64_t address,
                              unsigned size, Access access, const char *problem) {
  std::string who = lane < 0 ? std::string("scalar") : "lane " + std::to_string(lane);
  reportFault(wave, inst, FaultKind::IllegalAddress,
              llvm::formatv("{0} {1} of {2} bytes at {3:x} {4}: {5}", who, getAccessName(access),
                            size, address, problem,
                            describeAddress(*wave.launch->snapshot, address)));
}

/// Finds the allocation of one access and caches it; reports and returns false when there is none.
static bool checkSlowly(Wave &wave, const Instruction *inst, int lane, uint64_t address,
                        unsigned size, Access access) {
  const Allocation *allocation = findAllocation(*wave.launch->snapshot, address);
  if (!allocation || !allocation->contains(address, size)) {
    reportOutOfBounds(wave, inst, lane, address, size, access, "is out of bounds");
    return false;
  }
  if (access != Access::Load && !allocation->writable) {
    reportOutOfBounds(wave, inst, lane, address, size, access, "writes to read-only memory");
    return false;
  }
  if (access == Access::Atomic && address % size != 0) {
    reportOutOfBounds(wave, inst, lane, address, size, access, "is misaligned");
    return false;
  }
  wave.cachedBegin = allocation->begin;
  wave.cachedEnd = allocation->end();
  wave.cachedWritable = allocation->writable;
  wave.cachedIndex = uint32_t(allocation - wave.launch->snapshot->data());
  return true;
}

static bool isCached(const Wave &wave, uint64_t first, uint64_t last, unsigned size,
                     Access access) {
  return first >= wave.cachedBegin && last < wave.cachedEnd && wave.cachedEnd - last >= size &&
         (access == Access::Load || wave.cachedWritable);
}

static bool checkAlignment(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                           LaneMask lanes, unsigned size) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = unsigned(__builtin_ctzll(lanes));
    if (addresses[lane] % size == 0)
      continue;
    reportOutOfBounds(wave, inst, int(lane), addresses[lane], size, Access::Atomic,
                      "is misaligned");
    return false;
  }
  return true;
}

/// Cache lines that the accesses of `lanes` touch, each line once.
static unsigned countCacheLines(const Lanes64 &addresses, LaneMask lanes, unsigned size) {
  std::array<uint64_t, size_t(2) * kLanes> lines; // an access of at most 16 bytes touches two
  size_t count = 0;
  for (; lanes; lanes &= lanes - 1) {
    uint64_t address = addresses[unsigned(__builtin_ctzll(lanes))];
    lines[count++] = address / kCacheLineBytes;
    lines[count++] = (address + size - 1) / kCacheLineBytes;
  }
  std::sort(lines.begin(), lines.begin() + count);
  return unsigned(std::unique(lines.begin(), lines.begin() + count) - lines.begin());
}

/// Finds the allocations of all lanes.
static bool checkBounds(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                        LaneMask lanes, unsigned size, Access access) {
  const auto [first, last] = findExtent(addresses, lanes);
  wave.cachedCoversAll = true;
  if (isCached(wave, first, last, size, access))
    return true;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = unsigned(__builtin_ctzll(lanes));
    uint64_t address = addresses[lane];
    if (!isCached(wave, address, address, size, access) &&
        !checkSlowly(wave, inst, int(lane), address, size, access))
      return false;
    if (isCached(wave, first, last, size, access))
      return true;
  }
  wave.cachedCoversAll = false;
  return true;
}

/// Checks what is read, notes what is written.
static bool checkInitialized(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                             LaneMask lanes, unsigned size, Access access) {
  const AllocationSnapshot &snapshot = *wave.launch->snapshot;
  const Allocation *allocation = &snapshot[wave.cachedIndex];
  const bool same = wave.cachedCoversAll;
  if (same && (!allocation->initialized || allocation->initialized->isComplete()))
    return true;
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = unsigned(__builtin_ctzll(lanes));
    if (!same)
      allocation = findAllocation(snapshot, addresses[lane]);
    if (!allocation || !allocation->initialized)
      continue;
    const uint64_t offset = addresses[lane] - allocation->begin;
    if (access != Access::Store && !allocation->initialized->isMarked(offset, size)) {
      reportOutOfBounds(wave, inst, int(lane), addresses[lane], size, access,
                        "reads memory that was never written");
      return false;
    }
    if (access != Access::Load)
      allocation->initialized->mark(offset, size);
  }
  return true;
}

bool ckemu::checkGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                        LaneMask lanes, unsigned size, Access access, const Lanes *const *data) {
  // Atomic operations that return what was there are counted as loads by the waits of RDNA.
  const bool countsAsLoad =
      access == Access::Load || (access == Access::Atomic && returnsOld(*inst));
  ++wave.order.vectorIssued;
  wave.order.loads += countsAsLoad;
  if (!lanes)
    return true;
  unsigned bytes = size * countLanes(lanes);
  if (access == Access::Load) {
    wave.counters.bytesLoaded += bytes;
  } else {
    wave.counters.bytesStored += bytes;
    wave.counters.globalStores += access == Access::Store;
  }
  if (wave.launch->profile)
    wave.counters.cacheLines += countCacheLines(addresses, lanes, size);
  const Checks &checks = wave.launch->checks;
  if (access != Access::Load)
    ++wave.order.stores;
  if (!countsAsLoad)
    wave.order.storesCounted = wave.order.stores;
  if (access == Access::Atomic && !checkAlignment(wave, inst, addresses, lanes, size))
    return false;
  if (!checkBounds(wave, inst, addresses, lanes, size, access))
    return false;
  if (checks.uninitialized && !checkInitialized(wave, inst, addresses, lanes, size, access))
    return false;
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordGlobal(wave, inst, addresses, lanes, size, access);
  return !wave.launch->globalShadow ||
         wave.launch->globalShadow->access(wave, inst, addresses, lanes, size, access, data);
}

/// Compilers widen scalar loads to a size that the instruction set has, 12 bytes to 16 or 28 to 32,
/// where the memory beyond cannot be in another page. Returns how many bytes of such a load lie in
/// the allocation: what goes beyond must stay in the aligned block of the last of them.
static unsigned clipToAllocation(const Wave &wave, uint64_t address, unsigned size) {
  const Allocation *allocation = findAllocation(*wave.launch->snapshot, address);
  if (!allocation || allocation->contains(address, size))
    return size;
  const uint64_t end = allocation->end(), block = llvm::bit_ceil(size);
  const uint64_t endOfBlock = (end - 1) / block * block + block;
  return address + size <= endOfBlock ? unsigned(end - address) : size;
}

/// The scalar unit drops the low bits of an address, so that it accesses what the program did not
/// ask for: elements of a dword and more are aligned to dwords, smaller ones to their size.
static bool dropLowBits(Wave &wave, const Instruction *inst, uint64_t &address, unsigned size,
                        Access access) {
  const uint64_t dropped = address & (std::min(size, 4u) - 1);
  if (dropped != 0 && wave.launch->checks.alignment) {
    reportOutOfBounds(wave, inst, /*lane=*/-1, address, size, access,
                      "is misaligned, and the scalar unit drops the low bits");
    return false;
  }
  address -= dropped;
  return true;
}

uint64_t ckemu::checkGlobalScalar(Wave &wave, const Instruction *inst, uint64_t address,
                                  unsigned size) {
  const uint64_t all = llvm::maskTrailingOnes<uint64_t>(size);
  const Checks &checks = wave.launch->checks;
  if (!dropLowBits(wave, inst, address, size, Access::Load))
    return 0;
  unsigned inside = size;
  if (!isCached(wave, address, address, size, Access::Load)) {
    if (size >= 4)
      inside = clipToAllocation(wave, address, size);
    if (!checkSlowly(wave, inst, /*lane=*/-1, address, inside, Access::Load))
      return 0;
  }
  const Allocation &allocation = (*wave.launch->snapshot)[wave.cachedIndex];
  uint64_t known = llvm::maskTrailingOnes<uint64_t>(inside);
  if (checks.uninitialized && allocation.initialized)
    known = allocation.initialized->getMarks(address - allocation.begin, inside);
  if (size < 4 ? known != all : known == 0) {
    reportOutOfBounds(wave, inst, /*lane=*/-1, address, size, Access::Load,
                      "reads memory that was never written");
    return 0;
  }
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordScalar(wave, inst, address, inside);
  if (wave.launch->globalShadow &&
      !wave.launch->globalShadow->loadScalar(wave, inst, address, inside))
    return 0;
  return known;
}

bool ckemu::loadGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                       LaneMask lanes, unsigned size, Lanes *out) {
  if (!checkGlobal(wave, inst, addresses, lanes, size, Access::Load))
    return false;
  if (!wave.skipsData(inst))
    copyIn(PointerLanes{addresses}, lanes, size, out);
  return true;
}

bool ckemu::storeGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                        LaneMask lanes, unsigned size, const Lanes *const *data) {
  if (!checkGlobal(wave, inst, addresses, lanes, size, Access::Store, data))
    return false;
  if (!wave.skipsData(inst))
    copyOut(PointerLanes{addresses}, lanes, size, data);
  return true;
}

bool ckemu::storeGlobalScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size,
                              const Lanes *const *data) {
  if (!dropLowBits(wave, inst, address, size, Access::Store))
    return false;
  Lanes64 addresses;
  addresses[0] = address;
  const uint32_t issued = wave.order.vectorIssued;
  const bool stored = storeGlobal(wave, inst, addresses, /*lanes=*/1, size, data);
  wave.order.vectorIssued = issued;
  return stored;
}
