//===- ExpandFloat8Test.cpp - 8-bit floats by arithmetic on bits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ck-expand-float8 makes of conversions, compiled for the host, against the number formats of
// the reference: all numbers of 8 bits, and what is rounded to them.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "ck-mlir/Reference/NumberFormat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace mlir::ck;

namespace {
struct Format {
  const char *type;
  DataType dataType;
  Fp8Format kind;
};

class ExpandFloat8 : public testing::TestWithParam<Format> {
protected:
  /// The results of `lines`, where TYPE is the vector of the format, for `x`.
  static std::vector<float> run(std::string lines, std::vector<float> x) {
    std::string type = std::string("vector<16x") + GetParam().type + ">";
    for (size_t at = lines.find("TYPE"); at != std::string::npos; at = lines.find("TYPE"))
      lines.replace(at, 4, type);
    auto function = HostFunction::createFromLines(lines);
    if (!function) {
      ADD_FAILURE() << llvm::toString(function.takeError());
      return x;
    }
    size_t count = x.size();
    std::vector<float> results;
    x.resize((count + HostFunction::size - 1) / HostFunction::size * HostFunction::size);
    results.resize(x.size());
    for (size_t i = 0; i < x.size(); i += HostFunction::size)
      (*function)(&x[i], &x[i], &results[i]);
    results.resize(count);
    return results;
  }

  static double decode(uint32_t bits) {
    return mlir::ck::decode(bits, GetParam().dataType, GetParam().kind);
  }
};
} // namespace

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TEST_P(ExpandFloat8, ExtendsAllNumbers) {
  std::vector<float> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = float(i);
  std::vector<float> results = run("%byte = arith.fptoui %a : vector<16xf32> to vector<16xi8>\n"
                                   "%f = arith.bitcast %byte : vector<16xi8> to TYPE\n"
                                   "%r = arith.extf %f : TYPE to vector<16xf32>",
                                   bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    double expected = decode(i);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(results[i])) << i;
    else
      EXPECT_TRUE(results[i] == expected && std::signbit(results[i]) == std::signbit(expected))
          << i << ": " << results[i] << ", expected " << expected;
  }
}

TEST_P(ExpandFloat8, RoundsToTheNearest) {
  // The bits that stay, half a unit of the last of them and its neighbours, of every exponent.
  std::vector<float> x = {0.0f,
                          -0.0f,
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          fromBits(1),
                          fromBits(0x7f7fffff)};
  for (uint32_t high = 0; high < 0x7f80; high += 3)
    for (uint32_t low : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0xffffu})
      for (uint32_t sign : {0u, 0x80000000u})
        x.push_back(fromBits(sign | high << 16 | low));
  std::vector<float> results = run("%f = arith.truncf %a : vector<16xf32> to TYPE\n"
                                   "%byte = arith.bitcast %f : TYPE to vector<16xi8>\n"
                                   "%r = arith.uitofp %byte : vector<16xi8> to vector<16xf32>",
                                   x);
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t expected = encode(x[i], GetParam().dataType, GetParam().kind);
    if (std::isnan(decode(expected))) // of whichever sign
      EXPECT_TRUE(std::isnan(decode(uint32_t(results[i])))) << x[i];
    else
      EXPECT_EQ(uint32_t(results[i]), expected) << x[i];
  }
}

TEST_P(ExpandFloat8, KeepsNaN) {
  for (float result : run("%f = arith.truncf %a : vector<16xf32> to TYPE\n"
                          "%r = arith.extf %f : TYPE to vector<16xf32>",
                          {fromBits(0x7fc00000), fromBits(0xffc00000), fromBits(0x7f800001)}))
    EXPECT_TRUE(std::isnan(result));
}

INSTANTIATE_TEST_SUITE_P(Formats, ExpandFloat8,
                         testing::Values(Format{"f8E4M3FN", DataType::FP8, Fp8Format::OCP},
                                         Format{"f8E5M2", DataType::BF8, Fp8Format::OCP},
                                         Format{"f8E4M3FNUZ", DataType::FP8, Fp8Format::FNUZ},
                                         Format{"f8E5M2FNUZ", DataType::BF8, Fp8Format::FNUZ}));
