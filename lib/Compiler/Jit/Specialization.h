//===- Specialization.h - A program for the sizes of a call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and sizes in, code in memory out.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_COMPILER_JIT_SPECIALIZATION_H
#define CK_MLIR_LIB_COMPILER_JIT_SPECIALIZATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

#pragma GCC visibility push(hidden)
namespace mlir::ck::jit {

/// Loaded code. Its kernels are on the device as long as it lives.
class Specialization {
public:
  /// Compiles `program` for `sizes`. The error holds the diagnostics, with the lines of the
  /// program.
  static llvm::Expected<std::unique_ptr<Specialization>> compile(llvm::StringRef program,
                                                                 llvm::ArrayRef<int64_t> sizes);
  ~Specialization();

  /// The addresses of the arguments of the C interface, then of the result if it has one.
  void call(void **arguments) const { function(arguments); }

  llvm::StringRef getEntry() const { return entry; }
  /// The kernels that the program launches, in the order of the launches.
  llvm::ArrayRef<std::string> getKernels() const { return kernels; }

private:
  Specialization() = default;

  std::string entry;
  std::vector<std::string> kernels;
  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};

} // namespace mlir::ck::jit
#pragma GCC visibility pop

#endif // CK_MLIR_LIB_COMPILER_JIT_SPECIALIZATION_H
