//===- CompareTest.cpp - Tests of the comparison -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equality without tolerance, errors within it, and values that are not numbers.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Compare.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::ck;

static TensorData makeTensor(std::initializer_list<double> values) {
  TensorData tensor({"c", DataType::F32, "GMN", {1, 2, int64_t(values.size()) / 2}});
  int64_t i = 0;
  for (double value : values)
    tensor.set(i++, value);
  return tensor;
}

TEST(CompareTest, EqualityIsDemandedWithoutTolerance) {
  EXPECT_TRUE(compare(makeTensor({1, 2, 3, 4}), makeTensor({1, 2, 3, 4}), {}).passed());
  Comparison c = compare(makeTensor({1, 2, 3.0000002, 5}), makeTensor({1, 2, 3, 4}), {});
  EXPECT_FALSE(c.passed());
  EXPECT_EQ(c.mismatches, 2);
  EXPECT_EQ(c.elements, 4);
  EXPECT_EQ(c.maxAbsError, 1);
  EXPECT_EQ(c.maxRelError, 0.25);
  EXPECT_EQ(c.firstMismatch, "c[g=0, m=1, n=0]: expected 3, got 3.00000024");
}

TEST(CompareTest, ToleranceIsRelativePlusAbsolute) {
  TensorData reference = makeTensor({100, 0, -100, 1});
  EXPECT_TRUE(compare(makeTensor({101, 0.5, -101, 1}), reference, {0.01, 0.5}).passed());
  EXPECT_EQ(compare(makeTensor({102, 0.5, -101, 1}), reference, {0.01, 0.5}).mismatches, 1);
  EXPECT_EQ(compare(makeTensor({101, 0.6, -101, 1}), reference, {0.01, 0.5}).mismatches, 1);
}

TEST(CompareTest, NonFiniteMatchesItselfOnly) {
  TensorData reference = makeTensor({NAN, INFINITY, -INFINITY, 4});
  Comparison same = compare(makeTensor({-NAN, INFINITY, -INFINITY, 4}), reference, {});
  EXPECT_TRUE(same.passed());
  EXPECT_EQ(same.maxAbsError, 0);
  EXPECT_EQ(same.maxRelError, 0);
  // No tolerance makes up for another kind of number.
  Comparison other = compare(makeTensor({INFINITY, -INFINITY, 3, NAN}), reference, {1, 1});
  EXPECT_EQ(other.mismatches, 4);
  EXPECT_TRUE(std::isinf(other.maxAbsError));
  EXPECT_TRUE(std::isinf(other.maxRelError));
  EXPECT_EQ(compare(makeTensor({1, 2, 3, 4}), reference, {1, 1}).mismatches, 3);
  EXPECT_EQ(getMaxMagnitude(reference), 4);
}
