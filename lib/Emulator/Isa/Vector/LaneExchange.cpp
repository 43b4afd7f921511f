//===- LaneExchange.cpp - Exchange between lanes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing single lanes, and permutations of lanes through the LDS crossbar, which touch
// no memory. Inactive lanes give 0 to ds_bpermute and nothing to ds_permute.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ckemu;

/// v_readlane sdst, vsrc, lane: ignores EXEC.
static const Instruction *executeReadLane(Wave &wave, const Instruction *inst) {
  const uint32_t lane = wave.scalar32(inst->op(2)) & (wave.laneCount - 1u);
  wave.setScalar32(inst->op(0), wave.vectorRegister(inst->op(1))[lane]);
  return inst + 1;
}

/// v_readfirstlane sdst, vsrc: the first active lane, or lane 0 when none is.
static const Instruction *executeReadFirstLane(Wave &wave, const Instruction *inst) {
  const LaneMask exec = wave.exec();
  const unsigned lane = exec ? unsigned(__builtin_ctzll(exec)) : 0;
  Lanes scratch;
  wave.setScalar32(inst->op(0), wave.vectorSource(inst->op(1), scratch)[lane]);
  return inst + 1;
}

/// v_writelane vdst, value, lane: ignores EXEC.
static const Instruction *executeWriteLane(Wave &wave, const Instruction *inst) {
  const uint32_t lane = wave.scalar32(inst->op(2)) & (wave.laneCount - 1u);
  wave.vectorRegister(inst->op(0))[lane] = wave.scalar32(inst->op(1));
  return inst + 1;
}

/// The lane that a byte address (4 bytes per lane) names for `lane`; gfx11 stays within 32 lanes.
template <bool withinHalves>
static unsigned laneOf(const Wave &wave, unsigned lane, uint32_t address, const Instruction *inst) {
  const unsigned named = (address + uint32_t(inst->mods.offset)) / 4;
  return withinHalves ? (lane & 32) | (named & 31) : named & (wave.laneCount - 1u);
}

/// ds_bpermute vdst, address, data: each lane reads the lane it names.
template <bool withinHalves>
static const Instruction *executeBackwardPermute(Wave &wave, const Instruction *inst) {
  ++wave.order.ldsIssued; // waits count it
  const Lanes &addresses = wave.vectorRegister(inst->op(1));
  const Lanes &data = wave.vectorRegister(inst->op(2));
  const LaneMask exec = wave.exec();
  Lanes result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned from = laneOf<withinHalves>(wave, lane, addresses[lane], inst);
    result[lane] = exec >> from & 1 ? data[from] : 0;
  }
  wave.commit(inst->op(0), result);
  return inst + 1;
}

/// ds_permute vdst, address, data: each lane writes to the lane it names, the last one wins.
template <bool withinHalves>
static const Instruction *executeForwardPermute(Wave &wave, const Instruction *inst) {
  ++wave.order.ldsIssued; // waits count it
  const Lanes &addresses = wave.vectorRegister(inst->op(1));
  const Lanes &data = wave.vectorRegister(inst->op(2));
  Lanes result = {};
  for (LaneMask rest = wave.exec(); rest; rest &= rest - 1) {
    const unsigned lane = unsigned(__builtin_ctzll(rest));
    result[laneOf<withinHalves>(wave, lane, addresses[lane], inst)] = data[lane];
  }
  wave.commit(inst->op(0), result);
  return inst + 1;
}

/// The source lane of ds_swizzle: bits reversed as in Fourier transforms of ever smaller parts,
/// quad permutation, or and/or/xor masks within 32 lanes, or rotation within 32 lanes.
static unsigned swizzledLane(uint32_t pattern, unsigned lane) {
  if ((pattern & 0xe000) == 0xe000) {
    const unsigned keep = pattern & 31;
    const unsigned reversed = llvm::reverseBits(uint8_t(lane & 31)) >> 3;
    return (lane & ~31u) | (reversed >> llvm::popcount(keep)) | (lane & keep & 31);
  }
  if ((pattern & 0xe000) == 0xc000) {
    const unsigned distance = pattern >> 5 & 31, keep = pattern & 31;
    const unsigned moved = pattern >> 10 & 1 ? lane - distance : lane + distance;
    return (lane & ~31u) | (((lane & keep) | (moved & ~keep)) & 31);
  }
  if (pattern & 0x8000)
    return (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3);
  const unsigned andMask = pattern & 31, orMask = pattern >> 5 & 31, xorMask = pattern >> 10 & 31;
  return (lane & ~31u) | ((((lane & 31) & andMask) | orMask) ^ xorMask);
}

static const Instruction *executeSwizzle(Wave &wave, const Instruction *inst) {
  ++wave.order.ldsIssued; // waits count it
  const Lanes &data = wave.vectorRegister(inst->op(1));
  const LaneMask exec = wave.exec();
  Lanes result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned from = swizzledLane(uint32_t(inst->mods.offset), lane);
    result[lane] = exec >> from & 1 ? data[from] : 0;
  }
  wave.commit(inst->op(0), result);
  return inst + 1;
}

void ckemu::registerVectorLaneExchange(InstructionTable &table) {
  auto addVector = [&](const char *name, Handler handler, int8_t operands, Prepare prepare,
                       Effect effect, LaneChoice lanes) {
    OpcodeInfo info{handler, InstructionClass::Valu, 0, SourceType::B32, operands, prepare, nullptr,
                    effect};
    info.facts.lanes = lanes;
    table.add(name, info);
  };
  addVector("v_readlane_b32", executeReadLane, 3, prepareVectorSource, Effect::SetsScalar,
            LaneChoice::Named);
  addVector("v_readfirstlane_b32", executeReadFirstLane, 2, nullptr, Effect::SetsScalar,
            LaneChoice::First);
  addVector("v_writelane_b32", executeWriteLane, 3, nullptr, Effect::Changes, LaneChoice::Named);
  auto addExchange = [&](const char *name, Handler handler, int8_t operands) {
    table.add(name, {handler, InstructionClass::Lds, modifiers(Modifier::Offset), SourceType::B32,
                     operands, nullptr, nullptr, Effect::Changes});
  };
  const bool withinHalves = table.getIsa() == Isa::Gfx11;
  addExchange("ds_bpermute_b32",
              withinHalves ? executeBackwardPermute<true> : executeBackwardPermute<false>, 3);
  addExchange("ds_permute_b32",
              withinHalves ? executeForwardPermute<true> : executeForwardPermute<false>, 3);
  addExchange("ds_swizzle_b32", executeSwizzle, 2);
}
