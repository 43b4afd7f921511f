//===- KernelSetTest.cpp - Tests of sets -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets are written by hand: what they expand to, and every mistake in them.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/KernelSet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::ElementsAre;
using testing::HasSubstr;

static llvm::Expected<KernelSet> parse(llvm::StringRef text, const SetAxes &values = {}) {
  return KernelSet::parse(llvm::cantFail(llvm::json::parse(text)), "set", values);
}

static std::string getError(llvm::StringRef text, const SetAxes &values = {}) {
  auto set = parse(text, values);
  return set ? "none" : llvm::toString(set.takeError());
}

static std::vector<std::string> getNames(const KernelSet &set) {
  std::vector<std::string> names;
  for (const Declaration &kernel : set.getKernels())
    names.push_back(toString(kernel.request));
  return names;
}

TEST(KernelSet, CombinesValuesChipsAndSchedules) {
  KernelSet set = llvm::cantFail(parse(R"json({"name": "s", "description": "d",
      "chips": ["gfx942", "gfx90a"], "values": {"M": [32, 64], "N": [16]},
      "schedule": {"tile": ["", "32x32x32"]},
      "kernels": [{"layer": "a", "problem": "gemm:f16:M={M},N={N},K=8"},
                  {"problem": "gemm:f16:M=1,N={N},K=8", "chips": ["gfx942"],
                   "values": {"N": [2]}, "schedule": {"tile": [""]}}]})json"));
  EXPECT_EQ(set.getName(), "s");
  EXPECT_EQ(set.getDescription(), "d");
  EXPECT_THAT(getNames(set), ElementsAre("gemm:f16:M=32,N=16,K=8 for gfx942",
                                         "gemm:f16:M=32,N=16,K=8 for gfx942 with tile=32x32x32",
                                         "gemm:f16:M=32,N=16,K=8 for gfx90a",
                                         "gemm:f16:M=32,N=16,K=8 for gfx90a with tile=32x32x32",
                                         "gemm:f16:M=64,N=16,K=8 for gfx942",
                                         "gemm:f16:M=64,N=16,K=8 for gfx942 with tile=32x32x32",
                                         "gemm:f16:M=64,N=16,K=8 for gfx90a",
                                         "gemm:f16:M=64,N=16,K=8 for gfx90a with tile=32x32x32",
                                         "gemm:f16:M=1,N=2,K=8 for gfx942"));
  EXPECT_EQ(set.getKernels()[0].layer, "a");
  llvm::cantFail(set.setChips({"gfx1100"}));
  EXPECT_EQ(set.getKernels().size(), 5u); // no kernel twice
  EXPECT_THAT(llvm::toString(set.setChips({"gfx1"})), HasSubstr("gfx1"));
}

TEST(KernelSet, TakesValuesOfTheCaller) {
  const char *text = R"json({"name": "s", "values": {"M": [32, 64]},
      "kernels": [{"problem": "gemm:f16:M={M},N=8,K=8"}]})json";
  EXPECT_THAT(getNames(llvm::cantFail(parse(text, {{"M", {"5"}}}))),
              ElementsAre("gemm:f16:M=5,N=8,K=8 for gfx942"));
  EXPECT_EQ(getError(text, {{"X", {"5"}}}), "set: expected values of a key of the set, got 'X'");
}

TEST(KernelSet, ExcludesCombinationsThatAreNoProblems) {
  KernelSet set = llvm::cantFail(parse(R"json({"name": "s", "chips": ["gfx942", "gfx90a"],
      "kernels": [{"problem": "conv_fwd:f16:N=1,K=8,C=8,in=4,filter={F}",
                   "values": {"F": [3, 5]}}]})json"));
  EXPECT_EQ(set.getKernels().size(), 2u);
  ASSERT_EQ(set.getExclusions().size(), 1u);
  EXPECT_EQ(toString(set.getExclusions()[0].declaration.request),
            "conv_fwd:f16:N=1,K=8,C=8,in=4,filter=5");
  EXPECT_THAT(set.getExclusions()[0].reason, HasSubstr("output size along W must be at least 1"));
}

TEST(KernelSet, NamesWhatIsWrong) {
  EXPECT_EQ(getError("[]"), "set: expected an object, got []");
  EXPECT_EQ(getError("{}"), "set: expected a string 'name' and an array 'kernels'");
  EXPECT_EQ(getError(R"({"name": "s", "kernels": []})"),
            "set: expected at least one kernel, got none");
  EXPECT_EQ(getError(R"({"name": "s", "kernel": []})"),
            "set: unknown field 'kernel', expected one of name, description, chips, values, "
            "schedule, kernels");
  EXPECT_EQ(getError(R"({"name": "s", "kernels": [3]})"),
            "set.kernels[0]: expected an object, got 3");
  EXPECT_EQ(getError(R"({"name": "s", "kernels": [{}]})"),
            "set.kernels[0].problem: expected a string, got nothing");
  EXPECT_EQ(getError(R"({"name": "s", "kernels": [{"problem": "gemm:f16:M=1,N=1,K=1", "x": 1}]})"),
            "set.kernels[0]: unknown field 'x', expected one of problem, layer, chips, values, "
            "schedule");
  EXPECT_THAT(getError(R"({"name": "s", "kernels": [{"problem": "gemm:f17:M=1,N=1,K=1"}]})"),
              HasSubstr("set.kernels[0].problem: "));
  EXPECT_EQ(
      getError(R"json({"name": "s", "kernels": [{"problem": "gemm:f16:M={M},N=1,K=1"}]})json"),
      "set.kernels[0].problem: expected values for 'M' of 'gemm:f16:M={M},N=1,K=1'");
  EXPECT_THAT(getError(R"({"name": "s", "chips": ["gfx1"], "kernels": []})"),
              HasSubstr("set.chips: "));
  EXPECT_EQ(getError(R"({"name": "s", "chips": [], "kernels": []})"),
            "set.chips: expected an array of strings, got []");
  EXPECT_THAT(getError(R"({"name": "s", "schedule": {"tiles": ["1"]}, "kernels": []})"),
              HasSubstr("set.schedule: "));
  EXPECT_EQ(getError(R"({"name": "s", "values": {"M": [true]}, "kernels": []})"),
            "set.values.M: expected a string or a number, got true");
}

TEST(KernelSet, HasSetsBuiltIn) {
  for (const char *name :
       {"conv2d-inference", "conv2d-training", "conv3d", "depthwise", "gemm", "gemm-preshuffle"})
    EXPECT_THAT(getBuiltInSets(), testing::Contains(name));
  for (const std::string &name : getBuiltInSets()) {
    KernelSet set = llvm::cantFail(KernelSet::open(name));
    EXPECT_EQ(set.getName(), name);
    EXPECT_TRUE(set.getExclusions().empty()) << name;
    for (const Declaration &kernel : set.getKernels())
      EXPECT_FALSE(kernel.layer.empty()) << toString(kernel.request);
  }
  EXPECT_THAT(llvm::toString(KernelSet::open("none").takeError()),
              HasSubstr("unknown set 'none': expected a file that ends in '.json', or one of "));
}
