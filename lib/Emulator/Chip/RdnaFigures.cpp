//===- RdnaFigures.cpp - The figures of gfx1100 and gfx1201 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimingFigures.h. Figures of a unit are those of a WGP.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Chip/TimingFigures.h"

using namespace ckemu;

using P = TimingParameters;

static constexpr double kKiB = 1024;

/// RDNA3.
static constexpr TimingFigure kGfx1100Rows[] = {
    {&P::dispatchCycles, 5, "assumed"},
    {&P::issueCycles, 1, "RDNA3 instruction set reference"},
    {&P::valuCycles, 1, "RDNA3 instruction set reference"},
    {&P::valuLatency, 5, "LLVM SISchedule.td"},
    {&P::transCycles, 4, "a quarter of the rate"},
    {&P::doubleCycles, 16, "peak rates of the products' data sheets"},
    {&P::packedCycles, 1, "peak rates of the products' data sheets"},
    {&P::packedSwitchCycles, 0, "has no matrix pipe beside the vector unit"},
    {&P::quarterCycles, 4, "LLVM SISchedule.td: a quarter of the rate"},
    {&P::crossingCycles, 0, "assumed"},
    {&P::storeDwordCycles, 1, "assumed: a register of a wave a cycle of its SIMD"},
    {&P::saluCycles, 1, "RDNA3 instruction set reference"},
    {&P::saluLatency, 2, "LLVM SISchedule.td"},
    {&P::barrierCycles, 16, "assumed"},
    {&P::matrixLatency, 1, "assumed"},
    {&P::f16Slowdown, 0, "not known"},
    {&P::bf16Slowdown, 0, "not known"},
    {&P::bits8Slowdown, 0, "not known"},
    {&P::wideSlowdown, 0, "not known"},
    {&P::ldsLatency, 24, "LLVM SISchedule.td"},
    {&P::ldsBytes, 256, "a WGP has two arrays of 32 banks"},
    {&P::ldsPairBytes, 128, "half of the LDS"},
    {&P::instructionCacheBytes, 32 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::instructionMissCycles, 261, "assumed: the latency of the L2 and that of a scalar hit"},
    {&P::vectorIssueCycles, 1, "assumed"},
    {&P::outstandingLoads, 24, "for each of two CUs, assumed"},
    {&P::l1Count, 2, "ISA references: each of the two CUs of a WGP has one"},
    {&P::l1Bytes, 64 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l1Latency, 72, "assumed to be as its predecessor, rrze gpu-latency: rx6900xt 73"},
    {&P::l1BytesPerCycle, 128, "64 for each CU, assumed"},
    {&P::l1FillBytesPerCycle, 128, "64 for each CU"},
    {&P::l1Misses, 512, "by the same rule as gfx942"},
    {&P::scalarLatency, 40, "assumed"},
    {&P::scalarCacheBytes, 32 * kKiB, "rocm.docs.amd.com gpu-specs"},
    {&P::l2ReadBytes, 119, "origami 7.12 TB/s"},
    {&P::l2WriteBytes, 30, "assumed the same as gfx90a"},
    {&P::l2Latency, 220, "assumed to be as its predecessor, rrze gpu-latency: rx6900xt 221"},
    {&P::mallNanoseconds, 62, "150.3 ns in all (chipsandcheese.com 2023/06/14)"},
    {&P::hbmEfficiency, 0.76, "origami 0.732 TB/s"},
    {&P::hbmNanoseconds, 162, "250 ns in all, assumed"},
    {&P::atomicCycles, 4, "mirage, 4 a pass"},
    {&P::flagCycles, 500, "one die: assumed"},
};
constexpr TimingFigures ckemu::kGfx1100Figures = {&kGfx942Figures, kGfx1100Rows};

/// RDNA4.
static constexpr TimingFigure kGfx1201Rows[] = {
    {&P::l2ReadBytes, 121, "origami 5.74 TB/s"},
    {&P::hbmEfficiency, 0.72, "origami 0.464 TB/s"},
};
constexpr TimingFigures ckemu::kGfx1201Figures = {&kGfx1100Figures, kGfx1201Rows};
