//===- MemoryTest.cpp - Tests of memory instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels of Memory.cl and Spaces.cl must leave in memory, stated byte by byte.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include "DeviceRun.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

template <typename T>
static U64 address(T *pointer) {
  return reinterpret_cast<U64>(pointer);
}

namespace {
/// The parameter is the name of the code object.
class MemoryTest : public testing::TestWithParam<const char *> {
protected:
  DeviceRun device{GetParam()};
  OperandSource source{51};

  std::vector<U32> random(size_t n) {
    std::vector<U32> result(n);
    for (U32 &value : result)
      value = source.bits32();
    return result;
  }
  U32 *zeros(size_t n) { return device.allocate(std::vector<U32>(n)); }
};
} // namespace

TEST_P(MemoryTest, Loads) {
  const std::vector<U32> data = random(80);
  const auto *bytes = reinterpret_cast<const uint8_t *>(data.data()) + 4;
  U32 *out = zeros(14 * 64);
  U32 *in = device.allocate(data);
  device.launch("loads", 1, 64, {address(out), address(in) + 4});
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint8_t *at = bytes + 4 * lane;
    const U32 b = at[3], sb = U32(int32_t(int8_t(b))), h = at[2] | U32(b) << 8,
              sh = U32(int32_t(int16_t(h)));
    U32 before, third;
    std::memcpy(&before, at - 4, 4);
    std::memcpy(&third, at + 8, 4);
    // Sub-dword loads into one half clear the other, as with ECC.
    const U32 expected[] = {b,           sb,       h, sh,      before, b,       b << 16,
                            sb & 0xffff, sb << 16, h, h << 16, sb,     h << 16, third};
    for (unsigned k = 0; k < 14; ++k)
      EXPECT_EQ(out[k * 64 + lane], expected[k]) << k << " lane " << lane;
  }
}

TEST_P(MemoryTest, WideAccess) {
  const std::vector<U32> data = random(64 * 4 + 4);
  U32 *out = zeros(6 * 64 * 4);
  device.launch("wide", 1, 64, {address(out), address(device.allocate(data))});
  for (unsigned lane = 0; lane < 64; ++lane) {
    const U32 *d = &data[4 * lane];
    auto expect = [&](unsigned k, std::vector<U32> words) {
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(out[(k * 64 + lane) * 4 + i], words[i]) << k << " word " << i << " lane " << lane;
    };
    expect(0, {d[1], d[2], 0, 0});
    expect(1, {d[0], d[1], d[2], 0});
    expect(2, {d[0], d[1], d[2], d[3]});
    expect(3, {0, 0, d[1], d[2]});
    expect(4, {d[0], d[1], d[2], 0});
    expect(5, {(d[0] & 0xff) << 8 | (d[0] & 0xff0000), d[1] & 0xffff, d[1] >> 16, d[2]});
  }
}

TEST_P(MemoryTest, Buffers) {
  const std::vector<U32> data = random(16);
  U32 *out = zeros(7 * 64), *written = zeros(32);
  device.launch("buffers", 1, 64, {address(out), address(device.allocate(data)), address(written)});
  auto dword = [&](unsigned i) { return i < 16 ? data[i] : 0; };
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(out[lane], dword(2 * lane + 1));
    // The range is num_records - soffset: 60 bytes, so the last pair is half out of range.
    EXPECT_EQ(out[64 + lane], 2 * lane < 15 ? dword(2 * lane + 1) : 0);
    EXPECT_EQ(out[128 + lane], 2 * lane + 1 < 15 ? dword(2 * lane + 2) : 0);
    EXPECT_EQ(out[192 + lane], dword(2 * lane) >> 16);
    EXPECT_EQ(out[256 + lane], data[3]);
    EXPECT_EQ(out[320 + lane], dword(2 * lane) << 16);
    EXPECT_EQ(out[384 + lane], lane < 25 ? lane + 1 : 0);
  }
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(written[i], i < 25 ? i + 1 + 1000 + i : 0);
}

TEST_P(MemoryTest, LoadsToLds) {
  const std::vector<U32> data = random(128);
  U32 *out = zeros(3 * 64);
  device.launch("to_lds", 1, 64, {address(out), address(device.allocate(data))});
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(out[lane], 63 - lane < 60 ? data[63 - lane] : 0);
    EXPECT_EQ(out[64 + lane], data[2 * lane]);
    EXPECT_EQ(out[128 + lane], 5u);
  }
}

TEST_P(MemoryTest, Lds) {
  const std::vector<U32> data = random(2048);
  U32 *out = zeros(33 * 64);
  device.launch("lds", 1, 64, {address(out), address(device.allocate(data))});
  for (unsigned lane = 0; lane < 64; ++lane) {
    const U32 *d = &data[4 * lane];
    const U32 b = d[0] >> 8 & 0xff, sb = U32(int32_t(int8_t(b))), h = d[0] >> 16,
              sh = U32(int32_t(int16_t(h)));
    const U32 v = data[lane], w = data[64 + lane], *old = &data[1024 + 8 * lane];
    const U32 expected[] = {b,
                            sb,
                            h,
                            sh,
                            b << 16,
                            sb & 0xffff,
                            h << 16,
                            d[1],
                            d[2],
                            d[3],
                            d[0],
                            d[1],
                            d[2],
                            d[0],
                            d[1],
                            d[2],
                            d[3],
                            d[1],
                            d[3],
                            d[0],
                            d[128],
                            d[0],
                            d[1],
                            d[2],
                            d[3],
                            (v & 0xff) << 8 | v << 16 | (v >> 16 & 0xff),
                            v,
                            w,
                            (old[3] & 0xffff0000) | w >> 16,
                            v,
                            w,
                            w,
                            old[7]};
    for (unsigned k = 0; k < 33; ++k)
      EXPECT_EQ(out[k * 64 + lane], expected[k]) << k << " lane " << lane;
  }
}

static U32 addHalves(U32 a, U32 b) {
  auto sum = [](U16 x, U16 y) { return halfBits(double(halfToFloat(x)) + halfToFloat(y)); };
  return sum(U16(a), U16(b)) | U32(sum(U16(a >> 16), U16(b >> 16))) << 16;
}
/// Rounds the exact sum to bfloat16, to nearest even.
static U32 addBfloats(U32 a, U32 b) {
  auto sum = [](U32 x, U32 y) -> U32 {
    const U32 bits = asBits(asFloat(x << 16) + asFloat(y << 16));
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  };
  return sum(a & 0xffff, b & 0xffff) | sum(a >> 16, b >> 16) << 16;
}

using Update = std::function<U32(U32 memory, U32 data)>;
static const Update kUpdates[] = {
    [](U32 m, U32 d) { return m + d; },
    [](U32 m, U32 d) { return m - d; },
    [](U32 m, U32 d) { return U32(std::min(int32_t(m), int32_t(d))); },
    [](U32 m, U32 d) { return std::min(m, d); },
    [](U32 m, U32 d) { return U32(std::max(int32_t(m), int32_t(d))); },
    [](U32 m, U32 d) { return std::max(m, d); },
    [](U32 m, U32 d) { return m & d; },
    [](U32 m, U32 d) { return m | d; },
    [](U32 m, U32 d) { return m ^ d; },
    [](U32, U32 d) { return d; },
    [](U32 m, U32 d) { return m >= d ? 0 : m + 1; },
    [](U32 m, U32 d) { return m == 0 || m > d ? d : m - 1; },
    nullptr, // filled by the tests: add for global memory, reversed subtraction for LDS
    [](U32 m, U32 d) { return asBits(asFloat(m) + asFloat(d)); },
    addHalves,
    addBfloats};

/// Operands whose floats are small numbers.
static std::vector<U32> atomicOperands(std::vector<U32> values, size_t floatsFrom) {
  for (size_t i = floatsFrom; i < values.size(); ++i)
    values[i] = (0x3c003c00u | (values[i] & 0x03ff03ff)); // halves in [1, 2), small floats
  return values;
}

static void checkAtomics(const std::vector<U32> &before, const std::vector<U32> &in,
                         const U32 *memory, const U32 *out, const Update &twelfth) {
  for (unsigned k = 0; k < 16; ++k)
    for (unsigned cell = 0; cell < 8; ++cell) {
      U32 value = before[k * 8 + cell];
      for (unsigned lane = cell * 8; lane < cell * 8 + 8; ++lane) {
        EXPECT_EQ(out[k * 64 + lane], value) << k << " lane " << lane;
        value = (k == 12 ? twelfth : kUpdates[k])(value, in[lane]);
      }
      EXPECT_EQ(memory[k * 8 + cell], value) << k << " cell " << cell;
    }
}

TEST_P(MemoryTest, Atomics) {
  const std::vector<U32> before = atomicOperands(random(128), 13 * 8),
                         in = atomicOperands(random(64), 0);
  U32 *out = zeros(16 * 64), *memory = device.allocate(before);
  device.launch("atomics", 1, 64, {address(out), address(memory), address(device.allocate(in))});
  checkAtomics(before, in, memory, out, [](U32 m, U32 d) { return m + d; });
}

TEST_P(MemoryTest, LdsAtomics) {
  const std::vector<U32> before = atomicOperands(random(128), 13 * 8),
                         in = atomicOperands(random(64), 0);
  U32 *out = zeros(16 * 64), *memory = device.allocate(before);
  device.launch("lds_atomics", 1, 64,
                {address(out), address(memory), address(device.allocate(in))});
  checkAtomics(before, in, memory, out, [](U32 m, U32 d) { return d - m; });
}

TEST_P(MemoryTest, WideAtomics) {
  std::vector<U64> before(64), in(64);
  for (U64 &value : before)
    value = asBits(double(source.bits32() % 1000));
  for (U64 &value : in)
    value = asBits(double(source.bits32() % 1000));
  U64 *out = device.allocate(std::vector<U64>(8 * 64)), *memory = device.allocate(before);
  device.launch("atomics64", 1, 64, {address(out), address(memory), address(device.allocate(in))});
  const std::function<U64(U64, U64)> updates[] = {
      [](U64 m, U64 d) { return m + d; },
      [](U64 m, U64 d) { return U64(std::min(int64_t(m), int64_t(d))); },
      [](U64 m, U64 d) { return std::max(m, d); },
      [](U64 m, U64 d) { return m ^ d; },
      [](U64 m, U64 d) { return asBits(asDouble(m) + asDouble(d)); },
      [](U64 m, U64 d) { return asBits(std::max(asDouble(m), asDouble(d))); },
      [](U64 m, U64 d) { return asBits(std::min(asDouble(m), asDouble(d))); }};
  for (unsigned k = 0; k < 8; ++k)
    for (unsigned cell = 0; cell < 8; ++cell) {
      const U64 first = before[k * 8 + cell];
      U64 value = first;
      for (unsigned lane = cell * 8; lane < cell * 8 + 8; ++lane) {
        EXPECT_EQ(out[k * 64 + lane], value) << k << " lane " << lane;
        value = k == 7 ? (value == first ? in[lane] : value) : updates[k](value, in[lane]);
      }
      EXPECT_EQ(memory[k * 8 + cell], value) << k << " cell " << cell;
    }
}

namespace {
class SpacesTest : public MemoryTest {};
} // namespace

TEST_P(SpacesTest, AddressSpaces) {
  const std::vector<U32> data = random(128);
  U32 *out = zeros(3 * 64);
  device.launch("spaces", 1, 64, {address(out), address(device.allocate(data))});
  for (unsigned lane = 0; lane < 64; ++lane) {
    U32 global = 0, shared = 0, own = 0, table[16];
    for (unsigned i = 0; i < 8; ++i)
      global = global * 31 + data[lane + i];
    for (unsigned i = 0; i < 4; ++i)
      shared = shared * 31 + data[lane + i] * 3;
    for (unsigned i = 0; i < 16; ++i)
      table[(i * 7 + lane) % 16] = data[i] + lane;
    for (U32 value : table)
      own = own * 31 + value;
    EXPECT_EQ(out[lane], global);
    EXPECT_EQ(out[64 + lane], shared);
    EXPECT_EQ(out[128 + lane], own);
  }
}

TEST_P(SpacesTest, ReductionWithBarriers) {
  const unsigned n = 5003;
  const std::vector<U32> data = random(n);
  U32 *out = zeros(1);
  device.launch("reduction", 4, 256, {address(out), address(device.allocate(data))}, n, true);
  U32 expected = 0;
  for (unsigned i = 0; i < n; ++i)
    expected += data[i] * (i + 1);
  EXPECT_EQ(*out, expected);
}

static std::string nameLevel(const testing::TestParamInfo<const char *> &info) {
  return llvm::StringRef(info.param).split('.').second.str();
}
INSTANTIATE_TEST_SUITE_P(Levels, MemoryTest, testing::Values("Memory.O1", "Memory.O3"), nameLevel);
INSTANTIATE_TEST_SUITE_P(Levels, SpacesTest, testing::Values("Spaces.O0", "Spaces.O1", "Spaces.O3"),
                         nameLevel);
