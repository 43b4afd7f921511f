//===- JitApi.h - Functions that compiled programs call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libck_mlir_jit.so exports. A program calls it where --ck-compile-program left a function of
// a batch of unknown size to be compiled when it is called; see docs/Programs.md. All functions are
// safe to be called by several threads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_JITAPI_H
#define CK_MLIR_COMPILER_JITAPI_H

#include <cstdint>

#define CK_JIT_EXPORT extern "C" __attribute__((visibility("default")))

/// Calls the function of `program`, the text of a module that `ck-specialize-at-call` wrote,
/// compiled for the `numSizes` sizes of the unknown dimensions of its arguments. It is compiled
/// unless that was done before for the same `digest` (of the text, 64 hexadecimal digits) and
/// sizes. `arguments` holds the address of each argument of the function's C interface, as
/// upstream's ExecutionEngine wants them: a descriptor is handed over by the address of its
/// address.
///
/// What is returned belongs to the caller, as with any function: memory is from `malloc`. Arguments
/// are not written. A program that cannot be compiled for these sizes ends the process with status
/// 1 and the reason on standard error.
CK_JIT_EXPORT void ckMlirCallSpecialized(const char *program, int64_t programBytes,
                                         const char *digest, const int64_t *sizes, int64_t numSizes,
                                         void **arguments);

/// How many programs were compiled since the start of the process.
CK_JIT_EXPORT int64_t ckMlirCountSpecializations(void);

#endif // CK_MLIR_COMPILER_JITAPI_H
