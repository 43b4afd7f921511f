//===- ArgumentSegment.h - Kernel arguments in memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument segment with its hidden arguments, the dispatch packet and a stand-in for the queue:
// what a command processor would hand to a kernel. Private to the dispatcher.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_ARGUMENTSEGMENT_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_ARGUMENTSEGMENT_H

#include "Emulator/Machine/LaunchContext.h"
#include <vector>

namespace ckemu {

/// One block of memory: arguments, dispatch packet, queue.
class ArgumentSegment {
public:
  /// `hostcalls` is the address of the buffer for hostcalls, or 0.
  ArgumentSegment(const Kernel &kernel, const LaunchShape &shape, llvm::ArrayRef<uint8_t> arguments,
                  uint64_t hostcalls);

  uint64_t getBegin() const { return reinterpret_cast<uint64_t>(storage.data()); }
  uint64_t getSize() const { return storage.size() * sizeof(Lanes); }
  /// Tells `launch` the addresses.
  void describe(LaunchContext &launch) const;

private:
  std::vector<Lanes> storage;
  uint64_t packetOffset = 0, queueOffset = 0;
  const uint64_t hostcalls;

  void write(uint64_t offset, const void *bytes, size_t size);
  void writeHidden(const KernelArgument &argument, const Kernel &kernel, const LaunchShape &shape);
  void writePacket(const Kernel &kernel, const LaunchShape &shape);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_ARGUMENTSEGMENT_H
