//===- Meetings.h - Which waves meet -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves of several workgroups that leave something for one another meet: those that add up a tile,
// for example, whether one of them waits for all others or they do it in a tree. A wave that goes
// on after others have waited for it may meet other ones.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_MEETINGS_H
#define CK_MLIR_LIB_EMULATOR_TRACE_MEETINGS_H

#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/DenseMap.h"

namespace ckemu {

/// Collects who waited for whom.
class Meetings {
public:
  void add(const GroupTrace &trace);
  /// Waves of the largest meeting; 0 where no workgroup waited for another.
  uint64_t findLargest() const;

private:
  using WaveId = std::pair<uint64_t, uint32_t>; ///< workgroup and number in it
  struct Wait {
    WaveId waiter, other;
    uint32_t position; ///< in the trace of the waiter
  };
  std::vector<Wait> waits;
  /// Where waves did what others have waited for, the first time.
  llvm::DenseMap<WaveId, uint32_t> leaves;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_MEETINGS_H
