//===- IsaTest.h - Runs assembly on one wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests of instruction families assemble a few instructions with LLVM, execute them on a wave
// whose registers the test has set, and look at the registers afterwards. That the handlers for
// wider vectors of the host leave the same bits in all registers is tested on the way.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_ISATEST_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_ISATEST_H

#include "Emulator/Decode/Decoder.h"
#include "Emulator/Isa/VectorLevel.h"
#include "Emulator/Machine/Wave.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace ckemu::test {

/// Machine code of `source` for `chip`; fails the test when it does not assemble. Some texts depend
/// on the size of waves (0: the chip's default).
std::vector<uint8_t> assemble(const std::string &source, const std::string &chip = "gfx942",
                              unsigned waveSize = 0);

/// The portable handlers, and those of each level that was built and that this processor has.
const std::vector<VectorLevel> &getVectorLevels();

/// A wave of `chip` with 256 VGPRs, 256 AGPRs and no memory; all of its lanes are active.
class IsaWave {
public:
  explicit IsaWave(const std::string &chip = "gfx942", unsigned waveSize = 0);

  /// Executes `source` from its begin to its end: with portable handlers, and on a copy of the wave
  /// with those of each other level, which must end with the same registers.
  void run(const std::string &source);
  /// The decode error of the first instruction of `source`, or an empty string.
  static std::string getRefusal(const std::string &source, const std::string &chip = "gfx942");

  Lanes &v(unsigned i) { return registers[i]; }
  Lanes &a(unsigned i) { return registers[256 + i]; }
  uint32_t &s(unsigned i) { return wave.sgpr[i]; }
  uint64_t s64(unsigned i) const { return uint64_t(wave.sgpr[i + 1]) << 32 | wave.sgpr[i]; }
  void setS64(unsigned i, uint64_t value) {
    wave.sgpr[i] = uint32_t(value);
    wave.sgpr[i + 1] = uint32_t(value >> 32);
  }
  uint64_t v64(unsigned i, unsigned lane) const {
    return uint64_t(registers[i + 1][lane]) << 32 | registers[i][lane];
  }
  void setV64(unsigned i, unsigned lane, uint64_t value) {
    registers[i][lane] = uint32_t(value);
    registers[i + 1][lane] = uint32_t(value >> 32);
  }
  Wave wave;

private:
  std::string chip;
  std::vector<Lanes> registers;
};

/// Random operands with many special ones: zeros, extremes, infinities, NaN, denormals.
class OperandSource {
public:
  explicit OperandSource(unsigned seed) : engine(seed) {}
  uint32_t bits32();
  uint64_t bits64();
  uint32_t float32(); ///< bits of a float
  uint64_t float64(); ///< bits of a double
  uint16_t float16(); ///< bits of a half
  void fill(Lanes &row) {
    for (unsigned i = 0; i < kLanes; ++i)
      row[i] = bits32();
  }
  void fillFloat(Lanes &row) {
    for (unsigned i = 0; i < kLanes; ++i)
      row[i] = float32();
  }

private:
  std::mt19937_64 engine;
};

inline float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline uint32_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline double asDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
inline uint64_t asBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
inline float halfToFloat(uint16_t bits) {
  _Float16 value;
  std::memcpy(&value, &bits, 2);
  return float(value);
}
inline uint16_t halfBits(double value) {
  // One rounding: the host's conversion from double.
  _Float16 result = _Float16(value);
  uint16_t bits;
  std::memcpy(&bits, &result, 2);
  return bits;
}

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_ISATEST_H
