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
static unsigned getRate(const MatrixShape &shape, Isa isa, unsigned blocks, unsigned depth,
                        bool isSmall) {
  constexpr unsigned kSlow = 128;                     // of 8- and 16-bit types on gfx90a
  const unsigned fastDepth = shape.m == 16 ? 32 : 16; // of 16-bit types on gfx950
  switch (shape.type) {
  case MatrixType::F32:
    return 32;
  case MatrixType::SlowBf16:
    return 64;
  case MatrixType::Xf32:
    return 128;
  case MatrixType::F64:
    return isa == Isa::Gfx950 || shape.m == 4 ? 16 : 32;
  case MatrixType::F16:
  case MatrixType::Bf16:
    if (isa == Isa::Gfx90a || blocks > 1)
      return kSlow;
    return isa == Isa::Gfx950 && depth >= fastDepth ? 512 : 256;
  case MatrixType::Bits8:
  case MatrixType::Bits4:
    if (isa == Isa::Gfx90a || blocks > 1)
      return kSlow;
    if (shape.isMixed)
      return isSmall ? 2048 : 1024;
    return isa == Isa::Gfx950 && depth >= 2 * fastDepth ? 1024 : 512;
  }
  return 256;
}

static unsigned getWmmaCycles(const MatrixShape &shape, Isa isa) {
  const bool isGfx12 = isa == Isa::Gfx12;
  if (shape.type == MatrixType::Bits8)
    return isGfx12 ? 8 : 32;
  if (shape.type == MatrixType::Bits4)
    return isGfx12 ? 8 : 16;
  return isGfx12 ? 16 : 32;
}

unsigned ckemu::getMatrixCycles(const MatrixShape &shape, Isa isa, unsigned resultRegisters,
                                bool isSmall) {
  if (shape.isWmma)
    return getWmmaCycles(shape, isa);
  const unsigned depth = shape.isSparse ? shape.k / 2 : shape.k;
  // How many products of m x n a result of so many registers holds.
  const unsigned registers = shape.type == MatrixType::F64 ? resultRegisters / 2 : resultRegisters;
  const unsigned blocks = std::max(1u, registers * 64 / (shape.m * shape.n));
  const unsigned cycles =
      shape.m * shape.n * depth * blocks / getRate(shape, isa, blocks, depth, isSmall);
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
static double getRateShare(const MatrixShape &shape, Isa isa) {
  const bool isWide = shape.type == MatrixType::F16 || shape.type == MatrixType::Bf16;
  if (isa != Isa::Gfx950 || (!isWide && shape.type != MatrixType::Bits8))
    return 1;
  const unsigned depth = shape.isSparse ? shape.k / 2 : shape.k;
  const unsigned rate = getRate(shape, isa, /*blocks=*/1, depth, /*isSmall=*/false);
  return std::min(1.0, double(rate) / (isWide ? 512 : 1024));
}

double ckemu::getMatrixSlowdown(const MatrixShape &shape, Isa isa,
                                const TimingParameters &parameters) {
  return getTypeSlowdown(shape.type, parameters) * getRateShare(shape, isa) *
         parameters.powerShare * (shape.m == 32 ? parameters.wideTileSlowdown : 1);
}
