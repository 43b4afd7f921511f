//===- Leaks.h - What was never freed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reported on stderr at the end of the process and by hipDeviceReset, unless CK_EMULATOR_CHECKS
// leaves it out.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_LEAKS_H
#define CK_MLIR_LIB_EMULATOR_HIP_LEAKS_H

#include "Emulator/Hip/State.h"

namespace ckemu::hip {

/// "3 allocations of 1234 bytes, 1 module, 2 streams and 1 event were never freed" and a line for
/// each of the first allocations; empty when there is nothing.
std::string describeLeaks(State &state);

/// Prints what describeLeaks says; `when` is "at the end of the process".
void reportLeaks(State &state, const char *when);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_LEAKS_H
