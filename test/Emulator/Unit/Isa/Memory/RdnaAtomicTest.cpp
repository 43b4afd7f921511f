//===- RdnaAtomicTest.cpp - Atomics in device memory on gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every update in each form of address against what it says of the old value and the operand.
//
//===----------------------------------------------------------------------===//

#include "RdnaMemory.h"
#include <algorithm>

using namespace ckemu;
using namespace ckemu::test;

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

namespace {
class RdnaAtomic : public RdnaMemory {};
} // namespace

TEST_P(RdnaAtomic, Atomics) {
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

TEST_P(RdnaAtomic, WideAtomicsAndCompareSwap) {
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

TEST_P(RdnaAtomic, FloatSumsInMemoryAndDenormals) {
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

INSTANTIATE_TEST_SUITE_P(Chips, RdnaAtomic, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });
