//===- KernelRequest.h - What a library is asked for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two requests with the same key are answered by the same kernel.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_KERNEL_KERNELREQUEST_H
#define CK_MLIR_KERNEL_KERNELREQUEST_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace mlir::ck {

/// A problem, the chip that it is compiled for, and how.
struct KernelRequest {
  std::string problem; // a problem string, or the text of a rung-0 module with one problem
  std::string chip = "gfx942";
  std::string schedule;  // a schedule string; fields that are left out are chosen
  int64_t residents = 0; // workgroups that can be resident, see CompileOptions; 0: one on every CU

  /// True when `problem` is the text of a module, which has lines or regions.
  bool isModule() const;
  /// The request with its strings in canonical form, so that equal problems are equal requests. An
  /// error names the field that is malformed and what is wrong with it.
  llvm::Expected<KernelRequest> canonicalize() const;

  /// The members, as an object. `fromJson` refuses objects with others.
  llvm::json::Value toJson() const;
  static llvm::Expected<KernelRequest> fromJson(const llvm::json::Value &value);

  /// SHA-256 of the members of a canonical request and the version of the compiler, which together
  /// make the kernel; 64 hexadecimal digits.
  std::string getKey(llvm::StringRef compilerVersion) const;

  bool operator==(const KernelRequest &other) const;
};

/// "<problem> for <chip> with <schedule>", without what is empty: for messages.
std::string toString(const KernelRequest &request);

/// The version of this compiler: that of the project and of LLVM, and a hash of the build IDs of
/// the program or library that holds it and of the LLVM and MLIR libraries that it runs with. So it
/// changes when any of their code does.
const std::string &getCompilerVersion();

/// SHA-256 in hexadecimal digits.
std::string getChecksum(llvm::StringRef bytes);

} // namespace mlir::ck

#endif // CK_MLIR_KERNEL_KERNELREQUEST_H
