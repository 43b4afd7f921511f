//===- CdnaMemoryTest.cpp - Memory instructions of CDNA chips against the bytes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposing reads of LDS, and loads of memory into LDS, by the tables of the CDNA4 instruction
// set reference (sections 9.1.9 and 11.4).
//
//===----------------------------------------------------------------------===//

#include "MemoryWave.h"

using namespace ckemu;
using namespace ckemu::test;

/// Element `index` of `bits` bits of a little-endian sequence of bytes.
static uint32_t getBits(const uint8_t *bytes, unsigned index, unsigned bits) {
  uint32_t result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned at = index * bits + i;
    result |= uint32_t(bytes[at / 8] >> (at % 8) & 1) << i;
  }
  return result;
}

/// A matrix of k rows of 16 columns lies in LDS row by row, and every 16 lanes get its columns.
static void checkTranspose(const char *name, unsigned bits, unsigned words, unsigned stride) {
  const unsigned elements = 32 * words / bits, lanesOfRow = 16 / elements;
  MemoryWave wave("gfx950");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    wave.v(1)[lane] = 256 + stride * lane;
  wave.run(std::string(name) + " v[2:" + std::to_string(1 + words) + "], v1 offset:64");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint8_t got[12];
    for (unsigned word = 0; word < words; ++word)
      std::memcpy(got + 4 * word, &wave.v(2 + word)[lane], 4);
    for (unsigned k = 0; k < elements; ++k) {
      // Row k of the matrix that these 16 lanes read, from the lane that holds this column.
      const unsigned column = lane % 16,
                     reader = lane / 16 * 16 + k * lanesOfRow + column / elements;
      const uint8_t *row = wave.wave().lds + 320 + stride * reader;
      ASSERT_EQ(getBits(got, k, bits), getBits(row, column % elements, bits))
          << name << " lane " << lane << " k " << k;
    }
  }
}

TEST(CdnaMemoryTest, TransposingReads) {
  checkTranspose("ds_read_b64_tr_b16", 16, 2, 8);
  checkTranspose("ds_read_b64_tr_b8", 8, 2, 8);
  checkTranspose("ds_read_b64_tr_b4", 4, 2, 8);
  checkTranspose("ds_read_b96_tr_b6", 6, 3, 16);
}

/// Two reads give the operand of a product that a plain layout gives to another one.
TEST(CdnaMemoryTest, TransposedOperandsGiveTheSameProduct) {
  MemoryWave wave("gfx950");
  auto at = [](unsigned m, unsigned k) { return float(int(m * 5 + k * 3) % 7 - 3); };
  auto put = [&](unsigned offset, float value) {
    const uint16_t bits = halfBits(value);
    std::memcpy(wave.wave().lds + offset, &bits, 2);
  };
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned k = 0; k < 32; ++k) {
      put((m * 32 + k) * 2, at(m, k));        // row by row
      put(2048 + (k * 16 + m) * 2, at(m, k)); // column by column
    }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(0)[lane] = (lane % 16 * 32 + lane / 16 * 8) * 2;
    const unsigned k = lane / 16 * 8 + lane % 16 / 4;
    wave.v(1)[lane] = 2048 + (k * 16 + lane % 4 * 4) * 2;
  }
  wave.run("ds_read_b128 v[4:7], v0\n"
           "ds_read_b64_tr_b16 v[8:9], v1\n"
           "ds_read_b64_tr_b16 v[10:11], v1 offset:128\n"
           "s_waitcnt lgkmcnt(0)\n"
           "v_mfma_f32_16x16x32_f16 v[12:15], v[4:7], v[4:7], 0\n"
           "v_mfma_f32_16x16x32_f16 v[16:19], v[8:11], v[4:7], 0");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(wave.v(4 + i)[lane], wave.v(8 + i)[lane]) << lane;
      EXPECT_EQ(wave.v(12 + i)[lane], wave.v(16 + i)[lane]) << lane;
    }
}

namespace {
struct LdsLoad {
  const char *chip, *name;
  unsigned bytes, stride;
  bool isSigned;
};
class LdsLoadTest : public testing::TestWithParam<LdsLoad> {};
} // namespace

TEST_P(LdsLoadTest, WritesLaneByLane) {
  const LdsLoad &c = GetParam();
  for (const bool isBuffer : {false, true}) {
    if (std::string(c.chip) == "gfx90a" && !isBuffer)
      continue;
    MemoryWave wave(c.chip);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t offset = lane * 40 % 1024;
      isBuffer ? void(wave.v(2)[lane] = offset) : void();
      const uint64_t address = wave.getAddress() + offset;
      wave.v(4)[lane] = uint32_t(address);
      wave.v(5)[lane] = uint32_t(address >> 32);
    }
    wave.setS64(4, wave.getAddress());
    wave.s(6) = MemoryWave::kBytes;
    wave.s(7) = 0x00020000;
    wave.wave().setExec(~0ull & ~2ull);
    const std::string name = c.name;
    wave.run("s_movk_i32 m0, 0x200\n" +
             (isBuffer ? "buffer_load_" + name + " v2, s[4:7], 0 offen offset:16 lds"
                       : "global_load_lds_" + name + " v[4:5], off offset:16") +
             "\ns_waitcnt vmcnt(0)");
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < c.stride; ++i) {
        const unsigned to = 0x210 + c.stride * lane + i, from = lane * 40 % 1024 + 16;
        const uint8_t last = MemoryWave::byteAt(from + c.bytes - 1);
        const uint8_t extension = c.isSigned && last >> 7 ? 0xff : 0;
        // Inactive lanes and the fourth dword of three write nothing.
        const bool writes = lane != 1 && i < std::max(4u, c.bytes);
        const uint8_t expected = !writes       ? MemoryWave::byteAt(to)
                                 : i < c.bytes ? MemoryWave::byteAt(from + i)
                                               : extension;
        ASSERT_EQ(wave.wave().lds[to], expected) << name << " lane " << lane << " byte " << i;
      }
  }
}

static const LdsLoad kLdsLoads[] = {
    {"gfx90a", "dword", 4, 4, false},    {"gfx942", "dword", 4, 4, false},
    {"gfx942", "ubyte", 1, 4, false},    {"gfx942", "sbyte", 1, 4, true},
    {"gfx942", "ushort", 2, 4, false},   {"gfx942", "sshort", 2, 4, true},
    {"gfx950", "dword", 4, 4, false},    {"gfx950", "ubyte", 1, 4, false},
    {"gfx950", "sshort", 2, 4, true},    {"gfx950", "dwordx3", 12, 16, false},
    {"gfx950", "dwordx4", 16, 16, false}};
INSTANTIATE_TEST_SUITE_P(Sizes, LdsLoadTest, testing::ValuesIn(kLdsLoads), [](const auto &info) {
  return info.param.chip + std::string("_") + info.param.name;
});

TEST(CdnaMemoryTest, ExchangesConditionally) {
  MemoryWave wave("gfx942");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(1)[lane] = 8 * lane + 4; // aligned down
    wave.v(2)[lane] = lane | (lane % 2 ? 0x80000000 : 0);
    wave.v(3)[lane] = 1000 + lane | (lane % 3 ? 0x80000000 : 0);
  }
  wave.run("ds_condxchg32_rtn_b64 v[4:5], v1, v[2:3] offset:512\ns_waitcnt lgkmcnt(0)");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t old[2] = {};
    for (unsigned i = 0; i < 8; ++i)
      old[i / 4] |= uint32_t(MemoryWave::byteAt(512 + 8 * lane + i)) << (8 * (i % 4));
    EXPECT_EQ(wave.v(4)[lane], old[0]);
    EXPECT_EQ(wave.v(5)[lane], old[1]);
    EXPECT_EQ(wave.loadLds(512 + 8 * lane, 4), lane % 2 ? lane : old[0]);
    EXPECT_EQ(wave.loadLds(516 + 8 * lane, 4), lane % 3 ? 1000 + lane : old[1]);
  }
}

TEST(CdnaMemoryTest, StoresOfScalarRegisters) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    MemoryWave m(chip);
    m.setS64(2, m.getAddress());
    for (unsigned i = 0; i < 4; ++i)
      m.s(8 + i) = 0x1000 + i;
    m.s(12) = 64;
    // A raw buffer of 256 bytes from byte 1024 on.
    m.setS64(4, m.getAddress() + 1024);
    m.s(6) = 256;
    const uint64_t behind = m.load(1024 + 248, 8);
    m.run("s_store_dword s8, s[2:3], 0x10\n"
          "s_store_dwordx2 s[8:9], s[2:3], s12\n"
          "s_store_dwordx4 s[8:11], s[2:3], 0x80 glc\n"
          "s_buffer_store_dword s9, s[4:7], 0x20\n"
          "s_buffer_store_dwordx4 s[8:11], s[4:7], 0xf8\n"
          "s_waitcnt lgkmcnt(0)\ns_dcache_wb");
    EXPECT_EQ(m.load(0x10, 4), 0x1000u) << chip;
    EXPECT_EQ(m.load(0x14, 1), MemoryWave::byteAt(0x14)) << "what lies beside is left alone";
    EXPECT_EQ(m.load(64, 8), 0x100100001000u);
    EXPECT_EQ(m.load(0x80, 8), 0x100100001000u);
    EXPECT_EQ(m.load(0x88, 8), 0x100300001002u);
    EXPECT_EQ(m.load(1024 + 0x20, 4), 0x1001u);
    EXPECT_EQ(m.load(1024 + 248, 8), behind) << "not in the range as a whole";
  }
}

TEST(CdnaMemoryTest, AtomicsOfTheScalarUnit) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    MemoryWave m(chip);
    m.setS64(2, m.getAddress());
    m.setS64(4, m.getAddress() + 1024); // a raw buffer of 256 bytes
    m.s(6) = 256;
    const auto at = [&](uint64_t offset) { return uint32_t(m.load(offset, 4)); };
    const uint32_t first = at(0), second = at(16), third = at(1024 + 32);
    const uint64_t wide = m.load(64, 8);
    m.s(8) = 5;
    m.s(9) = 0xffffffff;
    m.s(10) = 7;
    m.setS64(12, 3);
    m.s(14) = 42;
    m.s(15) = second;
    m.s(16) = 9;
    m.run("s_atomic_add s8, s[2:3], 0x0\n"
          "s_atomic_dec s9, s[2:3], 0x0 glc\n"
          "s_atomic_sub_x2 s[12:13], s[2:3], 0x40\n"
          "s_atomic_cmpswap s[14:15], s[2:3], 0x10 glc\n"
          "s_buffer_atomic_umax s9, s[4:7], 0x20\n"
          "s_buffer_atomic_swap s16, s[4:7], 0x100 glc\n"
          "s_waitcnt lgkmcnt(0)");
    EXPECT_EQ(m.s(8), 5u) << "without glc the data stay";
    EXPECT_EQ(m.s(9), first + 5) << "with glc the old value comes back";
    EXPECT_EQ(at(0), first + 4);
    EXPECT_EQ(m.load(64, 8), wide - 3);
    EXPECT_EQ(at(16), 42u);
    EXPECT_EQ(m.s(14), second);
    EXPECT_EQ(at(1024 + 32), std::max(third, first + 5));
    EXPECT_EQ(m.s(16), 0u) << "beyond the range";
  }
}
