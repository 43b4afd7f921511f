//===- RdnaVectorMemoryTest.cpp - Loads and stores of lanes on gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every width of load and store in device and private memory against what the bytes say, and the
// forms of addresses.
//
//===----------------------------------------------------------------------===//

#include "RdnaMemory.h"

using namespace ckemu;
using namespace ckemu::test;

static const LoadCase kVectorLoads[] = {
    {"u8", 1, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"i8", 1, [](uint64_t x, uint32_t) { return sign8(x); }},
    {"u16", 2, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"i16", 2, [](uint64_t x, uint32_t) { return sign16(x); }},
    {"b32", 4, [](uint64_t x, uint32_t) { return uint32_t(x); }},
    {"d16_u8", 1, [](uint64_t x, uint32_t old) { return low(old, uint32_t(x)); }},
    {"d16_i8", 1, [](uint64_t x, uint32_t old) { return low(old, sign8(x)); }},
    {"d16_b16", 2, [](uint64_t x, uint32_t old) { return low(old, uint32_t(x)); }},
    {"d16_hi_u8", 1, [](uint64_t x, uint32_t old) { return high(old, uint32_t(x)); }},
    {"d16_hi_i8", 1, [](uint64_t x, uint32_t old) { return high(old, sign8(x)); }},
    {"d16_hi_b16", 2, [](uint64_t x, uint32_t old) { return high(old, uint32_t(x)); }},
};

namespace {
class RdnaVectorMemory : public RdnaMemory {};
} // namespace

TEST_P(RdnaVectorMemory, VectorLoads) {
  struct Form {
    std::string space, address;
    int distance; ///< from positionOf
  };
  const Form forms[] = {{"global", "v[2:3], off offset:8", 8},
                        {"global", "v4, s[2:3] offset:4", 4},
                        {"flat", "v[2:3] offset:12", 12},
                        {"buffer", "v4, s[4:7], s8 offen offset:20", 20 + 64},
                        {"buffer", "v4, s[4:7], null offen", 0}};
  for (const Form &form : forms)
    for (const LoadCase &c : kVectorLoads) {
      MemoryWave m(GetParam());
      setAddresses(m);
      m.s(8) = 64;
      const std::string text = form.space + "_load_" + c.name + " v10, " + form.address;
      m.run(text);
      for (unsigned lane = 0; lane < m.lanes(); ++lane)
        ASSERT_EQ(
            m.v(10)[lane],
            c.toRegister(m.load(positionOf(lane) + unsigned(form.distance), c.bytes), 0xdeadbeef))
            << text << " lane " << lane;
      for (unsigned lane = m.lanes(); lane < kLanes; ++lane)
        ASSERT_EQ(m.v(10)[lane], 0xdeadbeef) << text;
    }
}

TEST_P(RdnaVectorMemory, WideLoadsAndStores) {
  const char *names[] = {"b32", "b64", "b96", "b128"};
  const char *registers[] = {"v10", "v[10:11]", "v[10:12]", "v[10:13]"};
  for (const std::string address : {"v[2:3], off", "v4, s[2:3]", "v[2:3]", "v4, s[4:7], s8 offen"})
    for (unsigned n = 1; n <= 4; ++n) {
      MemoryWave m(GetParam());
      setAddresses(m);
      const bool isBuffer = address.find("offen") != std::string::npos;
      const bool isFlat = address == "v[2:3]";
      const std::string prefix = isBuffer ? "buffer_" : isFlat ? "flat_" : "global_";
      m.run(prefix + "load_" + names[n - 1] + " " + registers[n - 1] + ", " + address);
      for (unsigned lane = 0; lane < m.lanes(); ++lane)
        for (unsigned i = 0; i < n; ++i)
          ASSERT_EQ(m.v(10 + i)[lane], m.load(positionOf(lane) + 4 * i, 4)) << address;
      for (unsigned i = 0; i < n; ++i)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          m.v(10 + i)[lane] = 0x1000 * lane + i;
      const std::string data = registers[n - 1];
      const std::string store = prefix + "store_" + names[n - 1] + " ";
      const size_t comma = address.find(',');
      m.run(isBuffer ? store + data + ", " + address
            : isFlat ? store + address + ", " + data
                     : store + address.substr(0, comma) + ", " + data + address.substr(comma));
      for (unsigned lane = 0; lane < m.lanes(); ++lane)
        for (unsigned i = 0; i < 4; ++i)
          ASSERT_EQ(m.load(positionOf(lane) + 4 * i, 4),
                    i < n ? 0x1000 * lane + i
                          : MemoryWave::byteAt(positionOf(lane) + 4 * i) |
                                MemoryWave::byteAt(positionOf(lane) + 4 * i + 1) << 8 |
                                MemoryWave::byteAt(positionOf(lane) + 4 * i + 2) << 16 |
                                uint32_t(MemoryWave::byteAt(positionOf(lane) + 4 * i + 3)) << 24)
              << address << " lane " << lane;
    }
}

TEST_P(RdnaVectorMemory, SmallStores) {
  const struct {
    const char *name;
    unsigned bytes, shift;
  } cases[] = {{"b8", 1, 0}, {"b16", 2, 0}, {"d16_hi_b8", 1, 16}, {"d16_hi_b16", 2, 16}};
  for (const auto &c : cases) {
    MemoryWave m(GetParam());
    setAddresses(m);
    m.run(std::string("global_store_") + c.name + " v[2:3], v10, off\n" + "buffer_store_" + c.name +
          " v10, v4, s[4:7], null offen offset:8\nds_store_" +
          (c.shift ? std::string(c.name).substr(7) + "_d16_hi" : c.name) + " v4, v10");
    const uint64_t value = 0xdeadbeef >> c.shift & (c.bytes == 1 ? 0xff : 0xffff);
    for (unsigned lane = 0; lane < m.lanes(); ++lane) {
      const uint32_t at = positionOf(lane);
      ASSERT_EQ(m.load(at, c.bytes), value) << c.name;
      ASSERT_EQ(m.load(at + 8, c.bytes), value) << c.name;
      ASSERT_EQ(m.loadLds(at, c.bytes), value) << c.name;
      ASSERT_EQ(m.load(at + c.bytes, 1), MemoryWave::byteAt(at + c.bytes)) << c.name;
    }
  }
}

TEST_P(RdnaVectorMemory, PrivateMemory) {
  MemoryWave m(GetParam());
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(1)[lane] = 16 * (lane % 8);
    m.v(10)[lane] = 1000 + lane;
    m.v(11)[lane] = 2000 + lane;
  }
  m.s(3) = 32;
  m.run("scratch_store_b64 v1, v[10:11], s3 offset:8\n"
        "scratch_store_b16 off, v10, s3 offset:-4\n"
        "scratch_load_b64 v[20:21], v1, s3 offset:8\n"
        "scratch_load_b32 v22, v1, off offset:40\n"
        "scratch_load_u16 v23, off, off offset:28\n");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(m.v(20)[lane], 1000 + lane);
    EXPECT_EQ(m.v(21)[lane], 2000 + lane);
    EXPECT_EQ(m.v(22)[lane], 1000 + lane);
    EXPECT_EQ(m.v(23)[lane], 1000 + lane);
  }
}

TEST_P(RdnaVectorMemory, GlobalAddressesByLane) {
  MemoryWave m(GetParam());
  setAddresses(m);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    m.v(20)[lane] = 7000 + lane;
  m.run("global_load_addtid_b32 v10, s[2:3] offset:16\n"
        "global_store_addtid_b32 v20, s[2:3] offset:1024");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(m.v(10)[lane], m.load(16 + 4 * lane, 4));
    EXPECT_EQ(m.load(1024 + 4 * lane, 4), 7000 + lane);
  }
}

TEST_P(RdnaVectorMemory, BufferRanges) {
  MemoryWave m(GetParam());
  setAddresses(m);
  m.s(6) = 64; // bytes
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(4)[lane] = 4 * lane;
    m.v(5)[lane] = lane;     // index
    m.v(6)[lane] = lane % 4; // offset
  }
  // Raw: each dword by itself.
  m.run("buffer_load_b64 v[10:11], v4, s[4:7], null offen");
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(m.v(10)[lane], 4 * lane < 64 ? m.load(4 * lane, 4) : 0);
    EXPECT_EQ(m.v(11)[lane], 4 * lane + 4 < 64 ? m.load(4 * lane + 4, 4) : 0);
  }
  // Structured, 20 records of 24 bytes; with and without a look at the offset.
  m.s(5) |= 24 << 16;
  m.s(6) = 20;
  for (const uint32_t check : {0u, 1u, 2u}) {
    m.s(7) = check << 28;
    m.run("buffer_load_b64 v[10:11], v[5:6], s[4:7], null idxen offen "
          "offset:16");
    for (unsigned lane = 0; lane < m.lanes(); ++lane)
      for (unsigned k = 0; k < 2; ++k) {
        const uint32_t offset = lane % 4 + 16 + 4 * k;
        const bool inRange = check == 2 || (lane < 20 && (check == 1 || offset + 4 <= 24));
        EXPECT_EQ(m.v(10 + k)[lane], inRange ? m.load(24 * lane + offset, 4) : 0)
            << "check " << check << " lane " << lane;
      }
  }
}

TEST_P(RdnaVectorMemory, SwizzledBuffers) {
  MemoryWave m(GetParam());
  setAddresses(m);
  m.s(5) |= 16 << 16 | 1u << 30; // stride 16, elements of 4 bytes
  m.s(6) = 64;
  m.s(7) = 1u << 21; // 16 indices side by side
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(5)[lane] = lane;
    m.v(6)[lane] = 4 * (lane % 3);
  }
  m.run("buffer_load_b32 v10, v[5:6], s[4:7], null idxen offen");
  for (unsigned lane = 0; lane < m.lanes(); ++lane)
    EXPECT_EQ(m.v(10)[lane], m.load((lane / 16 * 16 + 4 * (lane % 3)) * 16 + lane % 16 * 4, 4));
}

INSTANTIATE_TEST_SUITE_P(Chips, RdnaVectorMemory, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Gfx12VectorMemory, TransposingLoad) {
  MemoryWave m("gfx1201");
  setAddresses(m);
  m.run("global_load_tr_b128 v[10:13], v4, s[2:3]");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 8; ++j) // element j comes from lane j of the eight
      EXPECT_EQ(m.v(10 + j / 2)[lane] >> 16 * (j % 2) & 0xffff,
                m.load(positionOf(lane / 8 * 8 + j) + 2 * (lane % 8), 2));
}
