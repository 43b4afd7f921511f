//===- RdnaMemoryTest.cpp - Tests of memory instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every width of load, store and atomic in each address space against what the bytes say, and the
// forms of addresses.
//
//===----------------------------------------------------------------------===//

#include "MemoryWave.h"
#include <functional>

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::test;

namespace {
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
} // namespace

static uint32_t sign8(uint64_t x) { return uint32_t(int32_t(int8_t(x))); }
static uint32_t sign16(uint64_t x) { return uint32_t(int32_t(int16_t(x))); }
static uint32_t low(uint32_t old, uint32_t x) { return (old & 0xffff0000) | (x & 0xffff); }
static uint32_t high(uint32_t old, uint32_t x) { return (old & 0xffff) | x << 16; }

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

/// Position of a lane's element; neighbours do not overlap.
static uint32_t positionOf(unsigned lane) { return 16 * ((lane * 5 + 3) % 64); }

/// v[2:3] gets the addresses, v4 the positions, s[2:3] the base, s[4:7] a raw descriptor.
static void setAddresses(MemoryWave &m) {
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

TEST_P(RdnaMemory, VectorLoads) {
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

TEST_P(RdnaMemory, WideLoadsAndStores) {
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

TEST_P(RdnaMemory, SmallStores) {
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

TEST_P(RdnaMemory, PrivateMemory) {
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

namespace {
/// An update of 32 bits by the end of its name.
struct AtomicCase {
  const char *name;
  std::function<uint32_t(uint32_t memory, uint32_t data)> update;
  bool gfx11 = true, gfx12 = true;
};
} // namespace

static const AtomicCase kAtomics[] = {
    {"swap_b32", [](uint32_t, uint32_t d) { return d; }},
    {"add_u32", [](uint32_t m, uint32_t d) { return m + d; }},
    {"sub_u32", [](uint32_t m, uint32_t d) { return m - d; }},
    {"min_i32", [](uint32_t m, uint32_t d) { return uint32_t(std::min(int32_t(m), int32_t(d))); }},
    {"max_i32", [](uint32_t m, uint32_t d) { return uint32_t(std::max(int32_t(m), int32_t(d))); }},
    {"min_u32", [](uint32_t m, uint32_t d) { return std::min(m, d); }},
    {"max_u32", [](uint32_t m, uint32_t d) { return std::max(m, d); }},
    {"and_b32", [](uint32_t m, uint32_t d) { return m & d; }},
    {"or_b32", [](uint32_t m, uint32_t d) { return m | d; }},
    {"xor_b32", [](uint32_t m, uint32_t d) { return m ^ d; }},
    {"inc_u32", [](uint32_t m, uint32_t d) { return m >= d ? 0 : m + 1; }},
    {"dec_u32", [](uint32_t m, uint32_t d) { return m == 0 || m > d ? d : m - 1; }},
    {"csub_u32", [](uint32_t m, uint32_t d) { return m < d ? 0 : m - d; }, true, false},
    {"sub_clamp_u32", [](uint32_t m, uint32_t d) { return m < d ? 0 : m - d; }, false, true},
    {"cond_sub_u32", [](uint32_t m, uint32_t d) { return m < d ? m : m - d; }, false, true},
    {"add_f32", [](uint32_t m, uint32_t d) { return asBits(asFloat(m) + asFloat(d)); }},
    {"min_f32", [](uint32_t m, uint32_t d) { return asBits(std::fmin(asFloat(m), asFloat(d))); },
     true, false},
    {"max_num_f32",
     [](uint32_t m, uint32_t d) { return asBits(std::fmax(asFloat(m), asFloat(d))); }, false, true},
};

TEST_P(RdnaMemory, Atomics) {
  const std::string returns = isGfx12() ? " th:TH_ATOMIC_RETURN" : " glc";
  for (const AtomicCase &c : kAtomics) {
    if (isGfx12() ? !c.gfx12 : !c.gfx11)
      continue;
    const std::string name = std::string("atomic_") + c.name;
    const bool isFloat = name.find("_f32") != std::string::npos;
    for (unsigned form = 0; form < 3; ++form) {
      MemoryWave m(GetParam());
      setAddresses(m);
      OperandSource source(form);
      std::vector<uint32_t> before, data;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint32_t old = isFloat ? asBits(float(lane) - 7.5f) : source.bits32();
        m.v(5)[lane] = isFloat ? asBits(float(lane % 5) * 3.25f) : source.bits32();
        std::memcpy(m.memory() + positionOf(lane), &old, 4);
        before.push_back(old);
        data.push_back(m.v(5)[lane]);
      }
      m.run(form == 0   ? "global_" + name + " v10, v[2:3], v5, off" + returns
            : form == 1 ? "global_" + name + " v10, v4, v5, s[2:3]" + returns
                        : "buffer_" + name + " v5, v4, s[4:7], null offen" + returns);
      for (unsigned lane = 0; lane < m.lanes(); ++lane) {
        ASSERT_EQ(m.v(form == 2 ? 5 : 10)[lane], before[lane]) << name << " lane " << lane;
        ASSERT_EQ(m.load(positionOf(lane), 4), c.update(before[lane], data[lane])) << name;
      }
    }
  }
}

TEST_P(RdnaMemory, WideAtomicsAndCompareSwap) {
  MemoryWave m(GetParam());
  setAddresses(m);
  const std::string returns = isGfx12() ? " th:TH_ATOMIC_RETURN" : " glc";
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t old = 0x100000000ull * lane + 0xfffffff0;
    std::memcpy(m.memory() + positionOf(lane), &old, 8);
    m.v(5)[lane] = 0x20 + lane;
    m.v(6)[lane] = 0;
    m.v(12)[lane] = 1;                          // new value
    m.v(13)[lane] = lane % 2 ? 0x10 + lane : 7; // expected
  }
  m.run("global_atomic_add_u64 v[10:11], v[2:3], v[5:6], off" + returns +
        "\nglobal_atomic_cmpswap_b32 v14, v4, v[12:13], s[2:3]" + returns);
  for (unsigned lane = 0; lane < m.lanes(); ++lane) {
    EXPECT_EQ(m.v(10)[lane], 0xfffffff0);
    EXPECT_EQ(m.v(11)[lane], lane);
    EXPECT_EQ(m.v(14)[lane], 0x10 + lane);
    EXPECT_EQ(m.load(positionOf(lane) + 4, 4), lane + 1) << "the carry";
    EXPECT_EQ(m.load(positionOf(lane), 4), lane % 2 ? 1 : 0x10 + lane);
  }
}

TEST_P(RdnaMemory, LdsLoads) {
  for (const LoadCase &c : kLdsLoads) {
    MemoryWave m(GetParam());
    setAddresses(m);
    m.run(std::string("ds_load_") + c.name + " v10, v4 offset:260");
    for (unsigned lane = 0; lane < m.lanes(); ++lane)
      ASSERT_EQ(m.v(10)[lane], c.toRegister(m.loadLds(positionOf(lane) + 260, c.bytes), 0xdeadbeef))
          << c.name;
  }
}

TEST_P(RdnaMemory, LdsPairsAndWidths) {
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

TEST_P(RdnaMemory, LdsAtomics) {
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

TEST_P(RdnaMemory, CountersAndLaneAddresses) {
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

TEST_P(RdnaMemory, GlobalAddressesByLane) {
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

TEST_P(RdnaMemory, FloatSumsInMemoryAndDenormals) {
  MemoryWave m(GetParam());
  setAddresses(m);
  const uint32_t denormal = 0x00001000;
  std::memcpy(m.memory(), &denormal, 4);
  m.wave().setExec(1);
  m.v(4)[0] = 0;
  m.v(5)[0] = denormal;
  m.run("global_atomic_add_f32 v4, v5, s[2:3]");
  EXPECT_EQ(m.load(0, 4), isGfx12() ? 2 * denormal : 0);
}

TEST_P(RdnaMemory, ScalarLoads) {
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

TEST_P(RdnaMemory, BufferRanges) {
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

TEST_P(RdnaMemory, SwizzledBuffers) {
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

INSTANTIATE_TEST_SUITE_P(Chips, RdnaMemory, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Gfx12Memory, SmallScalarLoads) {
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

TEST(Gfx12Memory, TransposingLoad) {
  MemoryWave m("gfx1201");
  setAddresses(m);
  m.run("global_load_tr_b128 v[10:13], v4, s[2:3]");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 8; ++j) // element j comes from lane j of the eight
      EXPECT_EQ(m.v(10 + j / 2)[lane] >> 16 * (j % 2) & 0xffff,
                m.load(positionOf(lane / 8 * 8 + j) + 2 * (lane % 8), 2));
}

TEST(Gfx12Memory, SplitBarrier) {
  MemoryWave m("gfx1201", /*numWaves=*/3);
  const std::string signalAndWait = "s_barrier_signal_isfirst -1\ns_cselect_b32 s20, 1, 2\n"
                                    "s_barrier_wait -1\ns_mov_b32 s21, 7";
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 7", 2);
  EXPECT_FALSE(m.group.releaseBarrier());
  m.run(signalAndWait, 0);
  EXPECT_EQ(m.s(20, 0), 1u);
  EXPECT_FALSE(m.hasEnded(0));
  EXPECT_FALSE(m.group.releaseBarrier()) << "one of three has signalled";
  m.run("s_barrier_signal -1\ns_barrier_signal_isfirst -1\ns_cselect_b32 s20, 1, 2", 1);
  EXPECT_EQ(m.s(20, 1), 2u);
  EXPECT_EQ(m.wave(0).state, WaveState::Running) << "three signals complete the barrier";
  m.resume(0);
  m.resume(2);
  EXPECT_EQ(m.s(21, 0), 7u);
  EXPECT_EQ(m.s(21, 2), 7u);
  // The wave that has not waited yet passes at once, but only once.
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 9", 1);
  EXPECT_EQ(m.s(21, 1), 9u);
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 11", 1);
  EXPECT_FALSE(m.hasEnded(1));
  // Waves that end are no members any more.
  m.wave(0).state = WaveState::Ended;
  m.run("s_barrier_signal -1", 2);
  EXPECT_FALSE(m.group.releaseBarrier());
  m.wave(2).state = WaveState::Ended;
  EXPECT_TRUE(m.group.releaseBarrier());
  m.resume(1);
  EXPECT_EQ(m.s(21, 1), 11u);
}
