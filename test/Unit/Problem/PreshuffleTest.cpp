//===- PreshuffleTest.cpp - Tests of shuffled weights -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every element is where the strides of the shuffled tensor say, whatever the type; wrong sizes are
// refused.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Preshuffle.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::ElementsAre;

static ShuffledWeights getWeights(const char *problem) {
  return llvm::cantFail(getShuffledWeights(llvm::cantFail(parseProblem(problem))));
}

/// Element `index` of a dimension that may be split.
static int64_t getOffset(const TensorDesc &tensor, char whole, char part, int64_t index) {
  int64_t size = llvm::StringRef(tensor.layout).contains(part) ? tensor.getSize(part) : 1;
  int64_t stride = size == 1 ? 0 : tensor.getStride(part);
  return index / size * tensor.getStride(whole) + index % size * stride;
}

/// Numbers bytes, shuffles them, and compares with the strides of both tensors; `taps` names the
/// dimension of the filter's space, if there is one.
static void checkPlaces(const char *problem, char columns, char reduced, char taps) {
  ShuffledWeights weights = getWeights(problem);
  const TensorDesc &plain = weights.plain, &shuffled = weights.shuffled;
  std::vector<uint8_t> before(plain.getSizeInBytes()), after(before.size());
  for (size_t i = 0; i < before.size(); ++i)
    before[i] = (i * 2654435761u) >> 24;
  ASSERT_FALSE(shuffleWeights(weights, before, after));
  int64_t bytes = getSizeInBytes(plain.type), numTaps = taps ? plain.getSize(taps) : 1;
  for (int64_t g = 0; g < plain.getSize('G'); ++g)
    for (int64_t n = 0; n < plain.getSize(columns); ++n)
      for (int64_t t = 0; t < numTaps; ++t)
        for (int64_t k = 0; k < plain.getSize(reduced); ++k) {
          auto place = [&](const TensorDesc &tensor) {
            return (g * tensor.getStride('G') + (taps ? t * tensor.getStride(taps) : 0) +
                    getOffset(tensor, columns, llvm::toLower(columns), n) +
                    getOffset(tensor, reduced, llvm::toLower(reduced), k)) *
                   bytes;
          };
          for (int64_t byte = 0; byte < bytes; ++byte)
            ASSERT_EQ(after[place(shuffled) + byte], before[place(plain) + byte])
                << g << ' ' << n << ' ' << t << ' ' << k;
        }
}

TEST(PreshuffleTest, ElementsAreWhereTheStridesSay) {
  checkPlaces("gemm:f16:M=1,N=48,K=40,G=2,preshuffle=16", 'N', 'K', 0);
  checkPlaces("gemm:i8:M=1,N=64,K=48,preshuffle=32", 'N', 'K', 0);
  checkPlaces("gemm:f32:M=1,N=32,K=12,preshuffle=16", 'N', 'K', 0);
  checkPlaces("conv_fwd:bf16:N=1,G=3,K=32,C=24,in=9,filter=5,preshuffle=16", 'K', 'C', 'X');
}

TEST(PreshuffleTest, TensorsKeepTheirName) {
  ShuffledWeights weights =
      getWeights("conv_fwd:f16:N=1,G=3,K=32,C=24,in=9x9,filter=5x2,preshuffle=32");
  EXPECT_EQ(weights.plain.name, "w");
  EXPECT_EQ(weights.plain.layout, "GKYXC");
  EXPECT_EQ(weights.shuffled.name, "w");
  EXPECT_EQ(weights.shuffled.layout, "GKYXCkc");
  EXPECT_THAT(weights.shuffled.shape, ElementsAre(3, 1, 5, 2, 3, 32, 8));
  weights = getWeights("gemm:fp8:M=4,N=64,K=32,G=2,preshuffle=16");
  EXPECT_EQ(weights.shuffled.layout, "GNKnk");
  EXPECT_THAT(weights.shuffled.shape, ElementsAre(2, 4, 2, 16, 16));
}

TEST(PreshuffleTest, ErrorsNameWhatWasExpected) {
  auto weights = getShuffledWeights(llvm::cantFail(parseProblem("gemm:f16:M=1,N=32,K=8")));
  EXPECT_EQ(llvm::toString(weights.takeError()),
            "expected a problem with the key 'preshuffle', got 'gemm:f16:M=1,N=32,K=8'");
  std::vector<uint8_t> bytes(512), few(500);
  ShuffledWeights some = getWeights("gemm:f16:M=1,N=32,K=8,preshuffle=16");
  EXPECT_EQ(llvm::toString(shuffleWeights(some, few, bytes)),
            "expected 512 bytes of plain weights 'b', got 500");
  EXPECT_EQ(llvm::toString(shuffleWeights(some, bytes, few)),
            "expected 512 bytes of shuffled weights 'b', got 500");
}
