//===- InstructionSpeed.cpp - Time of emulated instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the processor time that the emulator needs for one wave instruction of each kind, with all
// lanes active and with one inactive, and the multiply-adds per second of the matrix instructions
// and their share of what the core does in single precision, with the portable handlers and with
// those of each level of the host's vectors. Arguments are mnemonics; only instructions that
// contain one of them are measured.
//
//===----------------------------------------------------------------------===//

#include "../../Unit/Isa/Memory/MemoryWave.h"
#include <cstdio>
#include <ctime>
#include <immintrin.h>

using namespace ckemu;
using namespace ckemu::test;

namespace {
struct Case {
  const char *text;
  unsigned multiplyAdds = 0; ///< of a matrix instruction
  const char *chip = "gfx942";
};
} // namespace

static constexpr Case kCases[] = {
    {"s_add_u32 s0, s1, s2"},
    {"v_mov_b32 v1, v2"},
    {"v_add_u32 v1, v2, v3"},
    {"v_add_u32 v1, s2, v3"},
    {"v_add_co_u32 v1, vcc, v2, v3"},
    {"v_mul_lo_u32 v1, v2, v3"},
    {"v_lshl_add_u64 v[0:1], v[2:3], 2, v[4:5]"},
    {"v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]"},
    {"v_perm_b32 v1, v2, v3, s4"},
    {"v_cmp_lt_u32 vcc, v1, v2"},
    {"v_cndmask_b32 v1, v2, v3, vcc"},
    {"v_add_f32 v1, v2, v3"},
    {"v_fma_f32 v1, v2, v3, v4"},
    {"v_fma_f32 v1, -v2, v3, |v4|"},
    {"v_max_f32 v1, v2, v3"},
    {"v_med3_f32 v1, v2, v3, v4"},
    {"v_exp_f32 v1, v2"},
    {"v_rcp_f32 v1, v2"},
    {"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]"},
    {"v_cvt_f16_f32 v1, v2"},
    {"v_cvt_pkrtz_f16_f32 v1, v2, v3"},
    {"v_pk_fma_f16 v1, v2, v3, v4"},
    {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]"},
    {"v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf"},
    {"v_add_u32_sdwa v1, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 "
     "src1_sel:DWORD"},
    {"ds_read_b32 v1, v60"},
    {"ds_read_b128 v[4:7], v61"},
    {"ds_write_b128 v61, v[4:7]"},
    {"v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 8},
    {"v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 16 * 16},
    {"v_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 8},
    {"v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]", 32 * 32 * 2},
    {"v_mfma_i32_32x32x16_i8 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 16},
    {"v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 16},
    {"v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]", 16 * 16 * 4},
    {"v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 4 * 4 * 4},
    {"v_smfmac_f32_32x32x16_f16 a[0:15], v[0:1], v[2:5], v8", 32 * 32 * 8},
    {"v_mfma_f32_32x32x16_f16 a[0:15], v[0:3], v[4:7], a[0:15]", 32 * 32 * 16, "gfx950"},
    {"v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[0:7], v[8:15], a[0:15]", 32 * 32 * 64, "gfx950"},
    {"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", 16 * 16 * 16, "gfx1100"},
    {"v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[16:19], v[0:7]", 16 * 16 * 16, "gfx1201"},
    {"v_wmma_i32_16x16x16_iu8 v[0:7], v[8:9], v[16:17], v[0:7]", 16 * 16 * 16, "gfx1201"},
};

static constexpr unsigned kPeakRounds = 2000000, kPeakSums = 12;

/// Multiply-adds of many independent sums; returns how many, and a number that depends on all.
__attribute__((target("avx2,fma"))) static double addWithAvx2(float &result) {
  __m256 sums[kPeakSums] = {}, factor = _mm256_set1_ps(result);
  for (unsigned i = 0; i < kPeakRounds; ++i)
#pragma clang loop unroll(full)
    for (__m256 &sum : sums)
      sum = _mm256_fmadd_ps(factor, factor, sum);
  for (const __m256 &sum : sums)
    result += _mm256_cvtss_f32(sum);
  return 8.0 * kPeakSums * kPeakRounds;
}
__attribute__((target("avx512f"))) static double addWithAvx512(float &result) {
  __m512 sums[kPeakSums] = {}, factor = _mm512_set1_ps(result);
  for (unsigned i = 0; i < kPeakRounds; ++i)
#pragma clang loop unroll(full)
    for (__m512 &sum : sums)
      sum = _mm512_fmadd_ps(factor, factor, sum);
  for (const __m512 &sum : sums)
    result += _mm512_cvtss_f32(sum);
  return 16.0 * kPeakSums * kPeakRounds;
}

/// Multiply-adds in single precision per nanosecond that the core does with the vectors of `level`;
/// 0 for the portable handlers.
static double measurePeak(const VectorLevel &level) {
  double (*add)(float &) = level.name == "x86-64-v4"   ? addWithAvx512
                           : level.name == "x86-64-v3" ? addWithAvx2
                                                       : nullptr;
  if (!add)
    return 0;
  double best = 0;
  float result = 1e-3f;
  for (unsigned i = 0; i < 5; ++i) {
    const std::clock_t begin = std::clock();
    const double count = add(result);
    best = std::max(best, count / (double(std::clock() - begin) / CLOCKS_PER_SEC * 1e9));
  }
  volatile float used = result;
  (void)used;
  return best;
}

/// Nanoseconds of processor time for one execution.
static double measure(Wave &wave, const Instruction *inst) {
  constexpr unsigned repetitions = 200000;
  const std::clock_t begin = std::clock();
  for (unsigned i = 0; i < repetitions; ++i)
    inst->handler(wave, inst);
  return double(std::clock() - begin) / CLOCKS_PER_SEC * 1e9 / repetitions;
}

static void run(const Case &c, const VectorLevel &level, double peak) {
  const std::vector<uint8_t> bytes = assemble(c.text, c.chip);
  CodeSection section;
  section.bytes = bytes;
  const ChipModel &chip = **getChipModel(c.chip);
  llvm::Expected<DecodedCode> code = decodeCode(section, chip, level.getTable(chip.isa));
  if (!code) {
    std::printf("%s: %s\n", c.text, llvm::toString(code.takeError()).c_str());
    return;
  }
  MemoryWave memory(c.chip);
  Wave &wave = memory.wave();
  wave.constants = code->getConstants();
  for (unsigned i = 0; i < 256; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      memory.v(i)[lane] = i == 60 ? 4 * lane : i == 61 ? 16 * lane : 0x3f803c00 + lane + i;
  for (unsigned i = 0; i < 16; ++i) // sums without NaN
    wave.agprs[i] = {};
  const Instruction *inst = code->getInstructions().begin();
  const double full = measure(wave, inst);
  wave.setExec(~0ull >> 1);
  const double partial = measure(wave, inst);
  std::printf("%-60.60s %-9.9s %7.1f ns, partial %7.1f ns", c.text, level.name.str().c_str(), full,
              partial);
  if (c.multiplyAdds)
    std::printf(", %6.1f GMAC/s", c.multiplyAdds / full);
  if (c.multiplyAdds && peak > 0)
    std::printf(", %3.0f %% of the core's", 100 * c.multiplyAdds / full / peak);
  std::printf("\n");
}

int main(int argc, char **argv) {
  std::vector<double> peaks;
  for (const VectorLevel &level : getVectorLevels())
    peaks.push_back(measurePeak(level));
  for (const Case &c : kCases) {
    bool chosen = argc == 1;
    for (int i = 1; i < argc; ++i)
      chosen |= std::strstr(c.text, argv[i]) != nullptr;
    if (!chosen)
      continue;
    for (size_t i = 0; i < peaks.size(); ++i)
      run(c, getVectorLevels()[i], peaks[i]);
  }
  return 0;
}
