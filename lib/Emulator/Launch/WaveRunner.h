//===- WaveRunner.h - The run loop of a wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hot loop of the emulator: one indirect call and one count per instruction. `checksWaits`
// tells whether the wave has OutstandingLoads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_WAVERUNNER_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_WAVERUNNER_H

#include "Emulator/Check/OutstandingLoads.h"
#include "Emulator/Machine/Wave.h"
#include "Emulator/Trace/Recorder.h"

namespace ckemu {

/// Executes instructions.
template <bool checksWaits>
class Executor {
public:
  explicit Executor(const Wave &wave)
      : masks(checksWaits ? wave.outstanding->getMasks() : nullptr) {}

  /// Executes `inst`, or only checks it when it is skipped, and returns the next instruction.
  const Instruction *operator()(Wave &wave, const Instruction *inst, bool isSkipped = false) const {
    if constexpr (checksWaits)
      if (LLVM_UNLIKELY(!wave.outstanding->admits(wave, inst, masks[inst->index])))
        return reportMissingWait(wave, inst, *wave.outstanding);
    return isSkipped ? inst + 1 : inst->handler(wave, inst);
  }

private:
  const RegisterMask *masks;
};

/// Runs `wave` for at most `quantum` (> 0) instructions, until it waits, yields, ends or faults.
/// Counts each execution in `executions`; returns how many there were.
template <bool checksWaits>
inline unsigned runWave(Wave &wave, unsigned quantum, uint64_t *executions) {
  const Executor<checksWaits> execute(wave);
  wave.applyMode();
  unsigned left = quantum;
  const Instruction *inst = wave.pc;
  do {
    ++executions[inst->index];
    inst = execute(wave, inst);
    --left;
  } while (inst && left);
  if (inst)
    wave.pc = inst;
  return quantum - left;
}

/// The same, noting in `counters` what each instruction added to the counters of the wave.
template <bool checksWaits>
inline unsigned runWaveProfiled(Wave &wave, unsigned quantum, uint64_t *executions,
                                WaveCounters *counters) {
  const Executor<checksWaits> execute(wave);
  wave.applyMode();
  unsigned left = quantum;
  const Instruction *inst = wave.pc;
  do {
    uint32_t index = inst->index;
    WaveCounters before = wave.counters;
    ++executions[index];
    inst = execute(wave, inst);
    counters[index] += wave.counters - before;
    --left;
  } while (inst && left);
  if (inst)
    wave.pc = inst;
  return quantum - left;
}

/// The same for a wave that is recorded; `counters` may be null.
template <bool checksWaits>
inline unsigned runWaveRecorded(Wave &wave, unsigned quantum, uint64_t *executions,
                                WaveCounters *counters) {
  const Executor<checksWaits> execute(wave);
  wave.applyMode();
  TraceRecorder &recorder = *wave.recorder;
  unsigned left = quantum;
  const Instruction *inst = wave.pc, *last = nullptr;
  WaveCounters before;
  recorder.resume(inst->index);
  do {
    last = inst;
    if (counters)
      before = wave.counters;
    ++executions[last->index];
    inst = execute(wave, inst, wave.skips(inst));
    if (counters)
      counters[last->index] += wave.counters - before;
    if (inst != last + 1 && inst)
      recorder.jump(last->index, inst->index);
    --left;
  } while (inst && left);
  recorder.pause(inst ? inst->index : last->index + 1);
  if (inst)
    wave.pc = inst;
  return quantum - left;
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_WAVERUNNER_H
