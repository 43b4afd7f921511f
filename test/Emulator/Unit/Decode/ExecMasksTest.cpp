//===- ExecMasksTest.cpp - Where all lanes of a wave are active -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before each "s_nop 0" of a text all lanes are active, before each "s_nop 1" perhaps not.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/ExecMasks.h"
#include "../Isa/IsaTest.h"
#include "Emulator/Isa/InstructionTables.h"

using namespace ckemu;
using namespace ckemu::test;

static void check(const std::string &source, const char *chip = "gfx942", unsigned waveSize = 64) {
  const ChipModel &model = **getChipModel(chip);
  const std::vector<uint8_t> bytes = assemble(source, chip, waveSize);
  CodeSection section;
  section.bytes = bytes;
  auto code = decodeCode(section, model, getInstructionTable(model.isa), waveSize);
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  const Instruction *entry = code->getInstructions().data();
  const std::optional<ControlFlow> flow = ControlFlow::find(*code, entry);
  ASSERT_TRUE(flow.has_value()) << source;
  const std::vector<bool> full = findFullExec(*code, *flow, entry, waveSize);
  for (const Instruction &inst : code->getInstructions())
    if (code->getText(&inst).starts_with("s_nop"))
      EXPECT_EQ(full[inst.index], inst.simm16() == 0) << "at " << inst.offset << " of " << source;
}

TEST(ExecMasks, Branch) {
  check(R"(
    s_nop 0
    v_cmp_gt_u32_e32 vcc, s0, v0
    s_and_saveexec_b64 s[4:5], vcc
    s_cbranch_execz join
    s_nop 1
  join:
    s_nop 1
    s_or_b64 exec, exec, s[4:5]
    s_nop 0
    s_endpgm
  )");
}

TEST(ExecMasks, BranchWithElse) {
  check(R"(
    s_and_saveexec_b64 s[4:5], s[2:3]
    s_xor_b64 s[4:5], exec, s[4:5]
    s_nop 1
    s_andn2_saveexec_b64 s[4:5], s[4:5]
    s_nop 1
    s_or_b64 exec, exec, s[4:5]
    s_nop 0
    s_and_saveexec_b64 s[4:5], s[2:3]
    s_xor_b64 s[4:5], exec, s[4:5]
    s_or_saveexec_b64 s[4:5], s[4:5]
    s_nop 0
    s_xor_b64 exec, exec, s[4:5]
    s_nop 1
    s_or_b64 exec, exec, s[4:5]
    s_nop 0
    s_endpgm
  )");
}

TEST(ExecMasks, BranchInBranch) {
  check(R"(
    s_and_saveexec_b64 s[4:5], s[2:3]
    s_and_saveexec_b64 s[6:7], s[2:3]
    s_nop 1
    s_or_b64 exec, exec, s[6:7]
    s_nop 1
    s_or_b64 exec, exec, s[4:5]
    s_nop 0
    s_endpgm
  )");
}

TEST(ExecMasks, LoopThatLanesLeave) {
  check(R"(
    s_mov_b64 s[6:7], 0
  loop:
    s_nop 1
    v_cmp_gt_u32_e32 vcc, s0, v0
    s_or_b64 s[6:7], vcc, s[6:7]
    s_andn2_b64 exec, exec, s[6:7]
    s_cbranch_execnz loop
    s_or_b64 exec, exec, s[6:7]
    s_nop 0
    s_endpgm
  )");
}

TEST(ExecMasks, RegistersThatWereOverwritten) {
  check(R"(
    s_and_saveexec_b64 s[4:5], s[2:3]
    s_mov_b32 s5, 0
    s_or_b64 exec, exec, s[4:5]
    s_nop 1
    s_mov_b64 exec, -1
    s_nop 0
    s_and_saveexec_b64 s[4:5], s[2:3]
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_or_b64 exec, exec, s[4:5]
    s_nop 1
    s_endpgm
  )");
}

TEST(ExecMasks, WaysThatMeet) {
  check(R"(
    s_cbranch_scc0 join
    s_and_b64 exec, exec, s[2:3]
  join:
    s_nop 1
    s_mov_b64 exec, s[2:3]
    s_nop 1
    s_endpgm
  )");
  check(R"(
    s_mov_b64 s[4:5], exec
    s_mov_b64 exec, s[2:3]
    s_nop 1
    s_mov_b64 exec, s[4:5]
    s_nop 0
    s_not_b64 exec, exec
    s_nop 1
    s_endpgm
  )");
}

TEST(ExecMasks, WavesOf32Lanes) {
  check(R"(
    s_and_saveexec_b32 s4, vcc_lo
    s_nop 1
    s_or_b32 exec_lo, exec_lo, s4
    s_nop 0
    v_cmpx_gt_u32_e32 4, v0
    s_nop 1
    s_mov_b32 exec_lo, -1
    s_nop 0
    s_endpgm
  )",
        "gfx1100", 32);
}
