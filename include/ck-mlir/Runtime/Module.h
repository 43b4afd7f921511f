//===- Module.h - Loaded code objects -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code object on a device, and its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_MODULE_H
#define CK_MLIR_RUNTIME_MODULE_H

#include "ck-mlir/Runtime/Device.h"

namespace mlir::ck {

/// Checks that `bytes` are a whole AMDGPU code object: an ELF file for that machine whose headers,
/// segments and sections lie inside. HIP libraries read past the end of files that are not.
llvm::Error checkCodeObject(llvm::StringRef bytes);

/// A code object loaded on a device; unloaded on destruction.
class Module {
public:
  /// Loads a code object after `checkCodeObject`.
  static llvm::Expected<Module> load(const Device &device, llvm::StringRef codeObject);

  Module(Module &&other) noexcept { swap(other); }
  Module &operator=(Module &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Module();

  /// The kernel `name`, valid as long as the module.
  llvm::Expected<hip::FunctionHandle> getFunction(const std::string &name) const;

private:
  Module() = default;
  void swap(Module &other) noexcept {
    std::swap(api, other.api);
    std::swap(handle, other.handle);
    std::swap(bytes, other.bytes);
  }

  std::shared_ptr<const HipApi> api;
  hip::ModuleHandle handle = nullptr;
  std::string bytes; // HIP may refer to them as long as the module is loaded
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_MODULE_H
