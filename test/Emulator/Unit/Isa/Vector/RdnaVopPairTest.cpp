//===- RdnaVopPairTest.cpp - Pairs of vector instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_dual instructions against their halves alone: both read before either writes.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <iterator>

using namespace ckemu;
using namespace ckemu::test;

static const char *const kChips[] = {"gfx1100", "gfx1201"};

TEST(RdnaVopPairTest, PairsReadBeforeEitherWrites) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    OperandSource source(21);
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(i)[lane] = asBits(float(int(source.bits32() % 2001) - 1000));
    Lanes old[8];
    for (unsigned i = 0; i < 8; ++i)
      old[i] = wave.v(i);
    wave.wave.sgpr[kVcc] = 0x0ff01234;
    wave.wave.setExec(0x7fffffff);
    wave.run("v_dual_add_f32 v0, v1, v3 :: v_dual_mul_f32 v1, v0, v2\n" // crossed
             "v_dual_mov_b32 v2, v4 :: v_dual_sub_f32 v3, v5, v2\n"     // the second reads
             "v_dual_fmac_f32 v4, v5, v7 :: v_dual_cndmask_b32 v5, v6, v5\n"
             "v_dual_fmamk_f32 v6, v0, 0x40a00000, v7 :: v_dual_add_nc_u32 v7, 7, v4");
    for (unsigned lane = 0; lane < 31; ++lane) {
      auto value = [&](unsigned i) { return asFloat(old[i][lane]); };
      EXPECT_EQ(wave.v(0)[lane], asBits(value(1) + value(3)));
      EXPECT_EQ(wave.v(1)[lane], asBits(value(0) * value(2)));
      EXPECT_EQ(wave.v(2)[lane], old[4][lane]);
      EXPECT_EQ(wave.v(3)[lane], asBits(value(5) - value(2)));
      EXPECT_EQ(wave.v(4)[lane], asBits(std::fma(value(5), value(7), value(4))));
      EXPECT_EQ(wave.v(5)[lane], old[0x0ff01234u >> lane & 1 ? 5 : 6][lane]);
      EXPECT_EQ(wave.v(6)[lane], asBits(std::fma(value(1) + value(3), 5.0f, value(7))));
      EXPECT_EQ(wave.v(7)[lane], 7 + wave.v(4)[lane]);
    }
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(wave.v(i)[31], old[i][31]);
  }
}

TEST(RdnaVopPairTest, PairsExistWithEveryOperation) {
  const char *const common[] = {"add_f32", "sub_f32",          "subrev_f32",
                                "mul_f32", "mul_dx9_zero_f32", "cndmask_b32"};
  for (const char *chip : kChips) {
    const bool is12 = std::string(chip) == "gfx1201";
    std::vector<std::string> names(std::begin(common), std::end(common));
    names.emplace_back(is12 ? "min_num_f32" : "min_f32");
    names.emplace_back(is12 ? "max_num_f32" : "max_f32");
    names.emplace_back("fmac_f32");
    names.emplace_back("dot2acc_f32_f16");
    OperandSource source(31);
    for (const std::string &name : names) {
      IsaWave pair(chip), alone(chip);
      for (unsigned i = 0; i < 6; ++i)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          pair.v(i)[lane] = alone.v(i)[lane] = source.float32();
      pair.wave.sgpr[kVcc] = alone.wave.sgpr[kVcc] = source.bits32();
      const std::string mask = name == "cndmask_b32" ? ", vcc_lo" : "";
      pair.run("v_dual_" + name + " v0, v2, v4 :: v_dual_mov_b32 v1, v3");
      // gfx12 has this one in pairs only.
      const bool existsAlone = !(is12 && name == "dot2acc_f32_f16");
      alone.run(existsAlone ? "v_" + name + " v0, v2, v4" + mask : "v_dot2_f32_f16 v0, v2, v4, v0");
      for (unsigned lane = 0; lane < 32; ++lane) {
        ASSERT_EQ(pair.v(0)[lane], alone.v(0)[lane]) << chip << " " << name;
        ASSERT_EQ(pair.v(1)[lane], alone.v(3)[lane]);
      }
    }
  }
}
