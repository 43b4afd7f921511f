//===- GlobalShadow.cpp - Who wrote device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read first and written by another workgroup later is found when the schedule turns it
// round.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/GlobalShadow.h"
#include "Emulator/Decode/FlagStore.h"
#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <thread>

using namespace ckemu;

// A cell: agent << 32 | group flag << 30 | updated << 29 | mask of written bytes << 25 | flag << 24
// | clock. A flag is written with device scope, a group flag with that of the workgroup; `updated`
// says by an atomic operation.
static constexpr uint64_t kAtomicCell = 1u << 24, kCellClock = kAtomicCell - 1;
static constexpr uint64_t kUpdatedCell = 1u << 29, kGroupFlagCell = 1u << 30;
static constexpr unsigned kMaskShift = 25, kAgentShift = 32;
/// Looks at a value that another host thread is about to store.
static constexpr unsigned kPatience = 200;

static uint32_t getAgent(const Wave &wave) {
  return uint32_t(wave.workgroup->linearId) * kMaxWaves + wave.waveInGroup;
}

static uint32_t getGroup(const Wave &wave) { return getAgent(wave) / kMaxWaves; }

/// True when waves of other compute units of the workgroup may see it, as they see flags.
static bool hasGroupScope(const Instruction *inst) {
  return inst->has(Modifier::Sc0) || hasDeviceScope(*inst) ||
         (inst->has(Modifier::Scope) && inst->mods.scope >= MemoryScope::Engine);
}

/// True when one place only is accessed.
static bool isUniform(const Lanes64 &addresses, LaneMask lanes) {
  const uint64_t first = addresses[unsigned(__builtin_ctzll(lanes))];
  for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
    if (addresses[unsigned(__builtin_ctzll(lanes))] != first)
      return false;
  return true;
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
  bool isFlag;      ///< with device scope, or an atomic
  bool isGroupFlag; ///< with the scope of the workgroup or more
  bool publishes;
  const Lanes *const *data; ///< what is stored

  bool writes() const { return access != Access::Load; }
  /// True for vector loads that a cache of the compute unit may answer.
  bool mayHitStaleLine() const {
    return access == Access::Load && !isGroupFlag && inst->kind == InstructionClass::Vmem;
  }
};

GlobalShadow::GlobalShadow(const AllocationSnapshot &snapshot, uint64_t exempt, unsigned flagLimit)
    : snapshot(snapshot), exempt(exempt), flagLimit(flagLimit), allocations(snapshot.size()) {}

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

/// True when nothing orders the access after the store that `old` stands for.
bool GlobalShadow::isUnordered(const Wave &wave, const Request &request, uint64_t old) const {
  const uint32_t agent = uint32_t(old >> kAgentShift), clock = old & kCellClock;
  if (agent / kMaxWaves == getGroup(wave)) {
    const unsigned other = agent % kMaxWaves;
    return clock > (request.mayHitStaleLine() ? wave.order.getVisibleStores(other)
                                              : wave.order.known[kStoreAgents + other]);
  }
  auto found = wave.workgroup->knowledge->acquired.find(agent);
  return found == wave.workgroup->knowledge->acquired.end() || found->second.released < clock;
}

bool GlobalShadow::isConflict(const Wave &wave, const Request &request, uint64_t old,
                              unsigned mask) const {
  const uint32_t agent = uint32_t(old >> kAgentShift);
  if (!(old >> kMaskShift & mask & 15) || agent == getAgent(wave))
    return false;
  const bool sameGroup = agent / kMaxWaves == getGroup(wave);
  if (request.isFlag && (old & kAtomicCell))
    return false;
  if (sameGroup && request.isGroupFlag && (old & (kAtomicCell | kGroupFlagCell)))
    return false;
  // Loops around a compare-and-swap begin with a plain load.
  if (request.access == Access::Load && (old & kUpdatedCell))
    return false;
  return isUnordered(wave, request, old);
}

/// True when the wave knows another store of the value that `old` stands for.
bool GlobalShadow::isExcused(const Wave &wave, uint64_t dword, uint64_t old) {
  if (!hasSameValues.load(std::memory_order_relaxed))
    return false;
  const Request request{wave.pc, Access::Atomic, false, false, false, nullptr};
  std::lock_guard<std::mutex> lock(mutex);
  return sameValues.anyOf(dword, old, [&](uint32_t agent, uint32_t clock) {
    return agent == getAgent(wave) ||
           !isUnordered(wave, request, uint64_t(agent) << kAgentShift | (clock & kCellClock));
  });
}

/// True for a store to the flag of `old`, which the wave has seen: what takes a flag back is
/// ordered after it, whatever else the flag has released.
bool GlobalShadow::followsFlag(const Wave &wave, const Request &request, uint64_t dword,
                               uint64_t old) {
  if (request.access != Access::Store || !(old & kAtomicCell))
    return false;
  const GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  std::lock_guard<std::mutex> lock(mutex);
  auto flag = flags.find(dword);
  return flag != flags.end() &&
         knowledge.seen.lookup({dword, wave.waveInGroup}) >= flag->second.release;
}

/// The wave stored what the store of `old` had left.
void GlobalShadow::noteSameValue(const Wave &wave, Cell &cell, uint64_t dword, uint64_t old) {
  std::lock_guard<std::mutex> lock(mutex);
  hasSameValues = true;
  if (!sameValues.note(dword, old, getAgent(wave), wave.order.stores))
    cell.compare_exchange_strong(old, 0);
}

/// What other waves may know when they see the flag that is set now.
void GlobalShadow::publish(const Wave &wave, uint64_t address, bool joins) {
  const GroupKnowledge &group = *wave.workgroup->knowledge;
  const uint32_t first = uint32_t(wave.workgroup->linearId) * kMaxWaves;
  std::lock_guard<std::mutex> lock(mutex);
  if (flags.size() >= flagLimit && !flags.count(address)) {
    // What follows this release would look like a race.
    gaveUp = true;
    return;
  }
  Flag &flag = flags[address];
  StoreKnowledge &passed = flag.passed;
  if (!joins)
    passed.clear();
  for (const auto &entry : group.acquired)
    passed[entry.first].join(entry.second);
  const WaveOrder &order = wave.order;
  for (unsigned i = 0; i < wave.workgroup->waves.size(); ++i) {
    StoreClocks clocks = group.own[i];
    clocks.stores = order.known[kStoreAgents + i];
    clocks.loads = order.known[kLoadAgents + i];
    if (i == wave.waveInGroup)
      clocks.join(
          {order.storesReleased, order.stores, order.getPassedStores(), order.getPassedLoads()});
    if (clocks.issued | clocks.stores | clocks.loads)
      passed[first + i].join(clocks);
  }
  flag.release = ++releases;
}

void GlobalShadow::lookAgain(Wave &wave) {
  for (uint64_t address : wave.workgroup->knowledge->lastRead[wave.waveInGroup])
    observe(wave, address);
}

void GlobalShadow::acquire(Wave &wave) {
  lookAgain(wave);
  wave.workgroup->knowledge->acquire();
}

void GlobalShadow::observe(Wave &wave, uint64_t address) {
  if (!releases)
    return; // without a note of the address: kernels may load all of their inputs as flags
  // Polling sees the same again and again.
  GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  uint64_t &seen = knowledge.seen[{address, wave.waveInGroup}];
  if (seen == releases)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  seen = releases;
  auto found = flags.find(address);
  if (found == flags.end())
    return;
  for (const auto &entry : found->second.passed) {
    const unsigned other = entry.first % kMaxWaves;
    const bool sameGroup = entry.first / kMaxWaves == getGroup(wave);
    // Of its own waves, too, the workgroup passes on to others what they released.
    knowledge.pending[entry.first].join(
        sameGroup ? StoreClocks{entry.second.released, entry.second.issued, 0, 0} : entry.second);
    if (sameGroup && other != wave.waveInGroup) {
      uint32_t &stores = wave.order.known[kStoreAgents + other];
      uint32_t &loads = wave.order.known[kLoadAgents + other];
      stores = std::max(stores, entry.second.stores);
      loads = std::max(loads, entry.second.loads);
    }
  }
}

void GlobalShadow::readFlag(Wave &wave, uint64_t address) {
  auto &lastRead = wave.workgroup->knowledge->lastRead[wave.waveInGroup];
  if (lastRead.empty() || lastRead.back() != address)
    lastRead.push_back(address);
  observe(wave, address);
}

/// One dword, of which bytes `mask` are accessed; `stored` is what they become, or null. False with
/// the conflicting cell when nothing orders the access.
bool GlobalShadow::accessDword(Wave &wave, const Request &request, Cell &cell, uint64_t dword,
                               unsigned mask, const uint8_t *stored, uint64_t &conflict) {
  const unsigned first = unsigned(__builtin_ctz(mask));
  const auto *memory = reinterpret_cast<const uint8_t *>(dword) + first;
  const unsigned bytes = unsigned(__builtin_popcount(mask));
  auto isUnchanged = [&] { return stored && std::memcmp(memory, stored, bytes) == 0; };
  uint64_t old = cell.load(std::memory_order_relaxed);
  if (!request.writes()) {
    conflict = old;
    return !isConflict(wave, request, old, mask) || isExcused(wave, dword, old);
  }
  const uint64_t fresh =
      uint64_t(getAgent(wave)) << kAgentShift | uint64_t(mask) << kMaskShift |
      (request.isFlag ? kAtomicCell : 0) | (request.isGroupFlag ? kGroupFlagCell : 0) |
      (request.access == Access::Atomic ? kUpdatedCell : 0) | (wave.order.stores & kCellClock);
  // Flags do not conflict, but who reads one as data must know a store of its value, too.
  Request plain = request;
  plain.isFlag = plain.isGroupFlag = false;
  for (;;) {
    const bool conflicts =
        isConflict(wave, request, old, mask) && !followsFlag(wave, request, dword, old);
    const bool mayChange =
        conflicts && stored && (old >> kAgentShift) / kMaxWaves != getGroup(wave);
    bool unchanged = isUnchanged();
    // Another host thread may be between the check of its store and the store.
    for (unsigned i = 0; mayChange && !unchanged && i < kPatience; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      unchanged = isUnchanged();
    }
    if (unchanged && isConflict(wave, plain, old, mask))
      noteSameValue(wave, cell, dword, old);
    if (unchanged)
      return true;
    conflict = old;
    if (conflicts)
      return false;
    if (cell.compare_exchange_weak(old, fresh))
      return true;
  }
}

static std::string describeGroup(const LaunchShape &shape, uint64_t group) {
  return llvm::formatv("({0},{1},{2})", group % shape.groups[0],
                       group / shape.groups[0] % shape.groups[1],
                       group / (uint64_t(shape.groups[0]) * shape.groups[1]));
}

/// The access of another wave of the workgroup, a load or the store at `clock`, and what is
/// missing.
static std::string describeNeighbour(const Wave &wave, const char *what, unsigned number,
                                     uint32_t clock) {
  const GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  const Wave &other = wave.workgroup->waves[number];
  const char *missing = clock || wave.order.sharesCache
                            ? "no barrier between"
                            : "no wait of that wave and barrier between";
  if (clock && clock <= wave.order.known[kStoreAgents + number])
    missing = "no invalidation of the cache after the barrier";
  else if (clock > other.order.getPassedStores())
    missing = "which no wait of that wave has completed";
  return llvm::formatv("the {0} of wave {1}{2} ({3})", what, number,
                       clock ? knowledge.describeStore(other, clock) : std::string(), missing);
}

/// The store that `old` stands for, and what is missing between.
static std::string describeWriter(const Wave &wave, uint64_t old) {
  const uint32_t agent = uint32_t(old >> kAgentShift);
  const uint64_t group = agent / kMaxWaves, clock = old & kCellClock;
  if (group == getGroup(wave))
    return describeNeighbour(wave, old & kUpdatedCell ? "atomic" : "store", agent % kMaxWaves,
                             uint32_t(clock));
  const GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  const StoreClocks pending = knowledge.pending.lookup(agent);
  const StoreClocks acquired = knowledge.acquired.lookup(agent);
  const char *missing = "nothing orders them: no release and acquire at device scope between";
  if (pending.released >= clock)
    missing = "the acquire misses its cache invalidation after the flag was read";
  else if (std::max(pending.issued, acquired.issued) >= clock)
    missing = "the release misses its writeback or its wait for the store before the flag was set";
  return llvm::formatv("the {0} of workgroup {1} wave {2}: {3}",
                       old & kAtomicCell ? "atomic or flag store" : "store",
                       describeGroup(wave.launch->shape, group), agent % kMaxWaves, missing);
}

bool GlobalShadow::accessLane(Wave &wave, const Request &request, int lane, uint64_t address,
                              unsigned size) {
  const Allocation *allocation =
      wave.cachedCoversAll ? &snapshot[wave.cachedIndex] : findAllocation(snapshot, address);
  if (!allocation || allocation->begin == exempt || gaveUp)
    return true;
  const size_t index = size_t(allocation - snapshot.data());
  if (!request.writes() && !allocations[index].load(std::memory_order_relaxed))
    return true;
  uint8_t bytes[16]; // stores write at most that
  for (unsigned at = 0; request.data && at < size; at += 4)
    std::memcpy(bytes + at, &request.data[at / 4]->lane[lane], 4);
  const GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  const uint64_t base = allocation->begin & ~uint64_t(3);
  const uint64_t end = std::min(address + size, allocation->end());
  for (uint64_t at = address & ~uint64_t(3); at < end; at += 4) {
    Cell *cell = findCell(index, at - base, request.writes());
    const uint64_t low = std::max(at, address), high = std::min(at + 4, end);
    const unsigned mask = ((1u << (high - at)) - 1) & ~((1u << (low - at)) - 1);
    const uint8_t *stored = request.data ? bytes + (low - address) : nullptr;
    if (request.access == Access::Store && wave.workgroup->waves.size() > 1) {
      const std::optional<unsigned> reader = knowledge.loads.findUnordered(wave, at, mask);
      const auto *memory = reinterpret_cast<const void *>(low);
      if (reader && (!stored || std::memcmp(memory, stored, high - low) != 0)) {
        report(wave, request, lane, address, size,
               describeNeighbour(wave, "load", *reader, /*clock=*/0));
        return false;
      }
    }
    uint64_t conflict = 0;
    if (cell && !accessDword(wave, request, *cell, at, mask, stored, conflict)) {
      report(wave, request, lane, address, size, describeWriter(wave, conflict));
      return false;
    }
  }
  return true;
}

bool GlobalShadow::access(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                          LaneMask lanes, unsigned size, Access access, const Lanes *const *data) {
  const bool isAtomic = access == Access::Atomic;
  Request request{inst,  access, isAtomic || hasDeviceScope(*inst), isAtomic || hasGroupScope(inst),
                  false, data};
  const bool isSingle = access != Access::Load && isUniform(addresses, lanes);
  request.isFlag |= access == Access::Store && isSingle && storesFlagsPlainly(wave);
  request.isGroupFlag |= request.isFlag;
  // Flags are set by one lane, or by stores that say so; sums are added by all. Results that go
  // past a cache would fill the table.
  const bool mayBeFlag = request.isGroupFlag && size <= kWidestFlagStore;
  request.publishes = isAtomic ? isSingle : access == Access::Store && (isSingle || mayBeFlag);
  const bool reads = request.isGroupFlag && access != Access::Store;
  GroupKnowledge &knowledge = *wave.workgroup->knowledge;
  if (request.writes())
    knowledge.noteStore(wave, inst);
  else if (wave.workgroup->waves.size() > 1 && !request.isGroupFlag &&
           (wave.cachedWritable || !wave.cachedCoversAll))
    knowledge.loads.note(wave, wave.order.loads, addresses, lanes, size);
  if (access == Access::Load && !reads) {
    // Mostly inputs, which nobody writes; the check of bounds has left their allocation.
    if (wave.cachedCoversAll && !allocations[wave.cachedIndex].load(std::memory_order_relaxed))
      return true;
  }
  if (access == Access::Store && wave.workgroup->waves.size() > 1)
    knowledge.loads.settle(*wave.workgroup, addresses, lanes, size);
  if (reads)
    startReading(wave);
  for (; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctzll(lanes);
    if (reads)
      readFlag(wave, addresses[unsigned(lane)]);
    if (!accessLane(wave, request, lane, addresses[unsigned(lane)], size))
      return false;
    if (request.publishes)
      publish(wave, addresses[unsigned(lane)], isAtomic);
    request.publishes &= !isSingle;
  }
  return true;
}

bool GlobalShadow::loadScalar(Wave &wave, const Instruction *inst, uint64_t address,
                              unsigned size) {
  const bool isFlag = hasDeviceScope(*inst);
  const Request request{inst, Access::Load, isFlag, isFlag, false, nullptr};
  wave.cachedCoversAll = true; // the check of bounds has left its allocation
  if (request.isFlag) {
    startReading(wave);
    readFlag(wave, address);
  } else if (wave.workgroup->waves.size() > 1 && wave.cachedWritable) {
    // The counters of vector loads do not count it: it is complete as soon as it is issued.
    WaveOrder &order = wave.order;
    if (order.loadsCompleted == order.loads)
      order.loadsCompleted = ++order.loads;
    const uint32_t clock = order.sharesCache ? order.loads : order.loadsCompleted;
    Lanes64 addresses;
    addresses[0] = address;
    wave.workgroup->knowledge->loads.note(wave, clock, addresses, /*lanes=*/1, size);
  }
  return accessLane(wave, request, /*lane=*/-1, address, size);
}

void GlobalShadow::report(Wave &wave, const Request &request, int lane, uint64_t address,
                          unsigned size, const std::string &other) const {
  const char *verb = request.access == Access::Load    ? "load"
                     : request.access == Access::Store ? "store"
                                                       : "atomic";
  const std::string who = lane < 0 ? "scalar" : "lane " + std::to_string(lane);
  reportFault(wave, request.inst, FaultKind::IllegalAddress,
              llvm::formatv("{0} {1} of {2} bytes at {3:x} races with {4}: {5}", who, verb, size,
                            address, other, describeAddress(snapshot, address)));
}
