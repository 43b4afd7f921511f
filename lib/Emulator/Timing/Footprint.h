//===- Footprint.h - What workgroups touch of device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells from the traces of the workgroups that are simulated what those that are not read as well,
// and keeps what the kernels of a process leave in the MALL.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H
#define CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H

#include "Emulator/Timing/SharedMemory.h"
#include "Emulator/Trace/Trace.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::ck::emulator {

/// The lines of each allocation that some workgroups touch.
class Footprint {
public:
  explicit Footprint(llvm::ArrayRef<AddressRange> allocations);

  void add(const WaveTrace &wave);

  /// Of the allocations that were touched, the part from the first to the last touched line, and by
  /// how many it is shared. The workgroups that were added are `share` of those that run at the
  /// same time: when they touch that share of an allocation, everyone has a part of his own; when
  /// they touch all of it, everyone touches all of it.
  std::vector<SharedRange> getSharing(double share) const;

private:
  struct Allocation {
    uint64_t firstLine = 0;
    llvm::BitVector touched;
  };
  std::vector<Allocation> allocations; ///< by address
  size_t last = 0;                     ///< that a line was found in
};

/// What the MALL holds after kernels that touched allocations, those touched last first. A kernel
/// of which a part is simulated counts with whole allocations.
class RecentRanges {
public:
  /// A kernel touched `ranges`.
  void touch(llvm::ArrayRef<AddressRange> ranges);
  /// `range` is freed or written from outside: what lies there is another's from now on.
  void forget(AddressRange range);

  llvm::ArrayRef<AddressRange> get() const { return ranges; }

private:
  std::vector<AddressRange> ranges;
};

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H
