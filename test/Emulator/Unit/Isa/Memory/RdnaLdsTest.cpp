//===- RdnaLdsTest.cpp - Instructions on LDS of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every width of load, pairs, atomics and counters in LDS against what the bytes say.
//
//===----------------------------------------------------------------------===//

#include "RdnaMemory.h"

using namespace ckemu;
using namespace ckemu::test;

static const LoadCase kLdsLoads[] = {
    {"u8", 1, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"i8", 1, [](uint64_t x, uint32_t) { return sign8(x); }},
    {"u16", 2, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"i16", 2, [](uint64_t x, uint32_t) { return sign16(x); }},
    {"b32", 4, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"u8_d16", 1, [](uint64_t x, uint32_t old) { return low(old, uint32_t(x)); }},
    {"i8_d16", 1, [](uint64_t x, uint32_t old) { return low(old, sign8(x)); }},
    {"u16_d16", 2, [](uint64_t x, uint32_t old) { return low(old, uint32_t(x)); }},
    {"u8_d16_hi", 1, [](uint64_t x, uint32_t old) { return high(old, uint32_t(x)); }},
    {"i8_d16_hi", 1, [](uint64_t x, uint32_t old) { return high(old, sign8(x)); }},
    {"u16_d16_hi", 2, [](uint64_t x, uint32_t old) { return high(old, uint32_t(x)); }},
};

namespace {
class RdnaLds : public RdnaMemory {};
} // namespace

TEST_P(RdnaLds, LdsLoads) {
  for (const LoadCase &c : kLdsLoads) {
    MemoryWave m(GetParam());
    setAddresses(m);
    m.run(std::string("ds_load_") + c.name + " v10, v4 offset:260");
    for (unsigned lane = 0; lane < m.lanes(); ++lane)
      ASSERT_EQ(m.v(10)[lane], c.toRegister(m.loadLds(positionOf(lane) + 260, c.bytes), 0xdeadbeef))
          << c.name;
  }
}

TEST_P(RdnaLds, LdsPairsAndWidths) {
  MemoryWave m(GetParam());
  setAddresses(m);
  m.run("ds_load_2addr_b32 v[10:11], v4 offset0:1 offset1:3\n"
        "ds_load_2addr_stride64_b64 v[12:15], v4 offset0:0 offset1:2\n"
        "ds_load_b128 v[16:19], v4\n"
        "ds_load_b96 v[20:22], v4 offset:16\n"
        "ds_store_2addr_b32 v4, v10, v11 offset0:0 offset1:2\n");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    const uint32_t at = positionOf(lane);
    auto original = [](uint32_t offset) {
      uint32_t value = 0;
      for (unsigned i = 0; i < 4; ++i)
        value |= uint32_t(MemoryWave::byteAt(offset + i)) << 8 * i;
      return value;
    };
    EXPECT_EQ(m.v(10)[lane], original(at + 4));
    EXPECT_EQ(m.v(11)[lane], original(at + 12));
    EXPECT_EQ(m.v(13)[lane], original(at + 4));
    EXPECT_EQ(m.v(15)[lane], original(at + 1024 + 4));
    EXPECT_EQ(m.v(19)[lane], original(at + 12));
    EXPECT_EQ(m.v(22)[lane], original(at + 24));
    EXPECT_EQ(m.loadLds(at, 4), original(at + 4));
    EXPECT_EQ(m.loadLds(at + 8, 4), original(at + 12));
  }
}

TEST_P(RdnaLds, LdsAtomics) {
  MemoryWave m(GetParam());
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(4)[lane] = 8 * lane;
    m.v(5)[lane] = lane;           // new
    m.v(6)[lane] = 100 + lane % 2; // expected
    m.v(7)[lane] = 5;
  }
  for (unsigned i = 0; i < m.lanes(); ++i) {
    const uint64_t value = 100;
    std::memcpy(m.wave().lds + 8 * i, &value, 8);
  }
  m.run("ds_cmpstore_rtn_b32 v10, v4, v5, v6\n" // the new value comes first
        "ds_storexchg_rtn_b32 v11, v4, v7 offset:4\n"
        "ds_add_rtn_u32 v12, v4, v7\n"
        "ds_sub_u32 v4, v7\n");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    const uint32_t stored = lane % 2 ? 100 : lane;
    EXPECT_EQ(m.v(10)[lane], 100u);
    EXPECT_EQ(m.v(11)[lane], 0u);
    EXPECT_EQ(m.v(12)[lane], stored);
    EXPECT_EQ(m.loadLds(8 * lane, 4), stored);
    EXPECT_EQ(m.loadLds(8 * lane + 4, 4), 5u);
  }
}

TEST_P(RdnaLds, CountersAndLaneAddresses) {
  MemoryWave m(GetParam());
  const uint32_t start = 1000;
  std::memcpy(m.wave().lds + 24, &start, 4);
  m.wave().sgpr[kM0] = 16;
  m.wave().setExec(0xff0);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    m.v(1)[lane] = 500 + lane;
  m.run("ds_append v10 offset:8\nds_consume v11 offset:8\nds_store_addtid_b32 v1 offset:48\n"
        "ds_load_addtid_b32 v12 offset:48");
  EXPECT_EQ(m.v(10)[4], 1000u);
  EXPECT_EQ(m.v(11)[11], 1008u);
  EXPECT_EQ(m.v(10)[0], 0u) << "inactive";
  EXPECT_EQ(m.loadLds(24, 4), 1000u);
  EXPECT_EQ(m.loadLds(64 + 4 * 5, 4), 505u);
  EXPECT_EQ(m.v(12)[5], 505u);
}

INSTANTIATE_TEST_SUITE_P(Chips, RdnaLds, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });
