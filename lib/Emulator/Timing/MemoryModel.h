//===- MemoryModel.h - Caches and memory as the model of time sees them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps tags, not data. Each server (the L1 of a unit, a channel of an L2, the MALL, the memory)
// has a rate and takes requests one after another; a request that finds it busy waits. A line that
// is on its way is not fetched again: who asks for it waits until it is there.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_MEMORYMODEL_H
#define CK_MLIR_LIB_EMULATOR_TIMING_MEMORYMODEL_H

#include "Emulator/Timing/SharedMemory.h"
#include "ck-mlir/Emulator/Trace.h"
#include <memory>

namespace ckemu {

/// When an access is over, in cycles of the shader clock.
struct AccessTimes {
  double accepted; ///< the L1 has taken the addresses: the next access of the unit may follow
  double done;     ///< the data are in the registers, or a store or atomic is acknowledged
};

/// The memory side of a chip. Calls must come in an order of time that is right within some hundred
/// cycles. Units are numbered through over the simulated XCDs.
class MemoryModel {
public:
  MemoryModel(const TimingParameters &parameters, const ChipModel &chip, const SimulatedPart &part);
  ~MemoryModel();

  /// What earlier kernels went through, what rounds that are not simulated stored, and what others
  /// read as well; all before the first access. See SharedMemory.
  void setResident(llvm::ArrayRef<ResidentRange> ranges, const SkippedRounds &skipped = {});
  void setSharing(llvm::ArrayRef<SharedRange> ranges);
  void changeSharing(llvm::ArrayRef<SharedRange> ranges); ///< at any time
  void setCapacity(llvm::ArrayRef<std::vector<SharedRange>> views);

  /// A vector access of unit `number` that is issued at `cycle`. Nothing for accesses of LDS.
  AccessTimes access(unsigned number, const TraceAccess &access, llvm::ArrayRef<TraceLine> lines,
                     double cycle);
  /// A scalar load; the time when it is done.
  double loadScalar(unsigned unit, llvm::ArrayRef<TraceLine> lines, double cycle);
  /// Instruction fetch of a line of code (address / 64) that was not fetched just before; the time
  /// when its instructions can be issued.
  double fetch(unsigned unit, uint64_t line, double cycle);
  /// Invalidates the L1 and the scalar cache of a unit (buffer_inv, buffer_gl0_inv).
  void invalidate(unsigned unit);
  /// Writes the L2 of a unit back (buffer_wbl2); the time when that is over.
  double writeBack(unsigned unit, double cycle);
  /// The end of the kernel: writes back every L2; the time when that is over.
  double finish(double cycle);

  MemoryTraffic getTraffic() const;
  MemoryBusy getBusy() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_MEMORYMODEL_H
