//===- SpinDetector.h - Waves that wait for ever -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave that returns to a program counter with all its registers as they were, while nothing was
// stored, will do so again for ever unless someone else stores. That proves a hang within a few
// instructions, where a budget of instructions needs minutes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_SPINDETECTOR_H
#define CK_MLIR_LIB_EMULATOR_CHECK_SPINDETECTOR_H

#include "Emulator/Machine/Faults.h"
#include "Emulator/Machine/Workgroup.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace ckemu {

/// Runs each running wave of `group` a little further, by `step`, which executes one instruction of
/// a wave. True when all of them repeat their state and
/// none stored anything.
bool isSpinning(Workgroup &group, llvm::function_ref<void(Wave &)> step);

/// Appends where each wave that has not ended is, up to a limit on the length of the text.
void describeWaves(const Workgroup &group, std::string &text);

/// The place of the first of them.
std::optional<FaultPlace> findPlace(const Workgroup &group);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_SPINDETECTOR_H
