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
static uint8_t getLimit(unsigned value, unsigned ones) {
  return uint8_t(value == ones ? WaitCounts::kAny : value);
}

/// s_waitcnt of gfx9 and gfx11, whose fields lie in different places.
static WaitCounts decodeWaitcnt(Isa isa, unsigned bits) {
  WaitCounts counts;
  if (isCdna(isa)) {
    counts.loads = counts.stores = getLimit((bits & 15) | (bits >> 14 & 3) << 4, 63);
    counts.lds = counts.scalar = getLimit(bits >> 8 & 15, 15);
  } else {
    counts.loads = getLimit(bits >> 10 & 63, 63);
    counts.lds = counts.scalar = getLimit(bits >> 4 & 63, 63);
  }
  return counts;
}

WaitCounts ckemu::decodeWait(const Instruction &inst, Isa isa) {
  const unsigned bits = uint16_t(inst.simm16());
  const uint8_t only = getLimit(bits & 63, 63), first = getLimit(bits >> 8 & 63, 63);
  constexpr uint8_t any = WaitCounts::kAny;
  switch (inst.facts->wait) {
  case WaitKind::None:
    break;
  case WaitKind::Packed:
    return decodeWaitcnt(isa, bits);
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
