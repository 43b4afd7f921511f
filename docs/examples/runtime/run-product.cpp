//===- run-product.cpp - Launches a compiled kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: run-product DIR
//
// DIR is what `ck-compile "gemm:i8:M=...,N=...,K=..." -o DIR` wrote: a code object and its
// manifest, which says how the kernel is launched. The kernel runs on a GPU if there is one for
// which it was compiled, else on the emulator. The result is compared with a product computed here.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Device.h"
#include "ck-mlir/Runtime/Module.h"
#include "ck-mlir/Runtime/Stream.h"
#include "ck-mlir/Support/File.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>

using namespace mlir::ck;
using cksupport::readFile;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct TensorEntry {
  std::string name, access;
  int64_t bytes = 0;
  std::vector<int64_t> shape; // of a product: batch, rows, columns
};

struct KernelEntry {
  std::string name;
  std::vector<std::string> arguments; // names of tensors
  std::vector<int64_t> grid, block;   // three sizes each
};

/// What this program reads of a manifest.
struct Manifest {
  std::string problem, chip, codeObject;
  std::vector<TensorEntry> tensors;
  std::vector<KernelEntry> kernels;
};

/// A tensor on the host and on the device.
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<uint8_t> host;
  Buffer device;
};
using Tensors = std::map<std::string, Tensor>;

bool fromJSON(const llvm::json::Value &value, TensorEntry &entry, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("name", entry.name) && map.map("access", entry.access) &&
         map.map("bytes", entry.bytes) && map.map("shape", entry.shape);
}

bool fromJSON(const llvm::json::Value &value, KernelEntry &entry, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("name", entry.name) || !map.map("arguments", entry.arguments) ||
      !map.map("grid", entry.grid) || !map.map("block", entry.block))
    return false;
  if (entry.grid.size() == 3 && entry.block.size() == 3)
    return true;
  path.report("expected three sizes of grid and block");
  return false;
}

bool fromJSON(const llvm::json::Value &value, Manifest &manifest, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("problem", manifest.problem) && map.map("chip", manifest.chip) &&
         map.map("code_object", manifest.codeObject) && map.map("tensors", manifest.tensors) &&
         map.map("kernels", manifest.kernels);
}
} // namespace

/// The GPU, or the emulator in its place.
static Expected<Device> openDevice(StringRef chip) {
  std::string whyNone;
  Expected<std::optional<Device>> gpu = Device::findHip(whyNone);
  if (!gpu)
    return gpu.takeError();
  if (*gpu && (*gpu)->getArchitecture() == chip)
    return std::move(**gpu);
  return Device::openEmulator(chip);
}

/// Allocates what the manifest lists and fills what is read with small numbers.
static Expected<Tensors> makeTensors(const Manifest &manifest, const Device &device) {
  Tensors tensors;
  for (const TensorEntry &entry : manifest.tensors) {
    Expected<Buffer> buffer = Buffer::allocate(device, entry.bytes);
    if (!buffer)
      return buffer.takeError();
    Tensor tensor = {entry.shape, std::vector<uint8_t>(entry.bytes), std::move(*buffer)};
    if (entry.access == "read")
      for (size_t i = 0; i < tensor.host.size(); ++i)
        tensor.host[i] = static_cast<uint8_t>(static_cast<int>(i * 7 % 5) - 2);
    if (Error error = tensor.device.copyFromHost(tensor.host))
      return std::move(error);
    tensors.emplace(entry.name, std::move(tensor));
  }
  return tensors;
}

/// Launches the kernels of the manifest one after the other and waits for them.
static Error launch(const Manifest &manifest, StringRef codeObject, const Device &device,
                    const Tensors &tensors) {
  Expected<Module> module = Module::load(device, codeObject);
  if (!module)
    return module.takeError();
  Expected<Stream> stream = Stream::create(device);
  if (!stream)
    return stream.takeError();
  for (const KernelEntry &kernel : manifest.kernels) {
    LaunchShape shape;
    llvm::copy(kernel.grid, shape.grid.begin());
    llvm::copy(kernel.block, shape.block.begin());
    std::vector<void *> pointers;
    for (const std::string &argument : kernel.arguments) {
      auto tensor = tensors.find(argument);
      if (tensor == tensors.end())
        return createStringError("the manifest has no tensor for the argument " + argument);
      pointers.push_back(tensor->second.device.getPointer());
    }
    Expected<hip::FunctionHandle> function = module->getFunction(kernel.name);
    if (!function)
      return function.takeError();
    if (Error error = stream->launch(*function, shape, pointers))
      return error;
  }
  return stream->synchronize();
}

/// Compares `c` on the device with the product of `a` and the transposed `b`.
static Expected<int64_t> countDifferences(Tensors &tensors) {
  Tensor &a = tensors.at("a"), &b = tensors.at("b"), &c = tensors.at("c");
  if (Error error = c.device.copyToHost(c.host))
    return std::move(error);
  int64_t numRows = c.shape[1], numColumns = c.shape[2], depth = a.shape[2], differences = 0;
  for (int64_t row = 0; row < numRows; ++row) {
    for (int64_t column = 0; column < numColumns; ++column) {
      int32_t expected = 0, got = 0;
      for (int64_t k = 0; k < depth; ++k)
        expected += static_cast<int8_t>(a.host[row * depth + k]) *
                    static_cast<int8_t>(b.host[column * depth + k]);
      std::memcpy(&got, &c.host[(row * numColumns + column) * sizeof(got)], sizeof(got));
      differences += expected != got;
    }
  }
  return differences;
}

static Error run(const std::string &folder) {
  auto text = readFile(folder + "/manifest.json");
  if (!text)
    return text.takeError();
  auto manifest = llvm::json::parse<Manifest>((*text)->getBuffer(), "manifest");
  if (!manifest)
    return manifest.takeError();
  StringRef problem = manifest->problem;
  if (!problem.starts_with("gemm:i8:M=") || problem.contains("layout") || problem.contains("type"))
    return createStringError("expected a product such as gemm:i8:M=32,N=48,K=64, got " + problem);
  auto codeObject = readFile(folder + "/" + manifest->codeObject);
  if (!codeObject)
    return codeObject.takeError();

  Expected<Device> device = openDevice(manifest->chip);
  if (!device)
    return device.takeError();
  llvm::outs() << "running " << problem << " on " << device->getName() << "\n";
  Expected<Tensors> tensors = makeTensors(*manifest, *device);
  if (!tensors)
    return tensors.takeError();
  if (Error error = launch(*manifest, (*codeObject)->getBuffer(), *device, *tensors))
    return error;
  Expected<int64_t> differences = countDifferences(*tensors);
  if (!differences)
    return differences.takeError();
  llvm::outs() << *differences << " elements differ\n";
  return *differences ? createStringError("the product is wrong") : Error::success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: run-product DIR\n";
    return 2;
  }
  if (Error error = run(argv[1])) {
    llvm::errs() << "run-product: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
