//===- Image.h - Bytes of a code object in host memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hipModuleLoadData is given a pointer without a size.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MODULE_IMAGE_H
#define CK_MLIR_LIB_EMULATOR_HIP_MODULE_IMAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ckemu::hip {

/// Copies the ELF or offload bundle, compressed or not, at `image`, whose size its headers say.
/// Errors when that memory is not readable; bytes that are neither are returned as the few that
/// were looked at, for the loader to refuse.
llvm::Expected<std::string> readImage(const void *image);

/// The offload bundle in a compressed one ("CCOB"), or `bytes` themselves when they are none.
llvm::Expected<std::string> decompress(llvm::StringRef bytes);

/// The code object for `chip` in an offload bundle ("__CLANG_OFFLOAD_BUNDLE__"), or `bytes` itself
/// when it is none. An error lists the targets that the bundle has.
llvm::Expected<llvm::StringRef> unbundle(llvm::StringRef bytes, llvm::StringRef chip);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MODULE_IMAGE_H
