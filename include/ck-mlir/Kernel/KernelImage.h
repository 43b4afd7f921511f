//===- KernelImage.h - A kernel without its compiler -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a compilation: a code object and the manifest that says how it is launched.
// Reading it takes no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_KERNEL_KERNELIMAGE_H
#define CK_MLIR_KERNEL_KERNELIMAGE_H

#include "ck-mlir/Problem/Problem.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace mlir::ck {

/// One launch of an image. Registers and sizes are those of `KernelResources`.
struct ImageLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1};  // workgroups
  std::array<uint32_t, 3> block = {1, 1, 1}; // work-items of a workgroup
  /// What the arguments are, each a device pointer: names of tensors, or "workspace"; and their
  /// numbers among the tensors, that of the workspace being the number of tensors.
  std::vector<std::string> argumentNames;
  std::vector<unsigned> arguments;
  int64_t vgprs = 0, agprs = 0, sgprs = 0;
  int64_t ldsBytes = 0, scratchBytes = 0, codeBytes = 0;
};

/// An array as a caller has it.
struct ArrayDesc {
  DataType type;
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<int64_t> strides; // in elements
};

/// A compiled problem in memory: everything that it takes to load and launch it.
struct KernelImage {
  std::string problem, chip, schedule; // canonical strings
  std::vector<TensorDesc> tensors;   // those that are read, in order, then the one that is written
  std::vector<ImageLaunch> launches; // in order
  int64_t workspaceBytes = 0;        // device memory that the caller provides
  int64_t workspaceAlignment = 1;    // of its address
  int64_t workspaceZeroBytes = 0;    // at its start, which launches need and leave zeroed
  bool zeroFill = false;             // the written tensor is zeroed before the launches
  std::string manifest;              // the JSON text that all of this was read from
  std::string codeObject;

  /// Reads a manifest as `ck-compile` writes it. An error names the field that is wrong or missing,
  /// its value and what was expected.
  static llvm::Expected<KernelImage> parse(llvm::StringRef manifest, std::string codeObject);

  const TensorDesc &getWritten() const { return tensors.back(); }
  /// Success if `array` has the type, the shape and the packed strides of tensor `number`, which
  /// there must be; otherwise what is wrong with it. Strides of dimensions of size 1 do not count.
  llvm::Error checkArray(size_t number, const ArrayDesc &array) const;
  /// Success if the `bytes` at `pointer` can be the workspace, otherwise what is wrong with them.
  llvm::Error checkWorkspace(const void *pointer, size_t bytes) const;
};

} // namespace mlir::ck

#endif // CK_MLIR_KERNEL_KERNELIMAGE_H
