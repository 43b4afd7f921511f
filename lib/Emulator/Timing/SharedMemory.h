//===- SharedMemory.h - L2, MALL and memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compute units share. Mostly a part of a chip is simulated, and the rest is taken to do the
// same at the same time: the part has its share of each rate and capacity. What others fetch, too,
// is fetched once for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_SHAREDMEMORY_H
#define CK_MLIR_LIB_EMULATOR_TIMING_SHAREDMEMORY_H

#include "Emulator/Timing/CacheTags.h"
#include "Emulator/Timing/Parameters.h"
#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <vector>

namespace ckemu {

/// Whether an access goes past the L2: one XCD is coherent in it, several meet behind theirs.
inline bool goesPastL2(const TraceAccess &access, const TimingParameters &parameters) {
  return access.deviceScope && parameters.numXcds > 1;
}

/// What the servers did, for statistics: of the simulated part.
struct MemoryTraffic {
  double l1Requests = 0, l1Hits = 0; ///< lines
  double l2Bytes = 0, l2HitBytes = 0;
  double mallBytes = 0, mallHitBytes = 0;
  double hbmBytes = 0;
  double l1BusyCycles = 0; ///< summed over units
  double l2BusyCycles = 0; ///< summed over channels
  double mallBusyCycles = 0, hbmBusyCycles = 0;
};

/// Of these, the cycles in which the servers were busy.
struct MemoryBusy {
  double l1, l2, mall, hbm;
};

/// Which part of the chip is simulated: the rest is taken to do the same at the same time.
struct SimulatedPart {
  unsigned numUnits = 1;       ///< compute units of the chip that work
  unsigned simulatedUnits = 1; ///< of them, as many of each simulated XCD
  unsigned simulatedXcds = 1;
  unsigned activeXcds = 1;

  /// Of the units that work, in the chip and in a simulated XCD.
  double getChipShare() const { return double(simulatedUnits) / numUnits; }
  double getXcdShare() const { return std::min(1.0, getChipShare() * activeXcds / simulatedXcds); }
};

/// Bytes [begin, end) of device memory.
struct AddressRange {
  uint64_t begin = 0, end = 0;
};

/// What earlier kernels went through.
struct ResidentRange {
  AddressRange range;
  bool changed = false; ///< they stored to it: what the MALL has of it, memory does not have
  bool touched = false; ///< this launch goes through it, too
  bool stored = false;  ///< and stores to it
};

/// Rounds of the launch that come before those of the sample and are not simulated.
struct SkippedRounds {
  bool any = false;
  double storedLines = 0; ///< by the simulated part, to each of its L2s
};

/// A range with how many times the simulated part's share of the chip reads it: 1 for what no one
/// else touches, 8 for what all of eight XCDs touch when one is simulated.
struct SharedRange {
  AddressRange range;
  double touchedLines = 0; ///< by the simulated part
  double sharers = 1;
  double sharersOfXcd = 1; ///< the same for the share of an XCD
  /// The lines that the part touches in a round, and the share of them that others have fetched in
  /// an earlier one.
  double linesOfRound = 0, fetchedBefore = 0;
};

/// Serves one request after another. A request that arrives in the future does not keep the server
/// from serving others until then: `now` is the time that all have reached.
struct Server {
  double free = 0;

  /// When the service begins of a request that arrives at `arrival` and takes `cycles`.
  double take(double now, double arrival, double cycles) {
    free = std::max(free, now);
    const double start = std::max(arrival, free);
    free += cycles;
    return start;
  }
};

/// Times are those of registers: what a read returns is when its data can be used, with the way
/// back through the L1.
class SharedMemory {
public:
  SharedMemory(const TimingParameters &parameters, const SimulatedPart &part);

  /// Both before the first access. Earlier kernels went through all `ranges` of setResident at the
  /// same time, from their begin to their end; the MALL holds of each the end, as far as it can.
  /// When rounds of this launch are `skipped` and `ranges` are larger than the MALL, lines are left
  /// anywhere, the fewer the larger they are, and as much of it is changed as of what goes in the
  /// course of the whole launch: first what earlier kernels left, then lines of this one. The L2s
  /// hold the last lines of these rounds.
  void setResident(llvm::ArrayRef<ResidentRange> ranges, const SkippedRounds &skipped = {});
  void setSharing(llvm::ArrayRef<SharedRange> ranges);
  /// From now on, by workgroups of another kind. The part has as much of the caches as before.
  void changeSharing(llvm::ArrayRef<SharedRange> ranges);
  /// What is shared says how much of the caches the part has: the most that one of the `views` of
  /// it says. Behind setSharing, which has one.
  void setCapacity(llvm::ArrayRef<std::vector<SharedRange>> views);

  /// A request that reaches the L2 of XCD `number` at `arrival`; `now` as in Server. With `past`,
  /// the request goes past the L2 to where all XCDs see it.
  double read(unsigned number, uint64_t line, unsigned bytes, bool past, double now,
              double arrival);
  double write(unsigned number, uint64_t line, unsigned sectors, bool past, double now,
               double arrival);
  /// Atomics. The channel takes them dword by dword; what goes past the L2 joins an update of the
  /// same line that still waits for the channel, and both are one where all XCDs see it.
  double update(unsigned number, TraceLine line, bool past, double now, double arrival);

  /// Line `line` is likely to be asked for by XCD `number` soon.
  void prefetch(unsigned number, uint64_t line) const {
    xcds[number].tags.prefetch(line);
    if (!mall.empty())
      mall.front().tags.prefetch(line);
  }

  /// Writes back what XCD `number` has changed; the time when it is over.
  double writeBack(unsigned number, double cycle);
  double finish(double cycle);

  const MemoryTraffic &getTraffic() const { return traffic; }

private:
  /// The last update of a line that went past the L2.
  struct PastUpdate {
    uint64_t line = ~uint64_t(0);
    unsigned sectors = 0;
    double start = 0, done = 0;
  };
  static constexpr size_t kPastUpdates = 4096;
  struct Xcd {
    Xcd(uint64_t numLines, size_t numChannels)
        : tags(numLines), channels(numChannels), pastUpdates(kPastUpdates) {}
    CacheTags tags; ///< a line is changed where memory does not have a sector
    std::vector<Server> channels;
    std::vector<PastUpdate> pastUpdates; ///< by the low bits of the line
    uint64_t dirtyLines = 0;
    uint64_t placed = 0, stored = 0; ///< lines where none was; of them, those that stores placed
    double leftLines = 0;            ///< that skipped rounds stored and these have pushed out
  };
  struct Mall {
    explicit Mall(uint64_t numLines) : tags(numLines) {}
    CacheTags tags;
    Server server;
  };

  void makeCaches(double xcdScale, double chipScale);
  double takeChannel(Xcd &xcd, uint64_t line, double cycles, double now, double arrival);
  void makeRoom(Xcd &xcd, CacheTags::Place place, bool stores, double now, double cycle);
  void pushOutSkipped(Xcd &xcd, bool stores, double now, double cycle);
  void change(Xcd &xcd, CacheTags::Place place, unsigned sectors);
  const SharedRange *findShared(uint64_t line) const;
  double fetchLine(uint64_t line, unsigned bytes, double now, double cycle);
  double updatePast(Xcd &xcd, TraceLine line, double start, double now, double arrival);
  double storeLine(uint64_t line, unsigned sectors, double now, double cycle);
  double takeMall(double bytes, double now, double cycle);
  double takeMemory(double bytes, double now, double cycle);
  void makeRoomInMall(CacheTags::Place place, uint64_t line, double now, double cycle);
  const ResidentRange *takeResident(uint64_t line);
  double countSharers(uint64_t line) const;
  double countLinesOfChip(uint64_t line) const;
  bool wasFetchedBefore(const SharedRange *range);

  TimingParameters parameters;
  SimulatedPart part;
  double readCycles, writeCycles, atomicCycles; ///< of a channel: for a byte, a block, a dword
  double mallCycles, memoryCycles;              ///< for a byte
  double mallLatency, memoryLatency;            ///< beyond that of the L2
  uint32_t numChannels;                         ///< of an L2, of the part
  std::vector<Xcd> xcds;
  std::vector<Mall> mall; ///< one or none
  Server memory;
  std::vector<SharedRange> shared;          ///< by address
  std::vector<double> fetchedLines;         ///< of each, to the MALL
  std::vector<ResidentRange> resident;      ///< in lines; of each, the end may lie in the MALL
  double usedLines = 0;                     ///< of the MALL, by this launch in the whole chip
  double rangeLines = 0;                    ///< of the resident ranges
  double residentShare = 0;                 ///< of each of them that is found, behind what went
  bool isMixed = false;                     ///< what is found lies anywhere in them
  double residentLines = 0;                 ///< that lie there and were not used yet
  double changedLines = 0;                  ///< of these
  double skippedStores = 0;                 ///< of each L2, lines of rounds not simulated
  uint64_t skippedLine = uint64_t(1) << 48; ///< stands for the next of them that goes
  MemoryTraffic traffic;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_SHAREDMEMORY_H
