//===- LoadedKernelTest.cpp - Tests of kernels on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels run on the emulator, on memory and streams of the test, and are compared with
// lib/Reference.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "TestKernel.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Reference/Compare.h"
#include "ck-mlir/Reference/Convolution.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

namespace {
/// A kernel, device memory for it, and inputs.
class LoadedKernelTest : public testing::Test {
protected:
  void load(const std::string &problem, const std::string &schedule) {
    KernelRequest request;
    request.problem = problem;
    request.schedule = schedule;
    request.residents = 4; // so few that streams share tiles
    kernel.emplace(llvm::cantFail(LoadedKernel::load(
        device, std::make_shared<KernelImage>(llvm::cantFail(compileRequest(request))))));
    data.clear();
    buffers.clear();
    pointers.clear();
    for (const TensorDesc &tensor : kernel->getImage().tensors) {
      data.emplace_back(tensor);
      data.back().fill(InitKind::Int, 7);
      buffers.push_back(llvm::cantFail(Buffer::allocate(device, data.back().getBytes().size())));
      llvm::cantFail(buffers.back().copyFromHost(data.back().getBytes()));
      pointers.push_back(buffers.back().getPointer());
    }
    workspace.emplace(
        llvm::cantFail(Buffer::allocate(device, kernel->getImage().workspaceBytes + 1)));
  }

  llvm::Error run(bool workspaceIsZeroed = false) {
    return kernel->run(stream.getHandle(), {pointers, workspace->getPointer(), workspace->getSize(),
                                            workspaceIsZeroed});
  }

  Comparison verify() {
    llvm::cantFail(stream.synchronize());
    llvm::cantFail(buffers.back().copyToHost(data.back().getBytes()));
    Problem problem = llvm::cantFail(parseProblem(kernel->getImage().problem));
    TensorData reference =
        llvm::cantFail(computeReference(problem, llvm::ArrayRef(data).drop_back()));
    return compare(data.back(), reference, Tolerance());
  }

  /// The emulator; tests replace functions of its.
  std::shared_ptr<HipApi> api =
      std::make_shared<HipApi>(llvm::cantFail(Device::openEmulator("gfx942")).getApi());
  Device device = llvm::cantFail(Device::open(api));
  Stream stream = llvm::cantFail(Stream::create(device));
  std::optional<LoadedKernel> kernel;
  std::vector<TensorData> data;
  std::vector<Buffer> buffers;
  std::vector<void *> pointers;
  std::optional<Buffer> workspace;
};
} // namespace

TEST_F(LoadedKernelTest, ComputesAConvolution) {
  load("conv_fwd:f16:N=2,K=32,C=32,in=9x9,filter=3x3,pad=1,epilogue=bias+relu", "");
  llvm::cantFail(run());
  EXPECT_TRUE(verify().passed()) << verify().firstMismatch;
}

TEST_F(LoadedKernelTest, ZeroesTheWorkspaceBeforeEveryRun) {
  load("conv_bwd_weight:f16:N=4,K=32,C=32,in=16x16,filter=3x3,pad=1",
       "tile=32x32x32,partition=stream_k:tree");
  EXPECT_GT(kernel->getImage().workspaceZeroBytes, 0);
  llvm::cantFail(run());
  llvm::cantFail(run());
  EXPECT_TRUE(verify().passed()) << verify().firstMismatch;
}

TEST_F(LoadedKernelTest, LeavesTheWorkspaceAsLaunchesNeedIt) {
  for (const char *partition : {"stream_k:linear", "stream_k:tree", "stream_k:tree:persistent"}) {
    load("conv_bwd_weight:f16:N=4,K=32,C=32,in=16x16,filter=3x3,pad=1",
         std::string("tile=32x32x32,partition=") + partition);
    llvm::cantFail(workspace->fill(0xff));
    llvm::cantFail(run());
    ASSERT_TRUE(verify().passed()) << verify().firstMismatch;
    std::vector<uint8_t> bytes(workspace->getSize());
    llvm::cantFail(workspace->copyToHost(bytes));
    bytes.resize(kernel->getImage().workspaceZeroBytes);
    EXPECT_THAT(bytes, testing::Each(0)) << partition;
    llvm::cantFail(buffers.back().fill(0xff));
    llvm::cantFail(run(/*workspaceIsZeroed=*/true));
    EXPECT_TRUE(verify().passed()) << verify().firstMismatch;
  }
}

TEST_F(LoadedKernelTest, ZeroesTheResultOfAtomics) {
  load("conv_bwd_weight:f16:N=4,K=32,C=32,in=9x9,filter=3x3,pad=1",
       "tile=32x32x32,partition=split_k:2");
  EXPECT_TRUE(kernel->getImage().zeroFill);
  llvm::cantFail(run());
  llvm::cantFail(run());
  EXPECT_TRUE(verify().passed()) << verify().firstMismatch;
}

TEST_F(LoadedKernelTest, RefusesWrongArguments) {
  load("conv_bwd_weight:f16:N=4,K=32,C=32,in=16x16,filter=3x3,pad=1",
       "tile=32x32x32,partition=stream_k:tree");
  const KernelImage &image = kernel->getImage();
  auto getError = [&](llvm::ArrayRef<void *> tensors, size_t bytes) {
    return llvm::toString(
        kernel->run(stream.getHandle(), {tensors, workspace->getPointer(), bytes}));
  };
  EXPECT_EQ(getError(llvm::ArrayRef(pointers).drop_back(), workspace->getSize()),
            "expected pointers of 3 tensors, got 2");
  EXPECT_EQ(getError(pointers, 8), "the workspace must have at least " +
                                       std::to_string(image.workspaceBytes) + " bytes, got 8");
  pointers[1] = nullptr;
  EXPECT_EQ(llvm::toString(run()), "expected device memory for tensor dy, got null");
}

TEST_F(LoadedKernelTest, RefusesAStreamOfAnotherDevice) {
  load("gemm:f16:M=32,N=32,K=32", "");
  api->StreamGetDevice = [](hip::StreamHandle, int *ordinal) {
    *ordinal = 1;
    return hip::success;
  };
  EXPECT_EQ(llvm::toString(run()),
            "expected a stream of device 0, where the kernel is loaded, got one of device 1");
}

TEST_F(LoadedKernelTest, RefusesAnotherChip) {
  KernelRequest request = makeRequest();
  request.chip = "gfx90a";
  auto image = std::make_shared<KernelImage>(llvm::cantFail(compileRequest(request)));
  EXPECT_EQ(llvm::toString(LoadedKernel::load(device, image).takeError()),
            "expected a kernel for gfx942, the chip of the device, got one for gfx90a");
}

/// Functions of HIP that were called.
static std::vector<std::string> called;

/// Puts a function in the place of `member` that notes the call.
template <auto Member, typename... Parameters>
static void count(HipApi &api, const char *name, hip::ErrorCode (*HipApi::*)(Parameters...)) {
  static const char *const kName = name;
  static const auto kOriginal = api.*Member;
  api.*Member = [](Parameters... parameters) {
    called.emplace_back(kName);
    return kOriginal(parameters...);
  };
}
#define COUNT(name) count<&HipApi::name>(*api, #name, &HipApi::name)

TEST_F(LoadedKernelTest, NeitherAllocatesNorWaits) {
  load("conv_bwd_weight:f16:N=2,K=32,C=32,in=9x9,filter=3x3,pad=1",
       "partition=split_k:2:two_stage");
  ASSERT_GT(kernel->getImage().workspaceBytes, 0);
  COUNT(Malloc);
  COUNT(MallocManaged);
  COUNT(Free);
  COUNT(Memcpy);
  COUNT(MemcpyAsync);
  COUNT(Memset);
  COUNT(MemsetD16Async);
  COUNT(MemsetD32Async);
  COUNT(HostRegister);
  COUNT(ModuleLoadData);
  COUNT(ModuleGetFunction);
  COUNT(ModuleLaunchKernel);
  COUNT(StreamCreate);
  COUNT(StreamSynchronize);
  COUNT(StreamWaitEvent);
  COUNT(StreamGetDevice);
  COUNT(EventCreate);
  COUNT(EventSynchronize);
  COUNT(EventRecord);
  llvm::cantFail(run());
  EXPECT_EQ(called, (std::vector<std::string>{"StreamGetDevice", "ModuleLaunchKernel",
                                              "ModuleLaunchKernel"}));
  EXPECT_TRUE(verify().passed()) << verify().firstMismatch;
}
