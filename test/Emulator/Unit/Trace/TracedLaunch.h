//===- TracedLaunch.h - Launches kernels and keeps their traces -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests of what is recorded.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_TRACE_TRACEDLAUNCH_H
#define CK_MLIR_TEST_UNIT_EMULATOR_TRACE_TRACEDLAUNCH_H

#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "gtest/gtest.h"
#include <string>

namespace ckemu::test {

/// The kernels of Trace.cl on one chip.
class TracedLaunch {
public:
  explicit TracedLaunch(const std::string &chip);

  /// A buffer of zeros.
  uint32_t *allocate(size_t count);
  /// Runs `name` and records the workgroups that `choose` names, by default all.
  void run(const std::string &name, unsigned groups, unsigned items,
           std::vector<const void *> pointers, std::vector<uint32_t> integers = {},
           LaunchRecorder::Choose choose = nullptr, bool executesOthers = true,
           LaunchRecorder::Extend extend = nullptr);

  const DecodedCode &getCode() const { return decoded->code; }
  /// Instruction `position` of a trace.
  const Instruction &getInstruction(const WaveTrace &trace, uint32_t position) const;
  /// The disassembly of it.
  llvm::StringRef getText(const WaveTrace &trace, uint32_t position) const;
  /// How often a trace has instructions whose text begins with `mnemonic`.
  unsigned count(const WaveTrace &trace, llvm::StringRef mnemonic) const;

  Options options;
  bool computesAll = true; ///< also what does not decide what waves do
  std::vector<std::shared_ptr<const GroupTrace>>
      traces;                                  ///< of the last run, by workgroup; may be null
  std::vector<std::vector<uint64_t>> glimpses; ///< of the last run, those that were chosen
  LaunchStatistics statistics;

private:
  MemoryTable memory;
  std::unique_ptr<CodeObject> object;
  const DecodedKernel *decoded = nullptr; ///< of the last run
};

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_TRACE_TRACEDLAUNCH_H
