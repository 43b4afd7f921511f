//===- TableTest.cpp - Tests of the instruction table -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The families name every instruction once, and what no family names is refused by name.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

TEST(InstructionTableTest, NamesAreUnique) {
  for (Isa isa : kIsas) {
    const InstructionTable &table = getInstructionTable(isa);
    EXPECT_EQ(table.getIsa(), isa);
    for (const std::string &name : table.getDuplicates())
      ADD_FAILURE() << name;
    EXPECT_GT(table.size(), 900u);
  }
}

static bool isLoad(Effect effect) {
  return effect == Effect::Loads || effect == Effect::LoadsParts || effect == Effect::LoadsToLds;
}
static bool isStore(Effect effect) {
  return effect == Effect::StoresFirst || effect == Effect::StoresBehind;
}

TEST(InstructionTableTest, FactsOfARowFitTogether) {
  for (Isa isa : kIsas) {
    const InstructionTable &table = getInstructionTable(isa);
    for (const std::string &name : table.getMnemonics()) {
      const OpcodeInfo &info = *table.lookup(name);
      const InstructionFacts &facts = info.facts;
      const bool multiplies =
          info.kind == InstructionClass::Mfma || info.kind == InstructionClass::Wmma;
      EXPECT_NE(facts.timing, kTimingOfClass) << name;
      EXPECT_EQ(facts.timing == TimingClass::Matrix, multiplies) << name;
      EXPECT_EQ(facts.matrix.m * facts.matrix.n * facts.matrix.k > 0, multiplies) << name;
      EXPECT_EQ(facts.timing == TimingClass::End, facts.control == ControlFlowKind::End) << name;
      if (facts.wait != WaitKind::None) {
        EXPECT_EQ(facts.timing, TimingClass::Wait) << name;
      }
      if (info.kind == InstructionClass::Vmem && facts.timing == TimingClass::Vmem) {
        EXPECT_NE(facts.action, MemoryAction::None) << name;
        EXPECT_NE(facts.space, MemorySpace::None) << name;
      }
      if (isLoad(info.effect)) {
        EXPECT_EQ(facts.action, MemoryAction::Load) << name;
      }
      if (isStore(info.effect)) {
        EXPECT_EQ(facts.action, MemoryAction::Store) << name;
      }
      if (facts.action == MemoryAction::Store && info.kind != InstructionClass::Smem) {
        EXPECT_TRUE(facts.readsDataLate) << name;
      }
    }
  }
}

static const InstructionFacts &getFacts(Isa isa, const char *name) {
  const OpcodeInfo *info = getInstructionTable(isa).lookup(name);
  EXPECT_TRUE(info) << name;
  return info ? info->facts : kNoFacts;
}

TEST(InstructionTableTest, RowsSayWhatTheModelOfTimeAsks) {
  const struct {
    Isa isa;
    const char *name;
    TimingClass timing;
  } cases[] = {{Isa::Gfx942, "v_add_f32", TimingClass::Valu},
               {Isa::Gfx942, "v_exp_f32", TimingClass::Transcendental},
               {Isa::Gfx12, "v_s_exp_f32", TimingClass::Transcendental},
               {Isa::Gfx942, "v_mul_lo_u32", TimingClass::Quarter},
               {Isa::Gfx11, "v_mad_u64_u32", TimingClass::Quarter},
               {Isa::Gfx12, "v_mad_co_u64_u32", TimingClass::Quarter},
               {Isa::Gfx942, "v_fma_f64", TimingClass::Double},
               {Isa::Gfx942, "v_cvt_f32_f64", TimingClass::Double},
               {Isa::Gfx942, "v_cmp_lt_f64", TimingClass::Valu},
               {Isa::Gfx942, "v_pk_fma_f32", TimingClass::Packed},
               {Isa::Gfx942, "v_pk_fma_f16", TimingClass::Valu},
               {Isa::Gfx942, "buffer_wbl2", TimingClass::WriteBack},
               {Isa::Gfx12, "global_inv", TimingClass::Invalidate},
               {Isa::Gfx942, "s_dcache_wb", TimingClass::WriteBack},
               {Isa::Gfx942, "s_getpc_b64", TimingClass::Other},
               {Isa::Gfx942, "s_cbranch_scc1", TimingClass::Branch},
               {Isa::Gfx12, "s_barrier_signal", TimingClass::BarrierSignal}};
  for (const auto &c : cases)
    EXPECT_EQ(getFacts(c.isa, c.name).timing, c.timing) << c.name;
  EXPECT_EQ(getFacts(Isa::Gfx942, "ds_read_b96").bytesPerLane, 12);
  EXPECT_EQ(getFacts(Isa::Gfx942, "ds_write2st64_b64").bytesPerLane, 16);
  EXPECT_EQ(getFacts(Isa::Gfx11, "ds_load_2addr_b32").bytesPerLane, 8);
  EXPECT_EQ(getFacts(Isa::Gfx11, "global_store_b8").bytesPerLane, 4) << "a register at least";
  EXPECT_TRUE(getFacts(Isa::Gfx942, "ds_add_rtn_u32").returns);
  EXPECT_FALSE(getFacts(Isa::Gfx942, "ds_add_u32").returns);
  EXPECT_TRUE(getFacts(Isa::Gfx942, "global_atomic_add_f32").addsFloats);
  EXPECT_FALSE(getFacts(Isa::Gfx942, "global_atomic_add").addsFloats);
  const MatrixShape &sparse = getFacts(Isa::Gfx942, "v_smfmac_f32_16x16x32_f16").matrix;
  EXPECT_EQ(sparse.k, 32);
  EXPECT_TRUE(sparse.isSparse);
}

TEST(InstructionTableTest, MissingInstructionsAndModifiersAreRefusedByName) {
  const struct {
    const char *text, *names;
  } cases[] = {{"v_screen_partition_4se_b32 v0, v1", "v_screen_partition_4se_b32"},
               {"ds_gws_barrier v0 gds", "ds_gws_barrier"},
               {"s_sendmsg sendmsg(MSG_INTERRUPT)", "s_sendmsg"},
               {"buffer_load_format_d16_x v0, off, s[0:3], 0", "buffer_load_format_d16_x"},
               {"v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, v[0:3] cbsz:1", "cbsz"}};
  for (const auto &c : cases)
    EXPECT_NE(IsaWave::getRefusal(c.text).find(c.names), std::string::npos)
        << c.text << ": " << IsaWave::getRefusal(c.text);
}
