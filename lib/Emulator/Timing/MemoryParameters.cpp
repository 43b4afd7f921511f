//===- MemoryParameters.cpp - Caches and memory of the chips in figures -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Parameters.h. Latencies are from the issue of a load to the use of its data.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"

using namespace ckemu;

using Kind = ParameterKind;
using P = TimingParameters;

static constexpr ParameterRow kFetch[] = {
    {&P::instructionCacheBytes, Kind::Capacity, "instruction_cache_bytes", "bytes",
     "size of the instruction cache (of two CUs)"},
    {&P::instructionMissCycles, Kind::Delay, "instruction_miss_cycles", "cycles",
     "time of an instruction fetch from the L2"},
    {&P::instructionStreamCycles, Kind::Delay, "instruction_stream_cycles", "cycles",
     "time of an instruction fetch from the L2 that continues the previous fetch"},
};

static constexpr ParameterRow kVector[] = {
    {&P::vectorIssueCycles, Kind::Delay, "vector_issue_cycles", "cycles",
     "time between vector memory instructions of a wave while the L1 accepts them"},
    {&P::outstandingLoads, Kind::Count, "outstanding_loads", "accesses",
     "accesses of a unit that can wait for its L1 before issue stalls"},
    {&P::l1Count, Kind::Count, "l1_count", "caches",
     "first-level caches of a unit, each with its own path"},
    {&P::l1Bytes, Kind::Capacity, "l1_bytes", "bytes", "size of the first-level cache of a unit"},
    {&P::l1LineBytes, Kind::Line, "l1_line_bytes", "bytes",
     "size of a line of the first-level cache"},
    {&P::l1Latency, Kind::Delay, "l1_latency", "cycles",
     "latency of a load that hits in the first-level cache"},
    {&P::l1BytesPerCycle, Kind::Rate, "l1_bytes_per_cycle", "bytes/cycle",
     "bandwidth of the first-level cache of a unit"},
    {&P::l1FillBytesPerCycle, Kind::Rate, "l1_fill_bytes_per_cycle", "bytes/cycle",
     "bandwidth from the L2 to a unit"},
    {&P::l1Misses, Kind::Count, "l1_misses", "lines",
     "lines that a unit can wait for at the same time"},
};

static constexpr ParameterRow kScalar[] = {
    {&P::scalarLatency, Kind::Delay, "scalar_latency", "cycles",
     "latency of a scalar load that hits in its cache"},
    {&P::scalarCacheBytes, Kind::Capacity, "scalar_cache_bytes", "bytes",
     "size of the scalar cache (of two CUs)"},
};

static constexpr ParameterRow kShared[] = {
    {&P::numXcds, Kind::Count, "num_xcds", "dies",
     "dies that have the compute units, each with an L2",
     [](const ChipProduct &p) -> double { return p.xcds; }, "CDNA 3 white paper"},
    {&P::l2Bytes, Kind::Capacity, "l2_bytes", "bytes", "size of the L2 of a die",
     [](const ChipProduct &p) -> double { return p.l2Bytes; }, "rocm.docs.amd.com gpu-specs"},
    {&P::l2Channels, Kind::Count, "l2_channels", "channels", "channels of an L2",
     [](const ChipProduct &p) -> double { return p.l2Channels; },
     "rocprofiler-compute L2; CDNA 3 white paper; RDNA: slices of 256 and 512 KiB, assumed"},
    {&P::l2ReadBytes, Kind::Rate, "l2_read_bytes", "bytes/cycle",
     "bandwidth of a channel for reads"},
    {&P::l2WriteBytes, Kind::Rate, "l2_write_bytes", "bytes/cycle",
     "bandwidth of a channel for writes, which occupy whole blocks of 64 bytes"},
    {&P::l2FabricBytes, Kind::Rate, "l2_fabric_bytes", "bytes/cycle",
     "bandwidth of a channel to the fabric beyond the L2"},
    {&P::l2Latency, Kind::Delay, "l2_latency", "cycles", "latency of a load that hits in the L2"},
    {&P::mallBytes, Kind::Mall, "mall_bytes", "bytes",
     "size of the cache at the memory (MALL, Infinity Cache)",
     [](const ChipProduct &p) -> double { return double(p.mallBytes); },
     "rocm.docs.amd.com gpu-specs"},
    {&P::mallGigabytes, Kind::Mall, "mall_gigabytes", "GB/s", "bandwidth of the MALL",
     [](const ChipProduct &p) -> double { return p.mallGigabytes; },
     "origami; rrze gpu-cache mi300x 6.7 to 7.1 TB/s; the wires would bear 17.2 TB/s (mirage)"},
    {&P::mallNanoseconds, Kind::Duration, "mall_nanoseconds", "ns",
     "latency beyond the L2 of a load that hits in the MALL"},
    {&P::hbmGigabytes, Kind::Bandwidth, "hbm_gigabytes", "GB/s", "peak bandwidth of the memory",
     [](const ChipProduct &p) -> double { return p.memoryGigabytes; }, "data sheets"},
    {&P::hbmEfficiency, Kind::Efficiency, "hbm_efficiency", "of 1",
     "fraction of the memory's peak bandwidth that kernels reach"},
    {&P::hbmNanoseconds, Kind::Duration, "hbm_nanoseconds", "ns",
     "latency beyond the L2 of a load from memory"},
    {&P::atomicCycles, Kind::Cycles, "atomic_cycles", "cycles",
     "time in which 16 dwords of atomics occupy an L2 channel"},
    {&P::flagCycles, Kind::Delay, "flag_cycles", "cycles",
     "time from a store or atomic of a workgroup to the beginning of a load of another workgroup "
     "that sees it"},
};

static constexpr ParameterGroup kGroups[] = {{"Instruction fetch", kFetch},
                                             {"Vector memory", kVector},
                                             {"Scalar memory", kScalar},
                                             {"L2, MALL and memory", kShared}};

llvm::ArrayRef<ParameterGroup> ckemu::getMemoryParameters() { return kGroups; }
