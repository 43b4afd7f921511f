//===- KernelRequestTest.cpp - Tests of requests -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys decide which kernel is taken: what matters must change them, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelRequest.h"
#include "TestKernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

TEST(KernelRequest, HasACanonicalForm) {
  KernelRequest request;
  request.problem = "gemm:f16:K=32,G=1,N=32,M=32";
  request.schedule = "tile=32x32x32,partition=data_parallel";
  KernelRequest canonical = llvm::cantFail(request.canonicalize());
  EXPECT_EQ(canonical.problem, "gemm:f16:M=32,N=32,K=32");
  EXPECT_EQ(canonical.schedule, "partition=data_parallel,tile=32x32x32");
  EXPECT_EQ(llvm::cantFail(canonical.canonicalize()), canonical);
}

TEST(KernelRequest, NamesWhatIsMalformed) {
  auto getError = [](const KernelRequest &request) {
    return llvm::toString(request.canonicalize().takeError());
  };
  KernelRequest request = makeRequest();
  request.problem = "gemm:f16:M=0,N=32,K=32";
  EXPECT_EQ(getError(request), "'M' must be at least 1, got 0 in 'gemm:f16:M=0,N=32,K=32'");
  request = makeRequest();
  request.chip = "gfx1";
  EXPECT_THAT(getError(request), testing::HasSubstr("gfx1"));
  request = makeRequest();
  request.schedule = "tile=3";
  EXPECT_THAT(getError(request), testing::HasSubstr("tile"));
  request = makeRequest();
  request.residents = -1;
  EXPECT_EQ(getError(request), "resident workgroups must be in [0, 2147483647], got -1");
}

TEST(KernelRequest, HasAKeyOfAllThatMatters) {
  KernelRequest request = makeRequest();
  std::set<std::string> keys = {request.getKey("1"), request.getKey("2")};
  request.residents = 1;
  keys.insert(request.getKey("1"));
  request.chip = "gfx90a";
  keys.insert(request.getKey("1"));
  request.schedule = "";
  keys.insert(request.getKey("1"));
  request.problem = makeRequest(2).problem;
  keys.insert(request.getKey("1"));
  EXPECT_EQ(keys.size(), 6u);
  EXPECT_EQ(makeRequest().getKey("1"), makeRequest().getKey("1"));
}

TEST(KernelRequest, IsReadFromJson) {
  KernelRequest request = makeRequest(3);
  request.residents = 7;
  EXPECT_EQ(llvm::cantFail(KernelRequest::fromJson(request.toJson())), request);
  llvm::json::Value value = request.toJson();
  value.getAsObject()->erase("chip");
  EXPECT_THAT(llvm::toString(KernelRequest::fromJson(value).takeError()),
              testing::HasSubstr("chip"));
  value = request.toJson();
  value.getAsObject()->insert({"colour", "red"});
  EXPECT_THAT(llvm::toString(KernelRequest::fromJson(value).takeError()),
              testing::StartsWith("expected a request of problem, chip, schedule and residents"));
}

TEST(KernelRequest, KnowsTheCompiler) {
  EXPECT_THAT(getCompilerVersion(),
              testing::MatchesRegex("ck-mlir [0-9.]+, LLVM 22[0-9.]+, build [0-9a-f]{16}"));
}
