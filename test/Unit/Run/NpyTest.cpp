//===- NpyTest.cpp - Tests of .npy files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, a file laid out by hand, and every way in which a file does not fit a tensor.
//
//===----------------------------------------------------------------------===//

#include "Run/Npy.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace cksupport;
using namespace mlir::ck;
using testing::EndsWith;
using testing::HasSubstr;
namespace fs = llvm::sys::fs;

namespace {
class RunNpyTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> name;
    ASSERT_FALSE(fs::createTemporaryFile("ck-npy", "npy", name));
    path = name.str().str();
  }
  void TearDown() override { EXPECT_FALSE(fs::remove(path)); }

  /// Writes a file and reads it into `tensor`; returns the error without the file's name.
  std::string read(llvm::StringRef content, TensorData &tensor) {
    llvm::cantFail(writeFile(path, content));
    std::string error = llvm::toString(readNpy(path, tensor));
    llvm::StringRef text = error;
    text.consume_front("'" + path + "': ");
    return text.str();
  }

  std::string path;
};
} // namespace

static TensorDesc makeDesc(DataType type) { return {"x", type, "NWGC", {1, 2, 1, 3}}; }

/// A version 1 file with a header that is not padded.
static std::string makeFile(llvm::StringRef dictionary, llvm::StringRef data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xff);
  file += static_cast<char>(dictionary.size() >> 8);
  return file + dictionary.str() + data.str();
}

TEST_F(RunNpyTest, RoundTripsEveryType) {
  for (DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8, DataType::FP8,
                        DataType::BF8, DataType::I32}) {
    TensorData tensor(makeDesc(type)), copy(makeDesc(type));
    tensor.fill(InitKind::Normal, 1);
    ASSERT_FALSE(writeNpy(path, tensor));
    ASSERT_FALSE(readNpy(path, copy));
    EXPECT_EQ(tensor.getBytes(), copy.getBytes()) << getName(type).str();
  }
}

TEST_F(RunNpyTest, FilesBeginAtAMultipleOf64Bytes) {
  ASSERT_FALSE(writeNpy(path, TensorData(makeDesc(DataType::F32))));
  std::string file = llvm::cantFail(readFile(path))->getBuffer().str();
  ASSERT_EQ(file.size(), 128u + 24u);
  EXPECT_EQ(file.substr(10, 65),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 1, 3), }");
  EXPECT_EQ(file[127], '\n');
}

TEST_F(RunNpyTest, ReadsOtherSpellings) {
  TensorData tensor(makeDesc(DataType::I8));
  std::string data("\x01\x02\x03\x04\x05\xff", 6);
  EXPECT_EQ(
      read(makeFile("{'shape':(1,2,1,3),'fortran_order':False,'descr':'|i1'}\n", data), tensor),
      "");
  EXPECT_EQ(tensor.get(5), -1);
  std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2, 1, 3,), }";
  std::string version2("\x93NUMPY\x02\x00", 8);
  version2 += std::string({static_cast<char>(header.size()), 0, 0, 0});
  EXPECT_EQ(read(version2 + header + std::string(6, '\7'), tensor), "");
  EXPECT_EQ(tensor.get(5), 7);
}

TEST_F(RunNpyTest, RefusesWhatDoesNotFit) {
  TensorData tensor(makeDesc(DataType::BF16));
  auto refuse = [&](llvm::StringRef dictionary, size_t bytes) {
    return read(makeFile(dictionary, std::string(bytes, '\0')), tensor);
  };
  EXPECT_EQ(refuse("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2, 1, 3), }", 12),
            "expected type '<u2' for tensor 'x' of bf16, got '<f2'");
  EXPECT_EQ(refuse("{'descr': '<u2', 'fortran_order': True, 'shape': (1, 2, 1, 3), }", 12),
            "expected an array in C order, got Fortran order");
  EXPECT_EQ(refuse("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }", 12),
            "expected shape (1, 2, 1, 3) for tensor 'x' of layout NWGC, got (2, 3)");
  EXPECT_EQ(refuse("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3), }", 11),
            "expected 12 bytes of data, got 11");
  EXPECT_EQ(read("PK\x03\x04 a zip file", tensor), "not a .npy file");
  EXPECT_EQ(read(std::string("\x93NUMPY\x01\x00\xff\xff{", 11), tensor), "not a .npy file");
  EXPECT_EQ(read(std::string("\x93NUMPY\x01\x00\xff\xff{}}}", 14), tensor),
            "truncated .npy header");
  EXPECT_EQ(read(std::string("\x93NUMPY\x09\x00\x02\x00{}", 12), tensor),
            "expected .npy version 1.0, 2.0 or 3.0, got 9.0");
}

TEST_F(RunNpyTest, HeadersAreReadStrictly) {
  TensorData tensor(makeDesc(DataType::BF16));
  for (const char *dictionary : {
           "{'descr': '<u2', 'shape': (1, 2, 1, 3), }",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3), 'x': 1}",
           "{'descr': '<u2', 'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3)}",
           "{'descr': '<u2', 'fortran_order': Falsehood, 'shape': (1, 2, 1, 3)}",
           "{'descr': '<u2', 'fortran_order': 0, 'shape': (1, 2, 1, 3)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2 1, 3)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (1,, 2, 1, 3)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (+1, 2, 1, 3)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (6)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (99999999999999999999, 3)}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3)} {}",
           "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3)",
           "{'descr': '<u2' 'fortran_order': False, 'shape': (1, 2, 1, 3)}",
           "{'descr': '<u2, 'fortran_order': False, 'shape': (1, 2, 1, 3)}",
           "'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 1, 3)",
       })
    EXPECT_THAT(read(makeFile(dictionary, std::string(12, '\0')), tensor),
                testing::StartsWith("malformed .npy header: expected {'descr'"))
        << dictionary;
  EXPECT_EQ(read(std::string("\x93NUMPY\x01\x01\x02\x00{}", 12), tensor),
            "expected .npy version 1.0, 2.0 or 3.0, got 1.1");
  EXPECT_EQ(
      read(makeFile("{'descr': '<u2', 'fortran_order': False, 'shape': (6,)}", "123456789012"),
           tensor),
      "expected shape (1, 2, 1, 3) for tensor 'x' of layout NWGC, got (6,)");
}

TEST_F(RunNpyTest, MissingFolder) {
  TensorData tensor(makeDesc(DataType::F16));
  EXPECT_THAT(llvm::toString(writeNpy("/nonexistent/a.npy", tensor)),
              EndsWith("No such file or directory"));
  EXPECT_THAT(llvm::toString(readNpy("/nonexistent/a.npy", tensor)),
              HasSubstr("cannot read '/nonexistent/a.npy'"));
}
