//===- DispensableResultsTest.cpp - What does not decide what waves do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instruction of a text whose results nobody needs ends in a comment "; whole", each access
// whose data nobody needs in "; data".
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/DispensableResults.h"
#include "../Isa/IsaTest.h"
#include "Emulator/Isa/InstructionTables.h"
#include "llvm/ADT/StringExtras.h"

using namespace ckemu;
using namespace ckemu::test;
using llvm::StringRef;

static constexpr KernelFacts kSynchronizing = {64, true, false};

static std::vector<Dispensable> analyze(const std::string &source, KernelFacts facts,
                                        const char *chip) {
  const ChipModel &model = **getChipModel(chip);
  const std::vector<uint8_t> bytes = assemble(source, chip, facts.waveSize);
  CodeSection section;
  section.bytes = bytes;
  auto code = decodeCode(section, model, getInstructionTable(model.isa), facts.waveSize);
  if (!code) {
    ADD_FAILURE() << llvm::toString(code.takeError());
    return {};
  }
  std::vector<Dispensable> result = findDispensable(*code, code->getInstructions().data(), facts);
  if (!result.empty())
    result.pop_back(); // of what ends the code
  return result;
}

/// Compares what is found with the comments.
static void check(const std::string &source, KernelFacts facts = KernelFacts(),
                  const char *chip = "gfx942") {
  const std::vector<Dispensable> found = analyze(source, facts, chip);
  size_t index = 0;
  for (StringRef line : llvm::split(source, '\n')) {
    line = line.trim();
    if (line.empty() || line.ends_with(":"))
      continue;
    ASSERT_LT(index, found.size()) << source;
    const Dispensable expected = line.ends_with("; whole")  ? Dispensable::Whole
                                 : line.ends_with("; data") ? Dispensable::Data
                                                            : Dispensable::None;
    EXPECT_EQ(int(found[index]), int(expected)) << line.str();
    ++index;
  }
  EXPECT_EQ(index, found.size());
}

TEST(DispensableResults, ProductOfWhatWasLoaded) {
  check(R"(
    v_lshlrev_b32_e32 v0, 4, v0
    global_load_dwordx4 v[4:7], v0, s[0:1] ; data
    s_waitcnt vmcnt(0)
    ds_write_b128 v0, v[4:7] ; data
    s_barrier
    ds_read_b64 v[8:9], v0 ; data
    v_mfma_f32_32x32x8_f16 a[0:15], v[8:9], v[8:9], a[0:15] ; whole
    v_accvgpr_read_b32 v10, a3 ; whole
    v_cvt_f16_f32_e32 v10, v10 ; whole
    global_store_short v0, v10, s[2:3] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, LoopsKeepWhatTheNextIterationNeeds) {
  check(R"(
    s_mov_b32 s4, 0
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 0 ; whole
  loop:
    global_load_dword v3, v1, s[0:1] ; data
    v_add_f32_e32 v2, v2, v3 ; whole
    v_add_u32_e32 v1, s5, v1
    s_add_i32 s4, s4, 1
    s_cmp_lt_u32 s4, s6
    s_cbranch_scc1 loop
    global_store_dword v0, v2, s[2:3] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, ComparisonsOfDataSelectData) {
  check(R"(
    global_load_dword v1, v0, s[0:1] ; data
    v_cmp_gt_f32_e32 vcc, 0, v1 ; whole
    v_cndmask_b32_e32 v1, v1, v2, vcc ; whole
    v_cmp_u_f32_e64 s[4:5], v1, v1 ; whole
    v_cndmask_b32_e64 v1, v1, v2, s[4:5] ; whole
    v_div_scale_f32 v3, vcc, v1, v2, v1 ; whole
    v_div_fmas_f32 v3, v3, v3, v3 ; whole
    v_readfirstlane_b32 s6, v3 ; whole
    v_mul_f32_e32 v3, s6, v3 ; whole
    global_store_dword v0, v3, s[0:1] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, ComparisonsDecideBranchesAndMasks) {
  check(R"(
    global_load_dword v1, v0, s[0:1]
    v_cmp_gt_f32_e32 vcc, 0, v1
    s_cbranch_vccz end
    v_cmp_gt_f32_e64 s[4:5], 0, v2
    s_and_saveexec_b64 s[6:7], s[4:5]
    global_store_dword v0, v2, s[0:1]
  end:
    s_endpgm
  )");
  check(R"(
    global_load_dword v1, v0, s[0:1]
    v_readfirstlane_b32 s6, v1
    s_cmp_eq_u32 s6, 0
    v_mul_f32_e32 v3, v1, v1 ; whole
    s_endpgm
  )");
}

TEST(DispensableResults, TablesOfAddresses) {
  // What is stored may be another table: both move one dword.
  check(R"(
    global_load_dword v1, v0, s[0:1]
    v_lshlrev_b32_e32 v1, 2, v1
    global_load_dwordx2 v[2:3], v1, s[2:3] ; data
    v_pk_mul_f32 v[2:3], v[2:3], v[2:3] ; whole
    global_store_dwordx2 v0, v[2:3], s[4:5] ; data
    v_mov_b32_e32 v4, v0
    global_store_dword v0, v4, s[4:5]
    s_endpgm
  )");
  // The data of atomic operations decide where waves may wait for them.
  const std::string atomics = R"(
    global_load_dword v1, v0, s[0:1] DATA
    v_add_u32_e32 v1, v1, v1 WHOLE
    global_atomic_add v0, v1, s[2:3] DATA
    s_endpgm
  )";
  auto fill = [&](StringRef data, StringRef whole) {
    std::string result;
    for (StringRef line : llvm::split(atomics, '\n')) {
      StringRef kept = line;
      if (kept.consume_back("DATA"))
        result += (kept + data + "\n").str();
      else if (kept.consume_back("WHOLE"))
        result += (kept + whole + "\n").str();
      else
        result += (line + "\n").str();
    }
    return result;
  };
  check(fill("; data", "; whole"));
  check(fill("", ""), kSynchronizing);
}

TEST(DispensableResults, Flags) {
  const std::string source = R"(
    v_mov_b32_e32 v1, 1
    v_mul_f32_e32 v2, v2, v2 ; whole
    global_store_dwordx4 v0, v[2:5], s[0:1] ; data
    global_store_dword v0, v1, s[2:3]
  loop:
    s_load_dword s4, s[2:3], 0x0 glc
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc1 loop
    s_endpgm
  )";
  check(source, kSynchronizing);
}

TEST(DispensableResults, SumsOfFloatsAreNoFlags) {
  check(R"(
    v_mul_f32_e32 v2, v2, v2 ; whole
    v_add_u32_e32 v3, v3, v3
    global_atomic_add_f32 v0, v2, s[0:1] ; data
    global_atomic_add v0, v3, s[2:3]
  loop:
    s_load_dword s4, s[2:3], 0x0 glc
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc1 loop
    s_endpgm
  )",
        kSynchronizing);
}

TEST(DispensableResults, ExchangesOfRegisters) {
  check(R"(
    v_mul_f32_e32 v2, v2, v2 ; whole
    v_swap_b32 v2, v3 ; whole
    v_permlane16_swap_b32_e32 v2, v3 ; whole
    v_add_u32_e32 v4, v4, v4
    v_swap_b32 v4, v5
    global_store_dwordx2 v5, v[2:3], s[0:1] ; data
    s_endpgm
  )",
        KernelFacts(), "gfx950");
}

TEST(DispensableResults, AddressesThroughLds) {
  check(R"(
    v_lshlrev_b32_e32 v1, 2, v0
    ds_write_b32 v0, v1
    ds_write_b64 v0, v[4:5]
    ds_read_b32 v2, v0
    ds_read_b32 v3, v0 offset:4 ; data
    global_store_dword v2, v3, s[0:1] ; data
    s_endpgm
  )");
  check(R"(
    v_lshlrev_b32_e32 v1, 2, v0
    ds_bpermute_b32 v2, v0, v1
    ds_bpermute_b32 v3, v0, v1 ; whole
    global_store_dword v2, v3, s[0:1] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, LoadsToLds) {
  check(R"(
    buffer_load_dword v0, s[0:3], 0 offen lds ; data
    ds_read_b32 v1, v0 ; data
    s_endpgm
  )");
  check(R"(
    buffer_load_dword v0, s[0:3], 0 offen lds
    ds_read_b32 v1, v0
    global_load_dword v2, v1, s[4:5] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, PrivateMemory) {
  check(R"(
    v_mul_f32_e32 v3, v3, v3 ; whole
    scratch_store_dword off, v0, s8
    scratch_store_dwordx2 off, v[4:5], s8 offset:8
    scratch_load_dword v1, off, s8
    global_store_dword v1, v3, s[0:1] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, WritesEndTheNeedWhereAllLanesAreActive) {
  // v1 is data, and then an address.
  check(R"(
    global_load_dword v1, v0, s[0:1] ; data
    v_mov_b32_e32 v1, v0
    global_store_dword v1, v2, s[0:1] ; data
    s_endpgm
  )");
  check(R"(
    global_load_dword v1, v0, s[0:1]
    s_and_saveexec_b64 s[4:5], s[2:3]
    v_mov_b32_e32 v1, v0
    s_or_b64 exec, exec, s[4:5]
    global_store_dwordx2 v1, v[2:3], s[0:1] ; data
    s_endpgm
  )");
  // Half of a register is kept.
  check(R"(
    v_mul_f32_e32 v1, v2, v2
    v_mov_b32_sdwa v1, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
    global_store_dword v1, v2, s[0:1] ; data
    s_endpgm
  )");
}

TEST(DispensableResults, PairsOfGfx11) {
  check(R"(
    v_mul_f32_e32 v3, v4, v5 ; whole
    v_dual_mov_b32 v1, v0 :: v_dual_mul_f32 v2, v3, v4
    v_dual_mul_f32 v2, v2, v2 :: v_dual_add_f32 v5, v4, v3 ; whole
    global_store_b32 v1, v2, s[0:1] ; data
    s_endpgm
  )",
        {32, false, false}, "gfx1100");
  check(R"(
    v_lshlrev_b32_e32 v0, 5, v0
    global_load_b128 v[8:11], v0, s[0:1] ; data
    global_load_b128 v[12:15], v0, s[0:1] offset:16 ; data
    v_wmma_f32_16x16x16_f16 v[16:23], v[8:15], v[8:15], v[16:23] ; whole
    global_store_b128 v0, v[16:19], s[0:1] ; data
    s_endpgm
  )",
        {32, false, false}, "gfx1100");
}

TEST(DispensableResults, NothingInCodeThatCannotBeFollowed) {
  EXPECT_TRUE(analyze("v_mul_f32 v0, v0, v0\ns_setpc_b64 s[0:1]\n", {}, "gfx942").empty());
  EXPECT_TRUE(analyze("v_mul_f32 v0, v0, v0\ns_trap 2\ns_endpgm\n", {}, "gfx942").empty());
  // But code that is not reached does not matter.
  check("v_mul_f32 v0, v0, v0 ; whole\ns_endpgm\ns_setpc_b64 s[0:1]\n");
}
