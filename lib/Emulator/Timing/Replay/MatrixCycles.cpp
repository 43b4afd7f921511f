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

namespace {
enum class MatrixType { F16, Bf16, SlowBf16, Bits8, F32, Xf32, F64, Bits4 };

/// The fields of a name such as v_mfma_f32_32x32x4_2b_f16.
struct MatrixName {
  unsigned m = 0, n = 0, k = 0;
  MatrixType type = MatrixType::F16;
  bool isSparse = false, isMixed = false, isWmma = false;
};
} // namespace

/// Reads "32x32x4" at the begin of `text`, which then begins behind it.
static bool consumeShape(llvm::StringRef &text, MatrixName &name) {
  llvm::StringRef rest = text;
  if (rest.consumeInteger(10, name.m) || !rest.consume_front("x") ||
      rest.consumeInteger(10, name.n) || !rest.consume_front("x") ||
      rest.consumeInteger(10, name.k))
    return false;
  text = rest;
  return true;
}

/// `text` is what follows the shape.
static MatrixType parseType(llvm::StringRef text, Isa isa) {
  if (text.contains("xf32"))
    return MatrixType::Xf32;
  if (text.contains("iu4"))
    return MatrixType::Bits4;
  if (text.contains("f64"))
    return MatrixType::F64;
  if (text.contains("8"))
    return MatrixType::Bits8;
  if (isa == Isa::Gfx90a && text.ends_with("bf16"))
    return MatrixType::SlowBf16; // those of gfx908; the others end in _1k
  if (text.contains("bf16"))
    return MatrixType::Bf16;
  return text.contains("16") ? MatrixType::F16 : MatrixType::F32;
}

static bool parseName(llvm::StringRef mnemonic, Isa isa, MatrixName &name) {
  name.isSparse = mnemonic.starts_with("v_smfmac_") || mnemonic.starts_with("v_swmmac_");
  name.isWmma = mnemonic.starts_with("v_wmma_") || mnemonic.starts_with("v_swmmac_");
  if (!name.isWmma && !name.isSparse && !mnemonic.starts_with("v_mfma_"))
    return false;
  for (size_t at = mnemonic.find('_', 2); at != llvm::StringRef::npos;
       at = mnemonic.find('_', at + 1)) {
    llvm::StringRef rest = mnemonic.drop_front(at + 1);
    if (!consumeShape(rest, name))
      continue;
    name.isMixed = rest.contains("f8f6f4");
    name.type = parseType(rest, isa);
    return true;
  }
  return false;
}

/// Multiplications a cycle of one SIMD; `depth` is k without the zeros of a sparse operand.
static unsigned getRate(const MatrixName &name, Isa isa, unsigned blocks, unsigned depth,
                        bool isSmall) {
  constexpr unsigned kSlow = 128;                    // of 8- and 16-bit types on gfx90a
  const unsigned fastDepth = name.m == 16 ? 32 : 16; // of 16-bit types on gfx950
  switch (name.type) {
  case MatrixType::F32:
    return 32;
  case MatrixType::SlowBf16:
    return 64;
  case MatrixType::Xf32:
    return 128;
  case MatrixType::F64:
    return isa == Isa::Gfx950 || name.m == 4 ? 16 : 32;
  case MatrixType::F16:
  case MatrixType::Bf16:
    if (isa == Isa::Gfx90a || blocks > 1)
      return kSlow;
    return isa == Isa::Gfx950 && depth >= fastDepth ? 512 : 256;
  case MatrixType::Bits8:
  case MatrixType::Bits4:
    if (isa == Isa::Gfx90a || blocks > 1)
      return kSlow;
    if (name.isMixed)
      return isSmall ? 2048 : 1024;
    return isa == Isa::Gfx950 && depth >= 2 * fastDepth ? 1024 : 512;
  }
  return 256;
}

static unsigned getWmmaCycles(const MatrixName &name, Isa isa) {
  const bool isGfx12 = isa == Isa::Gfx12;
  if (name.type == MatrixType::Bits8)
    return isGfx12 ? 8 : 32;
  if (name.type == MatrixType::Bits4)
    return isGfx12 ? 8 : 16;
  return isGfx12 ? 16 : 32;
}

unsigned ckemu::getMatrixCycles(llvm::StringRef mnemonic, Isa isa, unsigned resultRegisters,
                                bool isSmall) {
  MatrixName name;
  if (!parseName(mnemonic, isa, name))
    return 0;
  if (name.isWmma)
    return getWmmaCycles(name, isa);
  const unsigned depth = name.isSparse ? name.k / 2 : name.k;
  // How many products of m x n a result of so many registers holds.
  const unsigned registers = name.type == MatrixType::F64 ? resultRegisters / 2 : resultRegisters;
  const unsigned blocks = std::max(1u, registers * 64 / (name.m * name.n));
  const unsigned cycles =
      name.m * name.n * depth * blocks / getRate(name, isa, blocks, depth, isSmall);
  return std::max(8u, cycles);
}

unsigned ckemu::getMatrixBits(llvm::StringRef mnemonic, Isa isa, bool isSmall) {
  MatrixName name;
  if (!parseName(mnemonic, isa, name))
    return 0;
  switch (name.type) {
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
static double getRateShare(const MatrixName &name, Isa isa) {
  const bool isWide = name.type == MatrixType::F16 || name.type == MatrixType::Bf16;
  if (isa != Isa::Gfx950 || (!isWide && name.type != MatrixType::Bits8))
    return 1;
  const unsigned depth = name.isSparse ? name.k / 2 : name.k;
  const unsigned rate = getRate(name, isa, /*blocks=*/1, depth, /*isSmall=*/false);
  return std::min(1.0, double(rate) / (isWide ? 512 : 1024));
}

double ckemu::getMatrixSlowdown(llvm::StringRef mnemonic, Isa isa,
                                const TimingParameters &parameters) {
  MatrixName name;
  if (!parseName(mnemonic, isa, name))
    return 0;
  return getTypeSlowdown(name.type, parameters) * getRateShare(name, isa) * parameters.powerShare *
         (name.m == 32 ? parameters.wideTileSlowdown : 1);
}
