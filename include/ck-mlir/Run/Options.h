//===- Options.h - What a run is asked to do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain value; ck-run reads it from its command line.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_OPTIONS_H
#define CK_MLIR_RUN_OPTIONS_H

#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Reference/TensorData.h"
#include "ck-mlir/Run/Timing.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::ck {

enum class DeviceChoice : uint8_t { Auto, Hip, Emulator };
enum class VerifyMode : uint8_t { Cpu, Device, None };

/// What ck-run was asked to do.
struct RunOptions {
  std::string input;                // a problem string or a .mlir file; empty with `problemsFile`
  std::string problemsFile, filter; // --problems, --filter
  std::optional<std::string> chip;  // --chip; otherwise that of the GPU, or gfx942
  std::string schedule;
  std::string tuningFile; // --tuning
  DeviceChoice device = DeviceChoice::Auto;
  VerifyMode verify = VerifyMode::Cpu;
  InitKind init = InitKind::Int;
  uint64_t seed = 1;
  std::vector<std::pair<std::string, std::string>> inputs; // tensor name, .npy file
  std::string output;                                      // .npy file
  int64_t repeat = 1;
  bool json = false;
  std::optional<bool> checks;            // checks of the emulator
  bool profile = false;                  // counts by wave role and instruction
  bool time = false;                     // times by the emulator's model of the chip
  TimedGroups timed = TimedGroups::All;  // with `time`: what is executed
  std::string timeline;                  // file for what the model lets waves do; empty for none
  bool partitionReport = false;          // compare partitions instead of running
  bool explain = false;                  // say why the schedule is chosen instead of running
  std::string partitionSvg;              // file for their timelines, empty for none
  int64_t occupancy = 1;                 // workgroups on a compute unit at a time, for that report
  PipelineExtension extension = nullptr; // passes of the caller's

  /// True when `input` names a file of IR.
  bool isModuleInput() const { return llvm::StringRef(input).ends_with(".mlir"); }
};

} // namespace mlir::ck

#endif // CK_MLIR_RUN_OPTIONS_H
