//===- InitialState.h - How a workgroup begins -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two workgroups of a launch only the memory that they own stays.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_INITIALSTATE_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_INITIALSTATE_H

#include "Emulator/Machine/Workgroup.h"

namespace ckemu {

/// Creates the waves of workgroup `id` of a launch in their initial state, reusing the memory that
/// `group` holds. Registers and LDS are filled with a pattern that makes uninitialized values
/// visible (NaNs).
void initializeWorkgroup(Workgroup &group, LaunchContext &launch, uint64_t linearId);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_INITIALSTATE_H
