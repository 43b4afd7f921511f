//===- KernelNameTest.cpp - Names of kernels in messages -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names as compilers make them, and what a reader sees of them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/KernelName.h"
#include "gtest/gtest.h"

using ckemu::shortenKernelName;

TEST(KernelName, NamesOfCStayAsTheyAre) {
  EXPECT_EQ(shortenKernelName("store_at"), "store_at");
  EXPECT_EQ(shortenKernelName("main$async_dispatch_0_matmul"), "main$async_dispatch_0_matmul");
  EXPECT_EQ(shortenKernelName(""), "");
}

TEST(KernelName, ParametersAndReturnTypesGo) {
  EXPECT_EQ(shortenKernelName("_Z5saxpyfPKfPf"), "saxpy"); // saxpy(float, float const*, ...)
  EXPECT_EQ(shortenKernelName("_ZN2ns5applyEPFvvE"), "ns::apply"); // ns::apply(void (*)())
  EXPECT_EQ(shortenKernelName("_ZN12_GLOBAL__N_14copyEPi"), "(anonymous namespace)::copy");
}

TEST(KernelName, ArgumentsOfTemplatesBecomePoints) {
  // void copy<float, 4>(float*)
  EXPECT_EQ(shortenKernelName("_Z4copyIfLi4EEvPT_"), "copy<...>");
  // void ck::run<ck::Gemm<ck::Tuple<int> > >(ck::Gemm<ck::Tuple<int> >)
  EXPECT_EQ(shortenKernelName("_ZN2ck3runINS_4GemmINS_5TupleIiEEEEEEvT_"), "ck::run<...>");
  // ck::operator<(int*), and a member of a template
  EXPECT_EQ(shortenKernelName("_ZN2ckltEPi"), "ck::operator<");
  EXPECT_EQ(shortenKernelName("_ZN2ck4GemmIiE3runEPi"), "ck::Gemm<...>::run");
}

TEST(KernelName, LongNamesAreCut) {
  const std::string shortened = shortenKernelName(std::string(5000, 'k'));
  EXPECT_EQ(shortened, std::string(97, 'k') + "...");
}
