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

using namespace mlir::ck::emulator;

using P = TimingParameters;
static constexpr double kKiB = 1024, kMiB = 1024 * kKiB;

static constexpr ParameterRow kRows[] = {
    {&P::instructionCacheBytes, "instruction_cache_bytes", "bytes",
     "instruction cache (of two CUs)", 32 * kKiB, 64 * kKiB, 64 * kKiB, 32 * kKiB, 32 * kKiB,
     "rocm.docs.amd.com gpu-specs"},
    {&P::instructionMissCycles, "instruction_miss_cycles", "cycles",
     "of a fetch that comes from the L2", 300, 263, 600, 261, 261,
     "assumed: the latency of the L2 and that of a scalar hit; gfx950: calibrated on AITER's short "
     "products, whose code lies in no L2"},
    {&P::instructionStreamCycles, "instruction_stream_cycles", "cycles",
     "of a fetch that comes from the L2 and follows the one before", 40, 40, 75, 40, 40,
     "calibrated on MIOpen's find database for gfx942, on AITER's short products for gfx950; "
     "others: as gfx942"},
    {&P::vectorIssueCycles, "vector_issue_cycles", "cycles",
     "between vector memory instructions of a wave while the L1 takes them", 4, 4, 4, 1, 1,
     "pyhip vmem-fifo.md: the first 16 loads leave 4 to 8 cycles apart; RDNA: assumed"},
    {&P::outstandingLoads, "outstanding_loads", "accesses",
     "of a unit that wait to be taken by its L1, before issue stalls", 12, 12, 12, 24, 24,
     "pyhip vmem-fifo.md: from the 16th dwordx4 load on, of which the L1 has taken four, they "
     "leave at the rate of the L1; RDNA: for each of two CUs, assumed"},
    {&P::l1Count, "l1_count", "caches", "first level caches of a unit, each with a path of its own",
     1, 1, 1, 2, 2, "ISA references: each of the two CUs of a WGP has one"},
    {&P::l1Bytes, "l1_bytes", "bytes", "first level cache of a unit", 16 * kKiB, 32 * kKiB,
     32 * kKiB, 64 * kKiB, 64 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l1LineBytes, "l1_line_bytes", "bytes", "line of the first level cache", 64, 128, 128, 128,
     128, "rocprofiler-compute vL1D; CDNA 3 white paper; RDNA white paper"},
    {&P::l1Latency, "l1_latency", "cycles", "of a load that hits in the first level cache", 124,
     115, 115, 72, 72,
     "rrze gpu-latency, less the wait's own cycles: mi210 128.6, mi300x 119.5, rx6900xt 73; gfx950 "
     "and RDNA3/4 assumed to be as their predecessors"},
    {&P::l1BytesPerCycle, "l1_bytes_per_cycle", "bytes/cycle",
     "from the first level cache of a unit", 64, 64, 64, 128, 128,
     "rrze gpu-cache: 59.7 (mi210) and 60.2 (mi300x) of 64; RDNA: 64 for each CU, assumed"},
    {&P::l1FillBytesPerCycle, "l1_fill_bytes_per_cycle", "bytes/cycle", "from the L2 to a unit", 64,
     64, 64, 128, 128, "rocprofiler-compute (64 B/cycle/CU)"},
    {&P::l1Misses, "l1_misses", "lines", "that a unit can wait for", 256, 256, 256, 512, 512,
     "pyhip vmem-fifo.md: the 48th to 52nd dwordx4 load stalls for hundreds of cycles, when as "
     "many "
     "lines as the cache has are on their way; others by the same rule"},
    {&P::scalarLatency, "scalar_latency", "cycles", "of a scalar load that hits in its cache", 50,
     50, 50, 40, 40, "assumed"},
    {&P::scalarCacheBytes, "scalar_cache_bytes", "bytes", "scalar cache (of two CUs)", 16 * kKiB,
     16 * kKiB, 16 * kKiB, 32 * kKiB, 32 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::numXcds, "num_xcds", "dies", "that compute units are divided into, each with an L2", 1, 8,
     8, 1, 1, "CDNA 3 white paper"},
    {&P::l2Bytes, "l2_bytes", "bytes", "L2 of a die", 8 * kMiB, 4 * kMiB, 4 * kMiB, 6 * kMiB,
     8 * kMiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l2Channels, "l2_channels", "channels", "of an L2", 32, 16, 16, 24, 16,
     "rocprofiler-compute L2; CDNA 3 white paper; RDNA: slices of 256 and 512 KiB, assumed"},
    {&P::l2ReadBytes, "l2_read_bytes", "bytes/cycle", "that a channel reads", 93, 101, 101, 119,
     121,
     "128 at best; measured: rrze gpu-l2-cache mi210 5.06 TB/s, gpu-cache mi300x 27.2 TB/s; RDNA: "
     "origami 7.12 and 5.74 TB/s"},
    {&P::l2WriteBytes, "l2_write_bytes", "bytes/cycle",
     "that a channel writes, in blocks of 64 however much of one is written", 30, 29, 29, 30, 30,
     "rrze gpu-l2-stream: mi210 1.65 TB/s, mi300x 7.85 TB/s; pyhip vmem-bandwidth.md for blocks; "
     "others assumed the same"},
    {&P::l2FabricBytes, "l2_fabric_bytes", "bytes/cycle", "that a channel gets from beyond the L2",
     64, 64, 64, 64, 64, "CDNA 3 white paper; RDNA: assumed"},
    {&P::l2Latency, "l2_latency", "cycles", "of a load that hits in the L2", 245, 208, 208, 220,
     220,
     "rrze gpu-latency, less the wait's own cycles: mi210 250, mi300x 213, rx6900xt 221; gfx950 "
     "and RDNA3/4 assumed to be as their predecessors"},
    {&P::mallBytes, "mall_bytes", "bytes", "cache at the memory (MALL, Infinity Cache)", 0,
     256 * kMiB, 256 * kMiB, 96 * kMiB, 64 * kMiB, "rocm.docs.amd.com gpu-specs"},
    {&P::mallGigabytes, "mall_gigabytes", "GB/s", "from the MALL", 0, 7300, 8500, 4240, 2940,
     "origami; rrze gpu-cache mi300x 6.7 to 7.1 TB/s; the wires would bear 17.2 TB/s (mirage)"},
    {&P::mallNanoseconds, "mall_nanoseconds", "ns", "of a load beyond the L2 that hits in the MALL",
     0, 117, 117, 62, 62,
     "rrze gpu-latency: mi300x 457 cycles in all; gfx1100: 150.3 ns in all (chipsandcheese.com "
     "2023/06/14); gfx950 and gfx1201 assumed the same"},
    {&P::hbmGigabytes, "hbm_gigabytes", "GB/s", "of the memory at best", 1638, 5300, 8000, 960, 644,
     "data sheets"},
    {&P::hbmEfficiency, "hbm_efficiency", "of 1", "of the memory's bandwidth that kernels reach",
     0.85, 0.77, 0.75, 0.76, 0.72,
     "read by kernels: rrze gpu-stream mi210 1.37 to 1.41 TB/s, mi300x 3.9 to 4.1 TB/s, pyhip "
     "vmem-bandwidth.md 4.06 to 4.27 TB/s; others: origami 6, 0.732, 0.464 TB/s"},
    {&P::hbmNanoseconds, "hbm_nanoseconds", "ns", "of a load beyond the L2 that comes from memory",
     199, 271, 350, 162, 162,
     "rrze gpu-latency: mi210 588 cycles in all, mi300x 835 with, 780 without what its TLB misses "
     "cost (mirage: 380 ns); gfx950: calibrated on AITER's products, whose operands lie in no "
     "cache and no TLB (Triton's AMDLatencyModel estimates 271); RDNA: 250 ns in all, assumed"},
    {&P::atomicCycles, "atomic_cycles", "cycles", "of an L2 channel for 16 dwords of atomics", 4,
     16, 16, 4, 4,
     "gfx942: calibrated on the splits that MIOpen's tuning chose, gfx950 as gfx942; others: "
     "mirage, "
     "4 a pass"},
    {&P::flagCycles, "flag_cycles", "cycles",
     "from a store or atomic of a workgroup to when a load of another begins that sees it", 500,
     1414, 1414, 500, 500,
     "origami: 1900 from XCD to XCD, the load included; chips of one die: assumed"},
};

llvm::ArrayRef<ParameterRow> mlir::ck::emulator::getMemoryParameterRows() { return kRows; }
