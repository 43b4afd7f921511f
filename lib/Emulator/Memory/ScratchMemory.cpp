//===- ScratchMemory.cpp - Checked access to private memory and flat addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane has a private segment; flat addresses reach it and the LDS through two apertures.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Memory/LaneMemory.h"
#include "Emulator/Memory/Recording.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;

/// Private segments are always checked, as LDS is.
static bool checkScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                         unsigned size, Access access) {
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    uint32_t offset = offsets[lane];
    if (size <= wave.scratchSize && offset <= wave.scratchSize - size)
      continue;
    reportFault(wave, inst, FaultKind::IllegalAddress,
                llvm::formatv("lane {0} private {1} of {2} bytes at offset {3} is out of bounds: "
                              "the kernel has {4} bytes of private memory",
                              lane, access == Access::Load ? "load" : "store", size, offset,
                              wave.scratchSize));
    return false;
  }
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordScratch(wave, inst, offsets, lanes, size);
  return true;
}

bool ckemu::loadScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                        unsigned size, Lanes *out) {
  if (!checkScratch(wave, inst, offsets, lanes, size, Access::Load))
    return false;
  if (!wave.skipsData(inst))
    copyIn(SegmentLanes{wave.scratch, wave.scratchSize, offsets}, lanes, size, out);
  return true;
}

bool ckemu::storeScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                         unsigned size, const Lanes *const *data) {
  if (!checkScratch(wave, inst, offsets, lanes, size, Access::Store))
    return false;
  if (!wave.skipsData(inst))
    copyOut(SegmentLanes{wave.scratch, wave.scratchSize, offsets}, lanes, size, data);
  return true;
}

namespace {
/// Lanes of a flat access by the memory that they reach; the low dwords are the offsets in the
/// apertures.
struct FlatLanes {
  LaneMask global = 0, lds = 0, scratch = 0;
  Lanes offsets;
};
} // namespace

static FlatLanes splitFlat(const Lanes64 &addresses, LaneMask lanes) {
  FlatLanes result;
  constexpr uint32_t kShared = uint32_t(kSharedApertureBase >> 32);
  constexpr uint32_t kPrivate = uint32_t(kPrivateApertureBase >> 32);
  for (unsigned i = 0; i < kLanes; ++i) {
    uint32_t high = uint32_t(addresses[i] >> 32);
    result.offsets[i] = uint32_t(addresses[i]);
    result.lds |= LaneMask(high == kShared) << i;
    result.scratch |= LaneMask(high == kPrivate) << i;
  }
  result.lds &= lanes;
  result.scratch &= lanes;
  result.global = lanes & ~(result.lds | result.scratch);
  return result;
}

bool ckemu::loadFlat(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                     unsigned size, Lanes *out) {
  FlatLanes split = splitFlat(addresses, lanes);
  return (!split.global || loadGlobal(wave, inst, addresses, split.global, size, out)) &&
         (!split.lds || loadLds(wave, inst, split.offsets, split.lds, size, out)) &&
         (!split.scratch || loadScratch(wave, inst, split.offsets, split.scratch, size, out));
}

bool ckemu::storeFlat(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                      unsigned size, const Lanes *const *data) {
  FlatLanes split = splitFlat(addresses, lanes);
  return (!split.global || storeGlobal(wave, inst, addresses, split.global, size, data)) &&
         (!split.lds || storeLds(wave, inst, split.offsets, split.lds, size, data)) &&
         (!split.scratch || storeScratch(wave, inst, split.offsets, split.scratch, size, data));
}
