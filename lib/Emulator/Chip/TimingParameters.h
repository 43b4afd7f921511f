//===- TimingParameters.h - What the model of time must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain numbers. Cycles are those of the shader clock.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHIP_TIMINGPARAMETERS_H
#define CK_MLIR_LIB_EMULATOR_CHIP_TIMINGPARAMETERS_H

namespace ckemu {

/// The parameters of a chip. Their meaning and units stand in getParameterRows
/// (Timing/Parameters.h).
struct TimingParameters {
  // Clock and launches.
  double clockMHz = 0, launchMicroseconds = 0, kernelMicroseconds = 0, dispatchCycles = 0;
  double groupStartCycles = 0, groupEndCycles = 0;
  // Issue.
  double issueCycles = 0, valuCycles = 0, valuLatency = 0, transCycles = 0, doubleCycles = 0;
  double packedCycles = 0, packedSwitchCycles = 0, quarterCycles = 0, crossingCycles = 0;
  double storeDwordCycles = 0;
  double saluCycles = 0, saluLatency = 0, branchCycles = 0, barrierCycles = 0, sleepCycles = 0;
  double matrixLatency = 0;
  // How matrix instructions slow the clock.
  double f16Slowdown = 0, bf16Slowdown = 0, bits8Slowdown = 0, wideSlowdown = 0;
  double wideTileSlowdown = 1, powerShare = 1;
  // LDS.
  double ldsLatency = 0, ldsBytes = 0, ldsPairBytes = 0, ldsQueue = 0;
  // Instruction fetch (from here on Timing/MemoryParameters.cpp).
  double instructionCacheBytes = 0, instructionMissCycles = 0;
  double instructionStreamCycles = 0;
  // Vector memory.
  double vectorIssueCycles = 0, outstandingLoads = 0, l1Bytes = 0, l1LineBytes = 0;
  double l1Latency = 0, l1Count = 0, l1BytesPerCycle = 0, l1FillBytesPerCycle = 0, l1Misses = 0;
  // Scalar memory.
  double scalarLatency = 0, scalarCacheBytes = 0;
  // Caches that compute units share, and memory.
  double numXcds = 0, l2Bytes = 0, l2Channels = 0, l2ReadBytes = 0, l2WriteBytes = 0;
  double l2FabricBytes = 0, l2Latency = 0, mallBytes = 0, mallGigabytes = 0, mallNanoseconds = 0;
  double hbmGigabytes = 0, hbmEfficiency = 0, hbmNanoseconds = 0, atomicCycles = 0, flagCycles = 0;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHIP_TIMINGPARAMETERS_H
