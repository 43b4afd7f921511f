//===- LdsThread.cpp - LDS accesses that the lane or the wave addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LDS instructions whose address comes from M0: counters that a wave adds its number of active
// lanes to, and dwords at the position of the lane.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Memory/LaneMemory.h"

using namespace ckemu;

static uint32_t getBase(const Wave &wave, const Instruction *inst) {
  return (wave.m0() & 0xffff) + uint32_t(inst->mods.offset);
}

/// ds_append and ds_consume vdst: the number of active lanes is added to or subtracted from the
/// dword at the base; all lanes get the old value.
template <bool adds>
static const Instruction *executeCount(Wave &wave, const Instruction *inst) {
  const LaneMask exec = wave.exec(), first = exec & -exec;
  const uint32_t count = uint32_t(__builtin_popcountll(exec));
  if (!exec)
    return inst + 1;
  Lanes offsets, result;
  broadcast(getBase(wave, inst), offsets);
  uint32_t old[kLanes] = {};
  auto update = [&](uint32_t memory, unsigned) { return adds ? memory + count : memory - count; };
  if (!updateLds<uint32_t>(wave, inst, offsets, first, update, old))
    return nullptr;
  broadcast(old[__builtin_ctzll(exec)], result);
  wave.commit(inst->op(0), result);
  return inst + 1;
}

static void getLaneOffsets(const Wave &wave, const Instruction *inst, Lanes &offsets) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets[lane] = getBase(wave, inst) + 4 * lane;
}

static const Instruction *executeLoad(Wave &wave, const Instruction *inst) {
  Lanes offsets;
  getLaneOffsets(wave, inst, offsets);
  return loadLds(wave, inst, offsets, wave.exec(), 4, &wave.vectorRegister(inst->op(0))) ? inst + 1
                                                                                         : nullptr;
}

static const Instruction *executeStore(Wave &wave, const Instruction *inst) {
  Lanes offsets;
  getLaneOffsets(wave, inst, offsets);
  const Lanes *rows[] = {&wave.vectorRegister(inst->op(0))};
  return storeLds(wave, inst, offsets, wave.exec(), 4, rows) ? inst + 1 : nullptr;
}

void ckemu::registerMemoryLdsThread(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler, Effect effect = Effect::Unknown,
                 const InstructionFacts &facts = {}) {
    table.add(name, {handler, InstructionClass::Lds, modifiers(Modifier::Offset), SourceType::B32,
                     /*numOperands=*/1, nullptr, nullptr, effect, facts});
  };
  auto describe = [](MemoryAction action) { return describeAccess(action, MemorySpace::Lds, 4); };
  // They count lanes; nobody waits for a count as for a flag.
  add("ds_append", executeCount<true>);
  add("ds_consume", executeCount<false>);
  const bool cdna = isCdna(table.getIsa());
  add(cdna ? "ds_read_addtid_b32" : "ds_load_addtid_b32", executeLoad, Effect::Loads,
      describe(MemoryAction::Load));
  add(cdna ? "ds_write_addtid_b32" : "ds_store_addtid_b32", executeStore, Effect::StoresFirst,
      describe(MemoryAction::Store));
}
