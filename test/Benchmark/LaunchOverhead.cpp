//===- LaunchOverhead.cpp - Host time of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch through the library costs beside HIP: on a HIP library whose functions do nothing,
// so that neither a driver nor the emulator is measured.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/KernelLibrary.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>

using namespace mlir::ck;

/// Microseconds of host time of one `launch`: the median over batches.
static double measure(llvm::function_ref<llvm::Error()> launch) {
  constexpr int batches = 51, launches = 2000;
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      llvm::cantFail(launch());
    std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    times.push_back(elapsed.count() / launches);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main(int argc, char **argv) {
  KernelRequest request;
  request.problem =
      argc > 1 ? argv[1] : "conv_fwd:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1,epilogue=bias";
  request.schedule = argc > 2 ? argv[2] : "";
  setenv("CK_HIP_LIBRARY", CK_IDLE_HIP, /*overwrite=*/1);
  Device device = llvm::cantFail(Device::openHip());
  auto library = llvm::cantFail(KernelLibrary::create({}));
  auto kernel = llvm::cantFail(library->load(device, request));
  const KernelImage &image = kernel->getImage();
  std::vector<void *> tensors;
  std::vector<std::vector<uint8_t>> memory;
  for (const TensorDesc &tensor : image.tensors) {
    memory.emplace_back(tensor.getSizeInBytes());
    tensors.push_back(memory.back().data());
  }
  std::vector<uint8_t> workspace(image.workspaceBytes + image.workspaceAlignment);
  auto address = reinterpret_cast<uintptr_t>(workspace.data());
  void *aligned =
      reinterpret_cast<void *>(llvm::alignTo(address, llvm::Align(image.workspaceAlignment)));
  LaunchArguments arguments{tensors, aligned, size_t(image.workspaceBytes)};

  double byRequest = measure([&] { return library->run(device, request, nullptr, arguments); });
  double byKernel = measure([&] { return kernel->run(nullptr, arguments); });
  llvm::outs() << toString(request) << ": " << image.launches.size() << " kernel"
               << (image.launches.size() > 1 ? "s" : "") << " a launch\n"
               << llvm::formatv("KernelLibrary::run  {0:F2} us\n", byRequest)
               << llvm::formatv("LoadedKernel::run   {0:F2} us\n", byKernel);
  return 0;
}
