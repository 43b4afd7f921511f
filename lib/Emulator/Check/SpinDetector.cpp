//===- SpinDetector.cpp - Waves that wait for ever -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SpinDetector.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/SpinDetector.h"
#include "Emulator/Machine/LaunchContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;

/// Instructions in which a polling loop must come back to where it was.
static constexpr unsigned kLoopLimit = 4096;
/// Characters after which further waves are only counted.
static constexpr size_t kTextLimit = 1500;

namespace {
/// The registers and the private memory of a wave at one moment. Unoptimized code keeps its loop
/// counters in private memory.
struct Snapshot {
  const Instruction *pc;
  std::vector<uint32_t> scalars;
  std::vector<Lanes> vectors;
  std::vector<uint8_t> scratch;
  uint32_t mode;
  uint64_t stores;

  explicit Snapshot(const Wave &wave)
      : pc(wave.pc), scalars(wave.sgpr, wave.sgpr + kNumScalarSlots),
        vectors(wave.vgprs, wave.vgprs + wave.numVgprs + wave.numAgprs),
        scratch(wave.scratch, wave.scratch + size_t(wave.scratchSize) * kLanes), mode(wave.mode),
        stores(countStores(wave)) {}

  static uint64_t countStores(const Wave &wave) {
    return wave.counters.globalStores + wave.counters.ldsStores;
  }
  bool equals(const Wave &wave) const {
    return wave.pc == pc && wave.mode == mode && countStores(wave) == stores &&
           std::memcmp(wave.sgpr, scalars.data(), sizeof(wave.sgpr)) == 0 &&
           std::memcmp(wave.vgprs, vectors.data(), vectors.size() * sizeof(Lanes)) == 0 &&
           (scratch.empty() || std::memcmp(wave.scratch, scratch.data(), scratch.size()) == 0);
  }
};
} // namespace

static bool repeatsState(Wave &wave, llvm::function_ref<void(Wave &)> step) {
  Snapshot before(wave);
  for (unsigned i = 0; i < kLoopLimit; ++i) {
    step(wave);
    if (wave.state != WaveState::Running || Snapshot::countStores(wave) != before.stores)
      return false;
    if (wave.pc == before.pc && before.equals(wave))
      return true;
  }
  return false;
}

bool ckemu::isSpinning(Workgroup &group, llvm::function_ref<void(Wave &)> step) {
  for (Wave &wave : group.waves)
    if (wave.state == WaveState::Running && !repeatsState(wave, step))
      return false;
  return true;
}

/// Where a wave is that has not ended: at the barrier that it waits at, or at what comes next.
static const Instruction *getPlace(const Wave &wave) {
  return wave.state == WaveState::AtBarrier ? wave.pc - 1 : wave.pc;
}

void ckemu::describeWaves(const Workgroup &group, std::string &text) {
  // Between the waves is a semicolon, also between those of several groups.
  auto append = [&](const llvm::Twine &wave) {
    text += (llvm::Twine(text.empty() ? " " : "; ") + wave).str();
  };
  for (const Wave &wave : group.waves) {
    if (wave.state == WaveState::Ended)
      continue;
    if (text.size() > kTextLimit) {
      if (!llvm::StringRef(text).ends_with("; ..."))
        append("...");
      return;
    }
    const Instruction *inst = getPlace(wave);
    append(llvm::formatv("workgroup ({0},{1},{2}) wave {3} {4} at pc {5:x}: {6}", group.id[0],
                         group.id[1], group.id[2], wave.waveInGroup,
                         wave.state == WaveState::AtBarrier ? "waits at the barrier" : "runs",
                         inst->offset, wave.launch->getCode().getText(inst)));
  }
}

std::optional<FaultPlace> ckemu::findPlace(const Workgroup &group) {
  for (const Wave &wave : group.waves)
    if (wave.state != WaveState::Ended)
      return FaultPlace{{group.id[0], group.id[1], group.id[2]},
                        unsigned(wave.waveInGroup),
                        uint32_t(getPlace(wave)->offset)};
  return std::nullopt;
}
