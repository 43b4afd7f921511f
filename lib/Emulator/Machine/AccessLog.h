//===- AccessLog.h - Accesses that nobody asked for yet -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To note an access for each of its lanes costs more than to execute it, and most are ordered
// before everything that could conflict with them, by a barrier, before anything does. So they wait
// here, and those that all other waves know are dropped: they can be in no race any more.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_ACCESSLOG_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_ACCESSLOG_H

#include "Emulator/Machine/Wave.h"
#include "Emulator/Machine/Workgroup.h"
#include <vector>

namespace ckemu {

/// The clock up to which all other waves know the accesses of agent `firstAgent` + `wave`. Waves
/// that have ended access nothing any more.
inline uint32_t getKnownToAll(const Workgroup &group, unsigned firstAgent, unsigned wave) {
  uint32_t result = ~0u;
  for (const Wave &other : group.waves)
    if (other.waveInGroup != wave && other.state != WaveState::Ended)
      result = std::min(result, other.order.known[firstAgent + wave]);
  return result;
}

/// Accesses in the order in which they were made, the oldest first; `Entry` has `wave` and `clock`.
template <class Entry, unsigned kCapacity>
class AccessLog {
public:
  void clear() { first = count = 0; }
  bool isEmpty() const { return count == 0; }
  unsigned size() const { return count; }
  Entry &operator[](unsigned i) { return entries[(first + i) % kCapacity]; }
  /// A new entry. If the log is full, entries that all other waves of `group` know make place for
  /// it, or the oldest one after `apply(entry)`.
  template <class Apply>
  Entry &add(const Workgroup &group, unsigned firstAgent, Apply apply) {
    if (entries.empty())
      entries.resize(kCapacity);
    if (count == kCapacity)
      dropKnown(group, firstAgent);
    if (count == kCapacity) {
      apply((*this)[0]);
      removeFirst();
    }
    return (*this)[count++];
  }
  void removeFirst() {
    first = (first + 1) % kCapacity;
    --count;
  }
  /// Removes accesses of agents `firstAgent` + wave from the begin that all other waves know, up to
  /// the first that some do not.
  void dropKnown(const Workgroup &group, unsigned firstAgent) {
    unsigned wave = ~0u;
    uint32_t known = 0;
    for (; count; removeFirst()) {
      const Entry &entry = (*this)[0];
      if (entry.wave != wave || entry.clock > known) {
        wave = entry.wave;
        known = getKnownToAll(group, firstAgent, wave);
      }
      if (entry.clock > known)
        return;
    }
  }

private:
  std::vector<Entry> entries; ///< empty until the first access
  unsigned first = 0, count = 0;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_ACCESSLOG_H
