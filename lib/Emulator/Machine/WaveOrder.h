//===- WaveOrder.h - What orders the accesses of a wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator completes every access at once, hardware does not. To find accesses that nothing
// orders, each wave counts what it issued and what its waits made sure is complete, and knows which
// accesses of the others happened before.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_WAVEORDER_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_WAVEORDER_H

#include <cstdint>

namespace ckemu {

/// Waves of a workgroup at most (1024 work-items in waves of 32).
inline constexpr unsigned kMaxWaves = 32;
/// What accesses memory in order: agent w is the LDS instructions of wave w, agent kMaxWaves + w
/// its loads from memory to LDS.
inline constexpr unsigned kLdsAgents = 2 * kMaxWaves;
/// Two more of each wave: its stores to device memory, and its loads from it.
inline constexpr unsigned kStoreAgents = kLdsAgents, kLoadAgents = kLdsAgents + kMaxWaves;
inline constexpr unsigned kAgents = kLdsAgents + 2 * kMaxWaves;

/// Clocks of one wave. A clock is the number of instructions that were issued.
struct WaveOrder {
  /// Accesses that happened before what the wave does next: those of agent a up to known[a]. Its
  /// own accesses of device memory are not among them.
  alignas(64) uint32_t known[kAgents] = {};
  uint32_t ldsIssued = 0, ldsCompleted = 0;       ///< LDS instructions
  uint32_t vectorIssued = 0, vectorCompleted = 0; ///< loads and stores of device memory
  uint32_t barriers = 0;                          ///< barriers that the wave came to
  uint32_t stores = 0;                            ///< stores to device memory
  uint32_t storesCounted = 0;                     ///< the last that no counter of loads counts
  uint32_t storesWritten = 0;                     ///< those before the last writeback
  uint32_t writebackIssued = 0;                   ///< value of vectorIssued at it
  uint32_t storesReleased = 0;                    ///< those that other workgroups may see
  uint32_t loads = 0, loadsCompleted = 0;         ///< loads from device memory
  /// The waves of the workgroup share a cache that executes their accesses of device memory in the
  /// order of issue; else it takes waits to pass them on, and an invalidation to see them.
  bool sharesCache = true;
  /// Without such a cache: stores of each wave that loads find since the last invalidation.
  uint32_t visible[kMaxWaves] = {};

  /// Accesses of device memory that a barrier or a flag passes on to the workgroup.
  uint32_t getPassedStores() const { return sharesCache ? stores : storesReleased; }
  uint32_t getPassedLoads() const { return sharesCache ? loads : loadsCompleted; }
  /// Stores of wave `other` that a load of this wave finds.
  uint32_t getVisibleStores(unsigned other) const {
    return sharesCache ? known[kStoreAgents + other] : visible[other];
  }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_WAVEORDER_H
