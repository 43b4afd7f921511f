//===- WaveRunner.h - The run loop of a wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hot loop of the emulator: one indirect call and one count per instruction.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_WAVERUNNER_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_WAVERUNNER_H

#include "Emulator/Machine/Wave.h"
#include "Emulator/Trace/Recorder.h"

namespace ckemu {

/// Runs `wave` for at most `quantum` (> 0) instructions, until it waits, yields, ends or faults.
/// Counts each execution in `executions`; returns how many there were.
inline unsigned runWave(Wave &wave, unsigned quantum, uint64_t *executions) {
  wave.applyMode();
  unsigned left = quantum;
  const Instruction *inst = wave.pc;
  do {
    ++executions[inst->index];
    inst = inst->handler(wave, inst);
    --left;
  } while (inst && left);
  if (inst)
    wave.pc = inst;
  return quantum - left;
}

/// The same, noting in `counters` what each instruction added to the counters of the wave.
inline unsigned runWaveProfiled(Wave &wave, unsigned quantum, uint64_t *executions,
                                WaveCounters *counters) {
  wave.applyMode();
  unsigned left = quantum;
  const Instruction *inst = wave.pc;
  do {
    uint32_t index = inst->index;
    WaveCounters before = wave.counters;
    ++executions[index];
    inst = inst->handler(wave, inst);
    counters[index] += wave.counters - before;
    --left;
  } while (inst && left);
  if (inst)
    wave.pc = inst;
  return quantum - left;
}

/// The same for a wave that is recorded; `counters` may be null.
inline unsigned runWaveRecorded(Wave &wave, unsigned quantum, uint64_t *executions,
                                WaveCounters *counters) {
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
    inst = wave.skips(inst) ? inst + 1 : inst->handler(wave, inst);
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
