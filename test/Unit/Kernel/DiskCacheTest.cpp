//===- DiskCacheTest.cpp - Tests of kernels in a folder -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The images are small texts: the cache does not look into code objects.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/DiskCache.h"
#include "TestKernel.h"
#include "ck-mlir/Support/File.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cksupport;
using namespace mlir::ck;

static DiskCache open(const TemporaryFolder &folder, uint64_t limit = 1 << 20) {
  return llvm::cantFail(DiskCache::open(folder.get(), limit));
}

static std::string find(const DiskCache &cache, const KernelRequest &request) {
  bool isDamaged = false;
  std::optional<KernelImage> image = cache.find(request, isDamaged);
  return isDamaged ? "damaged" : image ? image->codeObject : "none";
}

TEST(DiskCache, FindsWhatWasStored) {
  TemporaryFolder folder;
  DiskCache cache = open(folder);
  EXPECT_EQ(find(cache, makeRequest()), "none");
  llvm::cantFail(cache.store(makeRequest(), makeImage("code\n1")));
  EXPECT_EQ(find(cache, makeRequest()), "code\n1");
  EXPECT_EQ(find(cache, makeRequest(2)), "none");
}

TEST(DiskCache, RemovesWhatWasNotUsedForTheLongestTime) {
  TemporaryFolder folder;
  DiskCache cache = open(folder, 8000);
  std::string code(2000, 'x'); // two entries and more than a sixteenth of the limit fit
  llvm::cantFail(cache.store(makeRequest(1), makeImage(code)));
  llvm::cantFail(cache.store(makeRequest(2), makeImage(code)));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(find(cache, makeRequest(1)), code); // used again
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(llvm::cantFail(cache.store(makeRequest(3), makeImage(code))), 1u);
  EXPECT_EQ(find(cache, makeRequest(1)), code);
  EXPECT_EQ(find(cache, makeRequest(2)), "none");
  EXPECT_EQ(find(cache, makeRequest(3)), code);
}

TEST(DiskCache, RemovesDamagedFiles) {
  TemporaryFolder folder;
  DiskCache cache = open(folder);
  llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
  std::string path = cache.list().front().path;
  std::string content =
      llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))->getBuffer().str();
  for (size_t place : {size_t(0), size_t(20), content.size() - 1}) {
    std::string damaged = content;
    damaged[place] ^= 1;
    llvm::cantFail(llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
      os << damaged;
      return llvm::Error::success();
    }));
    EXPECT_EQ(find(cache, makeRequest()), "damaged");
    EXPECT_TRUE(cache.list().empty());
    llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
  }
}

/// Stores kernels and looks for them in a folder that others use, too. What is found must be what
/// was stored; another may have removed it. Returns what went wrong.
static std::string useFolder(const TemporaryFolder &folder) {
  DiskCache cache = open(folder, 8000);
  for (int64_t i = 1; i < 40; ++i) {
    std::string code(1000, char('a' + i % 7));
    if (llvm::Error error = cache.store(makeRequest(i % 7 + 1), makeImage(code)).takeError())
      return llvm::toString(std::move(error));
    std::string found = find(cache, makeRequest(i % 7 + 1));
    if (found != code && found != "none")
      return "found: " + found;
  }
  return "";
}

TEST(DiskCache, IsUsedByManyThreadsAtTheSameTime) {
  TemporaryFolder folder;
  std::vector<std::thread> threads;
  std::vector<std::string> errors(4);
  for (std::string &error : errors)
    threads.emplace_back([&] { error = useFolder(folder); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    EXPECT_EQ(error, "");
}

TEST(DiskCache, ReadsFoldersOfOthers) {
  TemporaryFolder folder;
  llvm::cantFail(open(folder).store(makeRequest(), makeImage("code")));
  DiskCache cache = llvm::cantFail(DiskCache::openReadOnly(folder.get()));
  EXPECT_EQ(find(cache, makeRequest()), "code");
  std::string path = cache.list().front().path;
  std::string content =
      llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))->getBuffer().str();
  content.back() ^= 1;
  llvm::cantFail(writeFile(path, content));
  EXPECT_EQ(find(cache, makeRequest()), "damaged");
  EXPECT_EQ(cache.list().size(), 1u); // and stays as it is
  EXPECT_EQ(llvm::toString(DiskCache::openReadOnly(folder.get() + "/none").takeError()),
            "cannot read kernels from '" + folder.get() + "/none': expected a folder that exists");
}

TEST(DiskCache, ListsAndPrunes) {
  TemporaryFolder folder;
  DiskCache cache = open(folder);
  llvm::cantFail(cache.store(makeRequest(1), makeImage("one")));
  llvm::cantFail(cache.store(makeRequest(2), makeImage("two")));
  EXPECT_EQ(cache.list().size(), 2u);
  EXPECT_EQ(llvm::cantFail(cache.prune(cache.list().back().bytes)), 1u);
  EXPECT_EQ(llvm::cantFail(cache.prune(0)), 1u);
  EXPECT_TRUE(cache.list().empty());
}

//===----------------------------------------------------------------------===//
// Folders that others may write to
//===----------------------------------------------------------------------===//

namespace {
/// A cache with one kernel, whose file is gone again.
class SharedFolder : public testing::Test {
protected:
  SharedFolder() {
    llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
    file = cache.list().front().path;
    EXPECT_EQ(unlink(file.c_str()), 0);
  }

  /// What has the kernel's name is damaged, and makes place for the kernel.
  void expectReplaced() {
    EXPECT_TRUE(cache.list().empty());
    EXPECT_EQ(find(cache, makeRequest()), "damaged");
    llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
    EXPECT_EQ(find(cache, makeRequest()), "code");
  }

  TemporaryFolder folder, outside;
  DiskCache cache = open(folder);
  std::string file;
};
} // namespace

TEST_F(SharedFolder, HasPipes) {
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expectReplaced();
}

TEST_F(SharedFolder, HasLinksToDevices) {
  ASSERT_EQ(symlink("/dev/zero", file.c_str()), 0);
  expectReplaced();
}

TEST_F(SharedFolder, HasFilesThatAreTooLarge) {
  ASSERT_EQ(mknod(file.c_str(), S_IFREG | 0600, 0), 0);
  ASSERT_EQ(truncate(file.c_str(), off_t(1) << 40), 0);
  EXPECT_EQ(find(cache, makeRequest()), "damaged");
}

TEST_F(SharedFolder, HasLinksToNothing) {
  std::string target = outside.get() + "/none";
  ASSERT_EQ(symlink(target.c_str(), file.c_str()), 0);
  llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
  EXPECT_EQ(find(cache, makeRequest()), "code");
  EXPECT_NE(access(target.c_str(), F_OK), 0);
}

TEST_F(SharedFolder, HasLinksToFolders) {
  llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
  std::string parent = folder.get() + "/zz", loop = file.substr(0, file.rfind('/')) + "/loop";
  std::string other = outside.get() + "/kernel.ckk";
  llvm::cantFail(writeFile(other, "another's"));
  ASSERT_EQ(symlink(outside.get().c_str(), parent.c_str()), 0);
  ASSERT_EQ(symlink(".", loop.c_str()), 0);
  ASSERT_EQ(symlink(".", (folder.get() + "/yy").c_str()), 0);
  EXPECT_EQ(cache.list().size(), 1u);
  EXPECT_EQ(llvm::cantFail(cache.prune(0)), 1u);
  EXPECT_EQ(access(other.c_str(), F_OK), 0);
}

TEST_F(SharedFolder, HasALinkInPlaceOfAFolder) {
  std::string parent = file.substr(0, file.rfind('/'));
  ASSERT_EQ(rmdir(parent.c_str()), 0);
  ASSERT_EQ(symlink(outside.get().c_str(), parent.c_str()), 0);
  EXPECT_EQ(llvm::toString(cache.store(makeRequest(), makeImage("code")).takeError()),
            "cannot write '" + file + "': Not a directory");
  EXPECT_EQ(find(cache, makeRequest()), "none");
  EXPECT_EQ(rmdir(outside.get().c_str()), 0); // is empty
}

TEST_F(SharedFolder, HasALockThatAnotherHolds) {
  llvm::cantFail(cache.store(makeRequest(), makeImage("code")));
  std::string lock = folder.get() + "/lock";
  int held = ::open(lock.c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  EXPECT_EQ(llvm::toString(cache.prune(0, std::chrono::milliseconds(30)).takeError()),
            "cannot lock '" + lock + "': another process has held it for 30 ms");
  close(held);
  EXPECT_EQ(llvm::cantFail(cache.prune(0)), 1u);
}

TEST_F(SharedFolder, HasAClaimThatAnotherHolds) {
  bool waited = true;
  const std::string lock = file + ".lock";
  {
    const auto claim = cache.claim(makeRequest(), waited);
    EXPECT_TRUE(claim);
    EXPECT_FALSE(waited);
    const DiskCache other = llvm::cantFail(DiskCache::open(folder.get(), 1 << 20));
    EXPECT_FALSE(other.claim(makeRequest(), waited, std::chrono::milliseconds(30)));
    EXPECT_TRUE(waited);
    // It does not wait again: a second of patience would be seen here.
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(other.claim(makeRequest(), waited, std::chrono::hours(1)));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
  }
  EXPECT_NE(access(lock.c_str(), F_OK), 0);
  EXPECT_TRUE(cache.claim(makeRequest(), waited));
  ASSERT_EQ(symlink((outside.get() + "/none").c_str(), lock.c_str()), 0);
  EXPECT_FALSE(cache.claim(makeRequest(), waited));
  EXPECT_FALSE(waited);
  EXPECT_NE(access((outside.get() + "/none").c_str(), F_OK), 0);
}

TEST_F(SharedFolder, HasNoLock) {
  std::string lock = folder.get() + "/lock", target = outside.get() + "/none";
  ASSERT_EQ(symlink(target.c_str(), lock.c_str()), 0);
  EXPECT_EQ(llvm::toString(cache.prune(0).takeError()),
            "cannot lock '" + lock + "': Too many levels of symbolic links");
  EXPECT_NE(access(target.c_str(), F_OK), 0);
  ASSERT_EQ(unlink(lock.c_str()), 0);
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(llvm::toString(cache.prune(0).takeError()),
            "cannot lock '" + lock + "': expected a regular file");
}
