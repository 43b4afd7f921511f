//===- Version.h - Which HIP the program was compiled for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMD ships libamdhip64.so.5, .6 and .7, in which some functions of the same name take other types.
// This library stands for all of them, so it has to know for which one.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_VERSION_H
#define CK_MLIR_LIB_EMULATOR_HIP_VERSION_H

#include "llvm/Support/Error.h"

namespace ckemu::hip {

/// CK_EMULATOR_HIP_VERSION, 0 when it is not set.
llvm::Expected<unsigned> readHipVersion();

/// The major version of HIP whose types the program has: 5, 6 or 7. In this order, what decides is
/// CK_EMULATOR_HIP_VERSION; the name libamdhip64.so.N under which this library, or one that
/// forwards to it, was loaded (7 without N); such a name among what the loaded programs and
/// libraries are linked to; that a function was called which only newer programs know (6); the
/// header that this library was compiled with.
unsigned getHipVersion();

/// To be called in functions that no program for HIP 5 calls.
void noteNewerProgram();

/// The major version in "libamdhip64.so.N", 7 for "libamdhip64.so", 0 for other names.
unsigned getVersionOfName(const char *path);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_VERSION_H
