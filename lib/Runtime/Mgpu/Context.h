//===- Context.h - The device behind the mgpu functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opened by the first call. The functions have no way to return an error, so that they end here.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUNTIME_MGPU_CONTEXT_H
#define CK_MLIR_LIB_RUNTIME_MGPU_CONTEXT_H

#include "ck-mlir/Runtime/Device.h"

namespace mlir::ck::mgpu {

/// Prints "ck-mlir runtime: <function>: <reason>" and ends the process with status 1. Output of the
/// program so far is written; exit handlers do not run, as memory and handles are still in use.
[[noreturn]] void fail(llvm::StringRef function, const llvm::Twine &reason);

/// The HIP functions of the device that CK_RUNTIME_DEVICE names: hip, emulator, or auto (a GPU if
/// there is one, else the emulator, with a line on stderr that says so).
const HipApi &getApi(llvm::StringRef function);

/// Fails unless `code` is success; `call` is the HIP function.
void check(llvm::StringRef function, hip::ErrorCode code, llvm::StringRef call);

} // namespace mlir::ck::mgpu

#endif // CK_MLIR_LIB_RUNTIME_MGPU_CONTEXT_H
