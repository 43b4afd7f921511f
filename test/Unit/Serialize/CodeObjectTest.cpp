//===- CodeObjectTest.cpp - Reading good and broken code objects -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code objects come from files as well: whatever the bytes are, the answer is an error, not a
// crash.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"

using namespace mlir;
using namespace mlir::ck;

/// The error of bytes that are no good code object.
static std::string getReadError(llvm::StringRef bytes) {
  auto kernels = readKernelResources(bytes);
  return kernels ? "read" : llvm::toString(kernels.takeError());
}

static std::string getCodeObject() {
  return llvm::cantFail(serializeText(makeKernel(kStoreLane))).codeObject;
}

TEST(CodeObject, ReadsWhatTheSerializerWrote) { EXPECT_EQ(getReadError(getCodeObject()), "read"); }

TEST(CodeObject, NotAnElfFile) {
  EXPECT_EQ(getReadError(""), "not a code object: no ELF header");
  EXPECT_EQ(getReadError("hello"), "not a code object: no ELF header");
}

TEST(CodeObject, OfAnotherMachine) {
  std::string bytes = getCodeObject();
  bytes[18] = 62; // e_machine: x86-64
  EXPECT_EQ(getReadError(bytes), "not an AMDGPU code object: ELF machine 62");
}

TEST(CodeObject, TruncatedAnywhere) {
  std::string bytes = getCodeObject();
  for (size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_NE(getReadError(llvm::StringRef(bytes).take_front(size)), "read") << size;
}

TEST(CodeObject, DamagedMetadata) {
  std::string bytes = getCodeObject();
  size_t position = bytes.find("amdhsa.kernels");
  ASSERT_NE(position, std::string::npos);
  bytes[position] = 'x';
  EXPECT_EQ(getReadError(bytes), "code object metadata has no amdhsa.kernels");
}

TEST(CodeObject, KernelWithoutCode) {
  std::string bytes = getCodeObject();
  size_t position = bytes.find(".name");
  ASSERT_NE(position, std::string::npos);
  bytes[position + 6] = 'x'; // behind the string's length byte: the name of the kernel
  EXPECT_EQ(getReadError(bytes),
            "code object is malformed: code object has no code for kernel 'x'");
}
