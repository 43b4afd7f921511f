//===- DataTypeTest.cpp - Tests of the element types -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names round trip and the sizes are those of the formats.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/DataType.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

TEST(DataTypeTest, NamesRoundTrip) {
  for (const char *name : {"f16", "bf16", "f32", "i8", "fp8", "bf8", "i32"}) {
    std::optional<DataType> type = parseDataType(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(getName(*type).str(), name);
  }
  EXPECT_EQ(parseDataType("fp16"), DataType::F16);
  EXPECT_EQ(parseDataType("fp32"), DataType::F32);
  EXPECT_EQ(parseDataType("int8"), DataType::I8);
  EXPECT_EQ(parseDataType("int32"), DataType::I32);
  EXPECT_FALSE(parseDataType("f64").has_value());
  EXPECT_FALSE(parseDataType("").has_value());
}

TEST(DataTypeTest, SizesAndMantissas) {
  EXPECT_EQ(getSizeInBytes(DataType::F16), 2);
  EXPECT_EQ(getSizeInBytes(DataType::F32), 4);
  EXPECT_EQ(getSizeInBytes(DataType::BF8), 1);
  EXPECT_EQ(getMantissaBits(DataType::BF16), 7u);
  EXPECT_EQ(getMantissaBits(DataType::FP8), 3u);
  EXPECT_EQ(getMantissaBits(DataType::I32), 0u);
  EXPECT_TRUE(isInteger(DataType::I8));
  EXPECT_FALSE(isInteger(DataType::BF8));
}
