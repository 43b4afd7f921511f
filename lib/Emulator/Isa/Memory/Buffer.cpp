//===- Buffer.cpp - Buffer instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access through a buffer descriptor: what is out of its range reads 0 and is not written. All
// widths, atomics, loads to LDS, and the cache control instructions of the same encoding.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/BufferFormat.h"
#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/Fence.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Memory/LdsTranspose.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

static const MemoryFormat &formatOf(const Instruction *inst) {
  return *static_cast<const MemoryFormat *>(inst->extra.pointer);
}

bool ckemu::resolveBufferOperands(Wave &wave, const Instruction *inst, unsigned first,
                                  unsigned size, BufferAccess &access) {
  const Operand &address = inst->op(first);
  const bool hasIndex = inst->has(Modifier::Idxen);
  BufferOffsets offsets;
  if (hasIndex)
    offsets.index = &wave.vectorRegister(address);
  if (inst->has(Modifier::Offen))
    offsets.offset = &wave.vectorRegister(address, hasIndex ? 1 : 0);
  offsets.scalar = wave.scalar32(inst->op(first + 2));
  offsets.immediate = uint32_t(inst->mods.offset);
  return resolveBuffer(wave, inst, inst->op(first + 1), offsets, size, access);
}

static unsigned dwordsOf(const MemoryFormat &format) { return (format.size + 3u) / 4; }

static const Instruction *executeLoad(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  BufferAccess access;
  if (!resolveBufferOperands(wave, inst, 1, format.size, access))
    return nullptr;
  if (isPlain(format))
    return loadBuffer(wave, inst, access, format.size, &wave.vectorRegister(inst->op(0))) ? inst + 1
                                                                                          : nullptr;
  Lanes value = {};
  if (!loadBuffer(wave, inst, access, format.size, &value))
    return nullptr;
  writeLoaded(wave, inst->op(0), format, value, wave.exec());
  return inst + 1;
}

/// buffer_load_* address, resource, soffset lds.
static const Instruction *executeLoadToLds(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  BufferAccess access;
  Lanes values[4] = {};
  if (!resolveBufferOperands(wave, inst, 0, format.size, access) ||
      !loadBuffer(wave, inst, access, format.size, values))
    return nullptr;
  return storeLoadedToLds(wave, inst, format, values) ? inst + 1 : nullptr;
}

static const Instruction *executeStore(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  BufferAccess access;
  if (!resolveBufferOperands(wave, inst, 1, format.size, access))
    return nullptr;
  const StoreRows data(wave, inst->op(0), format);
  return storeBuffer(wave, inst, access, format.size, data.rows) ? inst + 1 : nullptr;
}

template <typename T, class F>
static const Instruction *update(Wave &wave, const Instruction *inst, F fn) {
  BufferAccess access;
  if (!resolveBufferOperands(wave, inst, 1, sizeof(T), access))
    return nullptr;
  if (access.isPrivate)
    return wave.fault(inst, "buffer atomics on private memory are not implemented");
  const LaneMask lanes = access.inRange[sizeof(T) / 4 - 1]; // all of it or nothing
  T old[kLanes] = {};
  if (!updateGlobal<T>(wave, inst, access.addresses, lanes, fn, old))
    return nullptr;
  if (inst->has(Modifier::Sc0) || inst->has(Modifier::Glc))
    writeAtomicResult(wave, inst->op(0), old, wave.exec());
  return inst + 1;
}

template <typename T>
static const Instruction *executeAtomic(Wave &wave, const Instruction *inst) {
  const auto &operation = *static_cast<const AtomicOperation *>(inst->extra.pointer);
  const DefaultFloatEnvironment environment(wave);
  const AtomicData<T> data(wave, inst->op(0));
  return update<T>(wave, inst, [&](T memory, unsigned lane) -> T {
    if constexpr (sizeof(T) == 8)
      return operation.update64(memory, data.values[lane]);
    else
      return operation.update32(memory, data.values[lane]);
  });
}

template <typename T>
static const Instruction *executeCompareSwap(Wave &wave, const Instruction *inst) {
  const AtomicData<T> data(wave, inst->op(0)), expected(wave, inst->op(0), sizeof(T) / 4);
  return update<T>(wave, inst, [&](T memory, unsigned lane) {
    return memory == expected.values[lane] ? data.values[lane] : memory;
  });
}

llvm::Error ckemu::checkBufferOperands(const Instruction &inst, unsigned numOperands) {
  if (inst.numOperands != numOperands)
    return llvm::createStringError("expected " + llvm::Twine(numOperands) + " operands, got " +
                                   llvm::Twine(unsigned(inst.numOperands)));
  const Operand &address = inst.op(numOperands - 3);
  const unsigned registers = inst.has(Modifier::Offen) + inst.has(Modifier::Idxen);
  if (registers ? !address.isVector() || address.count != registers
                : address.kind != OperandKind::Off)
    return llvm::createStringError("expected " + llvm::Twine(registers) +
                                   " vector registers of address, one each for idxen and offen");
  return llvm::Error::success();
}

static llvm::Error prepareLoad(Instruction &inst) {
  const MemoryFormat &format = formatOf(&inst);
  if (inst.has(Modifier::Lds)) {
    if (format.extend > Extend::Sign || format.size == 8)
      return llvm::createStringError("lds is not implemented for pairs of dwords and halves");
    inst.handler = executeLoadToLds;
    inst.effect = Effect::LoadsToLds;
    return checkBufferOperands(inst, 3);
  }
  if (llvm::Error error = checkBufferOperands(inst, 4))
    return error;
  return checkRegisterCount(inst, inst.op(0), dwordsOf(format));
}
static llvm::Error prepareStore(Instruction &inst) {
  if (llvm::Error error = checkBufferOperands(inst, 4))
    return error;
  return checkRegisterCount(inst, inst.op(0), dwordsOf(formatOf(&inst)));
}
static llvm::Error prepareAtomic(Instruction &inst) {
  if (!returnsOld(inst))
    inst.effect = Effect::CombinesFirst;
  return checkBufferOperands(inst, 4);
}

static constexpr ModifierSet kAccepted =
    kCacheModifiers | modifiers(Modifier::Offset, Modifier::Offen, Modifier::Idxen);

static void addAtomics(InstructionTable &table) {
  OpcodeInfo info{nullptr,      InstructionClass::Vmem, kAccepted, SourceType::B32,
                  kAnyOperands, prepareAtomic,          nullptr};
  for (const AtomicOperation &operation : getGlobalAtomics()) {
    info.handler = operation.isWide() ? executeAtomic<uint64_t> : executeAtomic<uint32_t>;
    info.data = getGlobalAtomic(&operation, table.getIsa());
    info.facts = describeAtomic(operation, MemorySpace::Buffer);
    table.add(std::string("buffer_atomic_") + operation.name, info);
  }
  info.data = nullptr;
  info.facts = describeAccess(MemoryAction::Atomic, MemorySpace::Buffer, 4);
  info.handler = executeCompareSwap<uint32_t>;
  table.add("buffer_atomic_cmpswap", info);
  info.facts = describeAccess(MemoryAction::Atomic, MemorySpace::Buffer, 8);
  info.handler = executeCompareSwap<uint64_t>;
  table.add("buffer_atomic_cmpswap_x2", info);
}

void ckemu::registerMemoryBuffer(InstructionTable &table) {
  for (const MemoryFormat &format : getLoadFormats())
    table.add(std::string("buffer_load_") + format.name,
              {executeLoad, InstructionClass::Vmem, kAccepted | modifiers(Modifier::Lds),
               SourceType::B32, kAnyOperands, prepareLoad, &format, getLoadEffect(format),
               describeAccess(MemoryAction::Load, MemorySpace::Buffer, format.size)});
  for (const MemoryFormat &format : getStoreFormats())
    table.add(std::string("buffer_store_") + format.name,
              {executeStore, InstructionClass::Vmem, kAccepted, SourceType::B32, kAnyOperands,
               prepareStore, &format, Effect::StoresFirst,
               describeAccess(MemoryAction::Store, MemorySpace::Buffer, format.size)});
  addAtomics(table);
  auto addCache = [&](const char *name, Handler handler, TimingClass timing) {
    table.add(name, {handler, InstructionClass::Vmem, kCacheModifiers, SourceType::B32, 0, nullptr,
                     nullptr, Effect::Unknown, describeTiming(timing)});
  };
  for (const char *name : {"buffer_inv", "buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_invl2",
                           "buffer_gl1_inv", "global_inv"})
    addCache(name, executeAcquire, TimingClass::Invalidate);
  addCache("buffer_gl0_inv", executeGroupAcquire, TimingClass::Invalidate);
  for (const char *name : {"buffer_wbl2", "global_wb"})
    addCache(name, executeRelease, TimingClass::WriteBack);
  addCache("global_wbinv", executeReleaseAcquire, TimingClass::Invalidate);
}
