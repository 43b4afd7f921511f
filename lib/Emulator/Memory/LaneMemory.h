//===- LaneMemory.h - Checked memory access for whole waves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instructions that touch memory are made of. Each function checks every active lane first
// and, on the first lane that is out of bounds, stops the launch with a fault naming allocation,
// lane and instruction; it then returns false and the handler returns null:
//
//   if (!loadGlobal(wave, inst, addresses, wave.exec(), 16, registers))
//     return nullptr;
//
// Addresses of device memory are host addresses. Device memory is shared by workgroups that run on
// several host threads; LDS belongs to one thread.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MEMORY_LANEMEMORY_H
#define CK_MLIR_LIB_EMULATOR_MEMORY_LANEMEMORY_H

#include "Emulator/Decode/AddressMap.h"
#include "Emulator/Machine/Access.h"
#include "Emulator/Machine/Wave.h"
#include "Emulator/Memory/Recording.h"

namespace ckemu {

/// Checks that [addresses[i], addresses[i] + size) lies in one allocation for every lane in
/// `lanes`. Counts bytes, and stores as progress (atomics are, in updateGlobal, when they change
/// the value). `data` is what a store writes: storing what is there already races with nothing.
bool checkGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                 unsigned size, Access access, const Lanes *const *data = nullptr);
/// Checks one scalar load of `size` (1, 2, or 4 to 64) bytes. Returns a bit for each byte that
/// holds a value, 0 after a fault: loads of whole dwords, which compilers widen, may go beyond the
/// allocation in the aligned block where it ends, and over bytes that were never written beside
/// some that were.
uint64_t checkGlobalScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size);

/// Loads `size` (1, 2, 4, 8, 12, 16) bytes per lane in `lanes`, zero extended to dwords, into
/// `out[0 .. (size + 3) / 4)`; the other lanes of `out` keep their values. `out` may be the
/// destination registers, also when they hold the addresses (addresses are a copy).
bool loadGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                unsigned size, Lanes *out);
/// Stores the low `size` (1, 2, 4, 8, 12, 16) bytes of `data[0 ..]` per lane, in lane order.
bool storeGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                 unsigned size, const Lanes *const *data);

/// Stores `size` (4, 8 or 16) bytes of lane 0 of `data`. The scalar unit drops the low two bits of
/// the address, and no counter of vector memory counts the store.
bool storeGlobalScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size,
                       const Lanes *const *data);

/// The same for flat addresses: global, or LDS and private memory through the apertures.
bool loadFlat(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
              unsigned size, Lanes *out);
bool storeFlat(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
               unsigned size, const Lanes *const *data);

/// The same for private memory (scratch_*): per-lane byte offsets into the lane's private segment.
bool loadScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                 unsigned size, Lanes *out);
bool storeScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                  unsigned size, const Lanes *const *data);

/// The same for LDS: byte offsets into the workgroup's LDS. Bank conflicts are counted.
bool loadLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
             unsigned size, Lanes *out);
bool storeLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
              unsigned size, const Lanes *const *data);
/// Checks LDS offsets for a read-modify-write that the handler then does on `wave.lds` itself.
/// `data` as in checkGlobal.
bool checkLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
              unsigned size, Access access, const Lanes *const *data = nullptr);

/// Atomically replaces the value of type T (uint32_t or uint64_t) at each active lane's address by
/// `update(old, lane)`, lane by lane in order; `old` (may be null) gets the values before. Safe
/// against other host threads. The addresses must be naturally aligned (checked).
template <class T, class F>
bool updateGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                  F update, T *old) {
  if (!checkGlobal(wave, inst, addresses, lanes, sizeof(T), Access::Atomic))
    return false;
  if (wave.skipsData(inst)) {
    wave.counters.globalStores += lanes != 0;
    return true;
  }
  LaneMask changed = 0;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    T *pointer = reinterpret_cast<T *>(addresses[lane]);
    T before = __atomic_load_n(pointer, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(pointer, &before, update(before, lane), /*weak=*/true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    // An atomic that changes nothing (a failed lock, a poll) is no progress.
    const bool changes = __atomic_load_n(pointer, __ATOMIC_RELAXED) != before;
    wave.counters.globalStores += changes;
    changed |= LaneMask(changes) << lane;
    if (old)
      old[lane] = before;
  }
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordUpdate(wave, inst, addresses, changed, sizeof(T));
  return true;
}

/// The same for LDS offsets.
template <class T, class F>
bool updateLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes, F update,
               T *old) {
  if (!checkLds(wave, inst, offsets, lanes, sizeof(T), Access::Atomic))
    return false;
  LaneMask changed = 0;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    T before;
    std::memcpy(&before, wave.lds + offsets[lane], sizeof(T));
    T after = update(before, lane);
    std::memcpy(wave.lds + offsets[lane], &after, sizeof(T));
    changed |= LaneMask(after != before) << lane;
    if (old)
      old[lane] = before;
  }
  if (LLVM_UNLIKELY(wave.recorder && changed))
    recordLdsUpdate(wave, inst, offsets, changed, sizeof(T));
  return true;
}

/// The addresses of a buffer instruction.
struct BufferAccess {
  /// Address of the first byte per lane; valid where some dword is in range.
  Lanes64 addresses;
  /// Lanes (of the active ones) whose dword k is in range. Dwords out of range read 0 and are not
  /// written; offsets grow with k, so that where the last one is in range all are. Accesses of at
  /// most 4 bytes have dword 0 only.
  LaneMask inRange[4];
  /// Private memory of gfx90a: `addresses` are offsets in the lane's segment, all in range.
  bool isPrivate = false;
};

/// What a buffer instruction adds to its descriptor.
struct BufferOffsets {
  const Lanes *index = nullptr;  ///< idxen
  const Lanes *offset = nullptr; ///< offen
  uint32_t scalar = 0;
  uint32_t immediate = 0;
};

/// Evaluates the buffer descriptor in the SGPRs `resource` (4 dwords) for an access of `size` bytes
/// (1 to 16). Offset of a lane = register + immediate, a sum of 32 bits that wraps; address = base
/// + scalar offset + index * stride + offset. A dword (or the whole access, when it is smaller) is
/// in range when it ends in it: of raw buffers, when the offset of its end plus the scalar offset
/// is at most num_records; of structured ones, when the index is below num_records, and where the
/// chip looks at it, when the dword ends in the stride. Descriptors that are not implemented are a
/// fault, and false is returned.
bool resolveBuffer(Wave &wave, const Instruction *inst, const Operand &resource,
                   const BufferOffsets &offsets, unsigned size, BufferAccess &access);
/// Loads `size` (1, 2, 4, 8, 12, 16) bytes per active lane with the range rule above into `out`
/// (zero extended; out of range reads 0).
bool loadBuffer(Wave &wave, const Instruction *inst, const BufferAccess &access, unsigned size,
                Lanes *out);
/// Stores; dwords out of range are dropped.
bool storeBuffer(Wave &wave, const Instruction *inst, const BufferAccess &access, unsigned size,
                 const Lanes *const *data);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MEMORY_LANEMEMORY_H
