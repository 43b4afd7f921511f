//===- Problem.h - One problem from its text to its report -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compile, fill, execute, compare.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_PROBLEM_H
#define CK_MLIR_RUN_PROBLEM_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Run/Report.h"
#include "ck-mlir/Runtime/Device.h"

namespace mlir::ck {

/// The chip where no GPU has a say: --chip, else CK_EMULATOR_CHIP, else gfx942.
llvm::Expected<const ChipInfo *> getRunChip(const RunOptions &options);

/// Opens the device that `options` ask for and the chip to compile for: --chip, else that of the
/// GPU, else that of `getRunChip`.
llvm::Expected<std::pair<Device, std::string>> openRunDevice(const RunOptions &options);

/// Runs `text`, a problem string or the name of a .mlir file. Everything that goes wrong is in the
/// report.
RunReport runProblem(const Device &device, llvm::StringRef chip, const RunOptions &options,
                     llvm::StringRef text);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_PROBLEM_H
