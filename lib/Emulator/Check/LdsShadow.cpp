//===- LdsShadow.cpp - Who accessed the LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of an instruction look at all lanes before anything is noted, so that lanes of one
// instruction never conflict with one another.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsShadow.h"
#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace ckemu;

/// Loads from memory to LDS complete with the loads, not with the LDS instructions.
static bool isLoadToLds(const Wave &wave, const Instruction *inst) {
  if (inst->kind != InstructionClass::Vmem)
    return false;
  constexpr uint32_t kFlat = 0x37; // bits 31 to 26; bits 15 and 14 tell flat from global
  const bool isFlat = inst->encoding[0] >> 26 == kFlat && (inst->encoding[0] >> 14 & 3) == 0;
  return !isFlat && isCdna(wave.launch->object.getChip().isa);
}

void LdsShadow::reset(unsigned ldsBytes, unsigned numWaves, const Checks &newChecks) {
  checks = newChecks;
  bytes = ldsBytes;
  waves = numWaves;
  exhausted = false;
  numCells = (size_t(bytes) >> shift) + 4; // an access may touch the cells up to its last byte
  writers.assign(numCells, 0);
  reads.reset(numCells, shift);
  lines.reset(bytes, waves);
  sameValues.clear();
  for (Clocks &clocks : passed)
    clocks.fill(0);
}

/// Splits the cells.
void LdsShadow::refine(unsigned newShift) {
  const unsigned split = shift - newShift;
  const size_t newCells = (size_t(bytes) >> newShift) + 4;
  std::vector<uint32_t> newWriters(newCells);
  for (size_t i = 0; i < newCells; ++i)
    newWriters[i] = writers[i >> split];
  writers = std::move(newWriters);
  reads.split(newCells, newShift);
  sameValues.split(split);
  numCells = newCells;
  shift = newShift;
}

/// Lanes for which `test` of 16 lanes says so: test(first lane, mask of lanes) -> mask.
template <class Test>
static LaneMask findLanes(LaneMask lanes, Test test) {
  LaneMask result = 0;
  for (unsigned first = 0; first < kLanes; first += 16)
    if (uint16_t part = uint16_t(lanes >> first))
      result |= LaneMask(test(first, part)) << first;
  return result;
}

#if defined(__AVX512F__)
static __m512i getCells(const Lanes &offsets, unsigned first, unsigned shift, unsigned k) {
  const __m512i cells =
      _mm512_srl_epi32(_mm512_load_si512(&offsets.lane[first]), _mm_cvtsi32_si128(int(shift)));
  return _mm512_add_epi32(cells, _mm512_set1_epi32(int(k)));
}
static __m512i gather(__m512i indices, uint16_t mask, const uint32_t *from) {
  return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, indices, from, 4);
}
#endif

/// Lanes whose cell k was never written.
static LaneMask findUnwritten(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned k,
                              const uint32_t *writers) {
  return findLanes(lanes, [&](unsigned first, uint16_t mask) -> uint16_t {
#if defined(__AVX512F__)
    const __m512i writer = gather(getCells(offsets, first, shift, k), mask, writers);
    return _mm512_mask_testn_epi32_mask(mask, writer, writer);
#else
    uint16_t result = 0;
    for (unsigned i = 0; i < 16; ++i)
      if (mask >> i & 1)
        result |= uint16_t((writers[(offsets[first + i] >> shift) + k] == 0) << i);
    return result;
#endif
  });
}

/// Lanes whose cell k was written by something that is not known. Atomic writers count when
/// `withAtomics` is set.
static LaneMask findUnknownWriters(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned k,
                                   const uint32_t *writers, const uint32_t *known,
                                   bool withAtomics) {
  return findLanes(lanes, [&](unsigned first, uint16_t mask) -> uint16_t {
#if defined(__AVX512F__)
    const __m512i writer = gather(getCells(offsets, first, shift, k), mask, writers);
    const __m512i before = gather(_mm512_srli_epi32(writer, kLdsAgentShift), mask, known);
    const __m512i clock = _mm512_and_si512(writer, _mm512_set1_epi32(int(kLdsClockMask)));
    uint16_t result = _mm512_mask_cmpgt_epu32_mask(mask, clock, before);
    if (!withAtomics)
      result &= _mm512_testn_epi32_mask(writer, _mm512_set1_epi32(int(kLdsAtomic)));
    return result;
#else
    uint16_t result = 0;
    for (unsigned i = 0; i < 16; ++i) {
      if (!(mask >> i & 1))
        continue;
      const uint32_t writer = writers[(offsets[first + i] >> shift) + k];
      const bool unknown = (writer & kLdsClockMask) > known[writer >> kLdsAgentShift];
      result |= uint16_t((unknown && (withAtomics || !(writer & kLdsAtomic))) << i);
    }
    return result;
#endif
  });
}

/// Lanes whose cell k holds a clock above `limit`.
static LaneMask findLater(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned k,
                          const uint32_t *clocks, uint32_t limit) {
  return findLanes(lanes, [&](unsigned first, uint16_t mask) -> uint16_t {
#if defined(__AVX512F__)
    const __m512i clock = gather(getCells(offsets, first, shift, k), mask, clocks);
    return _mm512_mask_cmpgt_epu32_mask(mask, clock, _mm512_set1_epi32(int(limit)));
#else
    uint16_t result = 0;
    for (unsigned i = 0; i < 16; ++i)
      if (mask >> i & 1)
        result |= uint16_t((clocks[(offsets[first + i] >> shift) + k] > limit) << i);
    return result;
#endif
  });
}

void LdsShadow::findConflicts(const Wave &wave, const Lanes &offsets, LaneMask lanes,
                              unsigned cells, const Issue &issue, LaneMask &uninitialized,
                              LaneMask &raced) {
  uninitialized = raced = 0;
  if (checks.uninitialized && issue.access != Access::Store)
    for (unsigned k = 0; k < cells; ++k)
      uninitialized |= findUnwritten(offsets, lanes, shift, k, writers.data());
  if (!checks.races || exhausted)
    return;
  const uint32_t *known = wave.order.known;
  // What atomics write may be read and updated at any time, before and after: that is how waves
  // wait for flags.
  const bool withAtomics = issue.access == Access::Store;
  for (unsigned k = 0; k < cells; ++k)
    raced |= findUnknownWriters(offsets, lanes, shift, k, writers.data(), known, withAtomics);
  if (issue.access != Access::Store)
    return;
  for (unsigned other = 0; other < waves; ++other) {
    if (other == wave.waveInGroup || reads.getLast(other) <= known[other])
      continue;
    const uint32_t *clocks = reads.get(*wave.workgroup, other);
    for (unsigned k = 0; k < cells; ++k)
      raced |= findLater(offsets, lanes, shift, k, clocks, known[other]);
  }
}

void LdsShadow::note(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned cells,
                     const LdsLines::Range &range, const Issue &issue) {
  const unsigned size = cells << shift;
  if (issue.access == Access::Load) {
    if (!checks.races)
      return;
    reads.note(wave, offsets, lanes, size, issue.clock);
    lines.noteRead(wave.waveInGroup, range, offsets, lanes, size, issue.clock);
    return;
  }
  const uint32_t atomic = issue.access == Access::Atomic ? kLdsAtomic : 0;
  const uint32_t writer = issue.agent << kLdsAgentShift | atomic | issue.clock;
  if (areConsecutive(offsets, lanes, size))
    std::fill_n(writers.begin() + (offsets[0] >> shift), size_t(cells) * kLanes, writer);
  else
    setCells(offsets, lanes, shift, cells, writers.data(), writer);
}

/// Atomic accesses pass on what the wave did before to the waves that access the same place later,
/// also by plain loads, which is how flags are polled.
void LdsShadow::synchronize(Wave &wave, const Lanes &offsets, LaneMask lanes, const Issue &issue) {
  uint32_t slots = 0;
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t offset = offsets[unsigned(__builtin_ctzll(lanes))];
    const uint32_t writer = writers[offset >> shift];
    if (issue.access == Access::Atomic || (writer & kLdsAtomic))
      slots |= 1u << (offset / 4 % passed.size());
  }
  for (; slots; slots &= slots - 1) {
    Clocks &clocks = passed[unsigned(__builtin_ctz(slots))];
    for (unsigned i = 0; i < kAgents; ++i)
      wave.order.known[i] = std::max(wave.order.known[i], clocks[i]);
    if (issue.access != Access::Atomic)
      continue;
    const unsigned self = wave.waveInGroup;
    for (unsigned i = 0; i < kAgents; ++i)
      if (i != self)
        clocks[i] = std::max(clocks[i], wave.order.known[i]);
    // LDS instructions of a wave are executed in order.
    clocks[self] = std::max(clocks[self], issue.clock);
    uint32_t &stores = clocks[kStoreAgents + self], &loads = clocks[kLoadAgents + self];
    stores = std::max(stores, wave.order.getPassedStores());
    loads = std::max(loads, wave.order.getPassedLoads());
  }
}

bool LdsShadow::conflicts(const Wave &wave, size_t cell, const Issue &issue) const {
  const uint32_t *known = wave.order.known;
  const uint32_t writer = writers[cell];
  return (writer & kLdsClockMask) > known[writer >> kLdsAgentShift] &&
         (!(writer & kLdsAtomic) || issue.access == Access::Store);
}

/// Stores of `lanes` leave the memory as it is: the writers stay. Cells that were never written are
/// written now.
void LdsShadow::leaveUnchanged(const Wave &wave, const Lanes &offsets, LaneMask lanes,
                               unsigned cells, const Issue &issue) {
  for (; lanes; lanes &= lanes - 1) {
    const size_t first = offsets[unsigned(__builtin_ctzll(lanes))] >> shift;
    for (size_t cell = first; cell < first + cells; ++cell)
      if (writers[cell] == 0)
        writers[cell] = issue.agent << kLdsAgentShift | issue.clock;
      else if (conflicts(wave, cell, issue))
        (void)sameValues.note(cell, writers[cell], issue.agent, issue.clock);
  }
}

/// True when the wave may read what it finds in all cells although it does not know the writers: it
/// knows another store of the same value.
bool LdsShadow::readsOwnValue(const Wave &wave, uint32_t offset, unsigned cells,
                              const Issue &issue) const {
  auto isKnown = [&](uint32_t agent, uint32_t clock) { return clock <= wave.order.known[agent]; };
  for (size_t cell = offset >> shift, end = cell + cells; cell < end; ++cell)
    if (conflicts(wave, cell, issue) && !sameValues.anyOf(cell, writers[cell], isKnown))
      return false;
  return true;
}

/// Lanes whose store of `size` bytes changes nothing.
static LaneMask findUnchanged(const uint8_t *lds, const Lanes &offsets, LaneMask lanes,
                              unsigned size, const Lanes *const *data) {
#if defined(__AVX512F__)
  for (unsigned k = 0; size % 4 == 0 && k < size / 4 && lanes; ++k)
    lanes = findLanes(lanes, [&](unsigned first, uint16_t mask) -> uint16_t {
      const __m512i old = _mm512_mask_i32gather_epi32(
          _mm512_setzero_si512(), mask, _mm512_load_si512(&offsets.lane[first]), lds + 4 * k, 1);
      return _mm512_mask_cmpeq_epi32_mask(mask, old, _mm512_load_si512(&data[k]->lane[first]));
    });
  if (size % 4 == 0)
    return lanes;
#endif
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    const unsigned lane = unsigned(__builtin_ctzll(rest));
    if (!holdsValue(lds + offsets[lane], data, lane, size))
      lanes &= ~(LaneMask(1) << lane);
  }
  return lanes;
}

bool LdsShadow::access(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                       unsigned size, Access access, const Lanes *const *data) {
  WaveOrder &order = wave.order;
  const bool toLds = isLoadToLds(wave, inst);
  const uint32_t clock = toLds ? order.vectorIssued : ++order.ldsIssued;
  exhausted |= clock >= kLdsClockMask;
  const Issue issue{toLds ? kMaxWaves + wave.waveInGroup : wave.waveInGroup,
                    std::min(clock, kLdsClockMask), access};
  instructions[issue.agent][issue.clock % kRemembered] = inst->index;
  order.known[wave.waveInGroup] = ~0u; // a wave's own LDS instructions are in order
  const unsigned aligned = unsigned(__builtin_ctz(size | combineBits(offsets, lanes)));
  if (aligned < shift)
    refine(aligned);
  const unsigned cells = size >> shift;
  const LdsLines::Range range = LdsLines::find(offsets, lanes, size);
  LaneMask uninitialized = 0, raced = 0;
  if (!isPlainlyOrdered(wave, offsets, lanes, cells, range, issue)) {
    if (checks.races && access != Access::Store)
      synchronize(wave, offsets, lanes, issue);
    findConflicts(wave, offsets, lanes, cells, issue, uninitialized, raced);
  }
  // Waves that hold the same part of a tile may all store it.
  const LaneMask unchanged =
      data && checks.races ? findUnchanged(wave.lds, offsets, lanes, size, data) : 0;
  raced &= ~unchanged;
  if (access == Access::Load && !sameValues.isEmpty())
    for (LaneMask rest = raced; rest; rest &= rest - 1) {
      const unsigned lane = unsigned(__builtin_ctzll(rest));
      if (readsOwnValue(wave, offsets[lane], cells, issue))
        raced &= ~(LaneMask(1) << lane);
    }
  if (LaneMask bad = raced ? raced : uninitialized) {
    const unsigned lane = unsigned(__builtin_ctzll(bad));
    return report(wave, inst, lane, offsets[lane], size, issue, raced != 0);
  }
  if (access != Access::Load)
    lines.noteWrite(issue.agent, range, offsets, lanes, size, issue.clock);
  if (access == Access::Atomic)
    lines.noteAtomic(range);
  if (unchanged)
    leaveUnchanged(wave, offsets, unchanged, cells, issue);
  note(wave, offsets, lanes & ~unchanged, cells, range, issue);
  return true;
}

std::string LdsShadow::describeInstruction(const Wave &wave, unsigned agent, uint32_t clock) const {
  const uint32_t issued = agent < kMaxWaves
                              ? wave.workgroup->waves[agent].order.ldsIssued
                              : wave.workgroup->waves[agent - kMaxWaves].order.vectorIssued;
  if (issued - clock >= kRemembered)
    return std::string();
  const DecodedCode &code = wave.launch->getCode();
  const Instruction &inst = code.getInstructions()[instructions[agent][clock % kRemembered]];
  return llvm::formatv(" at pc {0:x}: {1}", inst.offset, code.getText(&inst));
}

/// The access of `cell` that conflicts, and what is missing.
std::string LdsShadow::describeOther(const Wave &wave, size_t cell, const Issue &issue) {
  unsigned agent = writers[cell] >> kLdsAgentShift;
  uint32_t clock = writers[cell] & kLdsClockMask;
  const char *what = "store";
  const uint32_t *known = wave.order.known;
  if (clock <= known[agent] || ((writers[cell] & kLdsAtomic) && issue.access != Access::Store)) {
    what = "load";
    const Workgroup &group = *wave.workgroup;
    for (agent = 0; agent + 1 < waves; ++agent)
      if (agent != wave.waveInGroup && reads.get(group, agent)[cell] > known[agent])
        break;
    clock = reads.get(group, agent)[cell];
  } else if (writers[cell] & kLdsAtomic) {
    what = "atomic";
  } else if (agent >= kMaxWaves) {
    what = "load from memory";
  }
  const Wave &other = wave.workgroup->waves[agent % kMaxWaves];
  const bool hasCompleted =
      clock <= (agent < kMaxWaves ? other.order.ldsCompleted : other.order.vectorCompleted);
  return llvm::formatv("the {0} of wave {1}{2} ({3})", what, other.waveInGroup,
                       describeInstruction(wave, agent, clock),
                       hasCompleted ? "no barrier between"
                                    : "which no wait of that wave has completed");
}

bool LdsShadow::report(Wave &wave, const Instruction *inst, unsigned lane, unsigned offset,
                       unsigned size, const Issue &issue, bool isRace) {
  const char *name = issue.access == Access::Load    ? "load"
                     : issue.access == Access::Store ? "store"
                                                     : "atomic";
  std::string problem;
  const uint32_t *known = wave.order.known;
  for (size_t cell = offset >> shift; cell < (offset + size) >> shift; ++cell) {
    bool isConflict = conflicts(wave, cell, issue);
    for (unsigned i = 0; i < waves && issue.access == Access::Store; ++i)
      isConflict |= i != wave.waveInGroup && reads.get(*wave.workgroup, i)[cell] > known[i];
    if (isRace && isConflict)
      problem = "races with " + describeOther(wave, cell, issue);
    else if (!isRace && writers[cell] == 0)
      problem = llvm::formatv("reads byte {0}, which no wave has written", cell << shift);
    if (!problem.empty())
      break;
  }
  reportFault(wave, inst, FaultKind::IllegalAddress,
              llvm::formatv("lane {0} LDS {1} of {2} bytes at offset {3} {4}", lane, name, size,
                            offset, problem));
  return false;
}
