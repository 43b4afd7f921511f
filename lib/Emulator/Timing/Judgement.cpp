//===- Judgement.cpp - How far modelled times can be trusted -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Judgement.h. The figures are those that the judge prints as bands; docs/emulator/judgement.md
// says how they came about.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Judgement.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ckemu;

static constexpr llvm::StringLiteral kMiopen = "MIOpen's find database on an MI300X",
                                     kAiter942 = "AITER's products on an MI300X",
                                     kAiter950 = "AITER's products on an MI355X",
                                     kRocblas11 = "rocBLAS' tuning on an RX 7900 XTX, one factor "
                                                  "fitted",
                                     kRocblas90a =
                                         "rocBLAS' tuning on an MI250X, one factor fitted";

static constexpr Judgement kJudgements[] = {
    {Isa::Gfx942, KernelKind::Matrix16, false, 0.83, 1.61, 87, kMiopen},
    {Isa::Gfx942, KernelKind::Matrix16, true, 0.69, 1.48, 51, kMiopen},
    {Isa::Gfx942, KernelKind::Matrix32, false, 0.85, 1.60, 94, kMiopen},
    {Isa::Gfx942, KernelKind::Matrix32, true, 0.70, 2.02, 68, kMiopen},
    {Isa::Gfx942, KernelKind::Matrix8, false, 0.91, 1.15, 13, kAiter942},
    {Isa::Gfx950, KernelKind::Matrix16, false, 0.76, 1.08, 15, kAiter950},
    {Isa::Gfx950, KernelKind::Matrix16, true, 0.98, 1.23, 15, kAiter950},
    {Isa::Gfx950, KernelKind::Matrix8, false, 0.88, 1.04, 15, kAiter950},
    {Isa::Gfx950, KernelKind::Matrix8, true, 0.90, 1.21, 15, kAiter950},
    {Isa::Gfx950, KernelKind::Matrix4, false, 1.00, 1.47, 30, kAiter950},
    {Isa::Gfx11, KernelKind::Matrix16, false, 0.78, 1.35, 60, kRocblas11},
    {Isa::Gfx90a, KernelKind::Matrix16, false, 0.73, 1.19, 55, kRocblas90a},
};

llvm::ArrayRef<Judgement> ckemu::getJudgements() { return kJudgements; }

/// The chip with measured times whose units are most like those of another.
static Isa getKin(Isa isa) { return isCdna(isa) ? Isa::Gfx942 : Isa::Gfx11; }

const Judgement &ckemu::findJudgement(Isa isa, KernelKind kind, bool hasAtomics) {
  const Judgement *best = nullptr;
  unsigned bestFit = 0;
  for (const Judgement &row : kJudgements) {
    const unsigned fit = (row.isa == isa           ? 8
                          : row.isa == getKin(isa) ? 4
                                                   : 0) +
                         (row.kind == kind ? 2 : 0) + (row.hasAtomics == hasAtomics ? 1 : 0);
    if (!best || fit > bestFit) {
      best = &row;
      bestFit = fit;
    }
  }
  return *best;
}

static KernelKind getKind(unsigned matrixBits) {
  switch (matrixBits) {
  case 0:
    return KernelKind::Other;
  case 4:
    return KernelKind::Matrix4;
  case 8:
    return KernelKind::Matrix8;
  case 16:
    return KernelKind::Matrix16;
  default:
    return KernelKind::Matrix32;
  }
}

std::pair<KernelKind, bool> ckemu::classifyKernel(llvm::ArrayRef<InstructionCost> costs,
                                                  llvm::ArrayRef<uint64_t> executions) {
  unsigned bits = 0;
  bool hasAtomics = false;
  for (size_t i = 0; i < costs.size(); ++i) {
    if (executions[i] == 0)
      continue;
    bits = std::max<unsigned>(bits, costs[i].matrixBits);
    hasAtomics |= costs[i].isAtomic;
  }
  return {getKind(bits), hasAtomics};
}

static llvm::StringRef getName(KernelKind kind) {
  switch (kind) {
  case KernelKind::Matrix32:
    return "matrix instructions of 32 bits and more";
  case KernelKind::Matrix16:
    return "matrix instructions of 16 bits";
  case KernelKind::Matrix8:
    return "matrix instructions of 8 bits";
  case KernelKind::Matrix4:
    return "matrix instructions of 4 bits";
  case KernelKind::Other:
    return "no matrix instructions";
  }
  return "";
}

llvm::json::Object ckemu::describeJudgement(const Judgement &judgement) {
  std::string kernels = getName(judgement.kind).str();
  if (judgement.hasAtomics)
    kernels += ", with atomic additions";
  return llvm::json::Object{{"lowest", judgement.lowest},
                            {"highest", judgement.highest},
                            {"calls", int64_t(judgement.calls)},
                            {"kernels", std::move(kernels)},
                            {"source", judgement.source.str()}};
}
