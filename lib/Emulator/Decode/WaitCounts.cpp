//===- WaitCounts.cpp - What waves wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See WaitCounts.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/WaitCounts.h"

using namespace ckemu;

/// A field of all ones asks for nothing.
static uint8_t getLimit(unsigned value, unsigned width) {
  return uint8_t(value == (1u << width) - 1 ? WaitCounts::kAny : value);
}

/// s_waitcnt, whose fields lie in different places on different chips.
static WaitCounts decodeWaitcnt(const WaitFields &fields, unsigned bits) {
  const unsigned loads = fields.loads.read(bits) | fields.highLoads.read(bits)
                                                       << fields.loads.width;
  WaitCounts counts;
  counts.loads = getLimit(loads, fields.loads.width + fields.highLoads.width);
  if (fields.countsStores)
    counts.stores = counts.loads;
  counts.lds = counts.scalar = getLimit(fields.lds.read(bits), fields.lds.width);
  return counts;
}

WaitCounts ckemu::decodeWait(const Instruction &inst, const ChipModel &chip) {
  const unsigned bits = uint16_t(inst.simm16());
  const uint8_t only = getLimit(bits & 63, 6), first = getLimit(bits >> 8 & 63, 6);
  constexpr uint8_t any = WaitCounts::kAny;
  switch (inst.facts->wait) {
  case WaitKind::None:
    break;
  case WaitKind::Packed:
    return decodeWaitcnt(chip.waits, bits);
  case WaitKind::All:
    return {0, 0, 0, 0};
  case WaitKind::Loads:
    return {only, any, any, any};
  case WaitKind::Stores:
    return {any, only, any, any};
  case WaitKind::Lds:
    return {any, any, only, any};
  case WaitKind::Scalar:
    return {any, any, any, only};
  case WaitKind::LdsAndScalar:
    return {any, any, only, only};
  case WaitKind::LoadsAndLds:
    return {first, any, only, any};
  case WaitKind::StoresAndLds:
    return {any, first, only, any};
  }
  return {};
}
