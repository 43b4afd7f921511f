//===- AtCall.h - Specialization to the sizes of a call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done to a program before anybody knows its sizes, and afterwards; with the passes that
// AtCallPasses.td describes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_ATCALL_H
#define CK_MLIR_TRANSFORMS_ATCALL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ck::atcall {

/// A dictionary. On a function without a body: what it stands for. On the module of its program:
/// which function that is, and how it is compiled.
inline constexpr llvm::StringLiteral kAttrName = "ck.at_call";

// On the function.
inline constexpr llvm::StringLiteral kProgram = "program";     ///< the text of a module
inline constexpr llvm::StringLiteral kArguments = "arguments"; ///< how many the function has
inline constexpr llvm::StringLiteral kSizes = "sizes";   ///< argument and dimension of each `?`
inline constexpr llvm::StringLiteral kPublic = "public"; ///< the function is visible to others

// On the program.
inline constexpr llvm::StringLiteral kEntry = "entry";       ///< name of the function
inline constexpr llvm::StringLiteral kChip = "chip";         ///< these are options of
inline constexpr llvm::StringLiteral kSchedule = "schedule"; ///< --ck-compile-program
inline constexpr llvm::StringLiteral kHost = "host";
inline constexpr llvm::StringLiteral kResidents = "residents";

} // namespace mlir::ck::atcall

namespace mlir::ck {

/// Takes the body from every function of `module` that multiplies tensors of a batch of unknown
/// size, which is dimension 0 of arguments, and keeps the program, from this function on, as text
/// in `ck.at_call`. `options` are those of the program. A function with other unknown sizes, or
/// with arguments or results other than tensors and scalars, keeps its body; an optimization remark
/// says why.
void specializeAtCall(ModuleOp module, DictionaryAttr options);

/// Gives the `?` of the arguments of `function`, in their order, these sizes. Types of results
/// stay. Emits an error where there are more or fewer sizes, where one is negative, and where the
/// function is called.
LogicalResult setSizes(func::FuncOp function, ArrayRef<int64_t> sizes);

/// Gives the C interface of `function`, which upstream converted from a declaration with
/// `ck.at_call`, a body that calls `ckMlirCallSpecialized`. Emits an error where either is not so.
LogicalResult convertAtCallToLLVM(ModuleOp module, LLVM::LLVMFuncOp function);

#define GEN_PASS_DECL
#include "ck-mlir/Transforms/AtCallPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "ck-mlir/Transforms/AtCallPasses.h.inc"

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_ATCALL_H
