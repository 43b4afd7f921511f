//===- SameValueStores.h - Stores of what was there already -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store of the value that memory holds leaves its writer in the shadow: who knows that one may
// read on. So may who knows the second store only, which is noted here, by the place and by the
// writer that it left there.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_SAMEVALUESTORES_H
#define CK_MLIR_LIB_EMULATOR_CHECK_SAMEVALUESTORES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace ckemu {

/// Stores that nothing orders after the writer of the value. Not thread safe.
class SameValueStores {
public:
  void clear() { places.clear(); }
  bool isEmpty() const { return places.empty(); }
  /// `agent` stored at `clock` what `writer`, the content of the shadow, had stored at `place`.
  /// False when there is no room: then nobody may be blamed for the place any more.
  bool note(uint64_t place, uint64_t writer, uint32_t agent, uint32_t clock) {
    if (places.size() >= kLimit && !places.count(place))
      return false;
    Place &entry = places[place];
    if (entry.writer != writer)
      entry = {writer, {}};
    for (auto &store : entry.stores)
      if (store.first == agent) {
        store.second = clock;
        return true;
      }
    entry.stores.emplace_back(agent, clock);
    return true;
  }
  /// True when `isKnown(agent, clock)` holds for one of the stores beside `writer`.
  template <class IsKnown>
  bool anyOf(uint64_t place, uint64_t writer, IsKnown isKnown) const {
    auto found = places.find(place);
    if (found == places.end() || found->second.writer != writer)
      return false;
    return llvm::any_of(found->second.stores,
                        [&](const auto &store) { return isKnown(store.first, store.second); });
  }

  /// Each place becomes 1 << shift of them.
  void split(unsigned shift) {
    llvm::DenseMap<uint64_t, Place> old;
    std::swap(old, places);
    for (const auto &entry : old)
      for (uint64_t i = 0; i >> shift == 0; ++i)
        places[(entry.first << shift) + i] = entry.second;
  }

private:
  static constexpr unsigned kLimit = 1 << 18;
  struct Place {
    uint64_t writer = 0;
    llvm::SmallVector<std::pair<uint32_t, uint32_t>, 2> stores; ///< agent, clock
  };
  llvm::DenseMap<uint64_t, Place> places;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_SAMEVALUESTORES_H
