//===- JudgementTest.cpp - Tests of the bands of modelled times -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which judgement belongs to which kernel.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Judgement.h"
#include "gtest/gtest.h"

using namespace ckemu;

static InstructionCost makeCost(unsigned matrixBits, bool isAtomic = false) {
  InstructionCost cost;
  cost.matrixBits = uint8_t(matrixBits);
  cost.isAtomic = isAtomic;
  return cost;
}

TEST(Judgement, EachIsABand) {
  for (const Judgement &row : getJudgements()) {
    EXPECT_GT(row.lowest, 0) << row.source.str();
    EXPECT_LT(row.lowest, row.highest) << row.source.str();
    EXPECT_GE(row.calls, 10u) << row.source.str();
    EXPECT_FALSE(row.source.empty());
    const Judgement &found = findJudgement(row.isa, row.kind, row.hasAtomics);
    EXPECT_EQ(&found, &row) << "two rows for the same kernels: " << row.source.str();
  }
}

TEST(Judgement, KernelsOfNoRowHaveTheNextOfKin) {
  for (Isa isa : kIsas)
    for (KernelKind kind : {KernelKind::Matrix32, KernelKind::Matrix16, KernelKind::Matrix8,
                            KernelKind::Matrix4, KernelKind::Other}) {
      const Judgement &found = findJudgement(isa, kind, /*hasAtomics=*/true);
      EXPECT_EQ(isCdna(found.isa), isCdna(isa));
    }
}

TEST(Judgement, KernelsAreClassifiedByWhatTheyExecute) {
  const InstructionCost costs[] = {makeCost(0), makeCost(8), makeCost(16), makeCost(0, true)};
  auto classify = [&](const std::vector<uint64_t> &executions) {
    return classifyKernel(costs, executions);
  };
  EXPECT_EQ(classify({1, 0, 0, 0}), std::make_pair(KernelKind::Other, false));
  EXPECT_EQ(classify({1, 5, 0, 0}), std::make_pair(KernelKind::Matrix8, false));
  EXPECT_EQ(classify({1, 5, 2, 0}), std::make_pair(KernelKind::Matrix16, false)) << "the widest";
  EXPECT_EQ(classify({0, 5, 0, 1}), std::make_pair(KernelKind::Matrix8, true));
}
