//===- KernelImageTest.cpp - Tests of kernels without their compiler -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A manifest of the compiler is read, and one whose fields are wrong is refused.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static llvm::json::Value makeManifest() {
  Problem problem =
      llvm::cantFail(parseProblem("conv_bwd_weight:f16:N=4,K=32,C=32,in=34,filter=3"));
  CompileOptions options;
  options.schedule = "tile=32x32x32,partition=split_k:2:two_stage";
  return llvm::cantFail(compileProblem(problem, options)).toManifest();
}

/// What is wrong with the manifest when `path` (names and numbers, with dots) has another value.
static std::string getError(const llvm::json::Value &manifest, llvm::StringRef path,
                            llvm::json::Value value) {
  llvm::json::Value changed = manifest;
  llvm::json::Value *field = &changed;
  llvm::SmallVector<llvm::StringRef> steps;
  path.split(steps, '.');
  for (llvm::StringRef step : steps) {
    unsigned index = 0;
    field = step.getAsInteger(10, index) ? field->getAsObject()->get(step)
                                         : &(*field->getAsArray())[index];
  }
  *field = std::move(value);
  return llvm::toString(KernelImage::parse(llvm::formatv("{0}", changed).str(), "").takeError());
}

TEST(KernelImage, ReadsAManifest) {
  KernelImage image =
      llvm::cantFail(KernelImage::parse(llvm::formatv("{0:2}", makeManifest()).str(), "code"));
  EXPECT_EQ(image.problem, "conv_bwd_weight:f16:N=4,K=32,C=32,in=34,filter=3");
  EXPECT_EQ(image.chip, "gfx942");
  ASSERT_EQ(image.tensors.size(), 3u);
  EXPECT_EQ(image.getWritten().name, "dw");
  EXPECT_EQ(image.getWritten().type, DataType::F32);
  ASSERT_EQ(image.launches.size(), 2u);
  // The second kernel adds up what the first one left in the workspace.
  EXPECT_EQ(image.launches[0].arguments.back(), 3u);
  EXPECT_GT(image.workspaceBytes, 0);
  EXPECT_EQ(image.launches[0].argumentNames.back(), "workspace");
  EXPECT_GT(image.launches[0].vgprs, 0);
  EXPECT_EQ(image.codeObject, "code");
}

TEST(KernelImage, ChecksTheWorkspace) {
  KernelImage image;
  image.workspaceAlignment = 128;
  auto describe = [&](uintptr_t address, size_t bytes) {
    return llvm::toString(image.checkWorkspace(reinterpret_cast<const void *>(address), bytes));
  };
  EXPECT_EQ(describe(0, 0), "");
  image.workspaceBytes = 82560;
  EXPECT_EQ(describe(256, 82560), "");
  EXPECT_EQ(describe(256, 82559), "the workspace must have at least 82560 bytes, got 82559");
  EXPECT_EQ(describe(192, 82560), "the workspace must be aligned to 128 bytes, got address 0xC0");
  EXPECT_EQ(describe(0, 82560), "the workspace must be aligned to 128 bytes, got address 0x0");
}

TEST(KernelImage, RefusesWrongFields) {
  llvm::json::Value manifest = makeManifest();
  EXPECT_EQ(getError(manifest, "chip", 3), "the manifest: expected 'chip' to be a string, got 3");
  EXPECT_EQ(getError(manifest, "tensors.0.type", "f17"),
            "a tensor of the manifest: expected 'type' to be a data type, got \"f17\"");
  EXPECT_EQ(getError(manifest, "tensors.0.bytes", 5),
            "a tensor of the manifest: expected 'bytes' to be 8704 for its shape and type, got 5");
  EXPECT_EQ(
      getError(manifest, "tensors.0.access", "write"),
      "the manifest: expected tensors that are read, then one that is written, got 'x' out of "
      "this order");
  EXPECT_EQ(getError(manifest, "kernels.0.grid", llvm::json::Array{1, 0, 1}),
            "a kernel of the manifest: expected 'grid' to be three sizes of at least 1 and at most "
            "2147483647, 65535 and 65535, got [1,0,1]");
  EXPECT_EQ(getError(manifest, "kernels.0.arguments", llvm::json::Array{"y"}),
            "a kernel of the manifest: expected 'arguments' to be names of tensors, or "
            "'workspace', got [\"y\"]");
  EXPECT_EQ(getError(manifest, "kernels", llvm::json::Array()),
            "the manifest: expected 'kernels' to be at least one kernel, got []");
  EXPECT_EQ(getError(manifest, "zero_fill", llvm::json::Array{"x"}),
            "the manifest: expected 'zero_fill' to be the tensor that is written, got [\"x\"]");
}

TEST(KernelImage, RefusesWhatNothingCanLaunch) {
  llvm::json::Value manifest = makeManifest();
  using llvm::json::Array;
  for (Array grid : {Array{int64_t(1) << 31, 1, 1}, Array{1, 65536, 1}, Array{1, 1, 65536}}) {
    std::string text = llvm::formatv("{0}", llvm::json::Value(Array(grid)));
    EXPECT_EQ(getError(manifest, "kernels.0.grid", std::move(grid)),
              "a kernel of the manifest: expected 'grid' to be three sizes of at least 1 and at "
              "most 2147483647, 65535 and 65535, got " +
                  text);
  }
  EXPECT_EQ(getError(manifest, "kernels.0.block", Array{1025, 1, 1}),
            "a kernel of the manifest: expected 'block' to be three sizes of at least 1 and at "
            "most 1024, 1024 and 1024, got [1025,1,1]");
  (*(*manifest.getAsObject()->getArray("kernels"))[0].getAsObject())["block"] = Array{64, 1, 1};
  EXPECT_EQ(getError(manifest, "kernels.0.grid", Array{67108863, 1, 1}), "");
  EXPECT_EQ(getError(manifest, "kernels.0.grid", Array{67108864, 1, 1}),
            "a kernel of the manifest: expected 'grid' to be one with at most 4294967295 "
            "work-items in each dimension, of blocks of 64, got [67108864,1,1]");
  EXPECT_EQ(getError(manifest, "tensors.0.shape",
                     Array{int64_t(1) << 31, int64_t(1) << 31, 1, int64_t(1) << 31}),
            "a tensor of the manifest: expected 'shape' to be one of at most 9223372036854775807 "
            "bytes, got [2147483648,2147483648,1,2147483648]");
}

TEST(KernelImage, RefusesWhatIsNoManifest) {
  EXPECT_EQ(llvm::toString(KernelImage::parse("[]", "").takeError()),
            "the manifest: expected an object, got []");
  EXPECT_TRUE(llvm::StringRef(llvm::toString(KernelImage::parse("{", "").takeError()))
                  .starts_with("malformed JSON in the manifest: "));
}

TEST(KernelImage, ChecksArrays) {
  KernelImage image =
      llvm::cantFail(KernelImage::parse(llvm::formatv("{0:2}", makeManifest()).str(), ""));
  // x is 4x34x1x32 of NWGC.
  std::vector<int64_t> shape = {4, 34, 1, 32}, strides = {1088, 32, 32, 1};
  auto check = [&](DataType type) {
    return llvm::toString(image.checkArray(0, {type, shape, strides}));
  };
  EXPECT_EQ(check(DataType::F16), "");
  EXPECT_EQ(check(DataType::F32), "expected tensor x to have the type f16, got f32");
  strides[2] = 7; // of a dimension of size 1
  EXPECT_EQ(check(DataType::F16), "");
  strides[1] = 64;
  EXPECT_EQ(check(DataType::F16), "expected tensor x to be packed, with the strides [1088, 32, 32, "
                                  "1] in elements, got [1088, 64, 7, 1]");
  shape = {1, 32, 8};
  EXPECT_EQ(check(DataType::F16),
            "expected tensor x to have the shape [4, 34, 1, 32] of NWGC, got [1, 32, 8]");
}
