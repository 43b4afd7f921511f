//===- Footprint.h - What workgroups touch of device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells from the traces of the workgroups that are simulated what those that are not read as well.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H
#define CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H

#include "Emulator/Timing/SharedMemory.h"
#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/BitVector.h"

namespace ckemu {

/// The lines of each allocation that some workgroups touch.
class Footprint {
public:
  explicit Footprint(llvm::ArrayRef<AddressRange> ranges);

  void add(const WaveTrace &wave);
  /// The distinct lines of a workgroup.
  void addGroup(llvm::ArrayRef<uint64_t> lines);
  /// The distinct lines of workgroups that share an L2 of `cacheLines` lines, each in the order in
  /// which it touches them, all at the same pace. What one of them touches when the L2 has lost it
  /// since others did counts as another line.
  void addConcurrent(llvm::ArrayRef<llvm::ArrayRef<uint64_t>> groups, uint64_t cacheLines);

  /// Of the allocation that has the address.
  uint64_t countLines(uint64_t address) const;

  /// The allocations that were touched, and by how many each is shared. The workgroups that were
  /// added are `share` of those that run at the same time, and `shareOfXcd` of those on their XCDs:
  /// when they touch that share of what lies from the first to the last touched line, everyone has
  /// a part of his own; when they touch all of it, everyone touches all of it. The workgroups that
  /// come after them share what else the allocation has in the same way.
  std::vector<SharedRange> getSharing(double share, double shareOfXcd) const;

  /// The same by what workgroups were seen to touch: of `sample`, the simulated part, and of all
  /// that run at the same time, `chip`; `sampleOfXcd` and `xcds` have those of each simulated XCD.
  static std::vector<SharedRange> compare(const Footprint &sample, const Footprint &chip,
                                          llvm::ArrayRef<Footprint> sampleOfXcd,
                                          llvm::ArrayRef<Footprint> xcds);

private:
  struct Allocation {
    uint64_t firstLine = 0, numLines = 0;
    llvm::BitVector touched; ///< empty until there is one
    uint64_t groupLines = 0; ///< of all workgroups, each of which counts its distinct lines
    uint64_t lostLines = 0;  ///< that had to be fetched again

    unsigned getIndex(uint64_t line) const { return unsigned(line - firstLine); }
    AddressRange getRange() const {
      return {firstLine * TraceLine::kBytes, (firstLine + numLines) * TraceLine::kBytes};
    }
    uint64_t countFetched() const { return touched.count() + lostLines; }

    bool holds(uint64_t line) const { return line >= firstLine && line - firstLine < numLines; }
  };
  std::vector<Allocation> allocations; ///< by address
  size_t last = 0;                     ///< that a line was found in

  Allocation *find(uint64_t line);
  Allocation *touch(uint64_t line);
  static double getUsers(llvm::ArrayRef<Footprint> footprints, size_t allocation);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_FOOTPRINT_H
