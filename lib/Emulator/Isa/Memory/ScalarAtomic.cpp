//===- ScalarAtomic.cpp - Atomic operations of the scalar unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx90a, gfx942 and gfx950 have those of gfx9 (Vega instruction set reference, "Scalar Memory
// Operations"): integers of 32 and 64 bits at an address pair or in a buffer. With glc the old
// value replaces the data. LLVM's assembler and disassembler know them for these chips, and AITER's
// kernels for gfx950 use s_atomic_dec to count who has finished.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Memory/ScalarAddress.h"
#include "Emulator/Memory/LaneMemory.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

/// The value of type T in the SGPRs from `index` on.
template <typename T>
static T readScalar(const Wave &wave, unsigned index) {
  T value;
  std::memcpy(&value, &wave.sgpr[index], sizeof(T));
  return value;
}

/// Replaces the value in memory by `update(memory)`; no counter of vector memory counts that.
template <typename T, class F>
static const Instruction *updateScalar(Wave &wave, const Instruction *inst, uint64_t address,
                                       F update) {
  Lanes64 addresses;
  addresses[0] = address;
  T old[kLanes];
  const uint32_t issued = wave.order.vectorIssued;
  const bool isUpdated = updateGlobal<T>(
      wave, inst, addresses, /*lanes=*/1, [&](T memory, unsigned) { return update(memory); }, old);
  wave.order.vectorIssued = issued;
  if (!isUpdated)
    return nullptr;
  if (returnsOld(*inst))
    std::memcpy(&wave.sgpr[inst->op(0).index], &old[0], sizeof(T));
  return inst + 1;
}

/// The operation at `address`; without one in `inst->extra`, a compare and swap.
template <typename T>
static const Instruction *executeAt(Wave &wave, const Instruction *inst, uint64_t address) {
  const unsigned index = inst->op(0).index;
  const T data = readScalar<T>(wave, index);
  const auto *operation = static_cast<const AtomicOperation *>(inst->extra.pointer);
  if (!operation) {
    const T expected = readScalar<T>(wave, index + sizeof(T) / 4);
    return updateScalar<T>(wave, inst, address,
                           [&](T memory) { return memory == expected ? data : memory; });
  }
  return updateScalar<T>(wave, inst, address, [&](T memory) -> T {
    if constexpr (sizeof(T) == 8)
      return operation->update64(memory, data);
    else
      return operation->update32(memory, data);
  });
}

template <typename T>
static const Instruction *executeAtomic(Wave &wave, const Instruction *inst) {
  return executeAt<T>(wave, inst, wave.scalar64(inst->op(1)) + uint64_t(scalarOffset(wave, inst)));
}

/// Beyond the descriptor's range nothing is changed, and the old value is 0.
template <typename T>
static const Instruction *executeBufferAtomic(Wave &wave, const Instruction *inst) {
  const ScalarBuffer buffer(wave, inst->op(1));
  const uint64_t offset = uint64_t(scalarOffset(wave, inst));
  if (offset < buffer.size && buffer.size - offset >= sizeof(T))
    return executeAt<T>(wave, inst, buffer.base + offset);
  if (returnsOld(*inst))
    std::memset(&wave.sgpr[inst->op(0).index], 0, sizeof(T));
  return inst + 1;
}

void ckemu::registerMemoryScalarAtomic(InstructionTable &table) {
  if (!isCdna(table.getIsa()))
    return;
  auto add = [&](const std::string &name, bool isWide, const AtomicOperation *operation) {
    OpcodeInfo info{isWide ? executeAtomic<uint64_t> : executeAtomic<uint32_t>,
                    InstructionClass::Smem,
                    kCacheModifiers | modifiers(Modifier::Offset),
                    SourceType::B64,
                    3,
                    nullptr,
                    operation};
    info.facts.action = MemoryAction::Atomic;
    table.add("s_atomic_" + name, info);
    info.handler = isWide ? executeBufferAtomic<uint64_t> : executeBufferAtomic<uint32_t>;
    table.add("s_buffer_atomic_" + name, info);
  };
  static constexpr llvm::StringLiteral names[] = {"swap", "add", "sub", "smin", "umin", "smax",
                                                  "umax", "and", "or",  "xor",  "inc",  "dec"};
  for (const AtomicOperation &operation : getGlobalAtomics()) {
    llvm::StringRef name = operation.name;
    name.consume_back("_x2");
    if (llvm::is_contained(names, name))
      add(operation.name, operation.isWide(), &operation);
  }
  add("cmpswap", /*isWide=*/false, nullptr);
  add("cmpswap_x2", /*isWide=*/true, nullptr);
}
