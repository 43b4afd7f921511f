//===- CompileRequest.h - Requests become kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where a library calls the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIBRARY_COMPILEREQUEST_H
#define CK_MLIR_LIBRARY_COMPILEREQUEST_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Kernel/KernelRequest.h"

namespace mlir::ck {

/// The image of a compiled program.
KernelImage makeImage(const CompiledProgram &program);

/// The problem of `request`. An error says that its text is no problem or module.
llvm::Expected<Problem> getProblem(const KernelRequest &request);

/// Compiles what `request` asks for. Errors are those of `compileProblem`, or say that its text is
/// no problem or module.
llvm::Expected<KernelImage> compileRequest(const KernelRequest &request);

/// The request that the default schedule, chip and number of residents of `options` make.
KernelRequest makeKernelRequest(llvm::StringRef problem, const CompileOptions &options);

} // namespace mlir::ck

#endif // CK_MLIR_LIBRARY_COMPILEREQUEST_H
