//===- CdnaFigures.cpp - The figures of gfx90a, gfx942 and gfx950 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimingFigures.h. Where no source is known for a chip, it has the value of the chip that it is
// derived from.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Chip/TimingFigures.h"

using namespace ckemu;

using P = TimingParameters;

static constexpr double kKiB = 1024;

/// CDNA3, from which all others are derived: every parameter that is not of the product.
static constexpr TimingFigure kGfx942Rows[] = {
    {&P::launchMicroseconds, 3.7, "calibrated on MIOpen's find database"},
    {&P::kernelMicroseconds, 0.5, "as gfx950: calibrated on AITER's short products"},
    {&P::dispatchCycles, 3, "calibrated on the transpositions of MIOpen's find database"},
    {&P::groupStartCycles, 300,
     "assumed: registers and LDS are set up, the first instructions are fetched"},
    {&P::groupEndCycles, 100, "assumed"},
    {&P::issueCycles, 4, "CDNA3 instruction set reference"},
    {&P::valuCycles, 4, "CDNA3 instruction set reference"},
    {&P::valuLatency, 8,
     "measured 8.30 on gfx950 (facebookexperimental/triton, AMDLatencyModel.cpp), taken for CDNA"},
    {&P::transCycles, 16, "measured (pyhip, mfma-valu-coissue.md)"},
    {&P::doubleCycles, 4, "peak rates of the products' data sheets"},
    {&P::packedCycles, 4, "peak rates of the products' data sheets"},
    {&P::packedSwitchCycles, 8,
     "measured (pyhip, mfma-valu-coissue.md: 12 for the first, 4 for each further)"},
    {&P::quarterCycles, 16, "LLVM SISchedule.td: a quarter of the rate"},
    {&P::crossingCycles, 1, "measured (pyhip, mfma-valu-coissue.md)"},
    {&P::storeDwordCycles, 4, "assumed: a register of a wave a cycle of its SIMD"},
    {&P::saluCycles, 4, "CDNA3 instruction set reference"},
    {&P::saluLatency, 4, "LLVM SISchedule.td"},
    {&P::branchCycles, 28,
     "LLVM SISchedule.td: 8 steps of 4 cycles, and 32 for RDNA, less the issue"},
    {&P::barrierCycles, 24, "assumed"},
    {&P::sleepCycles, 64, "CDNA3 and RDNA3 instruction set references"},
    {&P::matrixLatency, 2, "measured 18.25 for one of 16 on gfx950 (facebookexperimental/triton)"},
    {&P::f16Slowdown, 0.94, "AMD, Measuring Max-Achievable FLOPs part 2: 654 TFLOPS at 1115 MHz"},
    {&P::bf16Slowdown, 0.79, "as f16, 708 TFLOPS at 1207 MHz"},
    {&P::bits8Slowdown, 0.85, "as f16, 1273 TFLOPS at 1230 MHz"},
    {&P::wideSlowdown, 0.58, "calibrated on MIOpen's find database"},
    {&P::wideTileSlowdown, 1,
     "AMD says that 32 rows slow the clock of the MI300X more, but MIOpen's find database does not "
     "show it"},
    {&P::ldsLatency, 48, "measured (pyhip, mem_latency.md: b32 52, b128 64)"},
    {&P::ldsBytes, 128, "measured (pyhip, mem_latency.md)"},
    {&P::ldsPairBytes, 64, "measured (pyhip, mem_latency.md)"},
    {&P::ldsQueue, 8, "as gfx950: HipKittens"},
    {&P::instructionCacheBytes, 64 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::instructionMissCycles, 263, "assumed: the latency of the L2 and that of a scalar hit"},
    {&P::instructionStreamCycles, 40, "calibrated on MIOpen's find database"},
    {&P::vectorIssueCycles, 4, "pyhip vmem-fifo.md: the first 16 loads leave 4 to 8 cycles apart"},
    {&P::outstandingLoads, 12,
     "pyhip vmem-fifo.md: from the 16th dwordx4 load on, of which the L1 has taken four, they "
     "leave at the rate of the L1"},
    {&P::l1Count, 1, "one for each CU"},
    {&P::l1Bytes, 32 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l1LineBytes, 128, "CDNA 3 white paper"},
    {&P::l1Latency, 115, "rrze gpu-latency, less the wait's own cycles: mi300x 119.5"},
    {&P::l1BytesPerCycle, 64, "rrze gpu-cache: mi300x 60.2 of 64"},
    {&P::l1FillBytesPerCycle, 64, "rocprofiler-compute (64 B/cycle/CU)"},
    {&P::l1Misses, 256,
     "pyhip vmem-fifo.md: the 48th to 52nd dwordx4 load stalls for hundreds of cycles, when as "
     "many lines as the cache has are on their way"},
    {&P::scalarLatency, 50, "assumed"},
    {&P::scalarCacheBytes, 16 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l2ReadBytes, 101, "128 at best; measured: rrze gpu-cache mi300x 27.2 TB/s"},
    {&P::l2WriteBytes, 29,
     "rrze gpu-l2-stream: mi300x 7.85 TB/s; pyhip vmem-bandwidth.md for blocks"},
    {&P::l2FabricBytes, 64, "CDNA 3 white paper; RDNA: assumed"},
    {&P::l2Latency, 208, "rrze gpu-latency, less the wait's own cycles: mi300x 213"},
    {&P::mallNanoseconds, 117, "rrze gpu-latency: mi300x 457 cycles in all"},
    {&P::hbmEfficiency, 0.77,
     "read by kernels: rrze gpu-stream mi300x 3.9 to 4.1 TB/s, pyhip vmem-bandwidth.md 4.06 to "
     "4.27 TB/s"},
    {&P::hbmNanoseconds, 330,
     "calibrated on AITER's products and MIOpen's find database, whose operands lie in no cache "
     "and no TLB (rrze: mi300x 835 cycles in all with TLB misses, which is 300 ns here)"},
    {&P::atomicCycles, 16, "calibrated on the splits that MIOpen's tuning chose"},
    {&P::flagCycles, 1414, "origami: 1900 from XCD to XCD, the load included"},
};
constexpr TimingFigures ckemu::kGfx942Figures = {nullptr, kGfx942Rows};

/// CDNA2.
static constexpr TimingFigure kGfx90aRows[] = {
    {&P::dispatchCycles, 1.5,
     "as gfx942 for each shader engine: ROCm Compute Profiler lists 8 of a GCD and 4 of an XCD"},
    {&P::f16Slowdown, 0, "not known"},
    {&P::bf16Slowdown, 0, "not known"},
    {&P::bits8Slowdown, 0, "not known"},
    {&P::wideSlowdown, 0, "not known"},
    {&P::instructionCacheBytes, 32 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::instructionMissCycles, 300, "assumed: the latency of the L2 and that of a scalar hit"},
    {&P::l1Bytes, 16 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l1LineBytes, 64, "rocprofiler-compute vL1D"},
    {&P::l1Latency, 124, "as gfx942: mi210 128.6"},
    {&P::l2ReadBytes, 93, "rrze gpu-l2-cache: mi210 5.06 TB/s"},
    {&P::l2WriteBytes, 30, "rrze gpu-l2-stream: mi210 1.65 TB/s"},
    {&P::l2Latency, 245, "as gfx942: mi210 250"},
    {&P::mallNanoseconds, 0, "has none"},
    {&P::hbmEfficiency, 0.85, "rrze gpu-stream mi210 1.37 to 1.41 TB/s"},
    {&P::hbmNanoseconds, 199, "rrze gpu-latency: mi210 588 cycles in all"},
    {&P::atomicCycles, 4, "mirage, 4 a pass"},
    {&P::flagCycles, 500, "one die: assumed"},
};
constexpr TimingFigures ckemu::kGfx90aFigures = {&kGfx942Figures, kGfx90aRows};

/// CDNA4.
static constexpr TimingFigure kGfx950Rows[] = {
    {&P::f16Slowdown, 0.5, "as bf16"},
    {&P::bf16Slowdown, 0.5,
     "HipKittens' 1610 TFLOPS, if the pipes are busy for as much of the time (94 %)"},
    {&P::bits8Slowdown, 0.43, "HipKittens' 3378 TFLOPS as for bf16"},
    {&P::wideSlowdown, 0, "not known"},
    {&P::wideTileSlowdown, 1.7,
     "HipKittens, one schedule with 32 and 16 rows: 1291 and 1580 TFLOPS in bf16, 2500 and 3066 in "
     "fp8"},
    {&P::ldsBytes, 256, "twice the banks"},
    {&P::ldsPairBytes, 128, "half of the LDS"},
    {&P::instructionStreamCycles, 30, "calibrated on AITER's short products"},
    {&P::hbmEfficiency, 0.75, "origami 6 TB/s"},
    {&P::hbmNanoseconds, 400,
     "calibrated as gfx942 (Triton's AMDLatencyModel estimates 271 ns, mirage 380 ns)"},
};
constexpr TimingFigures ckemu::kGfx950Figures = {&kGfx942Figures, kGfx950Rows};
