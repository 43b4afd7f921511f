//===- TensorDataTest.cpp - Tests of host tensors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element access, order of dimensions, and fills that are reproducible and within their range.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir::ck;

static TensorDesc makeDesc(DataType type) { return {"x", type, "NHWGC", {2, 3, 5, 7, 11}}; }

TEST(TensorDataTest, ElementsOfEveryType) {
  for (DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8, DataType::FP8,
                        DataType::BF8, DataType::I32}) {
    TensorData tensor(makeDesc(type));
    ASSERT_EQ(int64_t(tensor.getBytes().size()), 2310 * getSizeInBytes(type));
    tensor.set(17, -3);
    tensor.set(18, 5);
    EXPECT_EQ(tensor.get(16), 0);
    EXPECT_EQ(tensor.get(17), -3);
    EXPECT_EQ(tensor.get(18), 5);
    std::vector<float> floats = tensor.toFloats("NHWGC");
    EXPECT_EQ(floats[17], -3);
    EXPECT_EQ(floats[18], 5);
  }
}

TEST(TensorDataTest, ReordersDimensions) {
  TensorData tensor(makeDesc(DataType::F32));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.set(i, i);
  std::vector<float> floats = tensor.toFloats("GNDCHW"); // D has size 1
  // g=4, n=1, c=9, h=2, w=3
  EXPECT_EQ(floats[(((4 * 2 + 1) * 11 + 9) * 3 + 2) * 5 + 3],
            float((((1 * 3 + 2) * 5 + 3) * 7 + 4) * 11 + 9));
  std::vector<int32_t> ints = tensor.toInts("GNDCHW");
  EXPECT_TRUE(std::equal(ints.begin(), ints.end(), floats.begin()));
  EXPECT_EQ(tensor.getCoordinates((((1 * 3 + 2) * 5 + 3) * 7 + 4) * 11 + 9),
            "n=1, h=2, w=3, g=4, c=9");
}

TEST(TensorDataTest, FillsAreReproducible) {
  TensorData a(makeDesc(DataType::F32)), b(makeDesc(DataType::F32));
  a.fill(InitKind::Normal, 1);
  b.fill(InitKind::Normal, 1);
  EXPECT_EQ(a.getBytes(), b.getBytes());
  b.fill(InitKind::Normal, 2);
  EXPECT_NE(a.getBytes(), b.getBytes());
  TensorDesc other = makeDesc(DataType::F32);
  other.name = "dy";
  TensorData c(other);
  c.fill(InitKind::Normal, 1);
  EXPECT_NE(a.getBytes(), c.getBytes());
}

// The numbers of an independent implementation of splitmix64.
TEST(TensorDataTest, KnownValues) {
  TensorData tensor({"x", DataType::I8, "NWGC", {1, 8, 1, 1}});
  tensor.fill(InitKind::Int, 42);
  std::vector<int32_t> first = tensor.toInts("NWGC");
  EXPECT_EQ(first, (std::vector<int32_t>{3, 1, 2, 0, 3, 2, -4, -2}));
}

TEST(TensorDataTest, Distributions) {
  TensorDesc desc{"x", DataType::F32, "NWGC", {1, 100000, 1, 1}};
  TensorData tensor(desc);
  auto getMoments = [&] {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      sum += tensor.get(i), squares += tensor.get(i) * tensor.get(i);
    return std::make_pair(sum / 100000, std::sqrt(squares / 100000));
  };
  tensor.fill(InitKind::Uniform, 7);
  auto [uniformMean, uniformDeviation] = getMoments();
  EXPECT_NEAR(uniformMean, 0, 0.01);
  EXPECT_NEAR(uniformDeviation, std::sqrt(1.0 / 3), 0.01);
  EXPECT_LE(getMaxMagnitude(tensor), 1.0);
  tensor.fill(InitKind::Normal, 7);
  auto [normalMean, normalDeviation] = getMoments();
  EXPECT_NEAR(normalMean, 0, 0.015);
  EXPECT_NEAR(normalDeviation, 1, 0.015);
  tensor.fill(InitKind::Int, 7, 2);
  std::set<double> values;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    values.insert(tensor.get(i));
  EXPECT_EQ(values, (std::set<double>{-2, -1, 0, 1, 2}));
}

TEST(TensorDataTest, NoSubnormalHalves) {
  TensorData tensor({"x", DataType::F16, "NWGC", {1, 1000000, 1, 1}});
  for (InitKind kind : {InitKind::Uniform, InitKind::Normal}) {
    tensor.fill(kind, 7);
    for (float value : tensor.toFloats("NWGC"))
      ASSERT_TRUE(value == 0 || std::abs(value) >= 0x1p-14) << value;
  }
}

TEST(TensorDataTest, ExactRangeShrinksWithTheReduction) {
  auto getRange = [](const char *text) {
    return getExactIntRange(llvm::cantFail(parseProblem(text)));
  };
  EXPECT_EQ(getRange("gemm:f16:M=1,N=1,K=1048576"), 4);
  EXPECT_EQ(getRange("gemm:f16:M=1,N=1,K=1048577"), 3);
  EXPECT_EQ(getRange("gemm:f16:M=1,N=1,K=16777216"), 1);
  EXPECT_EQ(getRange("gemm:f16:M=1,N=1,K=16777217"), 0);
  EXPECT_EQ(getRange("gemm:i8:M=1,N=1,K=16777217"), 4);
}
