//===- FlagHistory.h - What was written to flags -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave that waits for a flag to be positive has waited for the one who set it, not for all those
// who have counted it down since.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_FLAGHISTORY_H
#define CK_MLIR_LIB_EMULATOR_TRACE_FLAGHISTORY_H

#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace ckemu {

/// The values of dwords that single lanes have stored to or updated. Used by one thread at a time.
class FlagHistory {
public:
  /// The dword at `address` has this value now: before a write, or when someone looks at it.
  void settle(uint64_t address, uint32_t value);
  /// Behind a call of settle: `writer` writes to it.
  void note(uint64_t address, const TraceDependency &writer);

  /// Since whose write the dword has been as `isSatisfying` demands without interruption, where
  /// its value now, which is settled, is. `isKnown` is false when that cannot be told; no writer
  /// when it has been from the beginning.
  struct Cause {
    bool isKnown = false;
    const TraceDependency *writer = nullptr;
  };
  Cause findCause(uint64_t address, llvm::function_ref<bool(uint32_t)> isSatisfying) const;

private:
  struct Write {
    TraceDependency writer;
    uint32_t value = 0; ///< that it left, once it is settled
  };
  struct Flag {
    uint32_t initial = 0;
    bool isSettled = true; ///< of the last write
    llvm::SmallVector<Write, 1> writes;
  };
  llvm::DenseMap<uint64_t, Flag> flags;
  size_t numWrites = 0;
  bool isFull = false; ///< more were written than are remembered
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_FLAGHISTORY_H
