//===- DeviceError.cpp - What a device refuses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DeviceError.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/DeviceError.h"

using namespace ckemu;

char DeviceError::ID = 0;

llvm::Error ckemu::makeError(DeviceError::Kind kind, const llvm::Twine &text) {
  return llvm::make_error<DeviceError>(kind, text.str());
}
