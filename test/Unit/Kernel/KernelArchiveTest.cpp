//===- KernelArchiveTest.cpp - Tests of archives -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every byte of an archive is covered by a checksum, so a change of any byte must be noticed.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelArchive.h"
#include "TestKernel.h"
#include "ck-mlir/Support/File.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <fstream>

using namespace cksupport;
using namespace mlir::ck;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
class KernelArchiveTest : public testing::Test {
protected:
  void SetUp() override {
    path = folder.get() + "/kernels.cka";
    std::vector<ArchiveKernel> kernels;
    for (int64_t i = 1; i <= 2; ++i)
      kernels.push_back({makeRequest(i), "layer " + std::to_string(i),
                         std::make_shared<KernelImage>(makeImage(std::string(40, char('0' + i))))});
    llvm::cantFail(KernelArchive::write(path, "two", kernels));
    content = llvm::cantFail(readFile(path))->getBuffer().str();
  }

  /// Why the archive with another content cannot be opened.
  std::string getError(const std::string &changed) {
    llvm::cantFail(writeFile(path, changed));
    auto archive = KernelArchive::open(path);
    return archive ? "none" : llvm::toString(archive.takeError());
  }

  /// Writes as `cp` does: into the file that others may have open.
  void writeInPlace(const std::string &changed) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
  }

  TemporaryFolder folder;
  std::string path, content;
};
} // namespace

TEST_F(KernelArchiveTest, IsReadAsItWasWritten) {
  KernelArchive archive = llvm::cantFail(KernelArchive::open(path));
  EXPECT_EQ(archive.getName(), "two");
  EXPECT_EQ(archive.getCompiler(), getCompilerVersion());
  ASSERT_EQ(archive.getEntries().size(), 2u);
  const ArchiveEntry *entry = archive.find(makeRequest(2));
  ASSERT_EQ(entry, &archive.getEntries()[1]);
  EXPECT_EQ(entry->layer, "layer 2");
  KernelImage image = llvm::cantFail(archive.load(*entry));
  EXPECT_EQ(image.codeObject, std::string(40, '2'));
  EXPECT_EQ(image.manifest, makeImage("").manifest);
  EXPECT_EQ(archive.find(makeRequest(3)), nullptr);
}

TEST_F(KernelArchiveTest, NoticesEveryChangedByte) {
  size_t codeBegin = content.size() - 80;
  for (size_t place = 0; place < content.size(); ++place) {
    std::string changed = content;
    changed[place] ^= 1;
    std::string error = getError(changed);
    if (place < codeBegin) {
      EXPECT_THAT(error, StartsWith("cannot open the archive '" + path + "'")) << place;
      continue;
    }
    ASSERT_EQ(error, "none");
    KernelArchive archive = llvm::cantFail(KernelArchive::open(path));
    size_t damaged = (place - codeBegin) / 40;
    EXPECT_THAT(llvm::toString(archive.load(archive.getEntries()[damaged]).takeError()),
                HasSubstr("the checksum of its code differs"));
    llvm::cantFail(archive.load(archive.getEntries()[1 - damaged]));
  }
}

TEST_F(KernelArchiveTest, NoticesEveryMissingEnd) {
  for (size_t size = 0; size < content.size(); size += 7)
    EXPECT_THAT(getError(content.substr(0, size)), StartsWith("cannot open the archive")) << size;
  EXPECT_THAT(getError(content.substr(0, content.size() - 1)), HasSubstr("the file is truncated"));
}

TEST_F(KernelArchiveTest, SaysWhatIsNoArchive) {
  EXPECT_THAT(getError("something else"), HasSubstr("expected 'ck-mlir archive' at its beginning"));
  EXPECT_THAT(getError("ck-mlir archive 9\n"),
              HasSubstr("expected version 1 of the format, got '9'"));
  EXPECT_THAT(llvm::toString(KernelArchive::open(path + "x").takeError()),
              StartsWith("cannot read '" + path + "x'"));
}

TEST_F(KernelArchiveTest, SurvivesThatItsFileIsCutOff) {
  KernelArchive archive = llvm::cantFail(KernelArchive::open(path));
  writeInPlace(content.substr(0, content.size() - 80));
  for (const ArchiveEntry &entry : archive.getEntries())
    EXPECT_THAT(llvm::toString(archive.load(entry).takeError()), HasSubstr("it was cut off"));
}

TEST_F(KernelArchiveTest, NoticesThatItsFileWasReplacedInPlace) {
  KernelArchive archive = llvm::cantFail(KernelArchive::open(path));
  std::string other = content;
  std::fill(other.end() - 80, other.end(), 'x');
  writeInPlace(other);
  for (const ArchiveEntry &entry : archive.getEntries())
    EXPECT_THAT(llvm::toString(archive.load(entry).takeError()),
                HasSubstr("the checksum of its code differs"));
}
