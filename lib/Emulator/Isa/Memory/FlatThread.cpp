//===- FlatThread.cpp - Global accesses in which the number of the lane matters -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to consecutive dwords by lane, and gfx12's load that transposes between lanes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"

using namespace ckemu;

/// scalar base (or off) + offset + 4 * lane.
static void resolveByLane(const Wave &wave, const Instruction *inst, const Operand &base,
                          Lanes64 &addresses) {
  const uint64_t first = (base.kind == OperandKind::Off ? 0 : wave.scalar64(base)) +
                         uint64_t(int64_t(inst->mods.offset));
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = first + uint64_t(4) * lane;
}

/// global_load_addtid_b32 dst, base
static const Instruction *executeLoadByLane(Wave &wave, const Instruction *inst) {
  Lanes64 addresses;
  resolveByLane(wave, inst, inst->op(1), addresses);
  return loadGlobal(wave, inst, addresses, wave.exec(), 4, &wave.vectorRegister(inst->op(0)))
             ? inst + 1
             : nullptr;
}

/// global_store_addtid_b32 data, base
static const Instruction *executeStoreByLane(Wave &wave, const Instruction *inst) {
  Lanes64 addresses;
  resolveByLane(wave, inst, inst->op(1), addresses);
  const Lanes *rows[] = {&wave.vectorRegister(inst->op(0))};
  return storeGlobal(wave, inst, addresses, wave.exec(), 4, rows) ? inst + 1 : nullptr;
}

/// global_load_tr_b128 dst, address [, scalar address] with 32 lanes: eight lanes read eight runs
/// of eight 16-bit elements, and each gets one element of every run, that of its number in the
/// eight.
static const Instruction *executeTransposeLoad(Wave &wave, const Instruction *inst) {
  if (wave.laneCount != 32 || wave.exec() != 0xffffffffu)
    return wave.fault(inst, "expected a wave of 32 lanes, all of which are active");
  Lanes64 addresses;
  resolveGlobal(wave, inst, 1, addresses);
  Lanes rows[4];
  if (!loadGlobal(wave, inst, addresses, wave.exec(), 16, rows))
    return nullptr;
  for (unsigned i = 0; i < 4; ++i) {
    Lanes result = {};
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned group = lane & ~7u, element = lane & 7;
      auto read = [&](unsigned run) {
        return rows[element / 2][group + run] >> (16 * (element & 1)) & 0xffff;
      };
      result[lane] = read(2 * i) | read(2 * i + 1) << 16;
    }
    wave.commit(inst->op(0), result, i);
  }
  return inst + 1;
}

static llvm::Error checkTranspose(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(0), 4);
}

void ckemu::registerMemoryFlatThread(InstructionTable &table) {
  constexpr ModifierSet accepted = kCacheModifiers | modifiers(Modifier::Offset);
  auto add = [&](const char *name, Handler handler, int8_t numOperands, Effect effect,
                 MemoryAction action, unsigned bytes, Prepare prepare = nullptr) {
    table.add(name, {handler, InstructionClass::Vmem, accepted, SourceType::B32, numOperands,
                     prepare, nullptr, effect, describeAccess(action, MemorySpace::Global, bytes)});
  };
  add("global_load_addtid_b32", executeLoadByLane, 2, Effect::Loads, MemoryAction::Load, 4);
  add("global_store_addtid_b32", executeStoreByLane, 2, Effect::StoresFirst, MemoryAction::Store,
      4);
  add("global_load_tr_b128", executeTransposeLoad, 3, Effect::LoadsParts, MemoryAction::Load, 16,
      checkTranspose);
}
