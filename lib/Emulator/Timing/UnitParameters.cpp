//===- UnitParameters.cpp - Compute units and launches in the model of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Parameters.h. Where no source is known for a chip, the value of the chip before it stands,
// and the source says so.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"

using namespace mlir::ck::emulator;

using P = TimingParameters;

static constexpr ParameterRow kRows[] = {
    {&P::clockMHz, "clock_mhz", "MHz", "shader clock while the matrix pipes are idle", 1700, 2100,
     2400, 2500, 2970, "peak engine clocks of the data sheets"},
    {&P::launchMicroseconds, "launch_us", "us",
     "from the command to the start of the first workgroup, and from the end of the last to the "
     "signal, of a launch on an idle device",
     3.7, 3.7, 3.7, 3.7, 3.7, "calibrated on MIOpen's find database for gfx942; others: as gfx942"},
    {&P::dispatchCycles, "dispatch_cycles", "cycles", "between the starts of two waves on an XCD",
     5, 3, 3, 5, 5,
     "gfx942: calibrated on the transpositions of MIOpen's find database; gfx950 as gfx942; others "
     "assumed"},
    {&P::groupStartCycles, "group_start_cycles", "cycles",
     "from the start of a workgroup to its first instruction", 300, 300, 300, 300, 300,
     "assumed: registers and LDS are set up, the first instructions are fetched"},
    {&P::groupEndCycles, "group_end_cycles", "cycles",
     "from the last instruction of a workgroup to the start of the next in its place", 100, 100,
     100, 100, 100, "assumed"},
    {&P::issueCycles, "issue_cycles", "cycles", "between two instructions of a wave", 4, 4, 4, 1, 1,
     "CDNA3 and RDNA3 instruction set references"},
    {&P::valuCycles, "valu_cycles", "cycles",
     "of the vector unit for an instruction of a wave of 64 lanes (RDNA: of 32)", 4, 4, 4, 1, 1,
     "CDNA3 and RDNA3 instruction set references"},
    {&P::valuLatency, "valu_latency", "cycles",
     "until a result can be an operand of the next vector instruction", 8, 8, 8, 5, 5,
     "measured 8.30 on gfx950 (facebookexperimental/triton, AMDLatencyModel.cpp), taken for CDNA; "
     "RDNA: LLVM SISchedule.td"},
    {&P::transCycles, "trans_cycles", "cycles", "of the vector unit for a transcendental function",
     16, 16, 16, 4, 4,
     "measured on gfx942 (pyhip, mfma-valu-coissue.md); RDNA: a quarter of the rate"},
    {&P::doubleCycles, "double_cycles", "cycles", "of the vector unit for an f64 operation", 4, 4,
     4, 16, 16, "peak rates of the products' data sheets"},
    {&P::packedCycles, "packed_cycles", "cycles",
     "of the vector unit for two f32 operations packed", 4, 4, 4, 1, 1,
     "peak rates of the products' data sheets"},
    {&P::packedSwitchCycles, "packed_switch_cycles", "cycles",
     "of the matrix pipe when packed f32 operations follow a matrix instruction", 8, 8, 8, 0, 0,
     "measured on gfx942 (pyhip, mfma-valu-coissue.md: 12 for the first, 4 for each further); "
     "others of CDNA: as gfx942"},
    {&P::quarterCycles, "quarter_cycles", "cycles",
     "of the vector unit for a product of 32-bit integers", 16, 16, 16, 4, 4,
     "LLVM SISchedule.td: a quarter of the rate"},
    {&P::crossingCycles, "crossing_cycles", "cycles",
     "added for an instruction of eight bytes across a border of eight bytes", 1, 1, 1, 0, 0,
     "measured on gfx942 (pyhip, mfma-valu-coissue.md)"},
    {&P::storeDwordCycles, "store_dword_cycles", "cycles",
     "in which a store reads a dword of its data before the wave's next instruction", 4, 4, 4, 1, 1,
     "assumed: a register of a wave a cycle of its SIMD"},
    {&P::saluCycles, "salu_cycles", "cycles", "of the scalar unit for an instruction", 4, 4, 4, 1,
     1, "CDNA3 and RDNA3 instruction set references"},
    {&P::saluLatency, "salu_latency", "cycles",
     "until a scalar result can be an operand of the next instruction", 4, 4, 4, 2, 2,
     "LLVM SISchedule.td"},
    {&P::branchCycles, "branch_cycles", "cycles", "added for a branch that is taken", 28, 28, 28,
     28, 28, "LLVM SISchedule.td: 8 steps of 4 cycles, and 32 for RDNA, less the issue"},
    {&P::barrierCycles, "barrier_cycles", "cycles",
     "from the last wave's arrival to the next instruction of the others", 24, 24, 24, 16, 16,
     "assumed"},
    {&P::sleepCycles, "sleep_cycles", "cycles", "of s_sleep for each unit of its operand", 64, 64,
     64, 64, 64, "CDNA3 and RDNA3 instruction set references"},
    {&P::matrixLatency, "matrix_latency", "cycles",
     "from the end of a matrix instruction in its pipe to the next that adds to its result", 2, 2,
     2, 1, 1, "measured 18.25 for one of 16 on gfx950 (facebookexperimental/triton)"},
    {&P::f16Slowdown, "matrix_f16_slowdown", "of 1",
     "by which the period of the clock grows while all matrix pipes are busy with f16", 0, 0.94,
     0.5, 0, 0,
     "gfx942: AMD, Measuring Max-Achievable FLOPs part 2: 654 TFLOPS at 1115 MHz; gfx950: as its "
     "bf16; others not known"},
    {&P::bf16Slowdown, "matrix_bf16_slowdown", "of 1", "the same for bf16", 0, 0.79, 0.5, 0, 0,
     "gfx942: as f16, 708 TFLOPS at 1207 MHz; gfx950: HipKittens' 1610 TFLOPS, if the pipes are "
     "busy for as much of the time (94 %); others not known"},
    {&P::bits8Slowdown, "matrix_8bit_slowdown", "of 1", "the same for 8-bit types and narrower", 0,
     0.85, 0.43, 0, 0,
     "gfx942: as f16, 1273 TFLOPS at 1230 MHz; gfx950: HipKittens' 3378 TFLOPS as for bf16; others "
     "not known"},
    {&P::wideSlowdown, "matrix_f32_slowdown", "of 1", "the same for f32, xf32 and f64", 0, 0.58, 0,
     0, 0, "gfx942: calibrated on MIOpen's find database; others not known"},
    {&P::wideTileSlowdown, "matrix_32_rows_slowdown", "of 1",
     "by which these are multiplied for matrix instructions of 32 rows", 1, 1, 1.7, 1, 1,
     "gfx950: HipKittens, one schedule with 32 and 16 rows: 1291 and 1580 TFLOPS in bf16, 2500 and "
     "3066 in fp8; AMD says the same of the MI300X, but MIOpen's find database does not show it"},
    {&P::ldsLatency, "lds_latency", "cycles",
     "of LDS beside the cycles in which its data go over the path to the SIMD", 48, 48, 48, 24, 24,
     "measured on gfx942 (pyhip, mem_latency.md: b32 52, b128 64); RDNA: LLVM SISchedule.td"},
    {&P::ldsBytes, "lds_bytes_per_cycle", "bytes/cycle", "of the LDS of a compute unit", 128, 128,
     256, 256, 256,
     "measured on gfx942 (pyhip, mem_latency.md); gfx950: twice the banks; a WGP has "
     "two arrays of 32 banks"},
    {&P::ldsPairBytes, "lds_pair_bytes_per_cycle", "bytes/cycle",
     "of the path of LDS to a pair of SIMDs", 64, 64, 128, 128, 128,
     "measured on gfx942 (pyhip, mem_latency.md); others: half of the LDS"},
    {&P::ldsQueue, "lds_queue", "instructions", "of LDS that wait for each pair of SIMDs", 8, 8, 8,
     8, 8, "gfx950: HipKittens; others: as gfx950"},
};

llvm::ArrayRef<ParameterRow> mlir::ck::emulator::getUnitParameterRows() { return kRows; }
