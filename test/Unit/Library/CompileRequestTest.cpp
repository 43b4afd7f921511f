//===- CompileRequestTest.cpp - Requests become kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image that is made in process is the one that others read from its manifest.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/CompileRequest.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static CompiledProgram compile(llvm::StringRef problem, const std::string &schedule) {
  CompileOptions options;
  options.schedule = schedule;
  options.residents = 8;
  return llvm::cantFail(compileProblem(llvm::cantFail(parseProblem(problem)), options));
}

static void expectEqual(const ImageLaunch &a, const ImageLaunch &b) {
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.grid, b.grid);
  EXPECT_EQ(a.block, b.block);
  EXPECT_EQ(a.argumentNames, b.argumentNames);
  EXPECT_EQ(a.arguments, b.arguments);
  auto tie = [](const ImageLaunch &launch) {
    return std::tie(launch.vgprs, launch.agprs, launch.sgprs, launch.ldsBytes, launch.scratchBytes,
                    launch.codeBytes);
  };
  EXPECT_EQ(tie(a), tie(b));
}

static void expectEqual(const KernelImage &a, const KernelImage &b) {
  EXPECT_EQ(a.problem, b.problem);
  EXPECT_EQ(a.chip, b.chip);
  EXPECT_EQ(a.schedule, b.schedule);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (auto [tensor, other] : llvm::zip_equal(a.tensors, b.tensors)) {
    EXPECT_EQ(tensor.name, other.name);
    EXPECT_EQ(tensor.type, other.type);
    EXPECT_EQ(tensor.layout, other.layout);
    EXPECT_EQ(tensor.shape, other.shape);
  }
  ASSERT_EQ(a.launches.size(), b.launches.size());
  for (auto [launch, other] : llvm::zip_equal(a.launches, b.launches))
    expectEqual(launch, other);
  auto tie = [](const KernelImage &image) {
    return std::tie(image.workspaceBytes, image.workspaceAlignment, image.workspaceZeroBytes,
                    image.zeroFill, image.manifest, image.codeObject);
  };
  EXPECT_EQ(tie(a), tie(b));
}

TEST(CompileRequest, ImagesAreThoseOfTheirManifests) {
  const std::pair<const char *, const char *> cases[] = {
      {"conv_fwd:f16:N=1,K=16,C=16,in=4x4,filter=3x3,pad=1,epilogue=bias", ""},
      {"conv_bwd_weight:f16:N=2,K=16,C=16,in=8x8,filter=3x3,pad=1", "partition=split_k:2"},
      {"gemm:f16:M=64,N=64,K=512", "tile=64x64x32,partition=split_k:2:two_stage"},
      {"gemm:f16:M=128,N=192,K=512", "tile=64x64x32,partition=stream_k:tree"}};
  for (auto [problem, schedule] : cases) {
    CompiledProgram program = compile(problem, schedule);
    KernelImage image = makeImage(program);
    auto parsed = KernelImage::parse(image.manifest, program.codeObject);
    ASSERT_TRUE(static_cast<bool>(parsed)) << problem << llvm::toString(parsed.takeError());
    expectEqual(image, *parsed);
  }
}
