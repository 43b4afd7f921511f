//===- Flat.cpp - Global, flat and scratch instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores by 64-bit address (global), by address that may name LDS or private memory
// (flat), and of private memory (scratch), in all widths, and loads from global memory to LDS.
// Addresses are a register pair, or a scalar pair plus a 32-bit register; scratch adds a register,
// a scalar or both. Atomic forms are in VmemAtomic.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"

using namespace ckemu;

static const MemoryFormat &formatOf(const Instruction *inst) {
  return *static_cast<const MemoryFormat *>(inst->extra.pointer);
}

namespace {
/// The three address spaces: the printed operands after the address, and the access functions.
struct Global {
  using Addresses = Lanes64;
  static constexpr MemorySpace space = MemorySpace::Global;
  static constexpr const char *prefix = "global_";
  static constexpr unsigned addressOperands = 2;
  static void resolve(const Wave &wave, const Instruction *inst, unsigned first, Lanes64 &out) {
    resolveGlobal(wave, inst, first, out);
  }
  static bool load(Wave &wave, const Instruction *inst, const Lanes64 &at, LaneMask lanes,
                   unsigned size, Lanes *out) {
    return loadGlobal(wave, inst, at, lanes, size, out);
  }
  static bool store(Wave &wave, const Instruction *inst, const Lanes64 &at, LaneMask lanes,
                    unsigned size, const Lanes *const *data) {
    return storeGlobal(wave, inst, at, lanes, size, data);
  }
};
struct Flat {
  using Addresses = Lanes64;
  static constexpr MemorySpace space = MemorySpace::Flat;
  static constexpr const char *prefix = "flat_";
  static constexpr unsigned addressOperands = 1;
  static void resolve(const Wave &wave, const Instruction *inst, unsigned first, Lanes64 &out) {
    resolveFlat(wave, inst, first, out);
  }
  static bool load(Wave &wave, const Instruction *inst, const Lanes64 &at, LaneMask lanes,
                   unsigned size, Lanes *out) {
    return loadFlat(wave, inst, at, lanes, size, out);
  }
  static bool store(Wave &wave, const Instruction *inst, const Lanes64 &at, LaneMask lanes,
                    unsigned size, const Lanes *const *data) {
    return storeFlat(wave, inst, at, lanes, size, data);
  }
};
struct Scratch {
  using Addresses = Lanes;
  static constexpr MemorySpace space = MemorySpace::Scratch;
  static constexpr const char *prefix = "scratch_";
  static constexpr unsigned addressOperands = 2;
  static void resolve(const Wave &wave, const Instruction *inst, unsigned first, Lanes &out) {
    resolveScratch(wave, inst, first, out);
  }
  static bool load(Wave &wave, const Instruction *inst, const Lanes &at, LaneMask lanes,
                   unsigned size, Lanes *out) {
    return loadScratch(wave, inst, at, lanes, size, out);
  }
  static bool store(Wave &wave, const Instruction *inst, const Lanes &at, LaneMask lanes,
                    unsigned size, const Lanes *const *data) {
    return storeScratch(wave, inst, at, lanes, size, data);
  }
};
} // namespace

/// load dst, address [, scalar address]
template <class Space>
static const Instruction *executeLoad(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  typename Space::Addresses addresses;
  Space::resolve(wave, inst, 1, addresses);
  const LaneMask lanes = wave.exec();
  if (isPlain(format))
    return Space::load(wave, inst, addresses, lanes, format.size, &wave.vectorRegister(inst->op(0)))
               ? inst + 1
               : nullptr;
  Lanes value = {};
  if (!Space::load(wave, inst, addresses, lanes, format.size, &value))
    return nullptr;
  writeLoaded(wave, inst->op(0), format, value, lanes);
  return inst + 1;
}

/// store address, data [, scalar address]
template <class Space>
static const Instruction *executeStore(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  typename Space::Addresses addresses;
  Space::resolve(wave, inst, 0, addresses);
  const StoreRows data(wave, inst->op(1), format);
  return Space::store(wave, inst, addresses, wave.exec(), format.size, data.rows) ? inst + 1
                                                                                  : nullptr;
}

static llvm::Error checkLoad(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(0), (formatOf(&inst).size + 3) / 4);
}
static llvm::Error checkStore(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(1), (formatOf(&inst).size + 3) / 4);
}

template <class Space>
static void addSpace(InstructionTable &table) {
  constexpr ModifierSet accepted = kCacheModifiers | modifiers(Modifier::Offset);
  auto add = [&](const MemoryFormat &format, const char *verb, Handler handler, Prepare prepare,
                 Effect effect, MemoryAction action) {
    OpcodeInfo info{handler,
                    InstructionClass::Vmem,
                    accepted,
                    SourceType::B32,
                    int8_t(1 + Space::addressOperands),
                    prepare,
                    &format,
                    effect,
                    describeAccess(action, Space::space, format.size)};
    table.add(std::string(Space::prefix) + verb + format.name, info);
  };
  for (const MemoryFormat &format : getLoadFormats())
    add(format, "load_", executeLoad<Space>, checkLoad, getLoadEffect(format), MemoryAction::Load);
  for (const MemoryFormat &format : getStoreFormats())
    add(format, "store_", executeStore<Space>, checkStore, Effect::StoresBehind,
        MemoryAction::Store);
}

void ckemu::registerMemoryFlat(InstructionTable &table) {
  addSpace<Global>(table);
  addSpace<Flat>(table);
  addSpace<Scratch>(table);
}
