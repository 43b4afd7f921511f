//===- MatrixCycles.cpp - Rates of matrix instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InstructionCost.h. The interval of a matrix instruction is its multiplications divided by the
// rate of a SIMD for its type; shapes with several blocks of 8- and 16-bit types have that of
// gfx90a on later chips, too. Sources: LLVM's SISchedule.td (passes of SIDPGFX90A, SIDPGFX940 and
// SIDPGFX950), the CDNA3 and CDNA4 instruction set references; for RDNA the peak rates of the
// products.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/InstructionCost.h"

using namespace ckemu;

/// Multiplications a cycle of one SIMD; `depth` is k without the zeros of a sparse operand.
static unsigned getRate(const MatrixShape &shape, const MatrixRates &rates, unsigned blocks,
                        unsigned depth, bool isSmall) {
  constexpr unsigned kOfBlocks = 128; // of 8- and 16-bit types
  constexpr unsigned kOfFourRows = 16;
  const unsigned fastDepth = shape.m == 16 ? 32 : 16; // of 16-bit types
  switch (shape.type) {
  case MatrixType::F32:
    return 32;
  case MatrixType::SlowBf16:
    return 64;
  case MatrixType::Xf32:
    return 128;
  case MatrixType::F64:
    return shape.m == 4 ? kOfFourRows : rates.f64;
  case MatrixType::F16:
  case MatrixType::Bf16:
    if (blocks > 1)
      return kOfBlocks;
    return depth >= fastDepth ? rates.bits16Deep : rates.bits16;
  case MatrixType::Bits8:
  case MatrixType::Bits4:
    if (blocks > 1)
      return kOfBlocks;
    if (shape.isMixed)
      return isSmall ? 2 * rates.bits8Deep : rates.bits8Deep;
    return depth >= 2 * fastDepth ? rates.bits8Deep : rates.bits8;
  }
  return rates.bits16;
}

static unsigned getWmmaCycles(const MatrixShape &shape, const MatrixRates &rates) {
  if (shape.type == MatrixType::Bits8)
    return rates.wmma8;
  return shape.type == MatrixType::Bits4 ? rates.wmma4 : rates.wmma16;
}

unsigned ckemu::getMatrixCycles(const MatrixShape &shape, const MatrixRates &rates,
                                unsigned resultRegisters, bool isSmall) {
  if (shape.isWmma)
    return getWmmaCycles(shape, rates);
  const unsigned depth = shape.isSparse ? shape.k / 2 : shape.k;
  // How many products of m x n a result of so many registers holds.
  const unsigned registers = shape.type == MatrixType::F64 ? resultRegisters / 2 : resultRegisters;
  const unsigned blocks = std::max(1u, registers * 64 / (shape.m * shape.n));
  const unsigned cycles =
      shape.m * shape.n * depth * blocks / getRate(shape, rates, blocks, depth, isSmall);
  return std::max(8u, cycles);
}

unsigned ckemu::getMatrixBits(const MatrixShape &shape, bool isSmall) {
  switch (shape.type) {
  case MatrixType::F16:
  case MatrixType::Bf16:
  case MatrixType::SlowBf16:
    return 16;
  case MatrixType::Bits8:
    return isSmall ? 4 : 8;
  case MatrixType::Bits4:
    return 4;
  case MatrixType::F32:
  case MatrixType::Xf32:
    return 32;
  case MatrixType::F64:
    return 64;
  }
  return 0;
}

static double getTypeSlowdown(MatrixType type, const TimingParameters &parameters) {
  switch (type) {
  case MatrixType::F16:
    return parameters.f16Slowdown;
  case MatrixType::Bf16:
  case MatrixType::SlowBf16:
    return parameters.bf16Slowdown;
  case MatrixType::Bits8:
  case MatrixType::Bits4:
    return parameters.bits8Slowdown;
  case MatrixType::F32:
  case MatrixType::Xf32:
  case MatrixType::F64:
    return parameters.wideSlowdown;
  }
  return 0;
}

/// The share of the chip's best rate for the type that an instruction reaches: those that earlier
/// chips had compute half as much a cycle on gfx950, and need as much less power.
static double getRateShare(const MatrixShape &shape, const MatrixRates &rates) {
  const bool isWide = shape.type == MatrixType::F16 || shape.type == MatrixType::Bf16;
  if (shape.isWmma || (!isWide && shape.type != MatrixType::Bits8))
    return 1;
  const unsigned depth = shape.isSparse ? shape.k / 2 : shape.k;
  const unsigned rate = getRate(shape, rates, /*blocks=*/1, depth, /*isSmall=*/false);
  return std::min(1.0, double(rate) / (isWide ? rates.bits16Deep : rates.bits8Deep));
}

double ckemu::getMatrixSlowdown(const MatrixShape &shape, const MatrixRates &rates,
                                const TimingParameters &parameters) {
  return getTypeSlowdown(shape.type, parameters) * getRateShare(shape, rates) *
         parameters.powerShare * (shape.m == 32 ? parameters.wideTileSlowdown : 1);
}
