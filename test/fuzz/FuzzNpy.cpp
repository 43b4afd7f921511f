//===- FuzzNpy.cpp - Files of tensors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a .npy file, which is read into tensors of several types and shapes.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "Run/Npy.h"
#include "llvm/ADT/StringRef.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir::ck;
using namespace ckfuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int file = memfd_create("tensor", 0);
  require(file >= 0 && write(file, data, size) == ssize_t(size), "no room for the input");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  const TensorDesc descs[] = {{"x", DataType::F32, "GMK", {1, 2, 3}},
                              {"x", DataType::F16, "GMK", {1, 2, 3}},
                              {"x", DataType::BF16, "GC", {2, 5}},
                              {"x", DataType::I8, "NHWGC", {1, 2, 2, 1, 3}},
                              {"x", DataType::FP8, "GC", {1, 1}}};
  for (const TensorDesc &desc : descs) {
    TensorData tensor(desc, Fp8Format::OCP);
    if (llvm::Error error = readNpy(path, tensor)) {
      require(!llvm::toString(std::move(error)).empty(), "an error without a message");
      continue;
    }
    const auto read = tensor.getBytes();
    require(
        bytes.ends_with(llvm::StringRef(reinterpret_cast<const char *>(read.data()), read.size())),
        "the tensor does not hold what the file does");
  }
  close(file);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, seed % 2 ? mutateText : mutateBytes);
}
