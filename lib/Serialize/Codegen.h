//===- Codegen.h - LLVM IR to object and assembly -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the serializer: the LLVM side, without MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SERIALIZE_CODEGEN_H
#define CK_MLIR_LIB_SERIALIZE_CODEGEN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The AMDGPU backend for `chip`; errors on a chip that LLVM does not know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef triple, llvm::StringRef chip, llvm::StringRef features);

/// Refuses what the backend could only answer by aborting the process: intrinsics that the chip
/// does not have or that are not known to be selectable, and types without registers.
llvm::Error checkSelectable(const llvm::Module &module, const llvm::TargetMachine &machine);

/// Runs those passes of the O3 pipeline that make kernels faster. An error if LLVM does not know
/// them.
llvm::Error optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Emits the module (consumed) as an object file or as assembly. The backend's diagnostics become
/// the error.
llvm::Expected<std::string> emitModule(llvm::Module &module, llvm::TargetMachine &machine,
                                       llvm::CodeGenFileType type);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SERIALIZE_CODEGEN_H
