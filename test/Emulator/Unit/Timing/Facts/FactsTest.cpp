//===- FactsTest.cpp - The model of time against measurements -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fact must come out of the model within 10 % of what was measured, but those of which it is
// known that they do not, and why: these must not, so that none stays on the list that came right.
// With --print, the program prints the table of docs/emulator/judgement.md instead.
//
//===----------------------------------------------------------------------===//

#include "Fact.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace ckemu::test;

static const std::vector<Fact> &getFacts() {
  static const std::vector<Fact> facts = [] {
    std::vector<Fact> all = getUnitFacts();
    for (Fact &fact : getMemoryFacts())
      all.push_back(std::move(fact));
    return all;
  }();
  return facts;
}

static double runFact(const Fact &fact) {
  static std::map<std::string, FactRunner> runners;
  return runners.try_emplace(fact.chip, fact.chip, getFacts()).first->second.run(fact);
}

namespace {
class Facts : public testing::TestWithParam<Fact> {};
} // namespace

TEST_P(Facts, IsWithinTenPercent) {
  const Fact &fact = GetParam();
  const double modelled = runFact(fact);
  if (fact.missed.empty())
    EXPECT_NEAR(modelled, fact.measured, 0.1 * fact.measured) << fact.what << ", " << fact.source;
  else
    EXPECT_GT(std::abs(modelled - fact.measured), 0.1 * fact.measured)
        << fact.what << " is right now: it is no longer missed";
}

INSTANTIATE_TEST_SUITE_P(All, Facts, testing::ValuesIn(getFacts()),
                         [](const auto &info) { return info.param.name; });

static void printTable() {
  llvm::outs() << "| chip | fact | unit | measured | modelled | source |\n"
                  "|---|---|---|---|---|---|\n";
  for (const Fact &fact : getFacts())
    llvm::outs() << llvm::formatv("| {0} | {1} | {2} | {3:f1} | {4:f1} | {5}{6}{7} |\n", fact.chip,
                                  fact.what, getUnit(fact.quantity), fact.measured, runFact(fact),
                                  fact.source,
                                  fact.missed.empty() ? "" : "; missed: ", fact.missed);
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && llvm::StringRef(argv[1]) == "--print") {
    printTable();
    return 0;
  }
  return RUN_ALL_TESTS();
}
