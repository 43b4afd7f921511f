//===- DeviceError.h - What a device refuses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code object that cannot be loaded, a launch that cannot start: errors of the caller, where a
// Fault is one of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_DEVICEERROR_H
#define CK_MLIR_LIB_EMULATOR_LOAD_DEVICEERROR_H

#include "llvm/Support/Error.h"
#include <string>

namespace ckemu {

/// Says what was found and what was expected; the kind decides the HIP error code.
class DeviceError : public llvm::ErrorInfo<DeviceError> {
public:
  enum class Kind {
    InvalidImage,   ///< no AMDGPU code object, or a malformed one
    OtherTarget,    ///< a code object for something else
    InvalidLaunch,  ///< sizes that the kernel does not permit
    OutOfResources, ///< more LDS or registers than the device has
  };
  static char ID;
  DeviceError(Kind kind, std::string text) : kind(kind), text(std::move(text)) {}
  Kind getKind() const { return kind; }
  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  Kind kind;
  std::string text;
};

/// A DeviceError of `kind`.
llvm::Error makeError(DeviceError::Kind kind, const llvm::Twine &text);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_DEVICEERROR_H
