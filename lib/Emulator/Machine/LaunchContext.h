//===- LaunchContext.h - What the waves of a launch share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One object per launch: the code, the arguments, the memory that may be accessed, and the first
// fault.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHCONTEXT_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHCONTEXT_H

#include "Emulator/Load/CodeObject.h"
#include "Emulator/Machine/Faults.h"
#include "Emulator/Machine/Options.h"
#include "Emulator/Machine/Statistics.h"
#include <atomic>
#include <mutex>

namespace ckemu {

class GlobalShadow;
class Hostcalls;
class LaunchRecorder;
class RegisterUses;

/// Shared by the host threads that run one launch.
class LaunchContext {
public:
  LaunchContext(const CodeObject &object, const Kernel &kernel, const LaunchShape &shape,
                const Options &options, std::shared_ptr<const AllocationSnapshot> memory)
      : object(object), kernel(kernel), shape(shape), options(options), checks(options.checks),
        profile(options.profile), snapshot(std::move(memory)), decoded(object.decode(kernel)) {}

  const CodeObject &object;
  const Kernel &kernel;
  const LaunchShape shape;
  const Options &options;
  const Checks checks;
  const bool profile; ///< whether counts are kept by wave and instruction
  const std::shared_ptr<const AllocationSnapshot> snapshot;
  const DecodedKernel &decoded;               ///< the code of `kernel`
  std::shared_ptr<GlobalShadow> globalShadow; ///< null when races are not checked
  std::shared_ptr<LaunchRecorder> recorder;   ///< null when nothing is recorded
  std::shared_ptr<Hostcalls> hostcalls;       ///< null when the kernel makes none
  const Dispensable *dispensable = nullptr;   ///< see Wave::dispensable
  const RegisterUses *registerUses = nullptr; ///< null when waits are not checked
  uint64_t kernargAddress = 0;                ///< device address of the argument segment
  uint64_t dispatchAddress = 0;               ///< of the hsa_kernel_dispatch_packet_t
  uint64_t queueAddress = 0;                  ///< of a zeroed block standing for the queue
  uint32_t privateBytes = 0;                  ///< per lane, including the dynamic stack

  const DecodedCode &getCode() const { return decoded.code; }
  /// Notes the first fault and stops the launch.
  void reportFault(FaultKind kind, const llvm::Twine &message) {
    reportFault({kind, message.str(), std::string(), std::nullopt});
  }
  void reportFault(Fault found);
  bool hasStopped() const { return stopped.load(std::memory_order_relaxed); }
  /// The fault; meaningful after all threads have stopped.
  const Fault &getFault() const { return fault; }

private:
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  Fault fault;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHCONTEXT_H
