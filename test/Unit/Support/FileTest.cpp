//===- FileTest.cpp - Tests of whole-file reading and writing -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failed write leaves the old content and no temporary file behind.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <atomic>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cksupport;
namespace fs = llvm::sys::fs;

namespace {
class FileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("ck-file-test", folder)); }
  void TearDown() override { EXPECT_FALSE(fs::remove_directories(folder)); }

  std::string getPath(llvm::StringRef name) {
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  size_t countFiles() {
    std::error_code code;
    size_t count = 0;
    for (fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> folder;
};
} // namespace

TEST_F(FileTest, WritesAndReplaces) {
  std::string path = getPath("a.bin");
  ASSERT_FALSE(writeFile(path, "one"));
  ASSERT_FALSE(writeFile(path, llvm::StringRef("t\0wo", 4)));
  EXPECT_EQ(llvm::cantFail(readFile(path))->getBuffer(), llvm::StringRef("t\0wo", 4));
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(FileTest, IsWrittenWhileAnotherRemovesIt) {
  std::string path = getPath("a.bin");
  std::atomic<bool> done = false;
  std::thread remover([&] {
    while (!done)
      (void)fs::remove(path);
  });
  std::string message;
  for (int i = 0; i < 5000 && message.empty(); ++i)
    if (llvm::Error error = writeFile(path, "x"))
      message = llvm::toString(std::move(error));
  done = true;
  remover.join();
  EXPECT_EQ(message, "");
}

TEST_F(FileTest, MissingFolderIsAnError) {
  std::string path = getPath("none/a.bin");
  EXPECT_EQ(llvm::toString(writeFile(path, "x")),
            "cannot write '" + path + "': No such file or directory");
}

TEST_F(FileTest, DirectoryIsAnError) {
  EXPECT_EQ(llvm::toString(writeFile(folder, "x")),
            "cannot write '" + folder.str().str() + "': Is a directory");
  EXPECT_EQ(llvm::toString(readFile(folder).takeError()),
            "cannot read '" + folder.str().str() + "': Is a directory");
}

TEST_F(FileTest, FullDeviceIsAnError) {
  EXPECT_EQ(llvm::toString(writeFile("/dev/full", "x")),
            "cannot write '/dev/full': No space left on device");
  EXPECT_FALSE(writeFile("/dev/null", "x"));
}

TEST_F(FileTest, WritingIsCheckedBefore) {
  const std::string path = getPath("a.bin"), pipe = getPath("pipe");
  EXPECT_FALSE(checkWriteFile(path));
  EXPECT_EQ(countFiles(), 0u);
  ASSERT_FALSE(writeFile(path, "one"));
  EXPECT_FALSE(checkWriteFile(path));
  EXPECT_EQ(llvm::cantFail(readFile(path))->getBuffer(), "one");
  EXPECT_EQ(countFiles(), 1u);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(checkWriteFile(pipe)) << "without waiting for its reader";
  ASSERT_FALSE(fs::create_link(getPath("loop"), getPath("loop")));
  for (const auto &[wrong, reason] :
       {std::pair(getPath("none/a.bin"), "No such file or directory"),
        std::pair(folder.str().str(), "Is a directory"),
        std::pair(std::string("/dev/full"), "No space left on device"),
        std::pair(getPath("loop"), "Too many levels of symbolic links")})
    EXPECT_EQ(llvm::toString(checkWriteFile(wrong)), "cannot write '" + wrong + "': " + reason);
  EXPECT_TRUE(llvm::errorToBool(checkWriteFile("/proc/a.bin")));
  ASSERT_FALSE(fs::setPermissions(path, fs::perms(0444)));
  if (geteuid() != 0) { // who may write it nevertheless
    EXPECT_EQ(llvm::toString(checkWriteFile(path)),
              "cannot write '" + path + "': Permission denied");
  }
}

TEST_F(FileTest, MissingFileIsAnError) {
  EXPECT_EQ(llvm::toString(readFile(getPath("b")).takeError()),
            "cannot read '" + getPath("b") + "': No such file or directory");
}

TEST_F(FileTest, ModesAreKept) {
  std::string path = getPath("a.bin");
  mode_t mask = umask(027);
  ASSERT_FALSE(writeFile(path, "one"));
  umask(mask);
  EXPECT_EQ(llvm::cantFail(llvm::errorOrToExpected(fs::getPermissions(path))), 0640);
  ASSERT_FALSE(fs::setPermissions(path, fs::perms(0755)));
  ASSERT_FALSE(writeFile(path, "two"));
  EXPECT_EQ(llvm::cantFail(llvm::errorOrToExpected(fs::getPermissions(path))), 0755);
}

TEST_F(FileTest, ModesOfRemovedFilesAreKept) {
  std::string path = getPath("a.bin");
  ASSERT_FALSE(writeFile(path, "one"));
  ASSERT_FALSE(fs::setPermissions(path, fs::perms(0750)));
  std::optional<fs::file_status> removed = llvm::cantFail(removeFile(path));
  EXPECT_FALSE(fs::exists(path));
  ASSERT_FALSE(writeFile(path, "two", removed));
  EXPECT_EQ(llvm::cantFail(llvm::errorOrToExpected(fs::getPermissions(path))), 0750);
}

TEST_F(FileTest, SymbolicLinksAreKept) {
  ASSERT_FALSE(fs::create_directory(getPath("sub")));
  ASSERT_FALSE(fs::create_link("sub/target", getPath("link")));
  ASSERT_FALSE(fs::create_link(getPath("link"), getPath("link2")));
  // The file that the links name is made, replaced and removed.
  for (const char *content : {"one", "two"}) {
    ASSERT_FALSE(writeFile(getPath("link2"), content));
    EXPECT_EQ(llvm::cantFail(readFile(getPath("sub/target")))->getBuffer(), content);
    EXPECT_TRUE(fs::is_symlink_file(getPath("link")));
    EXPECT_TRUE(fs::is_symlink_file(getPath("link2")));
  }
  EXPECT_TRUE(llvm::cantFail(removeFile(getPath("link2"))));
  EXPECT_FALSE(fs::exists(getPath("sub/target")));
  EXPECT_TRUE(fs::is_symlink_file(getPath("link")));
  ASSERT_FALSE(fs::create_link(getPath("loop"), getPath("loop")));
  EXPECT_EQ(llvm::toString(writeFile(getPath("loop"), "x")),
            "cannot write '" + getPath("loop") + "': Too many levels of symbolic links");
  EXPECT_FALSE(llvm::cantFail(removeFile(getPath("none"))));
}

TEST_F(FileTest, DeeplyNestedJsonIsAnError) {
  std::string path = getPath("a.json");
  ASSERT_FALSE(writeFile(path, std::string(256, '[') + "\"[[\\\"[\"" + std::string(256, ']')));
  EXPECT_EQ(llvm::cantFail(readJsonFile(path)).getAsArray()->size(), 1u);
  ASSERT_FALSE(writeFile(path, std::string(10000000, '[')));
  EXPECT_EQ(llvm::toString(readJsonFile(path).takeError()),
            "malformed JSON in '" + path + "': values are nested in more than 256 levels");
}

TEST_F(FileTest, MalformedJsonNamesTheFile) {
  std::string path = getPath("a.json");
  ASSERT_FALSE(writeFile(path, "{\"a\": [1, 2}"));
  llvm::Expected<llvm::json::Value> value = readJsonFile(path);
  ASSERT_FALSE(static_cast<bool>(value));
  EXPECT_THAT(llvm::toString(value.takeError()),
              testing::StartsWith("malformed JSON in '" + path + "': "));
  ASSERT_FALSE(writeFile(path, "{\"a\": [1, 2]}"));
  EXPECT_EQ(*llvm::cantFail(readJsonFile(path)).getAsObject()->getArray("a"),
            (llvm::json::Array{1, 2}));
}

TEST_F(FileTest, OpensRegularFilesAlone) {
  std::string path = getPath("a.bin"), pipe = getPath("pipe");
  ASSERT_FALSE(writeFile(path, "content"));
  RegularFile file = llvm::cantFail(RegularFile::open(path));
  EXPECT_EQ(file.getSize(), 7u);
  EXPECT_EQ(llvm::cantFail(file.read(3, 4)), "tent");
  EXPECT_EQ(llvm::toString(file.read(3, 5).takeError()),
            "cannot read '" + path + "': it ends at byte 7");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0); // has no writer: opening must not wait for one
  for (const std::string &other : {pipe, std::string("/dev/zero"), folder.str().str()})
    EXPECT_EQ(llvm::toString(RegularFile::open(other).takeError()),
              "cannot read '" + other + "': expected a regular file");
}

TEST_F(FileTest, IsReadAlthoughItIsCutOffMeanwhile) {
  std::string path = getPath("a.bin");
  ASSERT_FALSE(writeFile(path, std::string(100000, 'a')));
  RegularFile file = llvm::cantFail(RegularFile::open(path));
  auto buffer = llvm::cantFail(readFile(path));
  ASSERT_EQ(truncate(path.c_str(), 10), 0);
  EXPECT_TRUE(buffer->getBuffer() == std::string(100000, 'a'));
  EXPECT_EQ(llvm::toString(file.read(5, 100).takeError()),
            "cannot read '" + path + "': it was cut off at byte 10");
}
