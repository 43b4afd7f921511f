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
