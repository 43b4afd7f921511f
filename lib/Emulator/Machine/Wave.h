//===- Wave.h - The state of a wave and its access functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are struct-of-arrays: one vector register is 64 consecutive lanes, so that a handler is
// a loop over lanes that the host's vector unit executes. The pattern of a vector handler:
//
//   Lanes scratch[2], result;
//   const Lanes &a = wave.vectorSource(inst->op(1), scratch[0]);
//   const Lanes &b = wave.vectorSource(inst->op(2), scratch[1]);
//   for (unsigned i = 0; i < kLanes; ++i)
//     result[i] = a[i] + b[i];
//   wave.commit(inst->op(0), result);     // writes the lanes in exec
//   return inst + 1;
//
// All 64 lanes are computed (operations are total), and the masked write drops the inactive ones.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_WAVE_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_WAVE_H

#include "Emulator/Decode/DispensableResults.h"
#include "Emulator/Decode/Instruction.h"
#include "Emulator/Decode/Lanes.h"
#include "Emulator/Machine/LaneMasks.h"
#include "Emulator/Machine/WaveOrder.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

namespace ckemu {

class CodeObject;
class LaunchContext;
class LdsShadow;
class OutstandingLoads;
class TraceRecorder;
struct Workgroup;

/// Why a wave is not running.
enum class WaveState : uint8_t {
  Running,   ///< ready to run at Wave::pc
  AtBarrier, ///< waits for the other waves of its workgroup
  Ended,     ///< executed s_endpgm
  Faulted    ///< stopped with an error; the launch ends
};

/// Counts kept by handlers of memory instructions; the others are derived from executed
/// instructions.
struct WaveCounters {
  uint64_t bytesLoaded = 0;      ///< global and buffer loads, bytes of active in-range lanes
  uint64_t bytesStored = 0;      ///< global and buffer stores and atomics
  uint64_t ldsBankConflicts = 0; ///< extra LDS cycles
  uint64_t globalStores = 0;     ///< global stores and atomics that were executed (progress)
  uint64_t ldsStores = 0;        ///< LDS stores and atomics that were executed (progress)
  uint64_t cacheLines = 0;       ///< cache lines that vector accesses touch, when profiling

  WaveCounters &operator+=(const WaveCounters &other) {
    bytesLoaded += other.bytesLoaded;
    bytesStored += other.bytesStored;
    ldsBankConflicts += other.ldsBankConflicts;
    globalStores += other.globalStores;
    ldsStores += other.ldsStores;
    cacheLines += other.cacheLines;
    return *this;
  }
  WaveCounters operator-(const WaveCounters &other) const {
    return {bytesLoaded - other.bytesLoaded,
            bytesStored - other.bytesStored,
            ldsBankConflicts - other.ldsBankConflicts,
            globalStores - other.globalStores,
            ldsStores - other.ldsStores,
            cacheLines - other.cacheLines};
  }
};

/// Everything a handler may read or write.
struct alignas(64) Wave {
  /// Vector registers; `agprs` follow them as the unified file of gfx90a+ has them.
  Lanes *vgprs = nullptr;
  Lanes *agprs = nullptr;
  /// Broadcast constants of the code object (pairs: low dword, high dword).
  const Lanes *constants = nullptr;
  /// LDS of the workgroup and its size in bytes.
  uint8_t *lds = nullptr;
  uint32_t ldsSize = 0;
  /// MODE: rounding and denormals of 32-bit (low) and of 16- and 64-bit floats; see ModeBits.
  /// A handler that changes it must call applyMode.
  uint32_t mode = 0;
  /// Scalar registers; see ScalarSlot.
  union {
    uint32_t sgpr[kNumScalarSlots];
    uint64_t sgpr64[kNumScalarSlots / 2];
  };
  /// Per-lane private memory (scratch): lane i owns [i * scratchSize, (i + 1) * scratchSize).
  uint8_t *scratch = nullptr;
  uint32_t scratchSize = 0;
  WaveState state = WaveState::Running;
  /// Split barriers: the wave is AtBarrier until enough waves have signalled; they have, and the
  /// wave has not waited since.
  bool waitsForSignals = false, barrierCompleted = false;
  uint8_t laneCount = kLanes; ///< 64 or 32
  /// Cached allocation that the last checked global access hit: [begin, end). A new wave has an
  /// empty one.
  uint64_t cachedBegin = 0, cachedEnd = 0;
  bool cachedWritable = false;
  bool cachedCoversAll = false; ///< the last instruction was in it with all lanes
  uint32_t cachedIndex = 0;     ///< its place in the snapshot
  /// Clocks for the checks of races, and who accessed the LDS; null when that is not checked.
  WaveOrder order;
  LdsShadow *ldsShadow = nullptr;
  OutstandingLoads *outstanding = nullptr; ///< null when waits are not checked
  TraceRecorder *recorder = nullptr;       ///< null when the wave is not recorded
  /// What need not be computed, by Instruction::index; null when everything must be.
  const Dispensable *dispensable = nullptr;
  /// Where to continue when the run loop enters the wave again.
  const Instruction *pc = nullptr;
  WaveCounters counters;
  /// Number in the workgroup; the workgroup; the launch.
  uint32_t waveInGroup = 0;
  uint32_t numVgprs = 0, numAgprs = 0;
  Workgroup *workgroup = nullptr;
  LaunchContext *launch = nullptr;

  /// True when `inst` need not be executed.
  bool skips(const Instruction *inst) const {
    return dispensable && dispensable[inst->index] == Dispensable::Whole;
  }
  /// True when `inst`, which accesses memory, need not move data.
  bool skipsData(const Instruction *inst) const {
    return dispensable && dispensable[inst->index] != Dispensable::None;
  }

  // Scalar state.
  uint64_t exec() const { return sgpr64[kExec / 2]; }
  /// True when every lane of the wave is active.
  bool isFull() const {
    return laneCount == kLanes ? exec() == ~LaneMask(0) : uint32_t(exec()) == ~0u;
  }
  void setExec(uint64_t mask) { sgpr64[kExec / 2] = mask; }
  uint64_t vcc() const { return sgpr64[kVcc / 2]; }
  void setVcc(uint64_t mask) { sgpr64[kVcc / 2] = mask; }
  bool scc() const { return sgpr[kScc]; }
  void setScc(bool value) { sgpr[kScc] = value; }
  uint32_t m0() const { return sgpr[kM0]; }

  /// The value of a scalar source (register or constant); flags are not applied.
  uint32_t scalar32(const Operand &op) const {
    return op.kind == OperandKind::Constant ? uint32_t(op.value) : sgpr[op.index];
  }
  uint64_t scalar64(const Operand &op) const {
    if (op.kind == OperandKind::Constant)
      return op.value;
    if (op.count == 1) // a 32-bit register where 64 bits are read (e.g. wave32 masks)
      return sgpr[op.index];
    return uint64_t(sgpr[op.index + 1]) << 32 | sgpr[op.index];
  }
  /// Writes a scalar destination.
  void setScalar32(const Operand &op, uint32_t value) {
    sgpr[op.index] = value;
    sgpr[kNull] = 0;
  }
  void setScalar64(const Operand &op, uint64_t value) {
    if (op.index == kNull)
      return;
    sgpr[op.index] = uint32_t(value);
    if (op.count == 1) // the mask of a wave of 32 lanes: the next register is another one
      return;
    sgpr[op.index + 1] = uint32_t(value >> 32);
  }

  /// Register `part` of a vector register operand, for reading and writing.
  Lanes &vectorRegister(const Operand &op, unsigned part = 0) {
    return (op.kind == OperandKind::Agpr ? agprs : vgprs)[op.index + part];
  }
  /// A vector source of 32 bits: the register itself, the broadcast constant, or the scalar
  /// broadcast into `scratch`. `part` selects the dword of a multi-dword operand.
  const Lanes &vectorSource(const Operand &op, Lanes &scratch, unsigned part = 0) const {
    switch (op.kind) {
    case OperandKind::Vgpr:
      return vgprs[op.index + part];
    case OperandKind::Agpr:
      return agprs[op.index + part];
    case OperandKind::Constant:
      return constants[op.index + part];
    default:
      broadcast(sgpr[op.index + part], scratch);
      return scratch;
    }
  }
  /// A vector source of 64 bits per lane, assembled into `result`.
  void vectorSource64(const Operand &op, Lanes64 &result) const {
    Lanes low, high;
    const Lanes &l = vectorSource(op, low, 0), &h = vectorSource(op, high, 1);
    for (unsigned i = 0; i < kLanes; ++i)
      result[i] = uint64_t(h[i]) << 32 | l[i];
  }
  /// Writes `value` to the lanes of `lanes` (default: exec) of a vector register operand.
  void commit(const Operand &op, const Lanes &value, unsigned part = 0) {
    commitMasked(vectorRegister(op, part), value, exec());
  }

  /// Copies the lanes of `mask`.
  static void commitMasked(Lanes &destination, const Lanes &value, LaneMask mask) {
    copyLanes(destination, value, mask);
  }

  // Leaving the run loop. Each returns null, for the handler to return.
  /// The wave is done.
  const Instruction *endProgram() {
    state = WaveState::Ended;
    return nullptr;
  }
  /// The wave waits until all waves of its workgroup that have not ended wait; then it continues at
  /// `next`.
  const Instruction *waitAtBarrier(const Instruction *next) {
    pc = next;
    state = WaveState::AtBarrier;
    return nullptr;
  }
  /// The same at the second half of a split barrier: until Workgroup::signalBarrier was called for
  /// each wave that has not ended.
  const Instruction *waitAtSplitBarrier(const Instruction *next) {
    waitsForSignals = true;
    return waitAtBarrier(next);
  }
  /// Lets other waves run (s_sleep and polling loops); continues at `next`.
  const Instruction *yield(const Instruction *next) {
    pc = next;
    return nullptr;
  }
  /// Ends the launch with an error. The message gets the kernel, workgroup, wave, pc and
  /// disassembly of `inst` added; say only what is wrong: "expected ..., got ...".
  const Instruction *fault(const Instruction *inst, const llvm::Twine &message);

  /// Sets the host's floating-point environment (rounding, denormals) from the 32-bit fields of
  /// `mode`. The run loop calls it on entering a wave.
  void applyMode() const;

  /// Where the wave's part of the private buffer of gfx90a begins, in bytes from
  /// kPrivateBufferBase.
  uint32_t getPrivateBufferOffset() const {
    return waveInGroup * ((scratchSize * kLanes + 1023) & ~1023u);
  }

  /// Device address of an instruction, and the instruction at a device address (null when the
  /// address is not that of an instruction of the code object).
  uint64_t getAddress(const Instruction *inst) const;
  const Instruction *findInstruction(uint64_t address) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_WAVE_H
