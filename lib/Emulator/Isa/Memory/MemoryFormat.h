//===- MemoryFormat.h - Formats of loads and stores, and atomic operations -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the memory families share: how many bytes an instruction moves, how they become a register
// and back, and what atomic operations do to a value.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_MEMORYFORMAT_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_MEMORYFORMAT_H

#include "Emulator/Decode/InstructionTable.h"
#include "Emulator/Memory/LaneMemory.h"
#include "llvm/ADT/ArrayRef.h"

namespace ckemu {

/// Cache control bits and the like, which have no effect in a machine without caches.
constexpr ModifierSet kCacheModifiers =
    modifiers(Modifier::Sc0, Modifier::Sc1, Modifier::Nt, Modifier::Glc, Modifier::Slc,
              Modifier::Dlc, Modifier::Scc, Modifier::Th, Modifier::Scope);

/// How loaded bytes become a register.
enum class Extend : uint8_t {
  Zero,      ///< zero extended, or whole dwords
  Sign,      ///< sign extended from 1 or 2 bytes
  Low16,     ///< d16: zero extended to 16 bits in the low half
  Low16Sign, ///< d16: sign extended to 16 bits in the low half
  High16,    ///< the same in the high half; of stores, the high half is stored
  High16Sign,
  // d16 of gfx11 and gfx12: the other half keeps its value.
  KeepLow16,
  KeepLow16Sign,
  KeepHigh16,
  KeepHigh16Sign
};

/// One load or store: the end of its mnemonic after "load_" or "store_" (or "ds_read_").
struct MemoryFormat {
  const char *name;
  uint8_t size; ///< bytes per lane
  Extend extend;
};

/// dword, dwordx2, ubyte, short_d16, ... of global, flat, scratch and buffer instructions.
llvm::ArrayRef<MemoryFormat> getLoadFormats();
llvm::ArrayRef<MemoryFormat> getStoreFormats();

/// True when loaded bytes are the register's bytes, so that they may be loaded in place.
inline bool isPlain(const MemoryFormat &format) { return format.extend == Extend::Zero; }

inline Effect getLoadEffect(const MemoryFormat &format) {
  return isPlain(format) ? Effect::Loads : Effect::LoadsParts;
}

/// The halves of a register that a load of `format` writes.
inline RegisterPart getLoadedPart(const MemoryFormat &format) {
  if (format.extend < Extend::KeepLow16)
    return RegisterPart::All;
  return format.extend < Extend::KeepHigh16 ? RegisterPart::Low : RegisterPart::High;
}

/// Writes the loaded, zero extended `value` to the lanes of `lanes` of the destination `op` as the
/// format says. With the ECC of gfx9's data center chips, d16 loads clear the other half,
/// unless the format keeps it.
void writeLoaded(Wave &wave, const Operand &op, const MemoryFormat &format, Lanes &value,
                 LaneMask lanes);

/// The rows of a store's data operand; `shifted` holds the high halves when the format wants them.
struct StoreRows {
  const Lanes *rows[4];
  Lanes shifted;
  StoreRows(Wave &wave, const Operand &op, const MemoryFormat &format);
};

/// An atomic operation on 32 or 64 bits: one of the two functions is set. Operands are the value in
/// memory and the instruction's data.
struct AtomicOperation {
  const char *name; ///< "add", "add_x2", "pk_add_f16", ...
  uint32_t (*update32)(uint32_t memory, uint32_t data);
  uint64_t (*update64)(uint64_t memory, uint64_t data);
  bool isOfFloats = false;
  bool isWide() const { return update64 != nullptr; }
};

/// Those of global, flat and buffer instructions; cmpswap is not among them.
llvm::ArrayRef<AtomicOperation> getGlobalAtomics();
inline InstructionFacts describeAtomic(const AtomicOperation &operation, MemorySpace space) {
  InstructionFacts facts = describeAccess(MemoryAction::Atomic, space, operation.isWide() ? 8 : 4);
  facts.addsFloats = operation.isOfFloats;
  return facts;
}
/// What `operation` is on `isa`: gfx90a and gfx11 flush denormals where memory adds floats.
const AtomicOperation *getGlobalAtomic(const AtomicOperation *operation, Isa isa);
/// Those of LDS instructions with one data operand, named without "ds_".
llvm::ArrayRef<AtomicOperation> getLdsAtomics();

/// The data of an atomic instruction as values of type T per lane.
template <typename T>
struct AtomicData {
  T values[kLanes];
  /// Reads a register pair (T of 64 bits) or register, beginning at `part`.
  AtomicData(Wave &wave, const Operand &op, unsigned part = 0) {
    const Lanes &low = wave.vectorRegister(op, part);
    const Lanes &high = wave.vectorRegister(op, part + (sizeof(T) == 8 ? 1 : 0));
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = sizeof(T) == 8 ? T(low[lane] | uint64_t(high[lane]) << 32) : T(low[lane]);
  }
};

/// Writes the old values of an atomic instruction.
template <typename T>
void writeAtomicResult(Wave &wave, const Operand &op, const T *old, LaneMask lanes) {
  Lanes low, high;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    low[lane] = uint32_t(old[lane]);
    high[lane] = uint32_t(uint64_t(old[lane]) >> 32);
  }
  Wave::commitMasked(wave.vectorRegister(op), low, lanes);
  if (sizeof(T) == 8)
    Wave::commitMasked(wave.vectorRegister(op, 1), high, lanes);
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_MEMORYFORMAT_H
