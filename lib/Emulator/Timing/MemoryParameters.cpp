//===- MemoryParameters.cpp - Caches and memory of the chips in figures -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latencies are from the issue of a load to the use of its data. "rrze" stands for the result files
// of RRZE-HPC/gpu-benches (measured on MI210, MI300X and, as the next of kin of RDNA3 and 4, RX
// 6900 XT), "pyhip" for those of tingqli/pyhip (MI308X), "origami" for the hardware constants of
// ROCm/rocm-libraries shared/origami, "mirage" for ROCm/rocm-systems emulation/mirage
// docs/timing.md. A unit of gfx1100 and gfx1201 is a WGP: two compute units.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"

using namespace ckemu;

using Kind = ParameterKind;
using P = TimingParameters;
static constexpr double kKiB = 1024;

static constexpr ParameterRow kFetch[] = {
    {&P::instructionCacheBytes,
     Kind::Capacity,
     "instruction_cache_bytes",
     "bytes",
     "size of the instruction cache (of two CUs)",
     {32 * kKiB, 64 * kKiB, 64 * kKiB, 32 * kKiB, 32 * kKiB},
     "rocm.docs.amd.com gpu-specs"},
    {&P::instructionMissCycles,
     Kind::Delay,
     "instruction_miss_cycles",
     "cycles",
     "time of an instruction fetch from the L2",
     {300, 263, 263, 261, 261},
     "assumed: the latency of the L2 and that of a scalar hit"},
    {&P::instructionStreamCycles,
     Kind::Delay,
     "instruction_stream_cycles",
     "cycles",
     "time of an instruction fetch from the L2 that continues the previous fetch",
     {40, 40, 30, 40, 40},
     "calibrated on MIOpen's find database for gfx942, on AITER's short products for gfx950; "
     "others: as gfx942"},
};

static constexpr ParameterRow kVector[] = {
    {&P::vectorIssueCycles,
     Kind::Delay,
     "vector_issue_cycles",
     "cycles",
     "time between vector memory instructions of a wave while the L1 accepts them",
     {4, 4, 4, 1, 1},
     "pyhip vmem-fifo.md: the first 16 loads leave 4 to 8 cycles apart; RDNA: assumed"},
    {&P::outstandingLoads,
     Kind::Count,
     "outstanding_loads",
     "accesses",
     "accesses of a unit that can wait for its L1 before issue stalls",
     {12, 12, 12, 24, 24},
     "pyhip vmem-fifo.md: from the 16th dwordx4 load on, of which the L1 has taken four, they "
     "leave at the rate of the L1; RDNA: for each of two CUs, assumed"},
    {&P::l1Count,
     Kind::Count,
     "l1_count",
     "caches",
     "first-level caches of a unit, each with its own path",
     {1, 1, 1, 2, 2},
     "ISA references: each of the two CUs of a WGP has one"},
    {&P::l1Bytes,
     Kind::Capacity,
     "l1_bytes",
     "bytes",
     "size of the first-level cache of a unit",
     {16 * kKiB, 32 * kKiB, 32 * kKiB, 64 * kKiB, 64 * kKiB},
     "rocm.docs.amd.com gpu-specs"},
    {&P::l1LineBytes,
     Kind::Line,
     "l1_line_bytes",
     "bytes",
     "size of a line of the first-level cache",
     {64, 128, 128, 128, 128},
     "rocprofiler-compute vL1D; CDNA 3 white paper; RDNA white paper"},
    {&P::l1Latency,
     Kind::Delay,
     "l1_latency",
     "cycles",
     "latency of a load that hits in the first-level cache",
     {124, 115, 115, 72, 72},
     "rrze gpu-latency, less the wait's own cycles: mi210 128.6, mi300x 119.5, rx6900xt 73; gfx950 "
     "and RDNA3/4 assumed to be as their predecessors"},
    {&P::l1BytesPerCycle,
     Kind::Rate,
     "l1_bytes_per_cycle",
     "bytes/cycle",
     "bandwidth of the first-level cache of a unit",
     {64, 64, 64, 128, 128},
     "rrze gpu-cache: 59.7 (mi210) and 60.2 (mi300x) of 64; RDNA: 64 for each CU, assumed"},
    {&P::l1FillBytesPerCycle,
     Kind::Rate,
     "l1_fill_bytes_per_cycle",
     "bytes/cycle",
     "bandwidth from the L2 to a unit",
     {64, 64, 64, 128, 128},
     "rocprofiler-compute (64 B/cycle/CU)"},
    {&P::l1Misses,
     Kind::Count,
     "l1_misses",
     "lines",
     "lines that a unit can wait for at the same time",
     {256, 256, 256, 512, 512},
     "pyhip vmem-fifo.md: the 48th to 52nd dwordx4 load stalls for hundreds of cycles, when as "
     "many "
     "lines as the cache has are on their way; others by the same rule"},
};

static constexpr ParameterRow kScalar[] = {
    {&P::scalarLatency,
     Kind::Delay,
     "scalar_latency",
     "cycles",
     "latency of a scalar load that hits in its cache",
     {50, 50, 50, 40, 40},
     "assumed"},
    {&P::scalarCacheBytes,
     Kind::Capacity,
     "scalar_cache_bytes",
     "bytes",
     "size of the scalar cache (of two CUs)",
     {16 * kKiB, 16 * kKiB, 16 * kKiB, 32 * kKiB, 32 * kKiB},
     "rocm.docs.amd.com gpu-specs"},
};

static constexpr ParameterRow kShared[] = {
    {&P::numXcds,
     Kind::Count,
     "num_xcds",
     "dies",
     "dies that have the compute units, each with an L2",
     {},
     "CDNA 3 white paper",
     [](const ChipProduct &p) -> double { return p.xcds; }},
    {&P::l2Bytes,
     Kind::Capacity,
     "l2_bytes",
     "bytes",
     "size of the L2 of a die",
     {},
     "rocm.docs.amd.com gpu-specs",
     [](const ChipProduct &p) -> double { return p.l2Bytes; }},
    {&P::l2Channels,
     Kind::Count,
     "l2_channels",
     "channels",
     "channels of an L2",
     {},
     "rocprofiler-compute L2; CDNA 3 white paper; RDNA: slices of 256 and 512 KiB, assumed",
     [](const ChipProduct &p) -> double { return p.l2Channels; }},
    {&P::l2ReadBytes,
     Kind::Rate,
     "l2_read_bytes",
     "bytes/cycle",
     "bandwidth of a channel for reads",
     {93, 101, 101, 119, 121},
     "128 at best; measured: rrze gpu-l2-cache mi210 5.06 TB/s, gpu-cache mi300x 27.2 TB/s; RDNA: "
     "origami 7.12 and 5.74 TB/s"},
    {&P::l2WriteBytes,
     Kind::Rate,
     "l2_write_bytes",
     "bytes/cycle",
     "bandwidth of a channel for writes, which occupy whole blocks of 64 bytes",
     {30, 29, 29, 30, 30},
     "rrze gpu-l2-stream: mi210 1.65 TB/s, mi300x 7.85 TB/s; pyhip vmem-bandwidth.md for blocks; "
     "others assumed the same"},
    {&P::l2FabricBytes,
     Kind::Rate,
     "l2_fabric_bytes",
     "bytes/cycle",
     "bandwidth of a channel to the fabric beyond the L2",
     {64, 64, 64, 64, 64},
     "CDNA 3 white paper; RDNA: assumed"},
    {&P::l2Latency,
     Kind::Delay,
     "l2_latency",
     "cycles",
     "latency of a load that hits in the L2",
     {245, 208, 208, 220, 220},
     "rrze gpu-latency, less the wait's own cycles: mi210 250, mi300x 213, rx6900xt 221; gfx950 "
     "and RDNA3/4 assumed to be as their predecessors"},
    {&P::mallBytes,
     Kind::Mall,
     "mall_bytes",
     "bytes",
     "size of the cache at the memory (MALL, Infinity Cache)",
     {},
     "rocm.docs.amd.com gpu-specs",
     [](const ChipProduct &p) -> double { return double(p.mallBytes); }},
    {&P::mallGigabytes,
     Kind::Mall,
     "mall_gigabytes",
     "GB/s",
     "bandwidth of the MALL",
     {},
     "origami; rrze gpu-cache mi300x 6.7 to 7.1 TB/s; the wires would bear 17.2 TB/s (mirage)",
     [](const ChipProduct &p) -> double { return p.mallGigabytes; }},
    {&P::mallNanoseconds,
     Kind::Duration,
     "mall_nanoseconds",
     "ns",
     "latency beyond the L2 of a load that hits in the MALL",
     {0, 117, 117, 62, 62},
     "rrze gpu-latency: mi300x 457 cycles in all; gfx1100: 150.3 ns in all (chipsandcheese.com "
     "2023/06/14); gfx950 and gfx1201 assumed the same"},
    {&P::hbmGigabytes,
     Kind::Bandwidth,
     "hbm_gigabytes",
     "GB/s",
     "peak bandwidth of the memory",
     {},
     "data sheets",
     [](const ChipProduct &p) -> double { return p.memoryGigabytes; }},
    {&P::hbmEfficiency,
     Kind::Efficiency,
     "hbm_efficiency",
     "of 1",
     "fraction of the memory's peak bandwidth that kernels reach",
     {0.85, 0.77, 0.75, 0.76, 0.72},
     "read by kernels: rrze gpu-stream mi210 1.37 to 1.41 TB/s, mi300x 3.9 to 4.1 TB/s, pyhip "
     "vmem-bandwidth.md 4.06 to 4.27 TB/s; others: origami 6, 0.732, 0.464 TB/s"},
    {&P::hbmNanoseconds,
     Kind::Duration,
     "hbm_nanoseconds",
     "ns",
     "latency beyond the L2 of a load from memory",
     {199, 330, 400, 162, 162},
     "rrze gpu-latency: mi210 588 cycles in all; gfx942 and gfx950: calibrated on AITER's products "
     "and MIOpen's find database, whose operands lie in no cache and no TLB (rrze: mi300x 835 "
     "cycles in all with TLB misses, which is 300 ns here; Triton's AMDLatencyModel estimates 271 "
     "ns for gfx950, mirage 380 ns); RDNA: 250 ns in all, assumed"},
    {&P::atomicCycles,
     Kind::Cycles,
     "atomic_cycles",
     "cycles",
     "time in which 16 dwords of atomics occupy an L2 channel",
     {4, 16, 16, 4, 4},
     "gfx942: calibrated on the splits that MIOpen's tuning chose, gfx950 as gfx942; others: "
     "mirage, "
     "4 a pass"},
    {&P::flagCycles,
     Kind::Delay,
     "flag_cycles",
     "cycles",
     "time from a store or atomic of a workgroup to the beginning of a load of another workgroup "
     "that sees it",
     {500, 1414, 1414, 500, 500},
     "origami: 1900 from XCD to XCD, the load included; chips of one die: assumed"},
};

static constexpr ParameterGroup kGroups[] = {{"Instruction fetch", kFetch},
                                             {"Vector memory", kVector},
                                             {"Scalar memory", kScalar},
                                             {"L2, MALL and memory", kShared}};

llvm::ArrayRef<ParameterGroup> ckemu::getMemoryParameters() { return kGroups; }
