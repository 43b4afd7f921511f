//===- Ports.cpp - The units of SIMDs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Ports.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Ports.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

Ports::Port &Ports::getPort(uint32_t number) {
  Simd &simd = simds[number / kPortsOfSimd];
  switch (Kind(number % kPortsOfSimd)) {
  case Kind::Valu:
    return simd.valu;
  case Kind::Matrix:
    return simd.matrix;
  case Kind::Salu:
    break;
  }
  return simd.salu;
}

bool Ports::acquire(uint32_t id, Kind kind, Cycle now) {
  WaveReplay &wave = waves[id];
  const uint32_t number = wave.simd * kPortsOfSimd + uint32_t(kind);
  Port &port = getPort(number);
  if (port.freeAt <= now && (granted != kNoPort || port.waiting.empty()))
    return true;
  wave.stall = kind == Kind::Valu     ? Stall::Valu
               : kind == Kind::Matrix ? Stall::Matrix
                                      : Stall::Salu;
  port.waiting.push_back(id);
  schedule(number, port, now);
  return false;
}

void Ports::schedule(uint32_t number, Port &port, Cycle now) {
  if (port.isScheduled)
    return;
  port.isScheduled = true;
  events.add(uint32_t(waves.size()) + number, std::max(now, port.freeAt));
}

void Ports::serve(uint32_t number, Cycle now, llvm::function_ref<void(uint32_t)> step) {
  Port &port = getPort(number);
  port.isScheduled = false;
  if (port.waiting.empty())
    return;
  if (port.freeAt > now) {
    schedule(number, port, now);
    return;
  }
  auto goesBefore = [&](uint32_t a, uint32_t b) {
    return waves[a].priority != waves[b].priority ? waves[a].priority > waves[b].priority
                                                  : waves[a].age < waves[b].age;
  };
  auto *best = llvm::min_element(port.waiting, goesBefore);
  const uint32_t id = *best;
  *best = port.waiting.back();
  port.waiting.pop_back();
  granted = number;
  step(id);
  granted = kNoPort;
  if (!port.waiting.empty())
    schedule(number, port, now);
}

void Ports::useVector(unsigned number, const InstructionCost &cost, Cycle now) {
  Simd &simd = simds[number];
  simd.valu.freeAt = now + cost.busy;
  if (cost.unit == TimingUnit::Valu)
    return;
  const bool isPacked = cost.unit == TimingUnit::Packed;
  simd.matrix.freeAt = now + std::max(cost.matrix, cost.busy);
  if (isPacked && !simd.wasPacked)
    simd.matrix.freeAt += Cycle(parameters.packedSwitchCycles);
  simd.wasPacked = isPacked;
}
