//===- Wave.cpp - The rare paths of a wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults, floating-point environment, addresses of instructions.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/Wave.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/Faults.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "llvm/Support/FormatVariadic.h"
#include <xmmintrin.h>

using namespace ckemu;

void ckemu::reportFault(Wave &wave, const Instruction *inst, FaultKind kind,
                        const llvm::Twine &reason) {
  LaunchContext &launch = *wave.launch;
  const uint32_t *id = wave.workgroup->id;
  const std::string place = llvm::formatv(
      ", in kernel '{0}': workgroup ({1},{2},{3}) wave {4} at pc {5:x} (+{6:x}): {7}",
      shortenKernelName(launch.kernel.metadata.name), id[0], id[1], id[2], wave.waveInGroup,
      inst->offset, int64_t(inst->offset) - launch.decoded.entry->offset,
      launch.getCode().getText(inst));
  const std::string why = reason.str();
  launch.reportFault(
      {kind, why + place, why,
       FaultPlace{{id[0], id[1], id[2]}, unsigned(wave.waveInGroup), uint32_t(inst->offset)}});
  wave.pc = inst;
  wave.state = WaveState::Faulted;
}

const Instruction *Wave::fault(const Instruction *inst, const llvm::Twine &message) {
  reportFault(*this, inst, FaultKind::Execution, message);
  return nullptr;
}

void Wave::applyMode() const {
  // MXCSR: bits 13-14 rounding (1 down, 2 up), bit 15 flush results, bit 6 denormals are zero.
  static constexpr uint32_t rounding[4] = {0, 2u << 13, 1u << 13, 3u << 13};
  constexpr uint32_t kAllMasked = 0x1f80;
  uint32_t denormals = mode >> kModeDenorm32Shift;
  _mm_setcsr(kAllMasked | rounding[mode & kModeRound32Mask] | (denormals & 1 ? 0 : 1u << 6) |
             (denormals & 2 ? 0 : 1u << 15));
}

uint64_t Wave::getAddress(const Instruction *inst) const {
  return launch->object.getImageBase() + inst->offset;
}

const Instruction *Wave::findInstruction(uint64_t address) const {
  uint64_t offset = address - launch->object.getImageBase();
  return offset > UINT32_MAX ? nullptr : launch->getCode().find(uint32_t(offset));
}

void LaunchContext::reportFault(Fault found) {
  std::lock_guard<std::mutex> lock(mutex);
  if (stopped.load())
    return;
  fault = std::move(found);
  stopped.store(true);
}
