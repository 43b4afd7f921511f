//===- BufferFormatTest.cpp - Tests of buffer accesses that convert -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats from the descriptor and from the instruction, on chips with either numbering.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/LaneMemory.h"
#include "MemoryWave.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
class BufferFormat : public testing::TestWithParam<const char *> {
protected:
  bool isCdna() const { return std::string(GetParam()).size() == 6; }
  std::string zero() const { return isCdna() ? "0" : "null"; }

  /// s[4:7] describes the memory with the format; v4 gets 4 bytes per lane.
  void describe(MemoryWave &m, uint32_t dataFormat, uint32_t numFormat, uint32_t format,
                uint32_t selections = 0xfac) { // x, y, z, w
    m.setS64(4, m.getAddress());
    m.s(6) = MemoryWave::kBytes;
    m.s(7) = selections | (isCdna() ? numFormat << 12 | dataFormat << 15 : format << 12 | 3u << 28);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      m.v(4)[lane] = 16 * lane;
  }
};
} // namespace

TEST_P(BufferFormat, NormalizedBytes) {
  MemoryWave m(GetParam());
  describe(m, /*8_8_8_8*/ 10, /*UNORM*/ 0, 42);
  m.run("buffer_load_format_xyzw v[10:13], v4, s[4:7], " + zero() + " offen");
  for (unsigned lane = 0; lane < m.lanes(); ++lane)
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(asFloat(m.v(10 + i)[lane]), float(m.load(16 * lane + i, 1)) / 255.0f);
}

TEST_P(BufferFormat, SelectionsAndMissingComponents) {
  MemoryWave m(GetParam());
  describe(m, /*8_8*/ 3, /*SINT*/ 5, 19, /*y, 0, x, w*/ 5 | 0 << 3 | 4 << 6 | 7 << 9);
  m.run("buffer_load_format_xyzw v[10:13], v4, s[4:7], " + zero() + " offen");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(int32_t(m.v(10)[lane]), int8_t(m.load(16 * lane + 1, 1)));
    EXPECT_EQ(m.v(11)[lane], 0u);
    EXPECT_EQ(int32_t(m.v(12)[lane]), int8_t(m.load(16 * lane, 1)));
    EXPECT_EQ(m.v(13)[lane], 1u);
  }
}

TEST_P(BufferFormat, Halves) {
  MemoryWave m(GetParam());
  describe(m, /*16_16*/ 5, /*FLOAT*/ 7, 29);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint16_t values[] = {halfBits(lane * 0.5), halfBits(-1.0 * lane)};
    std::memcpy(m.memory() + 16 * lane, values, 4);
  }
  m.run("buffer_load_format_xy v[10:11], v4, s[4:7], " + zero() + " offen");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(asFloat(m.v(10)[lane]), float(lane) * 0.5f);
    EXPECT_EQ(asFloat(m.v(11)[lane]), -float(lane));
  }
}

TEST_P(BufferFormat, FormatOfTheInstruction) {
  MemoryWave m(GetParam());
  describe(m, 0, 0, 0);
  const std::string snorm =
      isCdna() ? "[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_SNORM]" : "[BUF_FMT_16_16_SNORM]";
  const std::string wide =
      isCdna() ? "[BUF_DATA_FORMAT_32_32_32,BUF_NUM_FORMAT_UINT]" : "[BUF_FMT_32_32_32_UINT]";
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      m.v(20 + i)[lane] = 100 * lane + i;
  m.run("tbuffer_load_format_xy v[10:11], v4, s[4:7], " + zero() + " format:" + snorm + " offen\n" +
        "tbuffer_store_format_xyz v[20:22], v4, s[4:7], " + zero() + " format:" + wide +
        " offen offset:2048");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    for (unsigned i = 0; i < 2; ++i) {
      const float value = float(int16_t(m.load(16 * lane + 2 * i, 2))) / 32767.0f;
      EXPECT_EQ(asFloat(m.v(10 + i)[lane]), std::max(-1.0f, value));
    }
    for (unsigned i = 0; i < 3; ++i)
      EXPECT_EQ(m.load(2048 + 16 * lane + 4 * i, 4), 100 * lane + i);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, BufferFormat,
                         testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

TEST(PrivateBuffer, Gfx90aReachesPrivateMemoryThroughItsDescriptor) {
  MemoryWave m("gfx90a", /*numWaves=*/2);
  Wave &wave = m.wave();
  const uint64_t base = kPrivateBufferBase + wave.getPrivateBufferOffset();
  m.setS64(0, base | kPrivateBufferWord1 << 32);
  m.setS64(2, ~0u | kPrivateBufferWord3 << 32);
  m.s(32) = 64 * 32; // 32 bytes of each lane
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(1)[lane] = 4 * (lane % 16);
    m.v(10)[lane] = 3000 + lane;
  }
  m.run("buffer_store_dword v10, off, s[0:3], s32 offset:12\n"
        "buffer_store_short v10, v1, s[0:3], 0 offen offset:100\n"
        "scratch_load_dword v11, v2, off offset:44\n"
        "buffer_load_ushort v12, v1, s[0:3], s32 offen offset:68");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(m.v(11)[lane], 3000 + lane);
    EXPECT_EQ(m.v(12)[lane], 3000 + lane);
  }
}
