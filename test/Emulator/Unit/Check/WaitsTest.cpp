//===- WaitsTest.cpp - Registers that are used before their load has returned -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each way to miss a wait, beside code with the wait that suffices, on every kind of chip. Code is
// executed, so that lanes and addresses are what they are in a launch.
//
//===----------------------------------------------------------------------===//

#include "../Isa/Memory/MemoryWave.h"
#include "Emulator/Check/OutstandingLoads.h"
#include "Emulator/Decode/AddressMap.h"
#include "Emulator/Isa/InstructionTables.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
/// A chip, and its names of waits. s[0:1] and v[2:3] are addresses of memory, v0 is an offset,
/// v[8:9] an address in LDS, v10 an offset there; v[12:13] is an address in LDS for odd lanes and
/// in memory for even ones. s[20:23] describes a buffer.
class WaitsTest : public testing::TestWithParam<const char *> {
protected:
  const std::string chip = GetParam();
  const bool isGfx12 = chip == "gfx1201", isRdna = isGfx12 || chip == "gfx1100";

  std::string load(unsigned v) const {
    return "global_load_dword v" + std::to_string(v) + ", v0, s[0:1]\n";
  }
  static std::string store() { return "global_store_dword v0, v1, s[0:1]\n"; }
  static std::string read(unsigned v) { return "ds_read_b32 v" + std::to_string(v) + ", v10\n"; }
  std::string loadBuffer(const char *registers, const std::string &modifiers = "") const {
    return std::string("buffer_load_dword ") + registers + ", v0, s[20:23], " + getNoOffset() +
           modifiers + "\n";
  }
  const char *getNoOffset() const { return isGfx12 ? "null offen" : "0 offen"; }
  static std::string loadScalar(const std::string &registers) {
    return "s_load_dword s" + registers + ", s[0:1], 0x0\n";
  }
  std::string use(unsigned v) const {
    return (isRdna ? "v_add_nc_u32_e32 v7, 1, v" : "v_add_u32_e32 v7, 1, v") + std::to_string(v) +
           "\n";
  }
  std::string wait(const char *old, const char *name, unsigned count) const {
    const std::string number = std::to_string(count);
    return isGfx12 ? std::string("s_wait_") + name + "cnt 0x" + number
                   : std::string("s_waitcnt ") + old + "(" + number + ")";
  }
  std::string vector(unsigned count) const { return wait("vmcnt", "load", count); }
  std::string lds(unsigned count) const { return wait("lgkmcnt", "ds", count); }
  std::string scalar(unsigned count) const { return wait("lgkmcnt", "km", count); }
  std::string returning() const {
    return isGfx12                                ? " th:TH_ATOMIC_RETURN"
           : chip == "gfx942" || chip == "gfx950" ? " sc0"
                                                  : " glc";
  }

  /// What is reported of `source`, or nothing.
  std::string run(const std::string &source) const;
  void expectSilence(const std::string &source) const { EXPECT_EQ(run(source), "") << source; }
  /// "v5 is read" and the wait that is missing, with the load between.
  void expectReport(const std::string &source, const std::string &what,
                    const std::string &missing) const {
    const std::string reason = run(source);
    EXPECT_EQ(reason.rfind(what + " before ", 0), 0u) << source << reason;
    EXPECT_NE(reason.find(" has returned: " + missing + " is missing"), std::string::npos)
        << source << reason;
  }
};
} // namespace

std::string WaitsTest::run(const std::string &source) const {
  MemoryWave memory(chip);
  Wave &wave = memory.wave();
  const uint64_t address = memory.getAddress();
  memory.s(kM0) = 0;
  memory.setS64(0, address);
  memory.setS64(20, address);
  memory.s(22) = MemoryWave::kBytes;
  memory.s(23) = isRdna ? 0x31004000 : 0x20000;
  auto setAddress = [&](unsigned v, unsigned lane, uint64_t value) {
    memory.v(v)[lane] = uint32_t(value);
    memory.v(v + 1)[lane] = uint32_t(value >> 32);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    setAddress(2, lane, address + 4 * lane);
    setAddress(8, lane, kSharedApertureBase + 4 * lane);
    setAddress(12, lane, (lane & 1 ? kSharedApertureBase : address) + 4 * lane);
  }
  const std::vector<uint8_t> bytes = assemble(source, chip);
  CodeSection section;
  section.bytes = bytes;
  const ChipModel &model = **getChipModel(chip);
  llvm::Expected<DecodedCode> code = decodeCode(section, model, getInstructionTable(model.isa));
  if (!code)
    return llvm::toString(code.takeError());
  wave.constants = code->getConstants();
  const Instruction *inst = code->getInstructions().begin();
  const RegisterUses uses(*code, inst, model, wave.numVgprs);
  OutstandingLoads loads(uses);
  for (const Instruction *end = &code->getInstructions().back(); inst && inst != end;) {
    if (!code->getDecodeError(inst).empty())
      return code->getDecodeError(inst).str();
    if (!loads.admits(wave, inst, uses.getMasks()[inst->index]))
      return loads.getReason();
    inst = inst->handler(wave, inst);
  }
  return wave.state == WaveState::Faulted ? wave.launch->getFault().message : "";
}

INSTANTIATE_TEST_SUITE_P(Chips, WaitsTest,
                         testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(WaitsTest, VectorLoads) {
  expectSilence(load(5) + vector(0) + "\n" + use(5));
  expectReport(load(5) + use(5), "v5 is read", vector(0));
  expectReport(load(5) + "global_store_dword v0, v5, s[0:1]", "v5 is read", vector(0));
  expectReport("global_load_dwordx4 v[4:7], v0, s[0:1]\nv_mov_b32 v1, v7", "v7 is read", vector(0));
  const std::string text =
      isRdna ? "global_load_b32 v5, v0, s[0:1]" : "global_load_dword v5, v0, s[0:1]";
  EXPECT_EQ(run("s_nop 0\n" + load(5) + use(5)),
            "v5 is read before " + text + " at pc 0x4 (+0x4) has returned: " + vector(0) +
                " is missing");
}

TEST_P(WaitsTest, VectorLoadsReturnInOrder) {
  expectReport(load(5) + load(6) + use(5), "v5 is read", vector(1));
  expectSilence(load(5) + load(6) + vector(1) + "\n" + use(5));
  expectReport(load(5) + load(6) + vector(1) + "\n" + use(6), "v6 is read", vector(0));
  // Waits for something else.
  expectReport(load(5) + lds(0) + "\n" + use(5), "v5 is read", vector(0));
  // All kinds of loads have one order.
  expectSilence(loadBuffer("v5") + load(6) + vector(1) + "\n" + use(5));
  if (chip != "gfx90a")
    expectSilence("scratch_load_dword v5, off, off\n" + load(6) + vector(1) + "\n" + use(5));
}

TEST_P(WaitsTest, StoresCountWithLoadsOnCdnaAlone) {
  const std::string source = load(5) + store() + vector(1) + "\n" + use(5);
  if (isRdna)
    expectReport(source, "v5 is read", vector(0));
  else
    expectSilence(source);
}

TEST_P(WaitsTest, OverwrittenRegisters) {
  expectReport(load(5) + "v_mov_b32 v5, 0", "v5 is overwritten", vector(0));
  expectReport(load(5) + load(6) + read(5), "v5 is overwritten", vector(1));
  expectReport(read(5) + load(5), "v5 is overwritten", lds(0));
  expectReport(loadScalar("4") + "s_mov_b32 s4, 0", "s4 is overwritten", scalar(0));
  expectReport(loadScalar("4") + loadScalar("4"), "s4 is overwritten", scalar(0));
  // The second load of a queue in order comes later.
  expectSilence(load(5) + load(5) + vector(0) + "\n" + use(5));
  expectReport(load(5) + load(5) + vector(1) + "\n" + use(5), "v5 is read", vector(0));
  expectSilence(read(5) + read(5) + lds(0) + "\n" + use(5));
  // What was read at the issue may be overwritten.
  expectSilence(store() + "v_mov_b32 v1, 0\nv_mov_b32 v0, 0");
  expectSilence(load(5) + "v_mov_b32 v0, 0\ns_mov_b32 s0, 0");
}

TEST_P(WaitsTest, LanesThatTheLoadDoesNotWrite) {
  const std::string exec = isRdna ? "s_mov_b32 exec_lo, " : "s_mov_b64 exec, ";
  const std::string half = exec + "0xff\n" + load(5);
  expectSilence(half + exec + "0xff00\nv_mov_b32 v5, 1\n" + use(5));
  expectReport(half + exec + "0x180\n" + use(5), "v5 is read", vector(0));
  expectSilence(exec + "0\n" + load(5) + exec + "-1\n" + use(5));
  expectSilence(half + "v_readlane_b32 s4, v5, 8\nv_writelane_b32 v5, 1, 9");
  expectReport(half + "v_readlane_b32 s4, v5, 7", "v5 is read", vector(0));
  expectReport(half + "v_writelane_b32 v5, 1, 7", "v5 is overwritten", vector(0));
  expectSilence(half + exec + "0x100\nv_readfirstlane_b32 s4, v5");
  expectReport(half + "v_readfirstlane_b32 s4, v5", "v5 is read", vector(0));
}

TEST_P(WaitsTest, AccumulationRegisters) {
  if (isRdna)
    return;
  const std::string source = "global_load_dword a5, v0, s[0:1]\n";
  expectReport(source + "v_accvgpr_read_b32 v1, a5", "a5 is read", vector(0));
  expectReport(source + "v_accvgpr_write_b32 a5, 0", "a5 is overwritten", vector(0));
  expectReport("ds_read_b128 a[4:7], v10\nv_mfma_f32_16x16x16f16 a[8:11], a[6:7], v[0:1], 0",
               "a6 is read", lds(0));
  expectSilence(source + use(5) + vector(0) + "\nv_accvgpr_read_b32 v1, a5");
}

TEST_P(WaitsTest, ScalarLoadsReturnInNoOrder) {
  expectSilence(loadScalar("4") + scalar(0) + "\ns_mov_b32 s6, s4");
  expectReport(loadScalar("4") + "s_mov_b32 s6, s4", "s4 is read", scalar(0));
  expectReport(loadScalar("4") + loadScalar("5") + scalar(1) + "\ns_mov_b32 s6, s4", "s4 is read",
               scalar(0));
  expectReport(loadScalar("4") + "v_mov_b32 v5, s4", "s4 is read", scalar(0));
  expectReport(loadScalar("4") + "s_cmp_eq_u32 s4, 0", "s4 is read", scalar(0));
  expectReport("s_buffer_load_dword s4, s[20:23], 0x0\ns_mov_b32 s6, s4", "s4 is read", scalar(0));
  const std::string vcc = isRdna ? "s_load_dword vcc_lo" : "s_load_dwordx2 vcc";
  expectReport(vcc + ", s[0:1], 0x0\ns_cbranch_vccz 0\ns_nop 0", "vcc_lo is read", scalar(0));
}

TEST_P(WaitsTest, OtherScalarResults) {
  if (isRdna)
    return;
  expectReport("s_memtime s[4:5]\ns_mov_b32 s6, s5", "s5 is read", scalar(0));
  if (chip == "gfx90a")
    return; // whose scalar operands of atomic operations the assembler lacks
  expectReport(loadScalar("4") + "s_store_dword s4, s[0:1], 0x0", "s4 is read", scalar(0));
}

TEST_P(WaitsTest, LdsInstructions) {
  expectSilence(read(5) + read(6) + lds(1) + "\n" + use(5));
  expectReport(read(5) + use(5), "v5 is read", lds(0));
  expectReport(read(5) + read(6) + use(5), "v5 is read", lds(1));
  expectReport(read(5) + vector(0) + "\n" + use(5), "v5 is read", lds(0));
  expectSilence(read(5) + "ds_write_b32 v10, v1\n" + lds(1) + "\n" + use(5));
  expectReport("ds_read2_b32 v[4:5], v10 offset1:1\n" + use(5), "v5 is read", lds(0));
  expectReport("ds_bpermute_b32 v5, v10, v1\n" + use(5), "v5 is read", lds(0));
  expectReport("ds_permute_b32 v5, v10, v1\n" + use(5), "v5 is read", lds(0));
  expectReport("ds_swizzle_b32 v5, v1 offset:1\n" + use(5), "v5 is read", lds(0));
  expectReport("ds_append v5\n" + use(5), "v5 is read", lds(0));
  expectReport("ds_add_rtn_u32 v5, v10, v1\n" + use(5), "v5 is read", lds(0));
  expectSilence("ds_add_u32 v10, v1\nv_mov_b32 v10, 0");
}

TEST_P(WaitsTest, LdsAndScalarLoadsInOneCounter) {
  const std::string source = read(5) + read(6) + loadScalar("4") + lds(1) + "\n";
  expectSilence(source + use(5));
  if (isGfx12)
    expectReport(source + use(6), "v6 is read", lds(0));
  else
    expectReport(source + use(6), "v6 is read", "s_waitcnt lgkmcnt(0)");
  expectReport(source + "s_mov_b32 s6, s4", "s4 is read", scalar(0));
}

TEST_P(WaitsTest, AtomicOperations) {
  const std::string atomic = "global_atomic_add v5, v0, v1, s[0:1]" + returning() + "\n";
  expectReport(atomic + use(5), "v5 is read", vector(0));
  expectSilence(atomic + vector(0) + "\n" + use(5));
  expectSilence(load(5) + atomic + vector(1) + "\n" + use(6));
  expectSilence("global_atomic_add v0, v1, s[0:1]\nv_mov_b32 v1, 0");
  // It reads what it replaces.
  expectReport(load(5) + "buffer_atomic_add v5, v0, s[20:23], " + getNoOffset() + returning(),
               "v5 is read", vector(0));
}

TEST_P(WaitsTest, FlatLoads) {
  const std::string memory = "flat_load_dword v5, v[2:3]\n", local = "flat_load_dword v5, v[8:9]\n",
                    both = "flat_load_dword v5, v[12:13]\n";
  expectReport(memory + use(5), "v5 is read", vector(0));
  expectSilence(memory + vector(0) + "\n" + use(5));
  expectReport(local + use(5), "v5 is read", lds(0));
  expectSilence(local + lds(0) + "\n" + use(5));
  expectReport(both + lds(0) + "\n" + use(5), "v5 is read", vector(0));
  expectReport(both + vector(0) + "\n" + use(5), "v5 is read", lds(0));
  expectSilence(both + vector(0) + "\n" + lds(0) + "\n" + use(5));
  // Loads of memory are in order with others; on CDNA, those of LDS are not.
  expectSilence(memory + load(6) + vector(1) + "\n" + use(5));
  const std::string behind = read(6) + local + lds(1) + "\n" + use(6);
  if (isRdna)
    expectSilence(behind);
  else
    expectReport(behind, "v6 is read", lds(0));
}

TEST_P(WaitsTest, Halves) {
  const std::string low = "global_load_short_d16 v5, v0, s[0:1]\n",
                    high = "global_load_short_d16_hi v5, v0, s[0:1]\n";
  expectSilence(low + high + vector(0) + "\n" + use(5));
  expectReport(low + high + vector(1) + "\n" + use(5), "v5 is read", vector(0));
  expectReport(low + use(5), "v5 is read", vector(0));
  if (!isRdna)
    return;
  expectSilence(high + "v_mov_b16_e32 v5.l, 0\n" + vector(0) + "\n" + use(5));
  expectSilence(low + high + vector(1) + "\nv_mov_b16_e32 v6.l, v5.l");
  expectReport(high + "v_mov_b16_e32 v6.l, v5.h", "v5 is read", vector(0));
}

TEST_P(WaitsTest, FullCountersWait) {
  std::string source;
  for (unsigned i = 0; i < 64; ++i)
    source += load(100 + i);
  expectSilence(source + use(100));
  expectReport(source + use(101), "v101 is read",
               isGfx12 ? "s_wait_loadcnt 0x3e" : "s_waitcnt vmcnt(62)");
  source.clear();
  const unsigned most = isRdna ? 63 : 15;
  for (unsigned i = 0; i <= most; ++i)
    source += read(100 + i);
  expectSilence(source + use(100));
  expectReport(source + use(101), "v101 is read",
               isGfx12 ? "s_wait_dscnt 0x3e"
                       : "s_waitcnt lgkmcnt(" + std::to_string(most - 1) + ")");
}

TEST_P(WaitsTest, LoadsToLdsCount) {
  if (isRdna)
    return;
  const std::string toLds = "buffer_load_dword v0, s[20:23], 0 offen lds\n";
  expectSilence(load(5) + toLds + vector(1) + "\n" + use(5));
  expectSilence(toLds + use(0));
}

TEST_P(WaitsTest, WaitsOfSeveralCounters) {
  const std::string loads = load(5) + read(6), uses = use(5) + use(6);
  if (isGfx12)
    expectSilence(loads + "s_wait_loadcnt_dscnt 0x0\n" + uses);
  else
    expectSilence(loads + "s_waitcnt vmcnt(0) lgkmcnt(0)\n" + uses);
  if (isRdna)
    expectSilence(loads + loadScalar("4") + "s_wait_idle\n" + uses + "s_mov_b32 s6, s4");
  if (chip == "gfx1100")
    expectSilence(load(5) + "s_waitcnt_vmcnt null, 0x0\n" + use(5));
}

TEST_P(WaitsTest, InstructionsOfTwoHalves) {
  if (!isRdna)
    return;
  expectReport(load(5) + "v_dual_mov_b32 v6, v2 :: v_dual_mov_b32 v7, v5", "v5 is read", vector(0));
  expectReport(load(5) + "v_dual_mov_b32 v6, v2 :: v_dual_mov_b32 v5, v0", "v5 is overwritten",
               vector(0));
}

TEST_P(WaitsTest, TransposingLoads) {
  if (chip == "gfx950")
    expectReport("ds_read_b64_tr_b16 v[4:5], v10\n" + use(5), "v5 is read", lds(0));
  if (isGfx12)
    expectReport("global_load_tr_b128 v[4:7], v0, s[0:1]\n" + use(5), "v5 is read", vector(0));
}
