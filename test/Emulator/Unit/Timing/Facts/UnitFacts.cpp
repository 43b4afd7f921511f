//===- UnitFacts.cpp - What was measured of compute units -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix and vector instructions, and LDS. pyhip: tingqli/pyhip, MI308X (gfx942), docs of the names
// given. Triton: facebookexperimental/triton, AMDLatencyModel.cpp, MI350 (gfx950).
//
//===----------------------------------------------------------------------===//

#include "Fact.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu::test;

static constexpr const char *kCoissue = "pyhip mfma-valu-coissue.md";
static constexpr const char *kLatency = "pyhip mem_latency.md";
static constexpr const char *kTriton = "Triton AMDLatencyModel.cpp";

/// A fact of one wave that repeats `body`, which has `operations` of what is counted.
static Fact makeFact(const char *name, const char *chip, const char *what, double measured,
                     const char *source, const std::string &body, double operations) {
  Fact fact;
  fact.name = name;
  fact.chip = chip;
  fact.what = what;
  fact.measured = measured;
  fact.source = source;
  fact.body = body;
  fact.perTurn = operations;
  return fact;
}

/// Four groups of a matrix instruction with accumulators of its own and `count` instructions
/// `vector`, whose operands $0 to $2 are registers of their own.
static std::string makeGroups(const std::string &matrix, const std::string &vector,
                              unsigned count) {
  std::string text;
  unsigned next = 0;
  for (unsigned group = 0; group < 4; ++group) {
    text += llvm::formatv("{0} v[{1}:{2}], v[2:3], v[4:5], v[{1}:{2}]\n", matrix, 16 + 4 * group,
                          19 + 4 * group);
    for (unsigned i = 0; i < count; ++i, next = (next + 1) % 4) {
      const unsigned at = 40 + 6 * next;
      text +=
          llvm::formatv(vector.c_str(), at, at + 1, at + 2, at + 3, at + 4, at + 5).str() + "\n";
    }
  }
  return repeat(64, text);
}

static constexpr const char *kAdd = "v_add_f32_e32 v{0}, v{1}, v{2}";
static constexpr const char *kExp = "v_exp_f32_e32 v{0}, v{1}";
static constexpr const char *kPacked = "v_pk_mul_f32 v[{0}:{1}], v[{2}:{3}], v[{4}:{5}]";

static void addMatrixFacts(std::vector<Fact> &facts) {
  const std::string f16 = "v_mfma_f32_16x16x16_f16";
  facts.push_back(makeFact("mfma16", "gfx942", "v_mfma_f32_16x16x16_f16, independent", 16.03,
                           kCoissue, makeGroups(f16, "", 0), 256));
  facts.push_back(makeFact("mfma16_add3", "gfx942", "the same with three v_add_f32 each", 16.05,
                           kCoissue, makeGroups(f16, kAdd, 3), 256));
  facts.push_back(makeFact("mfma16_add4", "gfx942", "the same with four v_add_f32 each", 20.05,
                           kCoissue, makeGroups(f16, kAdd, 4), 256));
  facts.push_back(makeFact("mfma16_exp", "gfx942", "the same with a v_exp_f32 each", 20.05,
                           kCoissue, makeGroups(f16, kExp, 1), 256));
  facts.push_back(makeFact("mfma16_exp2", "gfx942", "the same with two v_exp_f32 each", 36.05,
                           kCoissue, makeGroups(f16, kExp, 2), 256));
  facts.push_back(makeFact("mfma16_pk", "gfx942", "the same with a v_pk_mul_f32 each", 28.04,
                           kCoissue, makeGroups(f16, kPacked, 1), 256));
  facts.push_back(makeFact(
      "mfma16_dependent", "gfx950", "v_mfma_f32_16x16x32_f16, each adds to the last", 18.25,
      kTriton, repeat(256, "v_mfma_f32_16x16x32_f16 v[16:19], v[2:5], v[6:9], v[16:19]"), 256));
  std::string streams;
  for (unsigned i = 0; i < 4; ++i)
    streams += llvm::formatv("v_mfma_f32_16x16x32_f16 v[{0}:{1}], v[2:5], v[6:9], v[{0}:{1}]\n",
                             16 + 4 * i, 19 + 4 * i);
  facts.push_back(makeFact("mfma16_streams", "gfx950",
                           "v_mfma_f32_16x16x32_f16, four independent in turn", 16.62, kTriton,
                           repeat(64, streams), 256));
}

/// The rates of whole products, of which AMD says that the matrix pipes are busy for 94 % of the
/// time in the best ones: they are here by instructions of 32 cycles that add to the last result.
static void addSustainedFacts(std::vector<Fact> &facts) {
  constexpr const char *maf = "AMD, Measuring Max-Achievable FLOPs part 2, hipBLASLt";
  constexpr const char *kittens = "HipKittens, BF16 8192 and FP8 16384";
  constexpr unsigned numUnits = 8, count = 32; // of simulated units, which stand for all
  auto add = [&](const char *name, const char *chip, const char *matrix, const char *operands,
                 double flops, unsigned computeUnits, double measured, const char *source) {
    const std::string body = repeat(count, std::string(matrix) + " " + operands);
    const double share = double(computeUnits) / numUnits;
    Fact fact = makeFact(name, chip, "", measured, source, body, count * flops * share / 1e6);
    fact.what = std::string(matrix) + " in all SIMDs, each adds to the last";
    fact.quantity = Quantity::Teraflops;
    fact.groups = fact.computeUnits = numUnits;
    fact.waves = 4;
    fact.parameters = "num_xcds=1";
    facts.push_back(fact);
  };
  add("sustained_f16", "gfx942", "v_mfma_f32_32x32x8_f16", "v[16:31], v[2:3], v[4:5], v[16:31]",
      16384, 304, 654, maf);
  add("sustained_bf16", "gfx942", "v_mfma_f32_32x32x8_bf16", "v[16:31], v[2:3], v[4:5], v[16:31]",
      16384, 304, 708, maf);
  add("sustained_fp8", "gfx942", "v_mfma_f32_32x32x16_fp8_fp8",
      "v[16:31], v[2:3], v[4:5], v[16:31]", 32768, 304, 1273, maf);
  add("sustained_bf16_gfx950", "gfx950", "v_mfma_f32_16x16x32_bf16",
      "v[16:19], v[2:5], v[6:9], v[16:19]", 16384, 256, 1610, kittens);
  // 1291 of 1580 TFLOPS in one schedule.
  add("sustained_bf16_32_rows", "gfx950", "v_mfma_f32_32x32x16_bf16",
      "v[16:31], v[2:5], v[6:9], v[16:31]", 32768, 256, 1315,
      "HipKittens, BF16 8192 times its ratio of 32 to 16 rows");
  add("sustained_fp8_gfx950", "gfx950", "v_mfma_f32_16x16x128_f8f6f4",
      "v[16:19], v[2:9], v[32:39], v[16:19]", 65536, 256, 3378, kittens);
}

static void addVectorFacts(std::vector<Fact> &facts) {
  facts.push_back(makeFact("add", "gfx942", "v_add_f32 of 4 bytes, independent", 4.01, kCoissue,
                           repeat(250, "v_add_f32_e32 v40, v41, v42\nv_add_f32_e32 v43, v44, v45\n"
                                       "v_add_f32_e32 v46, v47, v48\nv_add_f32_e32 v49, v50, v51"),
                           1000));
  const std::string fma = repeat(500, "v_fma_f32 v40, v41, v42, v43\nv_fma_f32 v44, v45, v46, v47");
  facts.push_back(
      makeFact("fma", "gfx942", "v_fma_f32 of 8 bytes, independent", 4.02, kCoissue, fma, 1000));
  facts.push_back(makeFact("fma_crossing", "gfx942", "v_fma_f32 across borders of 8 bytes", 5.01,
                           kCoissue, "s_nop 0\n" + fma, 1000));
  facts.push_back(makeFact("exp", "gfx942", "v_exp_f32, independent", 16.0, kCoissue,
                           repeat(250, "v_exp_f32_e32 v40, v41\nv_exp_f32_e32 v42, v43"), 500));
  facts.push_back(makeFact("exp_add", "gfx942", "v_exp_f32 and v_add_f32", 20.04, kCoissue,
                           repeat(250, "v_exp_f32_e32 v40, v41\nv_add_f32_e32 v42, v43, v44"),
                           250));
  facts.push_back(makeFact("fma_dependent", "gfx950", "v_fma_f32, each needs the last", 8.30,
                           kTriton, repeat(500, "v_fma_f32 v40, v40, v41, v42"), 500));
}

/// Loads of LDS by one wave, of `bytes` from `stride` bytes to `stride` bytes.
static Fact makeLdsFact(const char *name, const char *what, double measured, unsigned bytes,
                        unsigned stride, bool waits) {
  const std::string load = bytes == 4 ? "ds_read_b32 v4, v2\n" : "ds_read_b128 v[4:7], v2\n";
  Fact fact = makeFact(name, "gfx942", what, measured, kLatency,
                       repeat(256, load + (waits ? "s_waitcnt lgkmcnt(0)" : "")), 256);
  fact.setup = llvm::formatv("v_mul_u32_u24 v2, {0}, v0\n", stride);
  fact.ldsBytes = 64 * stride + 16;
  return fact;
}

static void addLdsFacts(std::vector<Fact> &facts) {
  facts.push_back(makeLdsFact("lds32", "ds_read_b32 until its data are there", 52, 4, 4, true));
  facts.push_back(makeLdsFact("lds128", "ds_read_b128 until its data are there", 64, 16, 16, true));
  facts.push_back(makeLdsFact("lds32_full", "ds_read_b32, all lanes in one bank, until its data",
                              119, 4, 128, true));
  facts.push_back(makeLdsFact("lds32_rate", "ds_read_b32 one after another", 4, 4, 4, false));
  facts.push_back(makeLdsFact("lds128_rate", "ds_read_b128 one after another", 16, 16, 16, false));
  facts.push_back(
      makeLdsFact("lds32_rate_8", "ds_read_b32 of every eighth dword", 16, 4, 32, false));
  facts.push_back(
      makeLdsFact("lds32_rate_32", "ds_read_b32, all lanes in one bank", 64, 4, 128, false));
  Fact unit = makeLdsFact("lds128_unit", "ds_read_b128 of four waves", 128, 16, 16, false);
  unit.waves = 4;
  unit.ldsBytes = 256 * 16;
  unit.perTurn = 256 * 1024;
  unit.quantity = Quantity::BytesPerCycle;
  facts.push_back(unit);
  Fact gather = makeFact("lds32_gather", "gfx950", "index = table[index] in LDS", 68.2, kTriton,
                         repeat(256, "v_lshlrev_b32_e32 v2, 2, v2\nds_read_b32 v2, v2\n"
                                     "s_waitcnt lgkmcnt(0)"),
                         256);
  gather.setup = "v_lshlrev_b32_e32 v2, 2, v0\nds_write_b32 v2, v0\nv_mov_b32_e32 v2, v0\n"
                 "s_waitcnt lgkmcnt(0)\n";
  gather.ldsBytes = 256;
  facts.push_back(gather);
}

std::vector<Fact> ckemu::test::getUnitFacts() {
  std::vector<Fact> facts;
  addMatrixFacts(facts);
  addSustainedFacts(facts);
  addVectorFacts(facts);
  addLdsFacts(facts);
  return facts;
}
