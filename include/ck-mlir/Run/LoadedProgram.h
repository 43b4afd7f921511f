//===- LoadedProgram.h - A compiled program that can be launched -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For callers that have memory and streams of their own and launch a program many times.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_LOADEDPROGRAM_H
#define CK_MLIR_RUN_LOADEDPROGRAM_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Runtime/Module.h"
#include "ck-mlir/Runtime/Stream.h"

namespace mlir::ck {

/// Device pointers for one launch.
struct LaunchArguments {
  llvm::ArrayRef<void *> tensors; // those that the problem reads, in its order, then the result
  void *workspace = nullptr;
  size_t workspaceBytes = 0;
};

/// A program whose code object is on a device; unloaded on destruction. Launches may come from
/// several threads at the same time.
class LoadedProgram {
public:
  /// Errors: the code object cannot be loaded, or lacks a kernel.
  static llvm::Expected<LoadedProgram> load(const Device &device, CompiledProgram program);

  const CompiledProgram &getProgram() const { return program; }

  /// What is wrong with `arguments`: the number of tensors, a null pointer, the workspace.
  llvm::Error check(const LaunchArguments &arguments) const;

  /// Puts the zeros that the kernels need and the kernels on `stream`; null: the default stream.
  /// `arguments` must have passed `check`.
  llvm::Error launch(hip::StreamHandle stream, const LaunchArguments &arguments) const;

private:
  LoadedProgram(const Device &device, CompiledProgram &&program, Module &&module)
      : api(device.getSharedApi()), program(std::move(program)), module(std::move(module)) {}
  llvm::Error resolve();
  llvm::Error zero(hip::StreamHandle stream, void *pointer, int64_t bytes) const;

  /// A kernel, and for each of its arguments the number of a tensor, or of tensors for the
  /// workspace.
  struct Kernel {
    hip::FunctionHandle function = nullptr;
    LaunchShape shape;
    std::vector<size_t> arguments;
  };

  std::shared_ptr<const HipApi> api;
  CompiledProgram program;
  Module module;
  llvm::SmallVector<TensorDesc> tensors;
  std::vector<Kernel> kernels;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUN_LOADEDPROGRAM_H
