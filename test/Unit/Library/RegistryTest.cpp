//===- RegistryTest.cpp - Tests of declared kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executors and rankers are the caller's, so the tests bring their own.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/Registry.h"
#include "../Kernel/TestKernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
class RegistryTest : public testing::Test {
protected:
  /// Three schedules of a problem, of which one is not legal, and another problem.
  RegistryTest() {
    registry.add(llvm::cantFail(
        KernelSet::parse(llvm::cantFail(llvm::json::parse(R"({"name": "s", "kernels": [
          {"problem": "gemm:f16:M=64,N=64,K=64", "layer": "square",
           "schedule": {"tile": ["32x32x32", "48x32x32", "64x64x32"], "waves": ["2x2"],
                        "mma": ["16x16x16"], "partition": ["data_parallel"]}},
          {"problem": "gemm:f16:M=32,N=32,K=32",
           "schedule": {"partition": ["data_parallel"]}}]})")),
                         "set")));
  }

  /// Runs tasks where they are given.
  const Executor inPlace = [](const std::function<void()> &task) { task(); };

  std::unique_ptr<KernelLibrary> library = llvm::cantFail(KernelLibrary::create({}));
  Registry registry = Registry(*library);
};
} // namespace

TEST_F(RegistryTest, ExcludesWhatIsNotLegal) {
  registry.validate(inPlace);
  EXPECT_EQ(registry.getKernels().size(), 3u);
  ASSERT_EQ(registry.getExclusions().size(), 1u);
  EXPECT_THAT(registry.getExclusions()[0].reason, HasSubstr("tile M must be"));
  EXPECT_EQ(registry.getExclusions()[0].declaration.layer, "square");
  EXPECT_EQ(library->getCounters().compilations, 0u);
}

TEST_F(RegistryTest, CompilesOnAnyExecutor) {
  std::vector<size_t> steps;
  auto progress = [&](size_t done, size_t total, llvm::StringRef) {
    EXPECT_EQ(total, 4u);
    steps.push_back(done);
  };
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  registry.build([&](std::function<void()> task) { pool.async(std::move(task)); }, progress);
  EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(registry.getKernels().size(), 3u);
  EXPECT_EQ(registry.getExclusions().size(), 1u);
  EXPECT_EQ(library->getCounters().compilations, 3u);
  registry.build(inPlace);
  EXPECT_EQ(library->getCounters().compilations, 3u);
}

TEST_F(RegistryTest, KeepsWhatWasCancelled) {
  size_t steps = 0;
  registry.build(inPlace, [&](size_t, size_t, llvm::StringRef) {
    ++steps;
    registry.cancel();
  });
  EXPECT_EQ(steps, 4u);
  EXPECT_EQ(library->getCounters().compilations, 1u);
  EXPECT_EQ(registry.getKernels().size(), 4u);
  registry.cancel(); // nothing runs: the next call is meant
  registry.build(inPlace);
  EXPECT_EQ(library->getCounters().compilations, 1u);
  registry.build(inPlace);
  EXPECT_EQ(library->getCounters().compilations, 3u);
}

TEST_F(RegistryTest, RanksByTheEstimate) {
  Selection selection =
      llvm::cantFail(registry.select("gemm:f16:M=64,N=64,K=64", "gfx942", *createEstimateRanker()));
  ASSERT_EQ(selection.candidates.size(), 3u);
  EXPECT_EQ(selection.exclusions.size(), 1u);
  for (size_t i = 1; i < selection.candidates.size(); ++i)
    EXPECT_LE(selection.candidates[i - 1].rank.cost, selection.candidates[i].rank.cost);
  EXPECT_THAT(selection.candidates[0].rank.why, HasSubstr("cycles estimated"));
  // The schedule of the other problem comes along, made for this one.
  auto it = llvm::find_if(selection.candidates,
                          [](const Candidate &candidate) { return !candidate.isDeclared; });
  ASSERT_NE(it, selection.candidates.end());
  EXPECT_EQ(it->request.problem, "gemm:f16:M=64,N=64,K=64");
  EXPECT_EQ(it->request.schedule, "partition=data_parallel");
}

TEST_F(RegistryTest, RanksByATable) {
  auto table = llvm::cantFail(llvm::json::parse(R"({"kernels": [
    {"problem": "gemm:f16:M=64,N=64,K=64", "chip": "gfx942", "schedule": "tile=64x64x32",
     "microseconds": 1.5},
    {"problem": "gemm:f16:M=64,N=64,K=64", "chip": "gfx90a", "schedule": "tile=32x32x32",
     "microseconds": 1}]})"));
  auto ranker = llvm::cantFail(createTableRanker(table, "table"));
  Selection selection =
      llvm::cantFail(registry.select("gemm:f16:M=64,N=64,K=64", "gfx942", *ranker));
  ASSERT_EQ(selection.candidates.size(), 3u);
  EXPECT_THAT(selection.candidates[0].schedule, StartsWith("tile=64x64x32,"));
  EXPECT_EQ(selection.candidates[0].rank.why, "1.50 us in the table");
  EXPECT_THAT(selection.candidates[1].rank.why, StartsWith("not in the table; "));
  table.getAsObject()->getArray("kernels")->emplace_back(llvm::json::Object{{"problem", "gemm"}});
  EXPECT_THAT(llvm::toString(createTableRanker(table, "table").takeError()),
              StartsWith("table.kernels[2]: expected problem, chip, schedule, and microseconds or "
                         "rank, got "));
}

TEST_F(RegistryTest, RanksByWhatIsMeasured) {
  auto ranker = createMeasuredRanker(
      [](const KernelRequest &request) -> llvm::Expected<double> {
        return llvm::StringRef(request.schedule).contains("32x32x32") ? 7 : 8;
      },
      "us");
  Selection selection =
      llvm::cantFail(registry.select("gemm:f16:M=64,N=64,K=64", "gfx942", *ranker));
  EXPECT_EQ(selection.candidates[0].rank.why, "7.00 us, measured");
  EXPECT_THAT(selection.candidates[0].schedule, StartsWith("tile=32x32x32,"));
  auto failing = createMeasuredRanker(
      [](const KernelRequest &) -> llvm::Expected<double> {
        return llvm::createStringError("no device");
      },
      "us");
  EXPECT_EQ(
      llvm::toString(registry.select("gemm:f16:M=64,N=64,K=64", "gfx942", *failing).takeError()),
      "no device");
}

TEST_F(RegistryTest, RefusesTimesThatAreNone) {
  for (double cost : {-1.0, std::nan(""), HUGE_VAL}) {
    auto ranker = createMeasuredRanker(
        [=](const KernelRequest &) -> llvm::Expected<double> { return cost; }, "us");
    EXPECT_THAT(
        llvm::toString(registry.select("gemm:f16:M=64,N=64,K=64", "gfx942", *ranker).takeError()),
        StartsWith("the measured cost must be a finite number of at least 0 us, got "));
  }
  auto table = llvm::cantFail(llvm::json::parse(R"({"kernels": [
    {"problem": "gemm:f16:M=64,N=64,K=64", "chip": "gfx942", "schedule": "", "rank": -1}]})"));
  EXPECT_THAT(llvm::toString(createTableRanker(table, "table").takeError()),
              StartsWith("table.kernels[0]: microseconds and rank must be finite numbers"));
}

TEST_F(RegistryTest, SaysThatNothingIsDeclared) {
  auto ranker = createEstimateRanker();
  auto getError = [&](llvm::StringRef problem, llvm::StringRef chip) {
    return llvm::toString(registry.select(problem, chip, *ranker).takeError());
  };
  EXPECT_EQ(getError("gemm:bf16:M=64,N=64,K=64", "gfx942"),
            "expected a set with kernels of gemm:bf16 for gfx942, got none");
  EXPECT_EQ(getError("gemm:f16:M=64,N=64,K=64", "gfx90a"),
            "expected a set with kernels of gemm:f16 for gfx90a, got none");
  EXPECT_THAT(getError("gemm", "gfx942"), HasSubstr("gemm"));
  EXPECT_THAT(getError("gemm:f16:M=64,N=64,K=64", "gfx1"), HasSubstr("gfx1"));
}

TEST_F(RegistryTest, IsExportedAndImported) {
  TemporaryFolder folder;
  std::string path = folder.get() + "/set.cka";
  EXPECT_THAT(llvm::toString(registry.writeArchive(path, "s")),
              StartsWith("cannot export gemm:f16:M=64,N=64,K=64 for gfx942 with "));
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  registry.build(inPlace);
  llvm::cantFail(registry.writeArchive(path, "s"));
  LibraryOptions options;
  options.layers = {path};
  auto imported = llvm::cantFail(KernelLibrary::create(options));
  Registry second(*imported);
  second.add(llvm::cantFail(KernelArchive::open(path)));
  second.build(inPlace);
  EXPECT_EQ(second.getKernels().size(), 3u);
  EXPECT_EQ(imported->getCounters().layerHits, 3u);
  EXPECT_EQ(imported->getCounters().compilations, 0u);
}
