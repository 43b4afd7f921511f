//===- KernelName.h - Names of kernels for messages -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbols of C++ kernels are mangled, and with templates longer than anybody reads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_KERNELNAME_H
#define CK_MLIR_LIB_EMULATOR_LOAD_KERNELNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ckemu {

/// The name of a kernel for messages: demangled, without return type, arguments of templates and
/// parameters, and cut where it is longer than a line.
std::string shortenKernelName(llvm::StringRef name);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_KERNELNAME_H
