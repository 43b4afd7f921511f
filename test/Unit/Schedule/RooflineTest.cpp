//===- RooflineTest.cpp - Tests of the least time of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Roofline.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static Roofline getRoofline(llvm::StringRef problem, llvm::StringRef chip) {
  return mlir::ck::getRoofline(llvm::cantFail(parseProblem(problem)), **getChip(chip));
}

/// The peaks of the data sheets: 1307 and 2615 TFLOPS on gfx942, 123 on gfx1100.
TEST(Roofline, OperationsAtThePeakOfTheType) {
  const double flops = 2.0 * 8192 * 8192 * 8192;
  const Roofline half = getRoofline("gemm:f16:M=8192,N=8192,K=8192", "gfx942");
  EXPECT_NEAR(half.matrix, flops / 1307.4e6, 1e-3 * half.matrix);
  EXPECT_EQ(half.getBound(), "matrix");
  EXPECT_EQ(half.getMicroseconds(), half.matrix);
  EXPECT_NEAR(getRoofline("gemm:fp8:M=8192,N=8192,K=8192", "gfx942").matrix, flops / 2614.9e6, 1);
  EXPECT_NEAR(getRoofline("gemm:f16:M=8192,N=8192,K=8192", "gfx1100").matrix, flops / 122.9e6, 10);
}

/// 5.3 TB/s of memory on gfx942, 7.3 TB/s of a MALL that holds 256 MiB.
TEST(Roofline, EachByteOnce) {
  const Roofline large = getRoofline("gemm:f16:M=16,N=16384,K=16384", "gfx942");
  EXPECT_NEAR(large.memory, 2.0 * (16384.0 * 16384 + 2 * 16 * 16384) / 5.3e6, 1e-6);
  EXPECT_EQ(large.getBound(), "memory");
  EXPECT_EQ(large.getMicroseconds(), large.memory);
  const Roofline small = getRoofline("gemm:f16:M=16,N=4096,K=4096", "gfx942");
  EXPECT_NEAR(small.memory, 2.0 * (4096.0 * 4096 + 2 * 16 * 4096) / 7.3e6, 1e-6);
  const Roofline none = getRoofline("gemm:f16:M=16,N=4096,K=4096", "gfx90a");
  EXPECT_NEAR(none.memory, 2.0 * (4096.0 * 4096 + 2 * 16 * 4096) / 1.638e6, 1e-6);
}
