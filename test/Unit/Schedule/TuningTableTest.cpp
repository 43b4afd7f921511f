//===- TuningTableTest.cpp - Tests of tuning files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that is not what ck-tune wrote must never decide anything.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace cksupport;
using namespace mlir::ck;
using testing::HasSubstr;

static constexpr llvm::StringRef kHeader =
    R"({"format":"ck-mlir tuning","version":1,"chip":"gfx942"})"
    "\n";
static constexpr llvm::StringRef kSchedule = "tile=32x64x32,waves=2x2,mma=16x16x16,roles=uniform,"
                                             "stages=2,partition=data_parallel,mapping=2:4";

static std::string makeLine(llvm::StringRef problem, llvm::StringRef schedule = kSchedule) {
  return (R"({"problem":")" + problem + R"(","schedule":")" + schedule +
          R"(","us":2.500,"judged":"modelled","tried":7,"compiler":"one"})" + "\n")
      .str();
}

static std::string getError(const std::string &text) {
  llvm::Expected<TuningTable> table = TuningTable::parse(text, "the file");
  return table ? "" : llvm::toString(table.takeError());
}

TEST(TuningTable, PrintsWhatItReads) {
  const std::string text = kHeader.str() + makeLine("gemm:f16:M=32,N=32,K=64") +
                           makeLine("conv_fwd:f16:N=1,K=8,C=8,in=4x4,filter=3x3");
  TuningTable table = llvm::cantFail(TuningTable::parse(text, "the file"));
  EXPECT_EQ(table.print(), text);
  EXPECT_EQ(table.getChip(), "gfx942");
  ASSERT_EQ(table.getEntries().size(), 2u);
  const TunedSchedule *entry = table.find("gemm:f16:M=32,N=32,K=64");
  ASSERT_TRUE(entry);
  EXPECT_EQ(toString(entry->schedule), kSchedule);
  EXPECT_EQ(entry->microseconds, 2.5);
  EXPECT_FALSE(entry->isMeasured);
  EXPECT_EQ(entry->tried, 7);
  EXPECT_EQ(entry->compiler, "one");
  EXPECT_FALSE(table.find("gemm:f16:M=32,N=32,K=32"));

  TunedSchedule better = *entry;
  better.microseconds = 1.5;
  better.isMeasured = true;
  table.set(better);
  EXPECT_EQ(table.getEntries().size(), 2u);
  TuningTable again = llvm::cantFail(TuningTable::parse(table.print(), "the file"));
  EXPECT_EQ(again.find(better.problem)->microseconds, 1.5);
  EXPECT_TRUE(again.find(better.problem)->isMeasured);
}

TEST(TuningTable, HasProblemsByTheirCanonicalTextWithoutEpilogue) {
  TuningTable table = llvm::cantFail(TuningTable::parse(
      kHeader.str() + makeLine("gemm:f16:K=64,N=32,M=32,epilogue=relu,G=1"), "the file"));
  EXPECT_TRUE(table.find("gemm:f16:M=32,N=32,K=64"));
  EXPECT_EQ(getTuningKey(*parseProblem("gemm:f16:M=32,N=32,K=64,epilogue=bias+relu")),
            "gemm:f16:M=32,N=32,K=64");
}

TEST(TuningTable, NamesTheLineThatIsDamaged) {
  const std::string line = makeLine("gemm:f16:M=32,N=32,K=64"), header = kHeader.str();
  EXPECT_EQ(getError(header), "");
  EXPECT_EQ(getError(""), "the file, line 1: expected a whole line, got ''");
  EXPECT_EQ(getError("[]\n"), "the file, line 1: expected an object, got '[]'");
  EXPECT_EQ(getError("{}\n"), "the file, line 1: expected the format 'ck-mlir tuning', got ''");
  EXPECT_EQ(getError(R"({"chip":"gfx942","format":"ck-mlir tuning","version":2})"
                     "\n"),
            "the file, line 1: expected version 1, got 2");
  EXPECT_EQ(getError(R"({"chip":"gfx942","format":"ck-mlir tuning"})"
                     "\n"),
            "the file, line 1: expected version 1, got none");
  EXPECT_THAT(getError(R"({"chip":"gfx1","format":"ck-mlir tuning","version":1})"
                       "\n"),
              HasSubstr("line 1: unknown chip 'gfx1'"));
  EXPECT_THAT(getError(header + line.substr(0, line.size() - 1)),
              HasSubstr("line 2: expected a whole line, got '"));
  EXPECT_THAT(getError(header + "{\n"), HasSubstr("line 2: malformed JSON in the line"));
  EXPECT_EQ(getError(header + line + line),
            "the file, line 3: 'gemm:f16:M=32,N=32,K=64' has line 2 already");
  EXPECT_THAT(getError(header + makeLine("gemm:f16:M=0,N=32,K=64")),
              HasSubstr("line 2: 'M' must be at least 1, got 0"));
  EXPECT_THAT(getError(header + makeLine("gemm:f16:M=32,N=32,K=64", "tile=3")),
              HasSubstr("line 2: tile must have 3 sizes"));
  EXPECT_THAT(getError(header + makeLine("gemm:f16:M=32,N=32,K=64", "tile=32x32x32")),
              HasSubstr("line 2: expected a schedule with tile, waves, mma, roles, stages and "
                        "partition, or with direct and partition, got 'tile=32x32x32'"));
}

TEST(TuningTable, NamesTheFieldThatIsMalformed) {
  auto getErrorOf = [](llvm::StringRef from, llvm::StringRef to) {
    std::string line = makeLine("gemm:f16:M=32,N=32,K=64");
    return getError(kHeader.str() + line.replace(line.find(from), from.size(), to));
  };
  EXPECT_THAT(getErrorOf("2.500", "0"), HasSubstr("line 2: us must be positive, got 0"));
  EXPECT_THAT(getErrorOf("2.500", "\"a\""), HasSubstr("line 2: expected the strings problem,"));
  EXPECT_EQ(getErrorOf("\"tried\":7", "\"tried\":-1"),
            "the file, line 2: tried must be at least 0, got -1");
  EXPECT_EQ(getErrorOf("modelled", "guessed"),
            "the file, line 2: judged must be measured or modelled, got 'guessed'");
  EXPECT_EQ(getErrorOf("tried", "other"), "the file, line 2: expected problem, schedule, us, "
                                          "judged, tried and compiler, got 'other'");
}

TEST(TuningTable, ReadsRegularFilesOfItsChip) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tuning", "jsonl", path));
  ASSERT_FALSE(writeFile(path, kHeader.str() + makeLine("gemm:f16:M=32,N=32,K=64")));
  auto table = llvm::cantFail(openTuningFile(path, "gfx942"));
  EXPECT_EQ(table->getEntries().size(), 1u);
  EXPECT_EQ(llvm::cantFail(openTuningFile(path, "gfx942")), table);
  EXPECT_EQ(llvm::toString(openTuningFile(path, "gfx90a").takeError()),
            ("'" + path + "', line 1: expected the chip 'gfx90a', got 'gfx942'").str());
  ASSERT_FALSE(writeFile(path, kHeader));
  EXPECT_TRUE(llvm::cantFail(openTuningFile(path, "gfx942"))->getEntries().empty());
  EXPECT_EQ(table->getEntries().size(), 1u);
  EXPECT_FALSE(llvm::sys::fs::remove(path));
  EXPECT_EQ(llvm::toString(openTuningFile(path, "gfx942").takeError()),
            ("cannot read '" + path + "': No such file or directory").str());
  EXPECT_EQ(llvm::toString(openTuningFile("/dev/zero", "gfx942").takeError()),
            "cannot read '/dev/zero': expected a regular file");
}

TEST(TuningTable, RefusesFilesThatAreTooLarge) {
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tuning", "jsonl", descriptor, path));
  ASSERT_FALSE(llvm::sys::fs::resize_file(descriptor, TuningTable::kMaxBytes + 1));
  EXPECT_EQ(llvm::toString(TuningTable::read(path).takeError()),
            ("'" + path + "': a tuning file has at most 67108864 bytes, got 67108865").str());
  EXPECT_EQ(close(descriptor), 0);
  EXPECT_FALSE(llvm::sys::fs::remove(path));
}

namespace {
/// A table with one schedule for a GEMM.
class FindTuned : public testing::Test {
protected:
  FindTuned() {
    shape.m = 32;
    shape.n = 64;
    shape.k = 64;
    shape.aVector = shape.bVector = 8;
    tuned.problem = problem;
    tuned.schedule = llvm::cantFail(resolveSchedule(
        *parseSchedule("tile=32x64x32,partition=split_k:2:two_stage,mapping=1"), {shape}, chip));
    tuned.microseconds = 1;
    table.set(tuned);
  }

  std::string find(llvm::StringRef request, int64_t relief = 0, bool allowWorkspace = true) {
    ScheduleRequest parsed = *parseSchedule(request);
    parsed.relief = relief;
    SelectionOptions options;
    options.allowWorkspace = allowWorkspace;
    auto found = findTuned(table, problem, parsed, {shape}, chip, options);
    return found ? toString(*found) : "";
  }

  const ChipInfo &chip = **getChip("gfx942");
  const std::string problem = "gemm:f16:M=32,N=64,K=64";
  GemmShape shape;
  TunedSchedule tuned;
  TuningTable table{"gfx942"};
};
} // namespace

TEST_F(FindTuned, TakesWhatAgreesWithTheRequest) {
  const std::string schedule = toString(tuned.schedule);
  EXPECT_EQ(find(""), schedule);
  EXPECT_EQ(find(schedule), schedule);
  EXPECT_EQ(find("tile=32x64x32"), schedule);
  EXPECT_EQ(find("tile=32x32x32"), "");
  EXPECT_EQ(find("mapping=2"), "");
  EXPECT_EQ(find("deterministic=true"), "");
  EXPECT_FALSE(findTuned(table, "gemm:f32:M=32,N=64,K=64", ScheduleRequest(), {shape}, chip,
                         SelectionOptions()));
}

TEST_F(FindTuned, TakesNothingThatIsNotLegal) {
  EXPECT_EQ(find("", /*relief=*/1), "");
  EXPECT_EQ(find("", 0, /*allowWorkspace=*/false), "");
  tuned.schedule.tile = {1024, 1024, 32};
  table.set(tuned);
  EXPECT_EQ(find(""), "");
}

TEST_F(FindTuned, TakesAtomicsOnlyWhereTheyAreAskedFor) {
  tuned.schedule.partition = SplitK{2, /*twoStage=*/false};
  table.set(tuned);
  EXPECT_EQ(find(""), "");
  EXPECT_EQ(find("partition=split_k:2"), toString(tuned.schedule));
}

/// The problem whose schedule `problem` gets from a table of `problems`.
static std::string findNearest(llvm::ArrayRef<std::string> problems, llvm::StringRef problem,
                               llvm::StringRef request = "") {
  std::string text = kHeader.str();
  for (const std::string &known : problems)
    text += makeLine(known);
  const TuningTable table = llvm::cantFail(TuningTable::parse(text, "the file"));
  const TunedSchedule *nearest = table.findNearest(problem, *parseSchedule(request));
  return nearest ? nearest->problem : "";
}

TEST(TuningTable, FindsTheNearestProblem) {
  const std::string small = "gemm:f16:M=64,N=64,K=64", large = "gemm:f16:M=128,N=64,K=128";
  EXPECT_EQ(findNearest({small, large}, small), small);
  EXPECT_EQ(findNearest({small, large}, "gemm:f16:M=64,N=64,K=72"), small);
  EXPECT_EQ(findNearest({small, large}, "gemm:f16:M=128,N=64,K=256"), large);
  // As near as each other: the first by name, in any order of the file.
  const std::string middle = "gemm:f16:M=128,N=64,K=64";
  EXPECT_EQ(findNearest({small, large}, middle), large);
  EXPECT_EQ(findNearest({large, small}, middle), large);
  // All sizes together differ by a factor of four at most.
  EXPECT_EQ(findNearest({small}, "gemm:f16:M=128,N=32,K=64"), small);
  EXPECT_EQ(findNearest({small}, "gemm:f16:M=128,N=128,K=65"), "");
  EXPECT_EQ(findNearest({small}, "gemm:f16:M=64,N=64,K=72", "tile=32x64x32"), small);
  EXPECT_EQ(findNearest({small}, "gemm:f16:M=64,N=64,K=72", "tile=32x32x32"), "");
  EXPECT_EQ(findNearest({small}, small, "tile=32x32x32"), "");
}

TEST(TuningTable, NeighboursAreProblemsOfTheSameKind) {
  EXPECT_EQ(findNearest({"gemm:f16:M=64,N=64,K=64"}, "gemm:bf16:M=64,N=64,K=64"), "");
  EXPECT_EQ(findNearest({"gemm:f16:M=64,N=64,K=64"}, "gemm:f16:M=64,N=64,K=64,layout=ccr"), "");
  const std::string conv = "conv_fwd:f16:N=1,K=64,C=64,in=8x8,filter=3x3,pad=1";
  const std::string batch = "conv_fwd:f16:N=2,K=64,C=64,in=8x8,filter=3x3,pad=1";
  EXPECT_EQ(findNearest({conv}, batch), conv);
  EXPECT_EQ(findNearest({conv}, "conv_fwd:f16:N=1,K=64,C=64,in=10x10,filter=3x3"), conv);
  for (const char *other :
       {"conv_fwd:f16:N=1,K=64,C=64,in=8x8,filter=1x1",
        "conv_bwd_data:f16:N=1,K=64,C=64,in=8x8,filter=3x3,pad=1",
        "conv_fwd:f16:N=4,K=64,C=64,in=8x8,filter=3x3,stride=2,pad=1",
        "conv_fwd:f16:N=1,K=64,C=64,in=8x8,filter=3x3,dilation=2,pad=2",
        "conv_fwd:f16:N=1,K=64,C=64,in=8x8x8,filter=3x3x3,pad=1", "gemm:f16:M=64,N=64,K=64"})
    EXPECT_EQ(findNearest({conv}, other), "") << other;
}

TEST_F(FindTuned, AsksTheEstimateAboutNeighbours) {
  const std::string large = "gemm:f16:M=4096,N=4096,K=4096";
  shape.m = shape.n = shape.k = 4096;
  const auto findOf = [&](llvm::StringRef request) {
    tuned.schedule = llvm::cantFail(resolveSchedule(*parseSchedule(request), {shape}, chip));
    table.set(tuned);
    auto found = findTuned(table, large, ScheduleRequest(), {shape}, chip, SelectionOptions());
    return found ? toString(*found) : "";
  };
  tuned.problem = "gemm:f16:M=4096,N=4096,K=4608";
  const std::string good = findOf("stages=2");
  EXPECT_EQ(good, toString(tuned.schedule));
  EXPECT_EQ(findOf("tile=16x16x16"), "");
  // For the problem itself it was better than all others that were tried.
  tuned.problem = large;
  EXPECT_EQ(findOf("tile=16x16x16"), toString(tuned.schedule));
}
