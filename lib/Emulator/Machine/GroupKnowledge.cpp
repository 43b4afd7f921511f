//===- GroupKnowledge.cpp - What a workgroup knows of accesses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GroupKnowledge.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/GroupKnowledge.h"
#include "Emulator/Machine/LaunchContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;

void GroupKnowledge::reset() {
  own.fill({});
  arrived.fill({});
  pending.clear();
  acquired.clear();
  seen.clear();
  for (auto &flags : lastRead)
    flags.clear();
  loads.clear();
  arrivedClocks.fill(0);
  completedClocks.fill(0);
}

void GroupKnowledge::arrive(const Wave &wave) {
  const WaveOrder &order = wave.order;
  const unsigned number = wave.waveInGroup;
  arrived[number].join({order.storesReleased, order.stores, 0, 0});
  const uint32_t lds = arrivedClocks[number];
  for (unsigned i = 0; i < kAgents; ++i)
    arrivedClocks[i] = std::max(arrivedClocks[i], order.known[i]);
  arrivedClocks[number] = std::max(lds, order.ldsCompleted);
  auto raise = [&](unsigned agent, uint32_t clock) {
    arrivedClocks[agent + number] = std::max(arrivedClocks[agent + number], clock);
  };
  raise(kStoreAgents, order.getPassedStores());
  raise(kLoadAgents, order.getPassedLoads());
}

void GroupKnowledge::arriveEnded(const Wave &wave) {
  const WaveOrder &order = wave.order;
  const unsigned number = wave.waveInGroup;
  arrive(wave);
  arrivedClocks[number] = order.ldsIssued;
  arrivedClocks[kMaxWaves + number] = order.vectorIssued;
  arrivedClocks[kStoreAgents + number] = order.stores;
  arrivedClocks[kLoadAgents + number] = order.loads;
}

void GroupKnowledge::complete() {
  own = arrived;
  completedClocks = arrivedClocks;
}

void GroupKnowledge::leave(Wave &wave) const {
  for (unsigned i = 0; i < kAgents; ++i)
    wave.order.known[i] = std::max(wave.order.known[i], completedClocks[i]);
}

void GroupKnowledge::acquire() {
  for (const auto &entry : pending)
    acquired[entry.first].join(entry.second);
  pending.clear();
}

std::string GroupKnowledge::describeStore(const Wave &wave, uint32_t clock) const {
  if (wave.order.stores - clock >= kRemembered)
    return std::string();
  const DecodedCode &code = wave.launch->getCode();
  const uint32_t index = storeInstructions[wave.waveInGroup][clock % kRemembered];
  const Instruction &inst = code.getInstructions()[index];
  return llvm::formatv(" at pc {0:x}: {1}", inst.offset, code.getText(&inst));
}
