//===- Atomic.cpp - Atomic instructions on global and flat memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One handler for all read-modify-write operations of MemoryFormat.h, returning the old value with
// sc0 (glc before gfx942), and compare-and-swap, whose data are the new value and the expected one.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

/// Updates global memory, and for flat instructions LDS in lanes whose address is in its aperture.
template <typename T, bool isFlat, class F>
static bool updateMemory(Wave &wave, const Instruction *inst, const Lanes64 &addresses, F update,
                         T *old) {
  LaneMask global = wave.exec();
  if (isFlat) {
    LaneMask shared = 0;
    Lanes offsets = {};
    for (LaneMask rest = global; rest; rest &= rest - 1) {
      const unsigned lane = unsigned(__builtin_ctzll(rest));
      const uint64_t aperture = addresses[lane] & ~uint64_t(0xffffffff);
      if (aperture == kPrivateApertureBase) {
        wave.fault(inst, "flat atomics on private memory are not implemented");
        return false;
      }
      if (aperture != kSharedApertureBase)
        continue;
      shared |= LaneMask(1) << lane;
      offsets[lane] = uint32_t(addresses[lane]);
    }
    if (shared && !updateLds<T>(wave, inst, offsets, shared, update, old))
      return false;
    global &= ~shared;
  }
  return updateGlobal<T>(wave, inst, addresses, global, update, old);
}

template <bool isFlat>
static void resolve(const Wave &wave, const Instruction *inst, unsigned first, Lanes64 &out) {
  if (isFlat)
    resolveFlat(wave, inst, first, out);
  else
    resolveGlobal(wave, inst, first, out);
}

template <typename T, bool isFlat>
static const Instruction *executeAtomic(Wave &wave, const Instruction *inst) {
  const auto &operation = *static_cast<const AtomicOperation *>(inst->extra.pointer);
  const DefaultFloatEnvironment environment(wave);
  const unsigned first = returnsOld(*inst) ? 1 : 0;
  Lanes64 addresses;
  resolve<isFlat>(wave, inst, first, addresses);
  const AtomicData<T> data(wave, inst->op(first + 1));
  T old[kLanes];
  auto update = [&](T memory, unsigned lane) -> T {
    if constexpr (sizeof(T) == 8)
      return operation.update64(memory, data.values[lane]);
    else
      return operation.update32(memory, data.values[lane]);
  };
  if (!updateMemory<T, isFlat>(wave, inst, addresses, update, old))
    return nullptr;
  if (first)
    writeAtomicResult(wave, inst->op(0), old, wave.exec());
  return inst + 1;
}

template <typename T, bool isFlat>
static const Instruction *executeCompareSwap(Wave &wave, const Instruction *inst) {
  const unsigned first = returnsOld(*inst) ? 1 : 0;
  Lanes64 addresses;
  resolve<isFlat>(wave, inst, first, addresses);
  const AtomicData<T> data(wave, inst->op(first + 1));
  const AtomicData<T> expected(wave, inst->op(first + 1), sizeof(T) / 4);
  T old[kLanes];
  auto update = [&](T memory, unsigned lane) {
    return memory == expected.values[lane] ? data.values[lane] : memory;
  };
  if (!updateMemory<T, isFlat>(wave, inst, addresses, update, old))
    return nullptr;
  if (first)
    writeAtomicResult(wave, inst->op(0), old, wave.exec());
  return inst + 1;
}

/// `operands` are those without the returned value.
template <int operands>
static llvm::Error checkOperands(Instruction &inst) {
  const unsigned expected = operands + (returnsOld(inst) ? 1 : 0);
  if (!returnsOld(inst))
    inst.effect = Effect::CombinesBehind;
  if (inst.numOperands == expected)
    return llvm::Error::success();
  return llvm::createStringError("expected " + llvm::Twine(expected) + " operands, got " +
                                 llvm::Twine(unsigned(inst.numOperands)));
}

template <bool isFlat>
static void addAtomics(InstructionTable &table) {
  const std::string prefix = isFlat ? "flat_atomic_" : "global_atomic_";
  constexpr MemorySpace space = isFlat ? MemorySpace::Flat : MemorySpace::Global;
  constexpr ModifierSet accepted = kCacheModifiers | modifiers(Modifier::Offset);
  OpcodeInfo info{nullptr,      InstructionClass::Vmem,           accepted, SourceType::B32,
                  kAnyOperands, checkOperands < isFlat ? 2 : 3 >, nullptr};
  for (const AtomicOperation &operation : getGlobalAtomics()) {
    info.handler =
        operation.isWide() ? executeAtomic<uint64_t, isFlat> : executeAtomic<uint32_t, isFlat>;
    info.data = getGlobalAtomic(&operation, table.getIsa());
    info.facts = describeAtomic(operation, space);
    table.add(prefix + operation.name, info);
  }
  info.data = nullptr;
  info.facts = describeAccess(MemoryAction::Atomic, space, 4);
  info.handler = executeCompareSwap<uint32_t, isFlat>;
  table.add(prefix + "cmpswap", info);
  info.facts = describeAccess(MemoryAction::Atomic, space, 8);
  info.handler = executeCompareSwap<uint64_t, isFlat>;
  table.add(prefix + "cmpswap_x2", info);
}

void ckemu::registerMemoryAtomic(InstructionTable &table) {
  addAtomics<false>(table);
  addAtomics<true>(table);
}
