//===- Fence.h - Waits, barriers and cache instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One handler for each kind of ordering, whatever the chip calls the instruction. Waves execute
// their instructions in order and memory has no caches, so that waits, releases and acquires have
// nothing to do but to say what they order, for the checks of races; barriers are the workgroup's.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FENCE_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FENCE_H

#include "Emulator/Machine/Wave.h"

namespace ckemu {

/// Waits for memory operations of the wave: s_waitcnt, s_wait_loadcnt, ...
const Instruction *executeWait(Wave &wave, const Instruction *inst);
/// Writes back caches: buffer_wbl2, global_wb.
const Instruction *executeRelease(Wave &wave, const Instruction *inst);
/// Invalidates the cache of a compute unit: buffer_gl0_inv. What other workgroups stored may still
/// be hidden in the next one.
const Instruction *executeGroupAcquire(Wave &wave, const Instruction *inst);
/// Invalidates caches: buffer_inv, buffer_wbinvl1, buffer_gl1_inv, global_inv, s_dcache_inv.
const Instruction *executeAcquire(Wave &wave, const Instruction *inst);
/// Both: global_wbinv.
const Instruction *executeReleaseAcquire(Wave &wave, const Instruction *inst);
/// s_barrier.
const Instruction *executeBarrier(Wave &wave, const Instruction *inst);
/// s_barrier_signal -1, s_barrier_signal_isfirst -1 (sets SCC) and s_barrier_wait -1 of gfx12.
const Instruction *executeBarrierSignal(Wave &wave, const Instruction *inst);
const Instruction *executeBarrierSignalIsFirst(Wave &wave, const Instruction *inst);
const Instruction *executeBarrierWait(Wave &wave, const Instruction *inst);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FENCE_H
