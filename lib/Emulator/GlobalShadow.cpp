//===- GlobalShadow.cpp - Who wrote device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of one workgroup are not compared with each other. What is read first and written by
// another workgroup later is found when the schedule turns it round.
//
//===----------------------------------------------------------------------===//

#include "GlobalShadow.h"
#include "LaneCopy.h"
#include "ck-mlir/Emulator/LaunchContext.h"
#include "ck-mlir/Emulator/Workgroup.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck::emulator;

// A cell: agent << 32 | updated << 29 | mask of written bytes << 25 | flag << 24 | clock. A flag is
// written with device scope; `updated` says by an atomic operation.
static constexpr uint64_t kAtomicCell = 1u << 24, kCellClock = kAtomicCell - 1;
static constexpr uint64_t kUpdatedCell = 1u << 29;
static constexpr unsigned kMaskShift = 25, kAgentShift = 32;

static uint32_t getAgent(const Wave &wave) {
  return uint32_t(wave.workgroup->linearId) * kMaxWaves + wave.waveInGroup;
}

/// True when the instruction bypasses the caches up to the device, as accesses of flags do.
static bool hasDeviceScope(const Instruction *inst) {
  return inst->has(Modifier::Sc1) || inst->has(Modifier::Glc) ||
         (inst->has(Modifier::Scope) && inst->mods.scope >= MemoryScope::Device);
}

/// True on chips whose stores of flags look like any other store.
static bool storesFlagsPlainly(const Wave &wave) {
  const Isa isa = wave.launch->object.getChip().isa;
  return isa == Isa::Gfx90a || isa == Isa::Gfx11;
}

/// One instruction.
struct GlobalShadow::Request {
  const Instruction *inst;
  Access access;
  bool isFlag; ///< with device scope, or an atomic
  bool publishes;
  const Lanes *const *data; ///< what is stored
};

void GroupKnowledge::acquire() {
  for (const auto &entry : pending)
    acquired[entry.first].join(entry.second);
  pending.clear();
}

GlobalShadow::GlobalShadow(const AllocationSnapshot &snapshot)
    : snapshot(snapshot), allocations(snapshot.size()) {}

GlobalShadow::~GlobalShadow() {
  for (size_t i = 0; i < allocations.size(); ++i) {
    std::atomic<Cell *> *pages = allocations[i].load();
    if (!pages)
      continue;
    for (uint64_t page = 0; page <= snapshot[i].size / kPageBytes; ++page)
      delete[] pages[page].load();
    delete[] pages;
  }
}

/// Puts `fresh` where nothing is; deletes it when another thread was faster.
template <class T>
static T *install(std::atomic<T *> &place, T *fresh) {
  T *expected = nullptr;
  if (place.compare_exchange_strong(expected, fresh))
    return fresh;
  delete[] fresh;
  return expected;
}

GlobalShadow::Cell *GlobalShadow::findCell(size_t allocation, uint64_t offset, bool create) {
  std::atomic<Cell *> *pages = allocations[allocation].load();
  if (!pages) {
    if (!create)
      return nullptr;
    pages = install(allocations[allocation],
                    new std::atomic<Cell *>[snapshot[allocation].size / kPageBytes + 1]());
  }
  std::atomic<Cell *> &page = pages[offset / kPageBytes];
  Cell *cells = page.load();
  if (!cells) {
    if (!create || numPages.load() >= kPageLimit)
      return nullptr;
    ++numPages;
    cells = install(page, new Cell[kCells]());
  }
  return &cells[offset % kPageBytes / 4];
}

bool GlobalShadow::isConflict(const Wave &wave, const Request &request, uint64_t old,
                              unsigned mask) const {
  const uint32_t agent = uint32_t(old >> kAgentShift);
  if (!(old >> kMaskShift & mask & 15) || agent / kMaxWaves == getAgent(wave) / kMaxWaves)
    return false;
  if (request.isFlag && (old & kAtomicCell))
    return false;
  // Loops around a compare-and-swap begin with a plain load.
  if (request.access == Access::Load && (old & kUpdatedCell))
    return false;
  auto found = wave.workgroup->knowledge->acquired.find(agent);
  return found == wave.workgroup->knowledge->acquired.end() ||
         found->second.released < (old & kCellClock);
}

/// What other workgroups may know when they see the flag that is set now.
void GlobalShadow::publish(const Wave &wave, uint64_t address, bool joins) {
  const GroupKnowledge &group = *wave.workgroup->knowledge;
  const uint32_t first = uint32_t(wave.workgroup->linearId) * kMaxWaves;
  std::lock_guard<std::mutex> lock(mutex);
  if (flags.size() >= kFlagLimit && !flags.count(address))
    return;
  StoreKnowledge &flag = flags[address];
  if (!joins)
    flag.clear();
  for (const auto &entry : group.acquired)
    flag[entry.first].join(entry.second);
  for (unsigned i = 0; i < wave.workgroup->waves.size(); ++i)
    if (group.own[i].issued)
      flag[first + i].join(group.own[i]);
  flag[getAgent(wave)].join({wave.order.storesReleased, wave.order.stores});
  ++releases;
}

void GlobalShadow::acquire(Wave &wave) {
  GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  for (uint64_t address : knowledge.lastRead[wave.waveInGroup])
    observe(wave, address);
  knowledge.acquire();
}

void GlobalShadow::observe(const Wave &wave, uint64_t address) {
  // Polling sees the same again and again.
  uint64_t &seen = wave.workgroup->knowledge->seen[address];
  if (seen == releases)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  seen = releases;
  auto found = flags.find(address);
  if (found == flags.end())
    return;
  for (const auto &entry : found->second)
    wave.workgroup->knowledge->pending[entry.first].join(entry.second);
}

void GlobalShadow::readFlag(const Wave &wave, uint64_t address) {
  auto &lastRead = wave.workgroup->knowledge->lastRead[wave.waveInGroup];
  if (lastRead.empty() || lastRead.back() != address)
    lastRead.push_back(address);
  observe(wave, address);
}

bool GlobalShadow::accessLane(Wave &wave, const Request &request, int lane, uint64_t address,
                              unsigned size) {
  const Allocation *allocation = findAllocation(snapshot, address);
  if (!allocation)
    return true;
  const size_t index = size_t(allocation - snapshot.data());
  const bool writes = request.access != Access::Load;
  if (!writes && !allocations[index].load(std::memory_order_relaxed))
    return true;
  const uint64_t base = allocation->begin & ~uint64_t(3);
  for (uint64_t at = address & ~uint64_t(3); at < address + size; at += 4) {
    Cell *cell = findCell(index, at - base, writes);
    if (!cell)
      continue;
    const uint64_t low = std::max(at, address) - at, high = std::min(at + 4, address + size) - at;
    const unsigned mask = ((1u << high) - 1) & ~((1u << low) - 1);
    uint64_t old;
    if (writes)
      old = cell->exchange(uint64_t(getAgent(wave)) << kAgentShift | uint64_t(mask) << kMaskShift |
                           (request.isFlag ? kAtomicCell : 0) |
                           (request.access == Access::Atomic ? kUpdatedCell : 0) |
                           (wave.order.stores & kCellClock));
    else
      old = cell->load(std::memory_order_relaxed);
    if (!isConflict(wave, request, old, mask))
      continue;
    if (request.data &&
        holdsValue(reinterpret_cast<const uint8_t *>(address), request.data, unsigned(lane), size))
      continue;
    report(wave, request, lane, address, size, old);
    return false;
  }
  return true;
}

bool GlobalShadow::access(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                          LaneMask lanes, unsigned size, Access access, const Lanes *const *data) {
  Request request{inst, access, access == Access::Atomic || hasDeviceScope(inst), false, data};
  const bool isSingle = (lanes & (lanes - 1)) == 0;
  request.isFlag |= access == Access::Store && isSingle && storesFlagsPlainly(wave);
  // Flags are set by one lane, or by stores that say so; sums are added by all.
  request.publishes = access == Access::Atomic
                          ? isSingle
                          : access == Access::Store && (isSingle || hasDeviceScope(inst));
  if (access == Access::Load && !(request.isFlag && releases)) {
    // Mostly inputs, which nobody writes; the check of bounds has left their allocation.
    if (wave.cachedCoversAll && !allocations[wave.cachedIndex].load(std::memory_order_relaxed))
      return true;
  }
  if (request.isFlag && access != Access::Store)
    startReading(wave);
  for (; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctzll(lanes);
    if (request.isFlag && access != Access::Store)
      readFlag(wave, addresses[unsigned(lane)]);
    if (!accessLane(wave, request, lane, addresses[unsigned(lane)], size))
      return false;
    if (request.publishes)
      publish(wave, addresses[unsigned(lane)], access == Access::Atomic);
  }
  return true;
}

bool GlobalShadow::loadScalar(Wave &wave, const Instruction *inst, uint64_t address,
                              unsigned size) {
  const Request request{inst, Access::Load, hasDeviceScope(inst), false, nullptr};
  if (request.isFlag) {
    startReading(wave);
    readFlag(wave, address);
  }
  return accessLane(wave, request, /*lane=*/-1, address, size);
}

void GlobalShadow::report(Wave &wave, const Request &request, int lane, uint64_t address,
                          unsigned size, uint64_t old) const {
  const uint32_t agent = uint32_t(old >> kAgentShift);
  const uint64_t group = agent / kMaxWaves, clock = old & kCellClock;
  const LaunchShape &shape = wave.launch->shape;
  const GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  const StoreClocks pending = knowledge.pending.lookup(agent);
  const StoreClocks acquired = knowledge.acquired.lookup(agent);
  const char *missing = "nothing orders them: no release and acquire at device scope between";
  if (pending.released >= clock)
    missing = "the acquire misses its cache invalidation after the flag was read";
  else if (std::max(pending.issued, acquired.issued) >= clock)
    missing = "the release misses its writeback or its wait for the store before the flag was set";
  const char *verb = request.access == Access::Load    ? "load"
                     : request.access == Access::Store ? "store"
                                                       : "atomic";
  const std::string who = lane < 0 ? "scalar" : "lane " + std::to_string(lane);
  wave.launch->reportFault(
      FaultKind::IllegalAddress,
      llvm::formatv("{0}: {1} {2} of {3} bytes at {4:x} races with the {5} of workgroup "
                    "({6},{7},{8}) wave {9}: {10}: {11}",
                    describePlace(wave, request.inst), who, verb, size, address,
                    old & kAtomicCell ? "atomic or flag store" : "store", group % shape.groups[0],
                    group / shape.groups[0] % shape.groups[1],
                    group / (uint64_t(shape.groups[0]) * shape.groups[1]), agent % kMaxWaves,
                    missing, describeAddress(snapshot, address)));
  wave.pc = request.inst;
  wave.state = WaveState::Faulted;
}
