//===- Trace.h - What the waves of a workgroup executed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain values for the model of time, which does not execute instructions: it is given what each
// wave executed, in order, and what its memory accesses touched. A wave that polls a flag is
// recorded as if it had looked once, when the flag was set, with a note of who set it: how often it
// looked in the emulator says nothing of how often it would look on a chip.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_EMULATOR_TRACE_H
#define CK_MLIR_EMULATOR_TRACE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ckemu {

/// Instructions that were executed one after another, as a range of Instruction::index.
struct TraceRun {
  uint32_t first, last; ///< both executed
};

/// What an access of a trace does.
enum class TraceAccessKind : uint8_t {
  Load,       ///< vector load from device memory
  Store,      ///< vector store to device memory
  Atomic,     ///< vector atomic in device memory
  ScalarLoad, ///< into scalar registers
  Lds,        ///< any access of LDS, also the LDS half of a load from memory to LDS
  Scratch     ///< private memory
};

/// A 128-byte line that an access touched, and which of its four sectors of 32 bytes; of an atomic
/// also how many dwords its lanes change in it, a dword as often as there are lanes that change it.
struct TraceLine {
  static constexpr unsigned kBytes = 128, kSectorBytes = 32;
  /// Sectors in the low 4 bits, address / kBytes above them, changed dwords in the high 16.
  uint64_t bits = 0;

  TraceLine() = default;
  TraceLine(uint64_t line, unsigned sectors) : bits(line << 4 | sectors) {}
  uint64_t getLine() const { return bits << 16 >> 20; }
  unsigned getSectors() const { return unsigned(bits & 15); }
  unsigned getChangedDwords() const { return unsigned(bits >> 48); }
  void addChangedDwords(unsigned count) { bits += uint64_t(count) << 48; }
};

/// A memory access of a wave. An instruction may have several.
struct TraceAccess {
  static constexpr uint32_t kNoDependency = ~0u;

  uint32_t position = 0; ///< of the instruction in the wave's trace, from 0
  TraceAccessKind kind = TraceAccessKind::Load;
  bool deviceScope = false; ///< goes past the caches of the compute unit (atomics always do)
  bool returns = false;     ///< an atomic whose old value is waited for as a load is
  uint8_t bytesPerLane = 0;
  uint8_t activeLanes = 0;
  /// Cycles in which the L1 takes the addresses: the lanes whose bytes make 64, in order (4 lanes
  /// of 16 bytes, 16 of 4), need one for each distinct block of 64 bytes that they touch.
  uint16_t addressCycles = 0;
  /// Of LDS accesses: cycles beyond those of an access without bank conflicts.
  uint16_t conflictCycles = 0;
  uint16_t numLines = 0;  ///< distinct lines of device memory
  uint32_t firstLine = 0; ///< in WaveTrace::lines
  /// Stores or atomics of other waves that a load must have seen: the first of them in
  /// WaveTrace::dependencies, and how many there are, each of another wave.
  uint32_t dependency = kNoDependency;
  uint16_t numDependencies = 0;
};

/// A store or atomic of another wave that a load must have seen: it has the value that they left.
struct TraceDependency {
  uint64_t group = 0;    ///< linear id
  uint32_t wave = 0;     ///< in its workgroup
  uint32_t position = 0; ///< of the storing instruction in the trace of that wave
};

/// Some of the lines or dependencies of a wave that lie one behind the other.
template <class T>
struct TraceSlice {
  const T *first = nullptr;
  size_t count = 0;

  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  const T *data() const { return first; }
  size_t size() const { return count; }
  const T &operator[](size_t i) const { return first[i]; }
};

/// What one wave executed.
struct WaveTrace {
  std::vector<TraceRun> runs;
  /// In the order of execution. An access of LDS without conflicts and dependency has no entry.
  std::vector<TraceAccess> accesses;
  std::vector<TraceLine> lines;
  std::vector<TraceDependency> dependencies;
  uint32_t numInstructions = 0;
  /// Instructions behind them that were executed, but not recorded: there was no room.
  uint64_t numDropped = 0;

  TraceSlice<TraceLine> getLines(const TraceAccess &access) const {
    return {lines.data() + access.firstLine, access.numLines};
  }
  TraceSlice<TraceDependency> getDependencies(const TraceAccess &access) const {
    if (access.numDependencies == 0)
      return {};
    return {dependencies.data() + access.dependency, access.numDependencies};
  }
};

/// What a workgroup executed.
struct GroupTrace {
  uint64_t linearId = 0;
  std::vector<WaveTrace> waves;

  /// Memory that the trace takes, and the instructions of all waves: recorded, and dropped.
  uint64_t getBytes() const;
  uint64_t countInstructions() const;
  uint64_t countDropped() const;
};

} // namespace ckemu

#endif // CK_MLIR_EMULATOR_TRACE_H
