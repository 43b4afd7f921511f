//===- EmbeddingTest.cpp - The example of docs/Embedding.md -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page quotes this file, so that its example compiles and runs.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "gtest/gtest.h"

static llvm::Expected<mlir::ck::CompiledProgram> compile(llvm::StringRef text) {
  llvm::Expected<mlir::ck::Problem> problem = mlir::ck::parseProblem(text);
  if (!problem)
    return problem.takeError();
  mlir::ck::CompileOptions options;
  options.chip = "gfx942";
  options.schedule = "tile=128x128x32,partition=data_parallel"; // the rest is chosen
  return mlir::ck::compileProblem(*problem, options);
}

TEST(Embedding, CompilesAProblemString) {
  auto program = compile("conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1");
  ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
  EXPECT_FALSE(program->codeObject.empty());
  EXPECT_EQ(program->kernels.size(), 1u);
}

TEST(Embedding, ReturnsErrors) {
  auto program = compile("conv_bwd_weight:f16:N=8");
  ASSERT_FALSE(static_cast<bool>(program));
  EXPECT_FALSE(llvm::toString(program.takeError()).empty());
}
