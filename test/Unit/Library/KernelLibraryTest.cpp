//===- KernelLibraryTest.cpp - Tests of kernels on demand -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every counter says what really happened, so the tests look at them.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/KernelLibrary.h"
#include "../Kernel/TestKernel.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Stream.h"
#include "ck-mlir/Support/File.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <thread>

using namespace cksupport;
using namespace mlir::ck;

static std::unique_ptr<KernelLibrary> open(const LibraryOptions &options = {}) {
  auto library = KernelLibrary::create(options);
  EXPECT_TRUE(bool(library)) << llvm::toString(library.takeError());
  return std::move(*library);
}

static LibraryOptions keepIn(const TemporaryFolder &folder) {
  LibraryOptions options;
  options.cacheDirectory = folder.get();
  return options;
}

static std::string getError(llvm::Expected<std::shared_ptr<const KernelImage>> image) {
  return image ? "none" : llvm::toString(image.takeError());
}

TEST(KernelLibrary, CompilesOnceForAllThreads) {
  auto library = open();
  std::vector<std::shared_ptr<const KernelImage>> images(8);
  std::vector<std::thread> threads;
  for (auto &image : images)
    threads.emplace_back([&] { image = llvm::cantFail(library->get(makeRequest())); });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &image : images)
    EXPECT_EQ(image, images.front());
  EXPECT_EQ(library->getCounters().compilations, 1u);
  EXPECT_EQ(library->getCounters().memoryHits, images.size() - 1);
  EXPECT_GT(library->getCounters().compileMilliseconds, 0);
}

/// Libraries stand for processes: a lock is that of an open file.
TEST(KernelLibrary, CompilesOnceForAllThatShareAFolder) {
  TemporaryFolder folder;
  std::vector<std::unique_ptr<KernelLibrary>> libraries;
  for (unsigned i = 0; i < 4; ++i)
    libraries.push_back(open(keepIn(folder)));
  std::vector<std::thread> threads;
  for (auto &library : libraries)
    threads.emplace_back([&] { llvm::cantFail(library->get(makeRequest())); });
  for (std::thread &thread : threads)
    thread.join();
  uint64_t compilations = 0, hits = 0;
  for (auto &library : libraries) {
    compilations += library->getCounters().compilations;
    hits += library->getCounters().diskHits;
  }
  EXPECT_EQ(compilations, 1u);
  EXPECT_EQ(hits, libraries.size() - 1);
}

TEST(KernelLibrary, TakesEqualProblemsForEqualRequests) {
  auto library = open();
  KernelRequest other = makeRequest();
  other.problem = "gemm:f16:K=32,N=32,M=32,G=1";
  other.schedule = "partition=data_parallel,tile=32x32x32";
  EXPECT_EQ(llvm::cantFail(library->get(makeRequest())), llvm::cantFail(library->get(other)));
}

TEST(KernelLibrary, PreparesInTheBackground) {
  auto library = open();
  KernelHandle handle = library->prepare(makeRequest());
  EXPECT_EQ(llvm::cantFail(handle.get())->launches.size(), 1u);
  EXPECT_TRUE(handle.isReady());
}

TEST(KernelLibrary, KeepsKernelsInAFolder) {
  TemporaryFolder folder;
  std::string first = llvm::cantFail(open(keepIn(folder))->get(makeRequest()))->codeObject;
  auto library = open(keepIn(folder));
  EXPECT_EQ(llvm::cantFail(library->get(makeRequest()))->codeObject, first);
  EXPECT_EQ(library->getCounters().diskHits, 1u);
  EXPECT_EQ(library->getCounters().compilations, 0u);
}

TEST(KernelLibrary, SearchesLayersFirst) {
  TemporaryFolder layer, cache;
  auto image = llvm::cantFail(open(keepIn(layer))->get(makeRequest()));
  std::string archive = cache.get() + "/archive.cka";
  KernelRequest second = llvm::cantFail(makeRequest(2).canonicalize());
  llvm::cantFail(KernelArchive::write(archive, "", {{second, "", image}}));
  LibraryOptions options = keepIn(cache);
  options.layers = {layer.get(), archive};
  auto library = open(options);
  EXPECT_EQ(llvm::cantFail(library->get(makeRequest(1)))->codeObject, image->codeObject);
  EXPECT_EQ(llvm::cantFail(library->get(makeRequest(2)))->codeObject, image->codeObject);
  llvm::cantFail(library->get(makeRequest(3)));
  EXPECT_EQ(library->getCounters().layerHits, 2u);
  EXPECT_EQ(library->getCounters().compilations, 1u);
  // What a layer has is not stored again.
  EXPECT_EQ(library->getCache()->list().size(), 1u);
}

/// Writes a tuning file with `schedule` for `problem`; returns its path.
static std::string writeTuning(const TemporaryFolder &folder, llvm::StringRef schedule,
                               llvm::StringRef problem = makeRequest().problem) {
  std::string path = folder.get() + "/" + getChecksum(schedule).substr(0, 8) + ".tuning";
  llvm::cantFail(
      writeFile(path, (R"({"format":"ck-mlir tuning","version":1,"chip":"gfx942"})"
                       "\n"
                       R"({"problem":")" +
                       problem + R"(","schedule":")" + schedule +
                       R"(","us":1,"judged":"modelled","tried":1,"compiler":"another"})" + "\n")
                          .str()));
  return path;
}

TEST(KernelLibrary, TakesTunedSchedules) {
  TemporaryFolder folder;
  const std::string schedule =
      "tile=16x32x32,waves=1x2,mma=16x16x16,roles=uniform,stages=3,partition=data_parallel";
  LibraryOptions options = keepIn(folder);
  options.tuningFiles = {writeTuning(folder, schedule)};
  auto library = open(options);
  KernelRequest request = makeRequest();
  EXPECT_THAT(llvm::cantFail(library->get(request))->schedule, testing::HasSubstr("tile=32x32x32"));
  request.schedule = "partition=data_parallel";
  EXPECT_EQ(llvm::cantFail(library->get(request))->schedule, schedule);
  EXPECT_EQ(library->getCounters().compilations, 2u);
  // The key is that of the schedule: the kernel is there for those who ask for it by its name.
  request.schedule = schedule;
  EXPECT_EQ(llvm::cantFail(open(keepIn(folder))->get(request))->schedule, schedule);
  library = open(options);
  request.schedule = "";
  EXPECT_EQ(llvm::cantFail(library->get(request))->schedule, schedule);
  EXPECT_EQ(library->getCounters().diskHits, 1u);
  EXPECT_EQ(library->getCounters().compilations, 0u);
}

TEST(KernelLibrary, TakesTheScheduleOfANeighbour) {
  TemporaryFolder folder;
  const auto getRequest = [](int64_t k) {
    return KernelRequest{"gemm:f16:M=256,N=256,K=" + std::to_string(k), "gfx942", "", 0};
  };
  // Another schedule than the choice, and hardly worse.
  std::string schedule = llvm::cantFail(open()->get(getRequest(256)))->schedule;
  const size_t stages = schedule.find("stages=");
  ASSERT_NE(stages, std::string::npos) << schedule;
  char &count = schedule[stages + std::string("stages=").size()];
  count = count == '2' ? '3' : char(count - 1);
  LibraryOptions options;
  options.tuningFiles = {writeTuning(folder, schedule, getRequest(256).problem)};
  auto library = open(options);
  EXPECT_EQ(llvm::cantFail(library->get(getRequest(256)))->schedule, schedule);
  EXPECT_EQ(llvm::cantFail(library->get(getRequest(320)))->schedule, schedule);
  EXPECT_NE(llvm::cantFail(library->get(getRequest(4096)))->schedule, schedule);
}

TEST(KernelLibrary, ChoosesWhereTunedSchedulesCannotBeCompiled) {
  TemporaryFolder folder;
  LibraryOptions options;
  options.tuningFiles = {writeTuning(
      folder, "tile=1024x1024x32,waves=2x2,mma=16x16x16,roles=uniform,stages=2,partition="
              "data_parallel")};
  auto library = open(options);
  KernelRequest request = makeRequest();
  request.schedule = "";
  EXPECT_FALSE(llvm::cantFail(library->get(request))->schedule.empty());
  EXPECT_EQ(library->getCounters().compilations, 1u);
  EXPECT_EQ(library->getCounters().failures, 0u);
}

TEST(KernelLibrary, RefusesTuningFiles) {
  TemporaryFolder folder;
  LibraryOptions options;
  options.tuningFiles = {folder.get() + "/none"};
  EXPECT_EQ(llvm::toString(KernelLibrary::create(options).takeError()),
            "cannot read '" + folder.get() + "/none': No such file or directory");
  const std::string path = writeTuning(
      folder,
      "tile=16x16x32,waves=1x1,mma=16x16x16,roles=uniform,stages=2,partition=data_parallel");
  options.tuningFiles = {path, path};
  EXPECT_EQ(llvm::toString(KernelLibrary::create(options).takeError()),
            "'" + path +
                "', line 1: expected one tuning file for a chip, got another one for "
                "gfx942");
}

TEST(KernelLibrary, CompilesWhatIsDamagedInALayer) {
  TemporaryFolder folder;
  auto image = llvm::cantFail(open()->get(makeRequest()));
  std::string archive = folder.get() + "/archive.cka";
  KernelRequest request = llvm::cantFail(makeRequest().canonicalize());
  llvm::cantFail(KernelArchive::write(archive, "", {{request, "", image}}));
  std::string content = llvm::cantFail(readFile(archive))->getBuffer().str();
  content.back() ^= 1;
  llvm::cantFail(writeFile(archive, content));
  LibraryOptions options;
  options.layers = {archive};
  auto library = open(options);
  EXPECT_EQ(llvm::cantFail(library->get(makeRequest()))->codeObject, image->codeObject);
  EXPECT_EQ(library->getCounters().damaged, 1u);
  EXPECT_EQ(library->getCounters().compilations, 1u);
}

TEST(KernelLibrary, RefusesArchivesOfOtherCompilers) {
  TemporaryFolder folder;
  std::string archive = folder.get() + "/archive.cka";
  std::string header = R"({"name":"","compiler":"ck-mlir 0.0","kernels":[]})";
  llvm::cantFail(writeFile(archive, "ck-mlir archive 1\n" + getChecksum(header) + "\n" +
                                        std::to_string(header.size()) + "\n" + header));
  LibraryOptions options;
  options.layers = {archive};
  EXPECT_EQ(llvm::toString(KernelLibrary::create(options).takeError()),
            "stale archive '" + archive + "': expected kernels of '" + getCompilerVersion() +
                "', got those of 'ck-mlir 0.0'");
  options.allowStaleLayers = true;
  EXPECT_NE(open(options), nullptr);
}

TEST(KernelLibrary, ForgetsWhatIsTooMuchForMemory) {
  LibraryOptions options;
  options.memoryBytes = 1; // one kernel, which is always kept
  auto library = open(options);
  llvm::cantFail(library->get(makeRequest(1)));
  llvm::cantFail(library->get(makeRequest(1)));
  auto second = llvm::cantFail(library->get(makeRequest(2)));
  llvm::cantFail(library->get(makeRequest(1)));
  EXPECT_EQ(library->getCounters().memoryHits, 1u);
  EXPECT_EQ(library->getCounters().compilations, 3u);
  EXPECT_EQ(library->getCounters().memoryEvictions, 2u);
  EXPECT_FALSE(second->codeObject.empty());
}

TEST(KernelLibrary, FailsWhatWaitsWhenItIsClosed) {
  LibraryOptions options;
  options.threads = 1;
  auto library = open(options);
  std::vector<KernelHandle> handles;
  for (int64_t i = 1; i <= 20; ++i)
    handles.push_back(library->prepare(makeRequest(i)));
  llvm::cantFail(handles.front().get());
  library.reset();
  for (const KernelHandle &handle : handles)
    EXPECT_TRUE(handle.isReady());
  EXPECT_THAT(getError(handles.back().get()),
              testing::StartsWith("the library was closed before it compiled gemm:f16:M=640"));
}

TEST(KernelLibrary, LaunchesOnTheStreamOfTheCaller) {
  auto library = open();
  Device device = llvm::cantFail(Device::openEmulator("gfx942"));
  Stream stream = llvm::cantFail(Stream::create(device));
  KernelRequest request;
  request.problem = "gemm:f16:M=32,N=32,K=32";
  std::vector<Buffer> buffers;
  std::vector<void *> pointers;
  for (int i = 0; i < 3; ++i) {
    buffers.push_back(llvm::cantFail(Buffer::allocate(device, 32 * 32 * 2)));
    std::vector<uint8_t> ones; // 1.0 in f16
    for (int j = 0; j < 32 * 32; ++j)
      ones.insert(ones.end(), {0x00, 0x3c});
    llvm::cantFail(buffers[i].copyFromHost(ones));
    pointers.push_back(buffers[i].getPointer());
  }
  llvm::cantFail(library->run(device, request, stream.getHandle(), {pointers}));
  llvm::cantFail(library->run(device, request, stream.getHandle(), {pointers}));
  llvm::cantFail(stream.synchronize());
  std::vector<uint8_t> result(32 * 32 * 2);
  llvm::cantFail(buffers[2].copyToHost(result));
  for (size_t i = 0; i < result.size(); i += 2)
    ASSERT_EQ(result[i] | result[i + 1] << 8, 0x5000); // 32.0
  EXPECT_EQ(library->getCounters().compilations, 1u);
  EXPECT_EQ(library->getCounters().memoryHits, 1u);
  EXPECT_EQ(llvm::cantFail(library->load(device, request)),
            llvm::cantFail(library->load(device, request)));
  request.chip = "gfx90a";
  EXPECT_EQ(llvm::toString(library->run(device, request, stream.getHandle(), {pointers})),
            "expected a kernel for gfx942, the chip of the device, got one for gfx90a");
}

TEST(KernelLibrary, CompilesAgainWhatIsDamaged) {
  TemporaryFolder folder;
  llvm::cantFail(open(keepIn(folder))->get(makeRequest()));
  auto cache = llvm::cantFail(DiskCache::openReadOnly(folder.get()));
  ASSERT_EQ(cache.list().size(), 1u);
  std::string path = cache.list().front().path;
  std::string content = llvm::cantFail(readFile(path))->getBuffer().str();
  llvm::cantFail(writeFile(path, content.substr(0, 100)));
  auto library = open(keepIn(folder));
  llvm::cantFail(library->get(makeRequest()));
  EXPECT_EQ(library->getCounters().damaged, 1u);
  EXPECT_EQ(library->getCounters().compilations, 1u);
}

TEST(KernelLibrary, CompilesTheTextOfAModule) {
  auto library = open();
  KernelRequest request = makeRequest();
  request.problem = R"(
    func.func @product(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>, %c: memref<1x32x32xf16>) {
      ck.batched_gemm ins(%a, %b : memref<1x32x32xf16>, memref<1x32x32xf16>)
        outs(%c : memref<1x32x32xf16>) layout "rcr"
      return
    })";
  EXPECT_EQ(llvm::cantFail(library->get(request))->problem, "gemm:f16:M=32,N=32,K=32");
}

TEST(KernelLibrary, SaysWhatIsWrongWithARequest) {
  auto library = open();
  KernelRequest request = makeRequest();
  request.problem = "gemm:f16:M=0,N=32,K=32";
  EXPECT_EQ(getError(library->get(request)),
            "'M' must be at least 1, got 0 in 'gemm:f16:M=0,N=32,K=32'");
  request = makeRequest();
  request.chip = "gfx1";
  EXPECT_THAT(getError(library->get(request)), testing::HasSubstr("gfx1"));
  request = makeRequest();
  request.schedule = "tile=48x32x32,waves=2x2,mma=32x32x8";
  EXPECT_THAT(getError(library->get(request)), testing::HasSubstr("tile M must be"));
  request = makeRequest();
  request.residents = -1;
  EXPECT_EQ(getError(library->get(request)),
            "resident workgroups must be in [0, 2147483647], got -1");
  EXPECT_EQ(library->getCounters().failures, 4u);
}

TEST(KernelLibrary, WorksWithoutACacheAndWarnsOnce) {
  TemporaryFolder folder;
  std::string file = folder.get() + "/file";
  llvm::cantFail(writeFile(file, ""));
  LibraryOptions options;
  options.cacheDirectory = file + "/cache";
  std::vector<std::string> warnings;
  options.warn = [&](llvm::StringRef text) { warnings.push_back(text.str()); };
  auto library = open(options);
  llvm::cantFail(library->get(makeRequest(1)));
  llvm::cantFail(library->get(makeRequest(2)));
  EXPECT_THAT(warnings, testing::ElementsAre(testing::StartsWith("cannot write kernels to '" +
                                                                 options.cacheDirectory + "': ")));
  EXPECT_EQ(library->getCounters().compilations, 2u);
}

TEST(KernelLibrary, WarnsOnceWhenTheCacheCannotBeWritten) {
  TemporaryFolder folder;
  LibraryOptions options;
  options.cacheDirectory = folder.get() + "/cache";
  std::vector<std::string> warnings;
  options.warn = [&](llvm::StringRef text) { warnings.push_back(text.str()); };
  auto library = open(options);
  // A file in the place of the folder fails for every user, as a full disk does.
  ASSERT_FALSE(llvm::sys::fs::remove(options.cacheDirectory));
  llvm::cantFail(writeFile(options.cacheDirectory, ""));
  llvm::cantFail(library->get(makeRequest(1)));
  llvm::cantFail(library->get(makeRequest(2)));
  EXPECT_THAT(warnings, testing::ElementsAre(testing::StartsWith("cannot write '")));
  EXPECT_EQ(library->getCounters().storeFailures, 2u);
}

TEST(KernelLibrary, RefusesLayersThatAreNone) {
  TemporaryFolder folder;
  LibraryOptions options;
  options.layers = {folder.get() + "/none"};
  EXPECT_THAT(llvm::toString(KernelLibrary::create(options).takeError()),
              testing::StartsWith("cannot read '" + folder.get() + "/none'"));
}
