//===- WorkShapesTest.cpp - The tiles of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Known tile counts, and the same launch as that of the compiled program.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/WorkShapes.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ck;

static CompileOptions getOptions(llvm::StringRef schedule) {
  CompileOptions options;
  options.schedule = schedule.str();
  return options;
}

static llvm::Expected<ScheduledWork> schedule(llvm::StringRef problem, llvm::StringRef request) {
  return scheduleProblem(llvm::cantFail(parseProblem(problem)), getOptions(request));
}

/// groups, rows, columns, K steps of every GEMM
static std::vector<std::array<int64_t, 4>> getShapes(llvm::StringRef problem,
                                                     llvm::StringRef request) {
  std::vector<std::array<int64_t, 4>> shapes;
  llvm::Expected<ScheduledWork> work = schedule(problem, request);
  if (!work) {
    ADD_FAILURE() << llvm::toString(work.takeError());
    return shapes;
  }
  for (const WorkShape &gemm : work->gemms)
    shapes.push_back({gemm.groups, gemm.rows, gemm.columns, gemm.kSteps});
  return shapes;
}

TEST(WorkShapes, CountsTilesAndSteps) {
  using Shapes = std::vector<std::array<int64_t, 4>>;
  // GEMM of 64 x 576 x 1568.
  EXPECT_EQ(
      getShapes("conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1", "tile=64x64x32"),
      Shapes({{1, 1, 9, 49}}));
  EXPECT_EQ(getShapes("gemm:f16:M=200,N=100,K=70,G=3", "tile=64x64x32"), Shapes({{3, 4, 2, 3}}));
  // A filter of 1x1 with stride 2 reaches a quarter of the input, the rest is filled.
  EXPECT_EQ(
      getShapes("conv_bwd_data:f16:N=2,K=64,C=64,in=16x16,filter=1x1,stride=2", "tile=64x64x32")[0],
      (std::array<int64_t, 4>{1, 2, 1, 2}));
}

/// Where sizes are odd no load takes two elements, and neighbouring lanes go along what is closest.
TEST(WorkShapes, SingleElementsAreLoadedAlongTheCloserDimension) {
  auto getShape = [](llvm::StringRef problem) {
    return llvm::cantFail(schedule(problem, "")).shapes[0];
  };
  const GemmShape rows = getShape("gemm:f16:M=65,N=63,K=33,layout=rcr");
  EXPECT_EQ(rows.aVector, 1);
  EXPECT_TRUE(rows.aContiguousK && rows.bContiguousK);
  EXPECT_EQ(rows.aPitch, 33);
  const GemmShape columns = getShape("gemm:f16:M=65,N=63,K=33,layout=crr");
  EXPECT_FALSE(columns.aContiguousK || columns.bContiguousK);
  EXPECT_EQ(columns.bPitch, 63);
  // Three rows of five pixels with eight channels, less what lies before and behind.
  EXPECT_EQ(getShape("conv_fwd:f16:N=1,K=16,C=8,in=5x5,filter=3x3").aSpan, 2 * 5 * 8 + 3 * 8);
}

TEST(WorkShapes, AgreeWithTheLaunch) {
  for (llvm::StringRef problem :
       {"conv_fwd:f16:N=2,K=40,C=24,in=9x9,filter=3x3,pad=1",
        "conv_bwd_data:f16:N=2,K=64,C=64,in=16x16,filter=3x3,stride=2,pad=1",
        "conv_bwd_data:f16:N=2,K=64,C=64,in=16x16,filter=1x1,stride=2",
        "conv_bwd_weight:f16:N=2,G=4,K=8,C=8,in=14x14,filter=3x3,pad=1"}) {
    llvm::Expected<ScheduledWork> work = schedule(problem, "");
    ASSERT_TRUE(static_cast<bool>(work)) << llvm::toString(work.takeError());
    llvm::Expected<CompiledProgram> program =
        compileProblem(llvm::cantFail(parseProblem(problem)), getOptions(""));
    ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
    int64_t tiles = 0;
    for (const WorkShape &gemm : work->gemms)
      tiles += gemm.getTiles();
    EXPECT_EQ(tiles, program->kernels.front().grid[0]) << problem.str();
    EXPECT_EQ(toString(work->schedule), toString(program->schedule));
    EXPECT_EQ(toString(work->problem), toString(program->problem));
  }
}

TEST(WorkShapes, ModuleStaysAsItIs) {
  std::unique_ptr<MLIRContext> context = createContext();
  Problem problem = llvm::cantFail(parseProblem("gemm:f16:M=200,N=100,K=70,G=3"));
  OwningOpRef<ModuleOp> module = llvm::cantFail(generateProblemIR(*context, problem));
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream(text) << **module;
    return text;
  };
  std::string before = print();
  ScheduledWork work = llvm::cantFail(scheduleModule(*module, getOptions("tile=64x64x32")));
  EXPECT_EQ(work.gemms.size(), 1u);
  EXPECT_EQ(work.gemms[0].getTiles(), 24);
  EXPECT_EQ(print(), before);
}

TEST(WorkShapes, Errors) {
  llvm::Expected<ScheduledWork> work = schedule("gemm:f16:M=64,N=64,K=64", "tile=24x64x32");
  ASSERT_FALSE(static_cast<bool>(work));
  EXPECT_NE(llvm::toString(work.takeError()).find("tile"), std::string::npos);
  CompileOptions options;
  options.chip = "gfx1";
  llvm::Expected<ScheduledWork> chip =
      scheduleProblem(llvm::cantFail(parseProblem("gemm:f16:M=64,N=64,K=64")), options);
  ASSERT_FALSE(static_cast<bool>(chip));
  EXPECT_NE(llvm::toString(chip.takeError()).find("gfx1"), std::string::npos);
}
