//===- LaunchRecords.h - What the processes of a program did -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read from the log that the emulator writes (CK_EMULATOR_LOG), and summed up.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_LAUNCHRECORDS_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_LAUNCHRECORDS_H

#include "Emulator/Command/SourceLines.h"
#include "llvm/Support/JSON.h"

namespace ckemu {

/// The launches of a kernel.
struct KernelRecord {
  std::string symbol, name; ///< of the code object, and readable
  uint64_t launches = 0, faults = 0;
  uint64_t waveInstructions = 0, bytesLoaded = 0, bytesStored = 0, bankConflicts = 0;
  double seconds = 0; ///< of the emulation
  uint64_t timedLaunches = 0;
  double modelledMicroseconds = 0; ///< of the timed launches
  std::string bound;               ///< of the last one
  llvm::json::Object instructions; ///< by class
  llvm::json::Array profile;       ///< by instruction, see ckEmulatorSetProfiling
};

/// A fault; further ones of the same instruction are only counted.
struct FaultRecord {
  std::string symbol, kernel;
  uint64_t count = 1;
  std::string kind, reason, message;
  llvm::json::Object details;      ///< as the log has them
  llvm::json::Array grid, block;   ///< of the launch
  std::vector<SourceFrame> frames; ///< innermost first; empty without debug information
};

/// A call that has failed for a reason that was printed.
struct ErrorRecord {
  std::string call, reason;
  uint64_t count = 1;
};

/// All processes of a program.
struct LaunchRecords {
  std::string chip, product, device; ///< of the first process; empty when none called HIP
  uint64_t processes = 0;
  std::vector<KernelRecord> kernels; ///< in the order of their first launch
  std::vector<FaultRecord> faults;
  std::vector<ErrorRecord> errors;
  std::vector<std::string> leaks; ///< a text for each process that has some
  std::string timelineError;      ///< why the last timeline could not be written, or empty

  uint64_t countLaunches() const;
  uint64_t countFaults() const;
  uint64_t countErrors() const;
  double getModelledMicroseconds() const;
  bool isTimed() const;
};

/// Reads the log at `path` from byte `begin` on. A line that was cut off is left out. With
/// `removeImages`, the code objects beside the log are removed.
llvm::Expected<LaunchRecords> readRecords(llvm::StringRef path, uint64_t begin, bool removeImages);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_LAUNCHRECORDS_H
