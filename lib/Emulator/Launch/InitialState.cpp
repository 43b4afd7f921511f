//===- InitialState.cpp - How a workgroup begins -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers hold what the kernel descriptor asks for, and elsewhere a NaN.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/InitialState.h"
#include "Emulator/Check/LdsShadow.h"
#include "Emulator/Check/OutstandingLoads.h"
#include "Emulator/Decode/AddressMap.h"
#include "Emulator/Machine/GroupKnowledge.h"
#include "Emulator/Machine/LaunchContext.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ckemu;

/// A NaN as binary32 and, in its upper half, as binary16.
static constexpr uint32_t kUninitialized = 0xffbadbad;

/// User SGPRs in the order of the descriptor's enable bits, then preloaded arguments; returns the
/// number set.
static unsigned setUserSgprs(Wave &wave, const LaunchContext &launch) {
  const KernelDescriptor &descriptor = launch.kernel.descriptor;
  unsigned next = 0;
  auto add64 = [&](uint64_t value) {
    wave.sgpr[next++] = uint32_t(value);
    wave.sgpr[next++] = uint32_t(value >> 32);
  };
  if (descriptor.privateSegmentBuffer) {
    add64(kPrivateBufferBase | kPrivateBufferWord1 << 32);
    add64(~0u | kPrivateBufferWord3 << 32);
  }
  if (descriptor.dispatchPtr)
    add64(launch.dispatchAddress);
  if (descriptor.queuePtr)
    add64(launch.queueAddress);
  if (descriptor.kernargPtr)
    add64(launch.kernargAddress);
  if (descriptor.dispatchId)
    add64(0);
  if (descriptor.flatScratchInit)
    add64(kPrivateBufferBase);
  if (descriptor.privateSegmentSize)
    wave.sgpr[next++] = launch.privateBytes;
  const auto *arguments = reinterpret_cast<const uint8_t *>(launch.kernargAddress);
  for (uint32_t i = 0; i < descriptor.preloadLength && next < descriptor.userSgprCount; ++i)
    std::memcpy(&wave.sgpr[next++], arguments + size_t(4) * (descriptor.preloadOffset + i), 4);
  return descriptor.userSgprCount;
}

static void setScalarState(Wave &wave, const LaunchContext &launch, const uint32_t *id) {
  const KernelDescriptor &descriptor = launch.kernel.descriptor;
  const ChipModel &chip = launch.object.getChip();
  llvm::fill(wave.sgpr, kUninitialized);
  unsigned next = setUserSgprs(wave, launch);
  if (chip.isa == Isa::Gfx12) { // trap registers hold the ids and, in bits 25 to 29, the wave
    wave.sgpr[kTtmp + 8] = wave.waveInGroup << 25;
    wave.sgpr[kTtmp + 9] = id[0];
    wave.sgpr[kTtmp + 7] = descriptor.workgroupId[2] ? (id[1] & 0xffff) | id[2] << 16 : id[1];
  } else {
    for (unsigned i = 0; i < 3; ++i)
      if (descriptor.workgroupId[i])
        wave.sgpr[next++] = id[i];
  }
  if (descriptor.privateSegment && !chip.architectedFlatScratch)
    wave.sgpr[next++] = wave.getPrivateBufferOffset();
  wave.sgpr[kScc] = 0;
  wave.sgpr[kNull] = wave.sgpr[kNull + 1] = 0;
  if (chip.architectedFlatScratch && isCdna(chip.isa))
    wave.sgpr64[kFlatScratch / 2] = kPrivateApertureBase;
  wave.mode = descriptor.mode;
}

/// exec and the packed work-item ids in v0.
static void setVectorState(Wave &wave, const LaunchShape &shape, unsigned workItemIds) {
  uint32_t first = wave.waveInGroup * wave.laneCount;
  uint32_t items = shape.getGroupItems();
  uint32_t active = std::min<uint32_t>(wave.laneCount, items - first);
  wave.setExec(active == 64 ? ~0ull : (1ull << active) - 1);
  for (uint32_t lane = 0; lane < wave.laneCount; ++lane) {
    uint32_t item = first + lane;
    uint32_t x = item % shape.groupSize[0];
    uint32_t y = workItemIds < 1 ? 0 : item / shape.groupSize[0] % shape.groupSize[1];
    uint32_t z = workItemIds < 2 ? 0 : item / (shape.groupSize[0] * shape.groupSize[1]);
    if (wave.numVgprs > 0)
      wave.vgprs[0][lane] = x | y << 10 | z << 20;
  }
}

/// What the checks remember of a workgroup.
static void resetChecks(Workgroup &group, const LaunchContext &launch, uint32_t ldsBytes,
                        unsigned numWaves) {
  const Checks &checks = launch.checks;
  if (ldsBytes && (checks.races || checks.uninitialized)) {
    if (!group.ldsShadow)
      group.ldsShadow = std::make_shared<LdsShadow>();
    group.ldsShadow->reset(ldsBytes, numWaves, checks);
  }
  group.outstanding.reset();
  if (launch.registerUses)
    group.outstanding = std::make_shared<std::vector<OutstandingLoads>>(
        numWaves, OutstandingLoads(*launch.registerUses));
  if (launch.globalShadow) {
    if (!group.knowledge)
      group.knowledge = std::make_shared<GroupKnowledge>();
    group.knowledge->reset();
  }
}

void ckemu::initializeWorkgroup(Workgroup &group, LaunchContext &launch, uint64_t linearId) {
  const LaunchShape &shape = launch.shape;
  const KernelDescriptor &descriptor = launch.kernel.descriptor;
  group.id[0] = uint32_t(linearId % shape.groups[0]);
  group.id[1] = uint32_t(linearId / shape.groups[0] % shape.groups[1]);
  group.id[2] = uint32_t(linearId / (uint64_t(shape.groups[0]) * shape.groups[1]));
  group.linearId = linearId;
  group.spinning = false;
  group.barrierSignals = 0;
  group.idleInstructions = 0;
  unsigned laneCount = descriptor.waveSize;
  unsigned numWaves = (shape.getGroupItems() + laneCount - 1) / laneCount;
  const DecodedKernel &decoded = launch.decoded;
  unsigned registersPerWave = decoded.numVgprs + decoded.numAgprs;
  uint32_t ldsBytes = descriptor.ldsBytes + shape.dynamicLds;
  Lanes pattern;
  broadcast(kUninitialized, pattern);
  group.registers.assign(size_t(registersPerWave) * numWaves, pattern);
  group.lds.assign((ldsBytes + sizeof(Lanes) - 1) / sizeof(Lanes), pattern);
  resetChecks(group, launch, ldsBytes, numWaves);
  uint64_t scratchPerWave = uint64_t(launch.privateBytes) * kLanes;
  if (scratchPerWave && !group.scratch)
    group.scratch = std::make_unique<uint8_t[]>(scratchPerWave * numWaves);
  group.waves.assign(numWaves, Wave());
  for (unsigned i = 0; i < numWaves; ++i) {
    Wave &wave = group.waves[i];
    wave.waveInGroup = i;
    wave.laneCount = uint8_t(laneCount);
    wave.vgprs = group.registers.data() + size_t(registersPerWave) * i;
    wave.agprs = wave.vgprs + decoded.numVgprs;
    wave.numVgprs = decoded.numVgprs;
    wave.numAgprs = decoded.numAgprs;
    wave.constants = launch.getCode().getConstants();
    wave.lds = reinterpret_cast<uint8_t *>(group.lds.data());
    wave.ldsSize = ldsBytes;
    wave.scratch = group.scratch.get() + scratchPerWave * i;
    wave.scratchSize = launch.privateBytes;
    wave.ldsShadow = group.ldsShadow.get();
    wave.outstanding = group.outstanding ? &(*group.outstanding)[i] : nullptr;
    wave.workgroup = &group;
    wave.launch = &launch;
    wave.order.sharesCache = isCdna(launch.object.getChip().isa) || !descriptor.wholeUnit;
    wave.pc = decoded.entry;
    wave.dispensable = launch.dispensable;
    setScalarState(wave, launch, group.id);
    setVectorState(wave, shape, descriptor.workItemIds);
  }
}
