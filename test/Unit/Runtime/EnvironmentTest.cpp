//===- EnvironmentTest.cpp - Tests of the variables that choose the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An empty variable is none.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Environment.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir::ck;

TEST(EnvironmentTest, EmptyVariablesAreNone) {
  unsetenv("CK_TEST_VARIABLE");
  EXPECT_EQ(getVariable("CK_TEST_VARIABLE"), "");
  EXPECT_EQ(getVariable("CK_TEST_VARIABLE", "auto"), "auto");
  setenv("CK_TEST_VARIABLE", "", /*overwrite=*/1);
  EXPECT_EQ(getVariable("CK_TEST_VARIABLE", "auto"), "auto");
  setenv("CK_TEST_VARIABLE", "hip", /*overwrite=*/1);
  EXPECT_EQ(getVariable("CK_TEST_VARIABLE", "auto"), "hip");
}

TEST(EnvironmentTest, EmulatorChip) {
  setenv("CK_EMULATOR_CHIP", "", /*overwrite=*/1);
  EXPECT_EQ(getEmulatorChip(), "gfx942");
  setenv("CK_EMULATOR_CHIP", "gfx1201", /*overwrite=*/1);
  EXPECT_EQ(getEmulatorChip(), "gfx1201");
  setenv("CK_EMULATOR_CHIP", "gfx942:mi308x", /*overwrite=*/1);
  EXPECT_EQ(getEmulatorChip(), "gfx942");
  EXPECT_EQ(getEmulatorProduct("gfx942"), "gfx942:mi308x");
  EXPECT_EQ(getEmulatorProduct("gfx950"), "gfx950") << "another chip than that of the variable";
  unsetenv("CK_EMULATOR_CHIP");
  EXPECT_EQ(getEmulatorChip(), "gfx942");
}
