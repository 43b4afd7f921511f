//===- RdnaVopLaneTest.cpp - Exchange between lanes on gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane each lane reads, by the modifiers of an operand and by instructions that permute.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

static const char *const kChips[] = {"gfx1100", "gfx1201"};

/// The lane that each lane of 32 reads.
static void checkDpp(const char *chip, const std::string &control,
                     const std::function<unsigned(unsigned)> &from) {
  IsaWave wave(chip);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(1)[lane] = 1000 + lane;
    wave.v(2)[lane] = lane << 20;
  }
  wave.run("v_add_nc_u32_dpp v0, v1, v2 " + control + " row_mask:0xf bank_mask:0xf\n" +
           "v_add3_u32_e64_dpp v3, v1, v2, 5 " + control + " row_mask:0xf bank_mask:0xf");
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(wave.v(0)[lane], 1000 + from(lane) + (lane << 20)) << chip << control << lane;
    EXPECT_EQ(wave.v(3)[lane], 1005 + from(lane) + (lane << 20)) << chip << control << lane;
  }
}

TEST(RdnaVopLaneTest, SharedAndExchangedLanesOfRows) {
  // The third source of v_add3_u32_e64_dpp is a constant, which gfx12 and gfx11 allow.
  for (const char *chip : kChips) {
    checkDpp(chip, "row_share:5", [](unsigned lane) { return (lane & 16) + 5; });
    checkDpp(chip, "row_xmask:6", [](unsigned lane) { return lane ^ 6; });
    checkDpp(chip, "quad_perm:[3,0,1,1]", [](unsigned lane) {
      return (lane & ~3u) + (lane % 4 == 0 ? 3 : lane % 4 == 1 ? 0 : 1);
    });
    checkDpp(chip, "row_ror:3", [](unsigned lane) { return (lane & 16) + ((lane - 3) & 15); });
  }
}

TEST(RdnaVopLaneTest, EightLanesPermutedFreely) {
  for (const char *chip : kChips)
    for (bool fetchesInactive : {false, true}) {
      IsaWave wave(chip);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        wave.v(0)[lane] = 7;
        wave.v(1)[lane] = 1000 + lane;
        wave.v(2)[lane] = lane << 20;
      }
      wave.wave.setExec(0xffffff0f);
      const std::string suffix = fetchesInactive ? " fi:1" : "";
      wave.run("v_add_nc_u32_dpp v0, v1, v2 dpp8:[7,6,5,4,0,0,2,1]" + suffix);
      const unsigned from[] = {7, 6, 5, 4, 0, 0, 2, 1};
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned source = (lane & ~7u) + from[lane & 7];
        const bool reads = fetchesInactive || (0xffffff0fu >> source & 1);
        const bool active = 0xffffff0fu >> lane & 1;
        EXPECT_EQ(wave.v(0)[lane], active ? (reads ? 1000 + source : 0) + (lane << 20) : 7) << lane;
      }
    }
}

TEST(RdnaVopLaneTest, LanesOfRowsPermutedByScalars) {
  for (const char *chip : kChips)
    for (bool crosses : {false, true})
      for (unsigned opSel = 0; opSel < 4; ++opSel) {
        IsaWave wave(chip);
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          wave.v(0)[lane] = 7;
          wave.v(1)[lane] = 1000 + lane;
          wave.v(2)[lane] = 0xfffffff0 | (lane * 7 & 15);
        }
        const uint64_t selectors = 0x0123456789fedcba;
        wave.setS64(4, selectors);
        const uint64_t exec = 0xfff7ff5f;
        wave.wave.setExec(exec);
        const std::string name = crosses ? "v_permlanex16" : "v_permlane16";
        const std::string suffix =
            std::string(" op_sel:[") + (opSel & 1 ? "1" : "0") + (opSel & 2 ? ",1]" : ",0]");
        const bool hasVar = std::string(chip) == "gfx1201";
        wave.run(name + "_b32 v0, v1, s4, s5" + suffix +
                 (hasVar ? "\n" + name + "_var_b32 v3, v1, v2" + suffix : ""));
        for (unsigned lane = 0; lane < 32; ++lane) {
          auto expected = [&](unsigned select, uint32_t old) {
            const unsigned from = ((lane & 16) ^ (crosses ? 16 : 0)) + (select & 15);
            if (!(exec >> lane & 1))
              return old;
            return opSel & 1 || exec >> from & 1 ? 1000 + from : opSel & 2 ? 0 : old;
          };
          EXPECT_EQ(wave.v(0)[lane], expected(selectors >> 4 * (lane & 15), 7)) << lane;
          if (hasVar)
            EXPECT_EQ(wave.v(3)[lane], expected(lane * 7, 0)) << lane;
        }
      }
}

TEST(RdnaVopLaneTest, HalvesOfWavesExchanged) {
  for (const char *chip : kChips)
    for (unsigned waveSize : {32u, 64u}) {
      IsaWave wave(chip, waveSize);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        wave.v(0)[lane] = 7;
        wave.v(1)[lane] = 1000 + lane;
      }
      wave.wave.setExec(0xff);
      wave.run("v_permlane64_b32 v0, v1");
      for (unsigned lane = 0; lane < kLanes; ++lane)
        EXPECT_EQ(wave.v(0)[lane], waveSize == 64 && lane < 8 ? 1032 + lane : 7);
    }
}

TEST(RdnaVopLaneTest, MixedPrecisionOfMovedLanes) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(0)[lane] = wave.v(4)[lane] = 0x12345678;
      wave.v(1)[lane] = uint32_t(halfBits(lane)) << 16;
      wave.v(2)[lane] = asBits(2.0f);
      wave.v(3)[lane] = asBits(0.5f * lane);
    }
    wave.run("v_fma_mix_f32_e64_dpp v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0] row_shr:1 "
             "row_mask:0xf bank_mask:0xf\n"
             "v_fma_mixhi_f16_e64_dpp v4, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0] row_xmask:1 "
             "row_mask:0x1 bank_mask:0xf");
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(wave.v(0)[lane],
                lane % 16 == 0 ? 0x12345678 : asBits(2.0f * (lane - 1) + 0.5f * lane));
      EXPECT_EQ(wave.v(4)[lane],
                lane < 16 ? 0x5678 | uint32_t(halfBits(2.0 * (lane ^ 1) + 0.5 * lane)) << 16
                          : 0x12345678);
    }
  }
}
