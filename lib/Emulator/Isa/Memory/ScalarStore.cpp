//===- ScalarStore.cpp - Stores of scalar registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx90a, gfx942 and gfx950 store one, two or four SGPRs (MI200 and MI300 instruction set
// references, "Scalar Memory Operations"). With glc the store goes to where others see it, as a
// flag does; without, the scalar cache keeps it until s_dcache_wb. lgkmcnt counts it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Memory/ScalarAddress.h"
#include "Emulator/Memory/LaneMemory.h"

using namespace ckemu;

/// Stores `count` (1, 2 or 4) dwords of the SGPRs that the first operand names.
static bool storeDwords(Wave &wave, const Instruction *inst, uint64_t address, unsigned count) {
  const Operand &data = inst->op(0);
  Lanes dwords[4];
  const Lanes *rows[] = {&dwords[0], &dwords[1], &dwords[2], &dwords[3]};
  for (unsigned i = 0; i < count; ++i)
    dwords[i][0] = wave.sgpr[data.index + i];
  return storeGlobalScalar(wave, inst, address, 4 * count, rows);
}

static const Instruction *executeStore(Wave &wave, const Instruction *inst) {
  const uint64_t address = wave.scalar64(inst->op(1)) + uint64_t(scalarOffset(wave, inst));
  return storeDwords(wave, inst, address, inst->op(0).count) ? inst + 1 : nullptr;
}

/// A store that does not lie in the descriptor's range as a whole is dropped.
static const Instruction *executeBufferStore(Wave &wave, const Instruction *inst) {
  const ScalarBuffer buffer(wave, inst->op(1));
  const uint64_t offset = uint64_t(scalarOffset(wave, inst)), first = offset & ~uint64_t(3);
  const unsigned count = inst->op(0).count;
  if (first >= buffer.size || (buffer.size - first) / 4 < count)
    return inst + 1;
  return storeDwords(wave, inst, buffer.base + offset, count) ? inst + 1 : nullptr;
}

void ckemu::registerMemoryScalarStore(InstructionTable &table) {
  if (!isCdna(table.getIsa()))
    return;
  auto add = [&](const std::string &name, Handler handler) {
    OpcodeInfo info{handler, InstructionClass::Smem, kCacheModifiers | modifiers(Modifier::Offset),
                    SourceType::B64, 3};
    info.facts.action = MemoryAction::Store;
    table.add(name, info);
  };
  for (const char *count : {"", "x2", "x4"}) {
    add(std::string("s_store_dword") + count, executeStore);
    add(std::string("s_buffer_store_dword") + count, executeBufferStore);
  }
}
