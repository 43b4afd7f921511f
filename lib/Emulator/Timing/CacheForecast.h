//===- CacheForecast.h - What caches hold for the simulated part -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What earlier launches have left in the MALL, and what the rest of the chip, which is not
// simulated, reads as well: told by the workgroups that start first, and by glimpses of those
// beside them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_CACHEFORECAST_H
#define CK_MLIR_LIB_EMULATOR_TIMING_CACHEFORECAST_H

#include "Emulator/Timing/Footprint.h"
#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/MemoryModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ckemu {

/// Of one launch, when the first workgroups of its sample have started.
class CacheForecast {
public:
  /// `running` are those that have started and not ended; `isPending` tells of a workgroup whether
  /// it belongs to the sample and has not ended.
  CacheForecast(const TimedLaunch &launch, const GroupSample &sample, TraceStore &traces,
                std::vector<std::shared_ptr<const GroupTrace>> running,
                llvm::function_ref<bool(uint64_t)> isPending)
      : launch(launch), sample(sample), traces(traces), running(std::move(running)),
        isPending(isPending) {}

  /// Tells the memory what earlier launches have left, and returns of each range of
  /// TimedLaunch::resident whether it is stored to now or was earlier.
  std::vector<bool> tellResident(MemoryModel &memory) const;
  /// Tells the memory what the rest of the chip shares with `part`.
  void tellSharing(MemoryModel &memory, const SimulatedPart &part) const;
  /// The same of the workgroups that run last, when they start.
  void tellLastSharing(MemoryModel &memory) const;

private:
  const TimedLaunch &launch;
  const GroupSample &sample;
  TraceStore &traces;
  const std::vector<std::shared_ptr<const GroupTrace>> running;
  const llvm::function_ref<bool(uint64_t)> isPending;

  std::vector<SharedRange> compareGlimpses(GroupRange range) const;
  void estimateFetchedBefore(std::vector<SharedRange> &ranges, const TraceStore::Glimpses &glimpses,
                             const Footprint &ofChip) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_CACHEFORECAST_H
