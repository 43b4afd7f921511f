//===- UnitParameters.cpp - Compute units and launches in the model of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Parameters.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"

using namespace ckemu;

using Kind = ParameterKind;
using P = TimingParameters;

static constexpr ParameterRow kLaunches[] = {
    {&P::clockMHz, Kind::Clock, "clock_mhz", "MHz", "shader clock while the matrix pipes are idle",
     [](const ChipProduct &p) -> double { return p.clockMHz; },
     "peak engine clocks of the data sheets"},
    {&P::launchMicroseconds, Kind::Duration, "launch_us", "us",
     "time from the command to the start of the first workgroup plus time from the end of the last "
     "workgroup to the signal, for a launch on an idle device"},
    {&P::kernelMicroseconds, Kind::Duration, "kernel_us", "us",
     "time from the start time stamp of a kernel to its first workgroup plus time from its last "
     "store to its end time stamp"},
    {&P::dispatchCycles, Kind::Delay, "dispatch_cycles", "cycles",
     "time between the starts of two waves on an XCD"},
    {&P::groupStartCycles, Kind::Delay, "group_start_cycles", "cycles",
     "time from the start of a workgroup to its first instruction"},
    {&P::groupEndCycles, Kind::Delay, "group_end_cycles", "cycles",
     "time from the last instruction of a workgroup to the start of the next workgroup in its "
     "place"},
};

static constexpr ParameterRow kIssue[] = {
    {&P::issueCycles, Kind::Cycles, "issue_cycles", "cycles",
     "time between two instructions of a wave"},
    {&P::valuCycles, Kind::Cycles, "valu_cycles", "cycles",
     "time in which an instruction occupies the vector unit, for 64 lanes (RDNA: for 32)"},
    {&P::valuLatency, Kind::Delay, "valu_latency", "cycles",
     "time until a result can be an operand of the next vector instruction"},
    {&P::transCycles, Kind::Cycles, "trans_cycles", "cycles",
     "time in which a transcendental function occupies the vector unit"},
    {&P::doubleCycles, Kind::Cycles, "double_cycles", "cycles",
     "time in which an f64 operation occupies the vector unit"},
    {&P::packedCycles, Kind::Cycles, "packed_cycles", "cycles",
     "time in which a packed pair of f32 operations occupies the vector unit"},
    {&P::packedSwitchCycles, Kind::Delay, "packed_switch_cycles", "cycles",
     "time in which the matrix pipe is occupied when packed f32 operations follow a matrix "
     "instruction"},
    {&P::quarterCycles, Kind::Cycles, "quarter_cycles", "cycles",
     "time in which a product of 32-bit integers occupies the vector unit"},
    {&P::crossingCycles, Kind::Delay, "crossing_cycles", "cycles",
     "additional time for an eight-byte instruction that crosses an eight-byte boundary"},
    {&P::storeDwordCycles, Kind::Delay, "store_dword_cycles", "cycles",
     "time in which a store reads one dword of its data, which delays the wave's next instruction"},
    {&P::saluCycles, Kind::Cycles, "salu_cycles", "cycles",
     "time in which an instruction occupies the scalar unit"},
    {&P::saluLatency, Kind::Delay, "salu_latency", "cycles",
     "time until a scalar result can be an operand of the next instruction"},
    {&P::branchCycles, Kind::Delay, "branch_cycles", "cycles",
     "additional time for a taken branch"},
    {&P::barrierCycles, Kind::Delay, "barrier_cycles", "cycles",
     "time from the arrival of the last wave at a barrier to the next instruction of the other "
     "waves"},
    {&P::sleepCycles, Kind::Delay, "sleep_cycles", "cycles",
     "time that s_sleep waits for each unit of its operand"},
};

static constexpr ParameterRow kMatrix[] = {
    {&P::matrixLatency, Kind::Delay, "matrix_latency", "cycles",
     "time from the end of a matrix instruction in its pipe to the next matrix instruction that "
     "adds to its result"},
    {&P::f16Slowdown, Kind::Factor, "matrix_f16_slowdown", "of 1",
     "fraction by which the clock period grows while all matrix pipes are busy with f16"},
    {&P::bf16Slowdown, Kind::Factor, "matrix_bf16_slowdown", "of 1", "the same for bf16"},
    {&P::bits8Slowdown, Kind::Factor, "matrix_8bit_slowdown", "of 1",
     "the same for 8-bit types and narrower"},
    {&P::wideSlowdown, Kind::Factor, "matrix_f32_slowdown", "of 1",
     "the same for f32, xf32 and f64"},
    {&P::wideTileSlowdown, Kind::Factor, "matrix_32_rows_slowdown", "of 1",
     "factor for the slowdowns above, for matrix instructions of 32 rows"},
    {&P::powerShare, Kind::Factor, "power_share", "of 1",
     "factor for the slowdowns above, for a product or a partition that has more power for each "
     "compute unit",
     [](const ChipProduct &p) -> double { return p.powerShare; }, "Chip/Products.cpp"},
};

static constexpr ParameterRow kLds[] = {
    {&P::ldsLatency, Kind::Delay, "lds_latency", "cycles",
     "latency of LDS without the cycles in which data are on the path to the SIMD"},
    {&P::ldsBytes, Kind::Rate, "lds_bytes_per_cycle", "bytes/cycle",
     "bandwidth of the LDS of a compute unit"},
    {&P::ldsPairBytes, Kind::Rate, "lds_pair_bytes_per_cycle", "bytes/cycle",
     "bandwidth of the path between LDS and a pair of SIMDs"},
    {&P::ldsQueue, Kind::Count, "lds_queue", "instructions",
     "LDS instructions that can wait for each pair of SIMDs"},
};

static constexpr ParameterGroup kGroups[] = {{"Clock and launches", kLaunches},
                                             {"Issue and arithmetic", kIssue},
                                             {"Matrix instructions", kMatrix},
                                             {"LDS", kLds}};

llvm::ArrayRef<ParameterGroup> ckemu::getUnitParameters() { return kGroups; }
