//===- LibraryTest.cpp - Tests of libraries of kernels in C -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the C API adds to the C++ classes, which have tests of their own: handles, statuses,
// callbacks.
//
//===----------------------------------------------------------------------===//

#include "Status.h"
#include "ck-mlir-c/Registry.h"
#include <filesystem>
#include <fstream>
#include <thread>

using testing::HasSubstr;
using testing::StartsWith;

static constexpr const char *kProblem = "gemm:f32:M=32,N=32,K=32";
static constexpr CkMlirCompileOptions kDefaults = {nullptr};

#define ASSERT_SUCCESS(call) ASSERT_EQ(call, CkMlirStatusSuccess) << ckMlirGetLastMessage()

namespace {
class LibraryTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_SUCCESS(ckMlirLibraryOptionsCreate(&options));
    ASSERT_SUCCESS(ckMlirLibraryCreate(options, &library));
  }
  void TearDown() override {
    ckMlirLibraryDestroy(library);
    ckMlirLibraryOptionsDestroy(options);
  }

  std::string getCounters(CkMlirLibrary of) {
    CkMlirText text = {nullptr};
    EXPECT_EQ(ckMlirLibraryCreateCounters(of, &text), CkMlirStatusSuccess);
    std::string counters = ckMlirTextGetData(text);
    ckMlirTextDestroy(text);
    return counters;
  }

  CkMlirLibraryOptions options = {nullptr};
  CkMlirLibrary library = {nullptr};
};
} // namespace

TEST_F(LibraryTest, PreparesInTheBackground) {
  CkMlirPending pending;
  ASSERT_SUCCESS(ckMlirLibraryPrepare(library, kProblem, kDefaults, &pending));
  EXPECT_TRUE(ckMlirPendingWait(pending, 60));
  EXPECT_TRUE(ckMlirPendingIsReady(pending));
  CkMlirProgram program, again;
  ASSERT_SUCCESS(ckMlirPendingGetProgram(pending, &program));
  ckMlirPendingDestroy(pending);
  ASSERT_SUCCESS(ckMlirLibraryGetProgram(library, "gemm:f32:K=32,N=32,M=32", kDefaults, &again));
  EXPECT_STREQ(ckMlirProgramGetProblem(program), kProblem);
  EXPECT_EQ(ckMlirProgramGetCodeObject(program).data, ckMlirProgramGetCodeObject(again).data);
  EXPECT_THAT(getCounters(library), HasSubstr("\"compilations\": 1"));
  ckMlirProgramDestroy(program);
  ckMlirProgramDestroy(again);
}

/// The schedule of `program`, which is destroyed.
static std::string takeSchedule(CkMlirProgram program) {
  std::string schedule = ckMlirProgramGetSchedule(program);
  ckMlirProgramDestroy(program);
  return schedule;
}

TEST_F(LibraryTest, TakesTunedSchedules) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "capi.tuning").string();
  const std::string schedule =
      "tile=16x16x16,waves=1x1,mma=16x16x4,roles=uniform,stages=2,partition=data_parallel";
  std::ofstream(path) << R"({"format":"ck-mlir tuning","version":1,"chip":"gfx942"})" << '\n'
                      << R"({"problem":")" << kProblem << R"(","schedule":")" << schedule
                      << R"(","us":1,"judged":"modelled","tried":1,"compiler":"another"})" << '\n';
  CkMlirProgram program;
  ASSERT_SUCCESS(ckMlirLibraryGetProgram(library, kProblem, kDefaults, &program));
  EXPECT_NE(takeSchedule(program), schedule);
  CkMlirCompileOptions compile;
  ASSERT_SUCCESS(ckMlirCompileOptionsCreate(&compile));
  ASSERT_SUCCESS(ckMlirCompileOptionsSetTuningFile(compile, path.c_str()));
  ASSERT_SUCCESS(ckMlirCompileProblem(kProblem, compile, &program));
  EXPECT_EQ(takeSchedule(program), schedule);
  EXPECT_INVALID(ckMlirLibraryGetProgram(library, kProblem, compile, &program),
                 "the tuning file of a kernel is that of its library: expected none in the "
                 "options, got '" +
                     path + "'");
  ckMlirCompileOptionsDestroy(compile);
  CkMlirLibrary tuned;
  ASSERT_SUCCESS(ckMlirLibraryOptionsAddTuningFile(options, path.c_str()));
  ASSERT_SUCCESS(ckMlirLibraryCreate(options, &tuned));
  ASSERT_SUCCESS(ckMlirLibraryGetProgram(tuned, kProblem, kDefaults, &program));
  EXPECT_EQ(takeSchedule(program), schedule);
  ckMlirLibraryDestroy(tuned);
  std::filesystem::remove(path);
}

TEST_F(LibraryTest, ComputesOnTheEmulator) {
  CkMlirDevice device;
  ASSERT_SUCCESS(ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx942", &device));
  std::vector<float> ones(32 * 32, 1.0f), result(32 * 32);
  CkMlirBuffer buffers[3];
  void *pointers[3];
  for (int i = 0; i < 3; ++i) {
    ASSERT_SUCCESS(ckMlirBufferCreate(device, sizeof(float) * ones.size(), &buffers[i]));
    ASSERT_SUCCESS(ckMlirBufferCopyFromHost(buffers[i], ones.data(), sizeof(float) * ones.size()));
    pointers[i] = ckMlirBufferGetPointer(buffers[i]);
  }
  for (int i = 0; i < 2; ++i)
    ASSERT_SUCCESS(
        ckMlirLibraryRun(library, device, kProblem, kDefaults, nullptr, pointers, 3, nullptr, 0));
  CkMlirExecutable executable;
  ASSERT_SUCCESS(ckMlirLibraryLoad(library, device, kProblem, kDefaults, &executable));
  ASSERT_SUCCESS(ckMlirExecutableLaunch(executable, nullptr, pointers, 3, nullptr, 0));
  ASSERT_SUCCESS(ckMlirBufferCopyToHost(buffers[2], result.data(), sizeof(float) * result.size()));
  EXPECT_THAT(result, testing::Each(32.0f));
  EXPECT_INVALID(
      ckMlirLibraryRun(library, device, kProblem, kDefaults, nullptr, pointers, 2, nullptr, 0),
      "expected pointers of 3 tensors, got 2");
  CkMlirCompileOptions other;
  ASSERT_SUCCESS(ckMlirCompileOptionsCreate(&other));
  ASSERT_SUCCESS(ckMlirCompileOptionsSetChip(other, "gfx90a"));
  EXPECT_INVALID(
      ckMlirLibraryRun(library, device, kProblem, other, nullptr, pointers, 3, nullptr, 0),
      "expected a kernel for gfx942, the chip of the device, got one for gfx90a");
  ckMlirCompileOptionsDestroy(other);
  ckMlirExecutableDestroy(executable);
  for (CkMlirBuffer buffer : buffers)
    ckMlirBufferDestroy(buffer);
  ckMlirDeviceDestroy(device);
}

TEST_F(LibraryTest, BlamesWhoIsWrong) {
  CkMlirProgram program;
  EXPECT_INVALID(ckMlirLibraryGetProgram(library, "gemm:f17:M=1", kDefaults, &program),
                 HasSubstr("f17"));
  EXPECT_INVALID(ckMlirLibraryGetProgram(library, nullptr, kDefaults, &program),
                 "expected a problem string, got null");
  CkMlirCompileOptions wrong;
  ASSERT_SUCCESS(ckMlirCompileOptionsCreate(&wrong));
  ASSERT_SUCCESS(ckMlirCompileOptionsSetSchedule(wrong, "tile=48x32x32,waves=2x2,mma=32x32x8"));
  EXPECT_FAILURE(ckMlirLibraryGetProgram(library, "gemm:f16:M=32,N=32,K=32", wrong, &program),
                 CkMlirStatusUnsupported, HasSubstr("tile M must be"));
  CkMlirPending pending;
  ASSERT_SUCCESS(ckMlirLibraryPrepare(library, "gemm", kDefaults, &pending));
  EXPECT_INVALID(ckMlirPendingGetProgram(pending, &program), HasSubstr("gemm"));
  ckMlirPendingDestroy(pending);
  ASSERT_SUCCESS(ckMlirCompileOptionsSetEmitAssembly(wrong, true));
  EXPECT_INVALID(ckMlirLibraryGetProgram(library, kProblem, wrong, &program),
                 "expected options of a library without assembly");
  ckMlirCompileOptionsDestroy(wrong);
  EXPECT_INVALID(ckMlirLibraryOptionsSetThreads(options, -1),
                 "threads must be in [0, 1024], got -1");
  EXPECT_INVALID(ckMlirLibraryOptionsAddTuningFile(options, nullptr),
                 "expected the name of a tuning file, got null");
  ASSERT_SUCCESS(ckMlirLibraryOptionsAddLayer(options, "/does/not/exist"));
  CkMlirLibrary none;
  EXPECT_INVALID(ckMlirLibraryCreate(options, &none), StartsWith("cannot read '/does/not/exist'"));
}

TEST_F(LibraryTest, WarnsThroughACallback) {
  std::vector<std::string> warnings;
  ASSERT_SUCCESS(ckMlirLibraryOptionsSetWarningCallback(
      options,
      [](const char *text, void *data) {
        static_cast<std::vector<std::string> *>(data)->emplace_back(text);
      },
      &warnings));
  ASSERT_SUCCESS(ckMlirLibraryOptionsSetCacheDirectory(options, "/dev/null/cache"));
  CkMlirLibrary warned;
  ASSERT_SUCCESS(ckMlirLibraryCreate(options, &warned));
  EXPECT_THAT(warnings,
              testing::ElementsAre(StartsWith("cannot write kernels to '/dev/null/cache': ")));
  ckMlirLibraryDestroy(warned);
}

TEST_F(LibraryTest, KeepsKernelsInAFolder) {
  std::string folder = testing::TempDir() + "/ck-library-" + std::to_string(getpid());
  ASSERT_SUCCESS(ckMlirLibraryOptionsSetCacheDirectory(options, folder.c_str()));
  for (const char *expected : {"\"disk_hits\": 0", "\"disk_hits\": 1"}) {
    CkMlirLibrary kept;
    CkMlirProgram program;
    ASSERT_SUCCESS(ckMlirLibraryCreate(options, &kept));
    ASSERT_SUCCESS(ckMlirLibraryGetProgram(kept, kProblem, kDefaults, &program));
    EXPECT_THAT(getCounters(kept), HasSubstr(expected));
    ckMlirProgramDestroy(program);
    ckMlirLibraryDestroy(kept);
  }
  std::filesystem::remove_all(folder);
}

TEST(Program, IsMadeOfItsManifest) {
  CkMlirProgram program, copy;
  ASSERT_SUCCESS(ckMlirCompileProblem(kProblem, kDefaults, &program));
  CkMlirBytes code = ckMlirProgramGetCodeObject(program);
  ASSERT_SUCCESS(ckMlirProgramCreateFromManifest(ckMlirProgramGetManifest(program), code.data,
                                                 code.size, &copy));
  EXPECT_STREQ(ckMlirProgramGetManifest(copy), ckMlirProgramGetManifest(program));
  EXPECT_EQ(ckMlirProgramGetCodeObject(copy).size, code.size);
  EXPECT_EQ(ckMlirProgramGetNumKernels(copy), ckMlirProgramGetNumKernels(program));
  EXPECT_INVALID(ckMlirProgramCreateFromManifest("{}", code.data, code.size, &copy),
                 HasSubstr("expected 'problem' to be a string, got nothing"));
  int64_t shape[] = {1, 32, 32}, strides[] = {1024, 32, 1};
  ASSERT_SUCCESS(ckMlirProgramCheckArray(program, 0, "f32", shape, strides, 3));
  strides[2] = 2;
  EXPECT_INVALID(ckMlirProgramCheckArray(program, 0, "f32", shape, strides, 3),
                 StartsWith("expected tensor a to be packed"));
  EXPECT_INVALID(ckMlirProgramCheckArray(program, 0, "float", shape, strides, 3),
                 "expected tensor a to have the type f32, got 'float'");
  EXPECT_INVALID(ckMlirProgramCheckArray(program, 3, "f32", shape, strides, 3),
                 "number of a tensor must be in [0, 2], got 3");
  ckMlirProgramDestroy(program);
  ckMlirProgramDestroy(copy);
}

TEST(Program, TellsItsWorkspaceBeforeItIsCompiled) {
  CkMlirCompileOptions options;
  ASSERT_SUCCESS(ckMlirCompileOptionsCreate(&options));
  for (const char *partition : {"partition=data_parallel", "partition=split_k:4:two_stage"}) {
    ASSERT_SUCCESS(ckMlirCompileOptionsSetSchedule(options, partition));
    int64_t bytes = -1;
    CkMlirText schedule;
    const char *problem = "gemm:f16:M=64,N=64,K=512";
    ASSERT_SUCCESS(ckMlirGetWorkspaceBytes(problem, options, &bytes, &schedule));
    CkMlirProgram program;
    ASSERT_SUCCESS(ckMlirCompileProblem(problem, options, &program));
    EXPECT_EQ(bytes, ckMlirProgramGetWorkspaceBytes(program));
    EXPECT_STREQ(ckMlirTextGetData(schedule), ckMlirProgramGetSchedule(program));
    EXPECT_EQ(bytes > 0, std::string(partition) != "partition=data_parallel");
    ckMlirProgramDestroy(program);
    ckMlirTextDestroy(schedule);
  }
  ckMlirCompileOptionsDestroy(options);
}

namespace {
/// Counts what an executor and a progress are called with.
struct Calls {
  size_t tasks = 0, done = 0, total = 0;
};

class RegistryTest : public LibraryTest {
protected:
  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_SUCCESS(ckMlirRegistryCreate(library, &registry));
    ASSERT_SUCCESS(ckMlirRegistryAddSet(registry, R"({"name": "s", "kernels": [
        {"problem": "gemm:f16:M=32,N=32,K=32", "layer": "one",
         "schedule": {"tile": ["32x32x32", "48x32x32"], "waves": ["2x2"]}}]})",
                                        nullptr, 0));
  }
  void TearDown() override {
    ckMlirRegistryDestroy(registry);
    LibraryTest::TearDown();
  }

  std::string take(CkMlirText text) {
    std::string taken = ckMlirTextGetData(text);
    ckMlirTextDestroy(text);
    return taken;
  }

  CkMlirRegistry registry = {nullptr};
};
} // namespace

TEST_F(RegistryTest, BuildsOnTheExecutorOfTheCaller) {
  Calls calls;
  ASSERT_SUCCESS(ckMlirRegistryBuild(
      registry,
      [](CkMlirTask run, void *task, void *data) {
        ++static_cast<Calls *>(data)->tasks;
        std::thread(run, task).detach();
      },
      [](size_t done, size_t total, const char *, void *data) {
        static_cast<Calls *>(data)->done = done;
        static_cast<Calls *>(data)->total = total;
      },
      &calls));
  EXPECT_EQ(calls.tasks, 2u);
  EXPECT_EQ(calls.done, 2u);
  EXPECT_EQ(calls.total, 2u);
  CkMlirText text;
  ASSERT_SUCCESS(ckMlirRegistryCreateReport(registry, &text));
  std::string report = take(text);
  EXPECT_THAT(report, HasSubstr("\"schedule\": \"tile=32x32x32,waves=2x2\""));
  EXPECT_THAT(report, HasSubstr("\"reason\": \"tile M must be"));
  EXPECT_THAT(getCounters(library), HasSubstr("\"compilations\": 1"));
  std::string path = testing::TempDir() + "/ck-registry-" + std::to_string(getpid()) + ".cka";
  ASSERT_SUCCESS(ckMlirRegistryWriteArchive(registry, path.c_str(), "s"));
  ASSERT_SUCCESS(ckMlirRegistryAddArchive(registry, path.c_str()));
  std::filesystem::remove(path);
  EXPECT_INVALID(ckMlirRegistryAddArchive(registry, path.c_str()), StartsWith("cannot read '"));
}

TEST_F(RegistryTest, Selects) {
  ASSERT_SUCCESS(ckMlirRegistryValidate(registry, nullptr, nullptr, nullptr));
  CkMlirText text;
  ASSERT_SUCCESS(
      ckMlirRegistryCreateSelection(registry, "gemm:f16:M=32,N=32,K=32", "gfx942", nullptr, &text));
  EXPECT_THAT(take(text), HasSubstr("cycles estimated"));
  ASSERT_SUCCESS(ckMlirRegistryCreateSelection(
      registry, "gemm:f16:M=32,N=32,K=32", "gfx942",
      R"({"kernels": [{"problem": "gemm:f16:M=32,N=32,K=32", "chip": "gfx942",
                       "schedule": "tile=32x32x32", "rank": 1}]})",
      &text));
  EXPECT_THAT(take(text), HasSubstr("\"why\": \"rank 1.00 in the table\""));
  EXPECT_INVALID(
      ckMlirRegistryCreateSelection(registry, "gemm:f32:M=1,N=1,K=1", "gfx942", nullptr, &text),
      "expected a set with kernels of gemm:f32 for gfx942, got none");
  EXPECT_INVALID(
      ckMlirRegistryCreateSelection(registry, "gemm:f16:M=1,N=1,K=1", "gfx942", "[]", &text),
      "table: expected an object with an array 'kernels'");
}

TEST_F(RegistryTest, KnowsSets) {
  CkMlirText text;
  ASSERT_SUCCESS(ckMlirCreateBuiltInSets(&text));
  EXPECT_THAT(take(text), HasSubstr("\"name\": \"conv2d-training\""));
  const char *chips[] = {"gfx90a"};
  ASSERT_SUCCESS(ckMlirRegistryAddSet(registry, "gemm", chips, 1));
  ASSERT_SUCCESS(ckMlirRegistryCreateReport(registry, &text));
  EXPECT_THAT(take(text), HasSubstr("\"chip\": \"gfx90a\""));
  EXPECT_INVALID(ckMlirRegistryAddSet(registry, "none", nullptr, 0), StartsWith("unknown set"));
  EXPECT_INVALID(ckMlirRegistryAddSet(registry, "{", nullptr, 0),
                 StartsWith("malformed JSON in the set"));
  chips[0] = "gfx1";
  EXPECT_INVALID(ckMlirRegistryAddSet(registry, "gemm", chips, 1), HasSubstr("gfx1"));
}
