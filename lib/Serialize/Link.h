//===- Link.h - lld as a library -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the serializer: the linker, without a process.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SERIALIZE_LINK_H
#define CK_MLIR_LIB_SERIALIZE_LINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Links the relocatable AMDGPU object `object` into a loadable code object. Errors: the linker's
/// messages (undefined symbols), no room for temporary files.
llvm::Expected<std::string> linkCodeObject(llvm::StringRef object);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SERIALIZE_LINK_H
