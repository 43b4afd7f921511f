//===- ProgressBarTest.cpp - Tests of the progress bar -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bar has a fixed geometry and stays off streams that are no terminal.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/ProgressBar.h"
#include "gtest/gtest.h"

using namespace cksupport;

TEST(ProgressBarTest, Geometry) {
  EXPECT_EQ(formatProgress(0, 10, "a"), "[>                   ]  0/10 a");
  EXPECT_EQ(formatProgress(5, 10, "b"), "[==========>         ]  5/10 b");
  EXPECT_EQ(formatProgress(10, 10, ""), "[====================] 10/10 ");
  EXPECT_EQ(formatProgress(1, 2, "a long label", 30).size(), 30u);
}

TEST(ProgressBarTest, TimeLeft) {
  EXPECT_EQ(formatTimeLeft(1, 4, 10), "30 s left, ");
  EXPECT_EQ(formatTimeLeft(1, 2, 187), "3:07 min left, ");
  EXPECT_EQ(formatTimeLeft(2, 4, 3720), "1:02 h left, ");
  EXPECT_EQ(formatTimeLeft(0, 4, 10), "");
  EXPECT_EQ(formatTimeLeft(4, 4, 10), "");
  EXPECT_EQ(formatTimeLeft(1, 4, 0.5), "");
}

TEST(ProgressBarTest, SilentWithoutTerminal) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    ProgressBar bar(os, 3);
    bar.show(1, "x");
  }
  EXPECT_EQ(text, "");
}
