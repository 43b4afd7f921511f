//===- RdnaMemory.h - What the memory tests of gfx11 and gfx12 share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The addresses that the tests' instructions use, and how loaded bytes become a register.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_RDNAMEMORY_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_RDNAMEMORY_H

#include "MemoryWave.h"
#include <functional>

namespace ckemu::test {

/// A test for each chip by name.
class RdnaMemory : public testing::TestWithParam<const char *> {
protected:
  bool isGfx12() const { return std::string(GetParam()) == "gfx1201"; }
};

/// A load by the end of its name: bytes, and how they become a register whose old value is given.
struct LoadCase {
  const char *name;
  unsigned bytes;
  std::function<uint32_t(uint64_t bytes, uint32_t old)> toRegister;
};

inline uint32_t sign8(uint64_t x) { return uint32_t(int32_t(int8_t(x))); }
inline uint32_t sign16(uint64_t x) { return uint32_t(int32_t(int16_t(x))); }
inline uint32_t low(uint32_t old, uint32_t x) { return (old & 0xffff0000) | (x & 0xffff); }
inline uint32_t high(uint32_t old, uint32_t x) { return (old & 0xffff) | x << 16; }

/// Position of a lane's element; neighbours do not overlap.
inline uint32_t positionOf(unsigned lane) { return 16 * ((lane * 5 + 3) % 64); }

/// v[2:3] gets the addresses, v4 the positions, s[2:3] the base, s[4:7] a raw descriptor.
inline void setAddresses(MemoryWave &m) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t address = m.getAddress() + positionOf(lane);
    m.v(2)[lane] = uint32_t(address);
    m.v(3)[lane] = uint32_t(address >> 32);
    m.v(4)[lane] = positionOf(lane);
    m.v(10)[lane] = 0xdeadbeef;
  }
  m.setS64(2, m.getAddress());
  m.setS64(4, m.getAddress());
  m.s(6) = MemoryWave::kBytes;
  m.s(7) = 0x31004000;
}

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_RDNAMEMORY_H
