//===- KernelCheck.h - Register use of a kernel against its descriptor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler indexes the register file without a check; this makes it safe: when a kernel is
// decoded, every register that the reachable code of a kernel names is compared with those that the
// kernel descriptor allocates.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_KERNELCHECK_H
#define CK_MLIR_LIB_EMULATOR_LOAD_KERNELCHECK_H

#include "Emulator/Load/CodeObject.h"

namespace ckemu {

/// Sets DecodedKernel::numVgprs and numAgprs to what a wave must have, or its launchError when an
/// instruction that the kernel can reach names a vector register beyond its allocation. AGPRs are
/// the end of one file: `v[n]` behind the VGPRs is AGPR n - numVgprs. A kernel with computed jumps
/// (calls) may reach all code that was decoded for it; it gets the registers that any of it names,
/// without an error.
void checkKernelRegisters(const Kernel &kernel, DecodedKernel &decoded);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_KERNELCHECK_H
