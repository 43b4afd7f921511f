//===- Ports.h - The units of SIMDs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A SIMD has a vector unit, a matrix pipe and a scalar unit, each of which takes one instruction at
// a time. Waves that wait for the same unit get it by priority, then by age.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_PORTS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_PORTS_H

#include "Emulator/Timing/Replay/WaveReplay.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace ckemu {

/// The units of all SIMDs that are simulated.
class Ports {
public:
  enum class Kind : uint8_t { Valu, Matrix, Salu };

  /// Entries of `events`, behind those of waves, which has room for as many as countEntries says.
  Ports(size_t numSimds, std::vector<WaveReplay> &waves, EventWheel &events,
        const TimingParameters &parameters)
      : waves(waves), events(events), parameters(parameters), simds(numSimds) {}
  static constexpr size_t countEntries(size_t numSimds) { return numSimds * kPortsOfSimd; }

  /// Whether wave `id` may use a unit of its SIMD now; if not, it waits in the unit's list. Who was
  /// given one of two units that it needs goes before those that wait for the other.
  bool acquire(uint32_t id, Kind kind, Cycle now);
  /// The turn of unit `number` in `events`: gives it to one of the waves that wait for it, which
  /// `step` lets issue.
  void serve(uint32_t number, Cycle now, llvm::function_ref<void(uint32_t)> step);

  /// An instruction of the vector unit of SIMD `number`, and of the matrix pipe where its cost says
  /// so.
  void useVector(unsigned number, const InstructionCost &cost, Cycle now);
  void useScalar(unsigned simd, Cycle cycles, Cycle now) { simds[simd].salu.freeAt = now + cycles; }

private:
  /// A unit that takes one instruction at a time.
  struct Port {
    Cycle freeAt = 0;
    bool isScheduled = false;
    llvm::SmallVector<uint32_t, 8> waiting; ///< waves
  };
  struct Simd {
    Port valu, matrix, salu;
    bool wasPacked = true; ///< what the matrix pipe did last was packed arithmetic
  };
  static constexpr unsigned kPortsOfSimd = 3;
  static constexpr uint32_t kNoPort = ~0u;

  std::vector<WaveReplay> &waves;
  EventWheel &events;
  const TimingParameters &parameters;
  std::vector<Simd> simds;
  uint32_t granted = kNoPort; ///< what the wave that is being stepped was given

  Port &getPort(uint32_t number);
  void schedule(uint32_t number, Port &port, Cycle now);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_PORTS_H
