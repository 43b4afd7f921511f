//===- Lower.h - IR as text -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rungs of the lowering for programs that do not link MLIR: every function takes the text of a
// module and gives a text back, in a context of its own. The dialects and passes are those of
// ck-opt. See ck-mlir-c/Support.h for errors, ownership and threads, docs/Lowering.md for the
// forms. In every failure the message holds the diagnostics of MLIR, on one line.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_LOWER_H
#define CK_MLIR_C_LOWER_H

#include "ck-mlir-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The forms of IR between a problem and code, from above: "problem", "implicit-gemm", ...,
/// "rocdl".
CKMLIR_CAPI_EXPORTED size_t ckMlirGetNumForms(void);
/// The name of form `index`; null if there are fewer. Lives for ever.
CKMLIR_CAPI_EXPORTED const char *ckMlirGetFormName(size_t index);

/// The module of form "problem" that ck-gen prints for `problem`. The chip of `options` has a say
/// in the type of 8-bit floats.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateProblemIR(const char *problem,
                                                        CkMlirCompileOptions options,
                                                        CkMlirText *ir);

/// The module `ir`, which is of form `from`, in form `to`, for chip, schedule and residents of
/// `options`; for equal forms the module as it is printed. InvalidArgument: no such form, `to` is
/// above `from`, text that cannot be parsed, IR that is not valid or not of form `from`.
/// Unsupported: a pass refused.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateLoweredIR(const char *ir, const char *from,
                                                        const char *to,
                                                        CkMlirCompileOptions options,
                                                        CkMlirText *lowered);

/// The module `ir` behind a pass pipeline in the syntax of mlir-opt, such as
/// "builtin.module(ck-conv-to-gemm,canonicalize)". InvalidArgument: text or pipeline cannot be
/// parsed, or the IR is not valid. Unsupported: a pass failed.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateIRBehindPasses(const char *ir, const char *pipeline,
                                                             CkMlirText *changed);

/// Compiles the only problem of the module `ir`, which is of form "problem". Errors are those of
/// ckMlirCompileModule (ck-mlir-c/IR.h); text that cannot be parsed is InvalidArgument.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileIR(const char *ir, CkMlirCompileOptions options,
                                                  CkMlirProgram *program);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_LOWER_H
