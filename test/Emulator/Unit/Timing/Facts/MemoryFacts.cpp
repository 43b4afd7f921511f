//===- MemoryFacts.cpp - What was measured of memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rrze: result files of RRZE-HPC/gpu-benches, measured on an MI210 (a die of gfx90a) and an MI300X
// (gfx942). pyhip: tingqli/pyhip, MI308X: gfx942 with 80 compute units on four XCDs, at 1800 MHz.
//
// Facts that contradict others, and which were taken: "one dwordx4 in 32 cycles" and "one dword to
// LDS in 11 cycles" of pyhip's mem_latency.md are what a compute unit of 80 gets of the memory, as
// its author says; pyhip's vmem-bandwidth.md has the same in GB/s, by the clock, and is taken. Its
// vmem-fifo.md shows that a compute unit takes a dwordx4 in 16 cycles. "1.1 TB/s for 16 rows of 16
// bytes" of pyhip's mem-bw was measured with rows 1 MiB apart, which fall into the same sets and
// pages; vmem-bandwidth.md has 3.9 TB/s for pieces of 64 bytes.
//
//===----------------------------------------------------------------------===//

#include "Fact.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu::test;

static constexpr const char *kBandwidth = "pyhip vmem-bandwidth.md";

/// The clock at which a chip was measured, where that is not the one that kernels sustain.
static std::string getClock(const std::string &chip) {
  return chip == "gfx942" ? "clock_mhz=2100" : "";
}

/// A lane that follows pointers through `lines` lines. `turns` are 64 loads each.
static Fact makeChase(const char *name, const char *chip, const char *what, double measured,
                      const char *source, unsigned lines, unsigned turns, bool isResident = false) {
  Fact fact;
  fact.name = name;
  fact.chip = chip;
  fact.what = what;
  fact.measured = measured;
  fact.source = source;
  fact.parameters = getClock(fact.chip);
  const bool isCdna = fact.chip < "gfx9z" && fact.chip > "gfx9";
  fact.setup = isCdna ? "v_mov_b32_e32 v2, s4\nv_mov_b32_e32 v3, s5\ns_mov_b64 exec, 1\n"
                      : "v_mov_b32_e32 v2, s4\nv_mov_b32_e32 v3, s5\ns_mov_b32 exec_lo, 1\n";
  fact.body = repeat(64, isCdna ? "global_load_dwordx2 v[2:3], v[2:3], off\ns_waitcnt vmcnt(0)"
                                : "global_load_b64 v[2:3], v[2:3], off\ns_waitcnt vmcnt(0)");
  fact.perTurn = 64;
  fact.turns = turns;
  fact.chainLines = lines;
  fact.bufferBytes = lines * 128ull;
  fact.isResident = isResident;
  return fact;
}

static void addLatencies(std::vector<Fact> &facts) {
  const char *mi210 = "rrze gpu-latency/mi210.txt", *mi300x = "rrze gpu-latency/mi300x.txt";
  facts.push_back(makeChase("chase_l1_90a", "gfx90a", "a load from the L1", 128.6, mi210, 64, 2));
  facts.push_back(makeChase("chase_l2_90a", "gfx90a", "a load from the L2", 250, mi210, 2048, 32));
  facts.push_back(makeChase("chase_hbm_90a", "gfx90a", "a load from memory", 588, mi210, 4096, 16));
  facts.push_back(makeChase("chase_l1", "gfx942", "a load from the L1", 119.5, mi300x, 128, 2));
  facts.push_back(makeChase("chase_l2", "gfx942", "a load from the L2", 213, mi300x, 2048, 32));
  facts.push_back(
      makeChase("chase_mall", "gfx942", "a load from the MALL", 457, mi300x, 4096, 16, true));
  facts.push_back(makeChase("chase_hbm", "gfx942", "a load from memory, with TLB misses", 835,
                            mi300x, 4096, 16));
  // 790 cycles at 2.2 GHz.
  Fact hbm = makeChase("chase_hbm_950", "gfx950", "a load from memory", 360,
                       "Triton AMDLatencyModel.cpp (an estimate)", 4096, 16);
  hbm.quantity = Quantity::Nanoseconds;
  hbm.missed = "AITER's products ask for a longer latency of operands that lie in no TLB";
  facts.push_back(hbm);
  Fact mall = makeChase("chase_mall_1100", "gfx1100", "a load from the Infinity Cache", 150.3,
                        "chipsandcheese.com 2023/06/14", 4096, 16, true);
  mall.quantity = Quantity::Nanoseconds;
  facts.push_back(mall);
}

/// s[4:5] becomes the wave's own part of `bytes` bytes, of all workgroups or of each the same.
static std::string makeBase(unsigned waves, unsigned bytes, bool ofAllGroups) {
  std::string text = "v_readfirstlane_b32 s9, v0\ns_lshr_b32 s9, s9, 6\n";
  if (ofAllGroups)
    text += llvm::formatv("s_mul_i32 s10, s2, {0}\ns_add_u32 s9, s9, s10\n", waves);
  return text + llvm::formatv("s_mul_hi_u32 s11, s9, {0}\ns_mul_i32 s10, s9, {0}\n"
                              "s_add_u32 s4, s4, s10\ns_addc_u32 s5, s5, s11\n"
                              "s_mov_b64 s[12:13], s[4:5]\nv_and_b32_e32 v2, 63, v0\n"
                              "v_lshlrev_b32_e32 v2, 4, v2\n",
                              bytes)
                    .str();
}

/// Loads of 1 KiB one after another.
static std::string makeLoads(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += llvm::formatv("global_load_dwordx4 v[{0}:{1}], v2, s[4:5] offset:{2}\n", 4 + i % 16 * 4,
                          7 + i % 16 * 4, i % 4 * 1024);
    if (i % 4 == 3)
      text += "s_add_u32 s4, s4, 0x1000\ns_addc_u32 s5, s5, 0\n";
  }
  return text;
}

static Fact makeRate(const char *name, const char *chip, const char *what, Quantity quantity,
                     double measured, const char *source) {
  Fact fact;
  fact.name = name;
  fact.chip = chip;
  fact.what = what;
  fact.quantity = quantity;
  fact.measured = measured;
  fact.source = source;
  fact.parameters = getClock(fact.chip);
  return fact;
}

/// All compute units read data of their own.
static Fact makeStream(const char *name, const char *chip, const char *what, double measured,
                       const char *source, unsigned groups, bool isResident) {
  Fact fact = makeRate(name, chip, what, Quantity::Gigabytes, measured, source);
  fact.groups = groups;
  fact.waves = 4;
  fact.turns = 2;
  fact.perTurn = 32 * 1024;
  fact.setup = makeBase(4, 4 * 32 * 1024, true);
  fact.body = makeLoads(32) + "s_waitcnt vmcnt(0)\n";
  fact.bufferBytes = uint64_t(groups) * 4 * 4 * 32 * 1024;
  fact.isResident = isResident;
  return fact;
}

/// All workgroups read the same 256 KiB.
static Fact makeSameReads(const char *name, const char *chip, double measured, const char *source,
                          unsigned groups) {
  Fact fact = makeRate(name, chip, "reads from the L2, all compute units", Quantity::Gigabytes,
                       measured, source);
  fact.groups = groups;
  fact.waves = 16;
  fact.turns = 1;
  fact.perTurn = 16 * 1024;
  fact.setup = makeBase(16, 16 * 1024, false);
  fact.body = "s_mov_b64 s[4:5], s[12:13]\n" + makeLoads(16) + "s_waitcnt vmcnt(0)\n";
  fact.bufferBytes = 256 * 1024;
  return fact;
}

static Fact makeL1Reads(const char *name, const char *chip, double measured, const char *source) {
  Fact fact = makeRate(name, chip, "reads of a compute unit from its L1", Quantity::BytesPerCycle,
                       measured, source);
  fact.waves = 4;
  fact.turns = 8;
  fact.perTurn = 64 * 1024;
  fact.setup = makeBase(4, 2048, false);
  fact.body = repeat(16, "global_load_dwordx4 v[4:7], v2, s[4:5]\n"
                         "global_load_dwordx4 v[8:11], v2, s[4:5] offset:1024\n"
                         "global_load_dwordx4 v[12:15], v2, s[4:5]\n"
                         "global_load_dwordx4 v[16:19], v2, s[4:5] offset:1024");
  fact.bufferBytes = 8192;
  return fact;
}

/// Every wave writes the same 4 KiB of its own again and again, 8 bytes a lane.
static Fact makeL2Writes(const char *name, const char *chip, double measured, const char *source,
                         unsigned groups) {
  Fact fact = makeRate(name, chip, "writes to the L2, all compute units", Quantity::Gigabytes,
                       measured, source);
  fact.groups = groups;
  fact.waves = 16;
  fact.turns = 1;
  fact.perTurn = 4 * 4096;
  fact.setup = makeBase(16, 4096, true) + "v_lshrrev_b32_e32 v2, 1, v2\n";
  std::string stores;
  for (unsigned i = 0; i < 8; ++i)
    stores += llvm::formatv("global_store_dwordx2 v2, v[4:5], s[4:5] offset:{0}\n", 512 * i);
  fact.body = repeat(4, stores);
  fact.bufferBytes = uint64_t(groups) * 16 * 4096;
  return fact;
}

static void addBandwidths(std::vector<Fact> &facts) {
  facts.push_back(makeL1Reads("l1_90a", "gfx90a", 59.7, "rrze gpu-cache/mi210.txt"));
  facts.push_back(makeL1Reads("l1", "gfx942", 60.2, "rrze gpu-cache/mi300x.txt"));
  Fact l2 = makeSameReads("l2_90a", "gfx90a", 5060, "rrze gpu-l2-cache/mi210.txt", 104);
  l2.computeUnits = 104;
  facts.push_back(l2);
  facts.push_back(makeSameReads("l2", "gfx942", 27200, "rrze gpu-cache/mi300x.txt", 304));
  Fact writes = makeL2Writes("l2_writes_90a", "gfx90a", 1650, "rrze gpu-l2-stream/mi210.txt", 104);
  writes.computeUnits = 104;
  facts.push_back(writes);
  facts.push_back(makeL2Writes("l2_writes", "gfx942", 7850, "rrze gpu-l2-stream/mi300x.txt", 304));
  facts.push_back(makeStream("mall", "gfx942", "reads from the MALL, all compute units", 6900,
                             "rrze gpu-cache/mi300x.txt", 304, true));
  facts.push_back(makeStream("hbm", "gfx942", "reads from memory, all compute units", 4000,
                             "rrze gpu-stream/mi300x.txt", 304, false));
  Fact hbm = makeStream("hbm_90a", "gfx90a", "reads from memory, all compute units", 1390,
                        "rrze gpu-stream/mi210.txt", 104, false);
  hbm.computeUnits = 104;
  facts.push_back(hbm);
}

/// 32 accesses of `bytes` a lane, of which `lanes` lanes that follow one another touch a piece of a
/// stripe; the stripes of a workgroup follow one another, as those of the workgroups.
static Fact makeStripes(const char *name, bool isLoad, unsigned lanes, unsigned bytes,
                        double measured) {
  static const char *const kSuffixes[] = {"dword", "dwordx2", "dwordx4"};
  const unsigned log = bytes == 4 ? 0 : bytes == 8 ? 1 : 2, piece = lanes * bytes;
  const unsigned numTurns = 4, stripe = piece * 32 * 2 * numTurns;
  const std::string what = llvm::formatv("{0} {1} bytes a lane, {2} lanes to a piece, 80 CUs",
                                         isLoad ? "loads of" : "stores of", bytes, lanes);
  Fact fact = makeRate(name, "gfx942", what.c_str(), Quantity::Gigabytes, measured, kBandwidth);
  fact.groups = fact.computeUnits = 80;
  fact.parameters = "clock_mhz=1800,num_xcds=4";
  fact.waves = 4;
  fact.turns = numTurns;
  fact.perTurn = 32.0 * 64 * bytes;
  fact.setup = llvm::formatv("v_lshrrev_b32_e32 v2, {0}, v0\nv_mul_lo_u32 v2, v2, s14\n"
                             "v_and_b32_e32 v3, {1}, v0\nv_lshlrev_b32_e32 v3, {2}, v3\n"
                             "v_add_u32_e32 v2, v2, v3\ns_mul_i32 s10, s2, s15\n"
                             "s_add_u32 s4, s4, s10\ns_addc_u32 s5, s5, 0\n",
                             unsigned(__builtin_ctz(lanes)), lanes - 1, 2 + log);
  fact.setup =
      llvm::formatv("s_mov_b32 s14, {0}\ns_mov_b32 s15, {1}\n", stripe, stripe * 256 / lanes)
          .str() +
      fact.setup;
  unsigned offset = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned first = 4 + i % 16 * 4, last = first + (1u << log) - 1;
    const std::string data =
        log ? llvm::formatv("v[{0}:{1}]", first, last).str() : llvm::formatv("v{0}", first).str();
    fact.body += isLoad ? llvm::formatv("global_load_{0} {1}, v2, s[4:5] offset:{2}\n",
                                        kSuffixes[log], data, offset)
                              .str()
                        : llvm::formatv("global_store_{0} v2, {1}, s[4:5] offset:{2}\n",
                                        kSuffixes[log], data, offset)
                              .str();
    offset += piece;
    if (offset + piece > 4096 || i == 31) {
      fact.body += llvm::formatv("s_add_u32 s4, s4, {0}\ns_addc_u32 s5, s5, 0\n", offset);
      offset = 0;
    }
  }
  fact.body += "s_waitcnt vmcnt(0)\n";
  fact.bufferBytes = 80ull * stripe * 256 / lanes;
  return fact;
}

static void addStripes(std::vector<Fact> &facts) {
  auto add = [&](Fact fact, const char *missed = "") {
    fact.missed = missed;
    facts.push_back(std::move(fact));
  };
  const char *few =
      "few bytes on their way fill the memory of the model, not quite that of the chip";
  add(makeStripes("loads_64x16", true, 64, 16, 4184));
  add(makeStripes("loads_16x16", true, 16, 16, 4144));
  add(makeStripes("loads_4x16", true, 4, 16, 3874));
  add(makeStripes("loads_64x4", true, 64, 4, 3687), few);
  add(makeStripes("loads_8x4", true, 8, 4, 3484), few);
  add(makeStripes("loads_4x4", true, 4, 4, 2278));
  add(makeStripes("stores_64x8", false, 64, 8, 3548),
      "all waves wait for the last of their 32 stores at the same time");
  add(makeStripes("stores_4x16", false, 4, 16, 3009));
  add(makeStripes("stores_4x8", false, 4, 8, 1638));
  add(makeStripes("stores_8x4", false, 8, 4, 1573));
  add(makeStripes("stores_4x4", false, 4, 4, 727));
}

/// A wave that issues accesses of 1 KiB and computes until all are over.
static std::string makeIssue(bool isLoad, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned first = 8 + i % 24 * 4, address = 110 + i / 4, offset = i % 4 * 1024;
    text += isLoad ? llvm::formatv("global_load_dwordx4 v[{0}:{1}], v{2}, s[4:5] offset:{3}\n",
                                   first, first + 3, address, offset)
                         .str()
                   : llvm::formatv("global_store_dwordx4 v{0}, v[8:11], s[4:5] offset:{1}\n",
                                   address, offset)
                         .str();
  }
  return text + repeat(800, "v_fma_f32 v4, v4, v5, v6") + "s_add_u32 s4, s4, 0xa000\n";
}

static void addQueues(std::vector<Fact> &facts) {
  const char *source = "pyhip vmem-fifo.md";
  Fact loads = makeRate("issue_loads", "gfx942",
                        "between dwordx4 loads one after another, the 17th to the 40th",
                        Quantity::Cycles, 16, source);
  loads.setup = makeBase(1, 64 * 1024, true);
  for (unsigned i = 0; i < 10; ++i)
    loads.setup += llvm::formatv("v_add_u32_e32 v{0}, {1}, v2\n", 110 + i, 4096 * i);
  loads.other = makeIssue(true, 16);
  loads.body = makeIssue(true, 40);
  loads.perTurn = 24;
  loads.turns = 1;
  loads.bufferBytes = 128 * 1024;
  facts.push_back(loads);
  Fact stores = loads;
  stores.name = "issue_stores";
  stores.what = "between dwordx4 stores one after another, the 9th to the 40th";
  stores.other = makeIssue(false, 8);
  stores.body = makeIssue(false, 40);
  stores.perTurn = 32;
  facts.push_back(stores);
}

/// Two workgroups on two XCDs that wait for each other: each turn hands a flag over twice.
static void addFlags(std::vector<Fact> &facts) {
  Fact fact = makeRate("flag", "gfx942", "a flag from a workgroup to one on another XCD",
                       Quantity::Cycles, 1900, "origami hardware constants");
  fact.groups = 2;
  fact.turns = 8;
  fact.perTurn = 2;
  fact.setup = "s_mov_b32 s11, s2\nv_mov_b32_e32 v2, 0\ns_mov_b64 exec, 1\n";
  fact.body = ".Lwait:\nglobal_load_dword v4, v2, s[4:5] sc1\ns_waitcnt vmcnt(0)\n"
              "v_readfirstlane_b32 s10, v4\ns_cmp_lg_u32 s10, s11\ns_cbranch_scc1 .Lwait\n"
              "s_add_u32 s12, s11, 1\nv_mov_b32_e32 v5, s12\n"
              "global_store_dword v2, v5, s[4:5] sc1\ns_add_u32 s11, s11, 2\n";
  facts.push_back(fact);
}

std::vector<Fact> ckemu::test::getMemoryFacts() {
  std::vector<Fact> facts;
  addLatencies(facts);
  addBandwidths(facts);
  addStripes(facts);
  addQueues(facts);
  addFlags(facts);
  return facts;
}
