//===- WaveReplay.h - A wave that repeats its trace -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEREPLAY_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEREPLAY_H

#include "Emulator/Timing/Replay/EventWheel.h"
#include "Emulator/Timing/Replay/InstructionCost.h"
#include "Emulator/Timing/Replay/Stalls.h"
#include "ck-mlir/Emulator/Trace.h"
#include <limits>

namespace ckemu {

/// Operations that are on their way, counted as the wait counters do: they end in order.
class OutstandingOperations {
public:
  void add(Cycle done) {
    latest = std::max(latest, done);
    times[issued++ % kDepth] = uint32_t(latest);
  }
  /// When at most `left` are outstanding.
  Cycle getTime(unsigned left) const {
    if (left >= issued || left >= kDepth)
      return 0;
    return latest - (uint32_t(latest) - times[(issued - 1 - left) % kDepth]);
  }
  Cycle getLatest() const { return latest; }

private:
  static constexpr unsigned kDepth = 64;
  Cycle latest = 0;
  uint32_t issued = 0;
  std::array<uint32_t, kDepth> times; ///< the low bits, which tell how long before `latest`
};

/// Where a wave stands. What every instruction needs comes first.
struct alignas(64) WaveReplay {
  static constexpr uint32_t kNever = ~0u;

  const WaveTrace *trace = nullptr;
  uint32_t run = 0, instruction = 0, runEnd = 0;
  uint32_t position = 0;                ///< of `instruction` in the trace
  uint32_t access = 0;                  ///< the next of WaveTrace::accesses
  uint32_t accessPosition = kNever;     ///< of that access
  uint32_t firstLine = 0, numLines = 0; ///< of that access, in WaveTrace::lines
  uint32_t watched = kNever;            ///< others wait for the instruction at this position
  uint32_t brokenPosition = kNever;     ///< goes on there without what it waits for
  uint32_t group = 0;                   ///< slot of its workgroup
  uint16_t unit = 0;                    ///< compute unit
  uint16_t simd = 0;                    ///< of all that are simulated
  uint16_t waveInGroup = 0;
  uint8_t priority = 0;
  Stall stall = Stall::None; ///< why the instruction waits, as far as is known
  uint64_t age = 0;
  Cycle earliest = 0; ///< when the instruction could have been issued
  uint32_t issued = 0, sinceBranch = 0;
  uint32_t barriersPassed = 0;
  uint32_t codeLine = ~0u;                          ///< of the last fetch
  std::array<uint32_t, kProducerWindow> issueTimes; ///< the low bits
  OutstandingOperations loads, stores, lds;
  Cycle scalarDone = 0;

  /// Begins the trace, which has runs.
  void begin() {
    instruction = trace->runs[0].first;
    runEnd = trace->runs[0].last;
    findAccess();
  }
  /// Moves to the next instruction of the trace; false when there is none. A jump starts a new run.
  bool advance();
  /// Whether the instruction has another access.
  bool hasAccess() const { return accessPosition == position; }
  const TraceAccess &getAccess() const { return trace->accesses[access]; }
  void nextAccess() {
    ++access;
    findAccess();
  }
  /// Notes where the next access of the wave is.
  void findAccess();
  /// When the results are there that the instruction needs, which could be issued at `earliest` if
  /// it needed none.
  Cycle getReady(const InstructionCost &cost) const;
  /// Asks the host for the next access, and for what every instruction needs.
  void prefetchAccess() const;
  void prefetch() const;

private:
  /// Of the wave, what every instruction needs.
  static constexpr size_t kHotBytes = 256;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEREPLAY_H
