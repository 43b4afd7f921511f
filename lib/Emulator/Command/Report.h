//===- Report.h - What ck-emulate says at the end -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summary on standard error, and the report as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_REPORT_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_REPORT_H

#include "Emulator/Command/EmulateOptions.h"
#include "Emulator/Command/LaunchRecords.h"
#include "Emulator/Command/Program.h"

namespace ckemu {

/// A run of a program.
struct EmulatedRun {
  std::vector<std::string> command;
  ProgramEnd end;
  double seconds = 0; ///< from the start to the end of the program
};

/// The text for standard error, of lines.
std::string summarize(const EmulateOptions &options, const LaunchRecords &records);

/// See docs/emulator/ck-emulate.md for the fields.
llvm::json::Object makeReport(const EmulatedRun &run, const LaunchRecords &records);

/// The sum of the counts of an instruction of KernelRecord::profile over all waves.
uint64_t sumCounts(const llvm::json::Object &instruction, llvm::StringRef field);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_REPORT_H
