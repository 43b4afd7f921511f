//===- RdnaScalarMemoryTest.cpp - Scalar loads of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every width and form of address against what the bytes say.
//
//===----------------------------------------------------------------------===//

#include "RdnaMemory.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
class RdnaScalarMemory : public RdnaMemory {};
} // namespace

TEST_P(RdnaScalarMemory, ScalarLoads) {
  MemoryWave m(GetParam());
  setAddresses(m);
  m.s(1) = 16;
  m.setS64(64, m.getAddress() + 64);
  m.run("s_load_b32 s10, s[2:3], 0x14\n"
        "s_load_b64 s[12:13], s[2:3], s1 offset:0x8\n"
        "s_load_b128 s[16:19], s[64:65], -0x20\n"
        "s_load_b256 s[20:27], s[2:3], null\n"
        "s_load_b512 s[36:51], s[2:3], 0x40\n"
        "s_buffer_load_b64 s[28:29], s[4:7], 0x30\n");
  EXPECT_EQ(m.s(10), m.load(0x14, 4));
  EXPECT_EQ(m.s(13), m.load(16 + 8 + 4, 4));
  EXPECT_EQ(m.s(19), m.load(32 + 12, 4));
  EXPECT_EQ(m.s(27), m.load(28, 4));
  EXPECT_EQ(m.s(51), m.load(0x40 + 60, 4));
  EXPECT_EQ(m.s(29), m.load(0x34, 4));
}

INSTANTIATE_TEST_SUITE_P(Chips, RdnaScalarMemory, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Gfx12ScalarMemory, SmallScalarLoads) {
  MemoryWave m("gfx1201");
  setAddresses(m);
  m.s(8) = 3;
  m.run("s_load_u8 s10, s[2:3], 0x5\ns_load_i8 s11, s[2:3], s8 offset:0x4\n"
        "s_load_u16 s12, s[2:3], 0x6\ns_load_i16 s13, s[2:3], 0xa\n"
        "s_load_b96 s[16:18], s[2:3], 0x10\ns_buffer_load_u8 s14, s[4:7], 0x9\n"
        "s_buffer_load_i16 s15, s[4:7], 0x8000\n");
  EXPECT_EQ(m.s(10), m.load(5, 1));
  EXPECT_EQ(m.s(11), sign8(m.load(7, 1)));
  EXPECT_EQ(m.s(12), m.load(6, 2));
  EXPECT_EQ(m.s(13), sign16(m.load(10, 2)));
  EXPECT_EQ(m.s(18), m.load(0x18, 4));
  EXPECT_EQ(m.s(14), m.load(9, 1));
  EXPECT_EQ(m.s(15), 0u) << "out of range";
}
