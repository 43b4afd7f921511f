//===- MemoryWave.h - Runs assembly with memory on the waves of a workgroup -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests of instructions on memory need what a launch has: allocations, LDS, private memory, and
// a workgroup. They run their text on waves of an otherwise empty kernel.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_MEMORYWAVE_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_MEMORYWAVE_H

#include "../IsaTest.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"

namespace ckemu::test {

/// A workgroup of `chip` with one device buffer. All lanes are active; registers are 0, memory
/// holds its own addresses: byte i is `byteAt(i)`.
class MemoryWave {
public:
  static constexpr unsigned kBytes = 16384, kLdsBytes = 4096, kPrivateBytes = 256;
  explicit MemoryWave(const std::string &chip, unsigned numWaves = 1);

  /// Runs `source` on wave `index` from its begin to its end, or to where it waits.
  void run(const std::string &source, unsigned index = 0);
  /// Continues wave `index`, which waited.
  void resume(unsigned index);
  bool hasEnded(unsigned wave) const { return group.waves[wave].pc == nullptr; }

  Lanes &v(unsigned i) { return registers[i]; }
  uint32_t &s(unsigned i, unsigned wave = 0) { return group.waves[wave].sgpr[i]; }
  void setS64(unsigned i, uint64_t value) {
    s(i) = uint32_t(value);
    s(i + 1) = uint32_t(value >> 32);
  }
  Wave &wave(unsigned i = 0) { return group.waves[i]; }
  unsigned lanes() { return wave().laneCount; }
  /// Device memory, which is host memory.
  uint8_t *memory() { return reinterpret_cast<uint8_t *>(address); }
  uint64_t getAddress() const { return address; }
  /// `bytes` (up to 8) bytes at `offset` of memory or LDS.
  uint64_t load(uint64_t offset, unsigned bytes) { return loadFrom(memory(), offset, bytes); }
  uint64_t loadLds(uint64_t offset, unsigned bytes) { return loadFrom(wave().lds, offset, bytes); }
  static uint8_t byteAt(uint64_t offset) { return uint8_t(offset * 37 + offset / 256 * 11 + 5); }
  Workgroup group;

private:
  static uint64_t loadFrom(const uint8_t *base, uint64_t offset, unsigned bytes) {
    uint64_t value = 0;
    std::memcpy(&value, base + offset, bytes);
    return value;
  }
  void step(Wave &wave, const Instruction *inst);

  std::string chip;
  Options options;
  MemoryTable table;
  uint64_t address = 0;
  std::unique_ptr<CodeObject> object;
  std::unique_ptr<LaunchContext> launch;
  std::vector<Lanes> registers;
  std::vector<std::unique_ptr<DecodedCode>> codes; ///< of the waves
};

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_MEMORYWAVE_H
