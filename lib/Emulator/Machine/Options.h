//===- Options.h - Settings of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read from the environment, because a program that uses the HIP API has no other place to give
// them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_OPTIONS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_OPTIONS_H

#include "Emulator/Chip/ChipModel.h"
#include <optional>
#include <string>

namespace ckemu {

/// What is looked for beside what would corrupt the emulator itself: accesses outside of the
/// allocations, LDS and private memory are errors whatever is set here.
struct Checks {
  bool uninitialized = true; ///< LDS and device memory that is read was written
  bool races = true;         ///< conflicting accesses are ordered
  bool barriers = false;     ///< waves pass as many barriers as the others before they end
  bool alignment = true;     ///< addresses are multiples of what the instruction needs
  bool waits = true;         ///< registers that loads write are used after a wait

  bool any() const { return uninitialized || races || barriers || alignment || waits; }
  /// Reads "off", or "on" (the defaults above), "bounds" (nothing beside what is always an error)
  /// and names of the above separated by commas.
  static llvm::Expected<Checks> parse(llvm::StringRef text);
};

/// Whether launches are timed by the model of a chip.
enum class TimingMode : uint8_t {
  Off,
  On,   ///< a sample of the workgroups is simulated
  Full, ///< all are
  Only  ///< the sample is, and nothing else is executed
};

/// CK_EMULATOR_TIMING.
llvm::Expected<TimingMode> readTimingMode();

/// How kernels are executed.
struct Options {
  const ChipModel *chip = nullptr;
  unsigned computeUnits = 0; ///< CK_EMULATOR_CUS, default the chip's own
  unsigned threads = 1;      ///< CK_EMULATOR_THREADS, default the host's
  Checks checks;             ///< CK_EMULATOR_CHECKS
  /// Whether what was never freed is reported; with the checks on, it is.
  bool leaks = true;
  /// CK_EMULATOR_SCHEDULE=random:SEED shuffles workgroups and waves; absent: round robin.
  std::optional<uint64_t> shuffleSeed;
  /// CK_EMULATOR_HANG_INSTRUCTIONS: wave instructions of a workgroup since it last stored to device
  /// memory or one of its waves ended, after which it counts as hung.
  uint64_t hangInstructions = 1000000000;
  /// CK_EMULATOR_WAIT_SECONDS: how long a value that a stream waits for may stay as it is.
  unsigned waitSeconds = 10;
  TimingMode timing = TimingMode::Off;
  std::string timingParameters; ///< CK_EMULATOR_TIMING_PARAMETERS: "name=value,...;..."
  uint64_t timingMemory = uint64_t(1) << 27; ///< CK_EMULATOR_TIMING_MEMORY: bytes of a trace
  std::string timingTrace;                   ///< CK_EMULATOR_TIMING_TRACE: a file
  /// CK_EMULATOR_PROFILE: whether launches keep a LaunchProfile. ckEmulatorSetProfiling sets it,
  /// too.
  bool profile = false;
  /// CK_EMULATOR_PROGRESS: whether a terminal shows how far a long launch is.
  bool progress = false;

  /// Reads the environment; an error names the variable and its value.
  static llvm::Expected<Options> fromEnvironment();
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_OPTIONS_H
