//===- Hostcalls.h - What kernels ask the host to do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device library of HIP implements printf by hostcalls: a wave takes a packet from a buffer
// that a hidden argument points to, fills in a service and eight words for each lane, puts the
// packet on a stack for the host and waits until a flag in it is cleared. The layout is that of
// AMD's runtime. Whoever runs waves looks at the stack after each round over a workgroup.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_HOSTCALLS_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_HOSTCALLS_H

#include "Emulator/Load/MemoryTable.h"
#include "Emulator/Machine/LaunchContext.h"
#include <map>

namespace ckemu {

/// The hostcalls of one launch. `serve` is thread safe.
class Hostcalls {
public:
  /// Name of the buffer among the allocations.
  static constexpr char kBufferName[] = "hostcall buffer";

  /// Whether `kernel` may make any.
  static bool areUsedBy(const Kernel &kernel);

  /// A buffer for `numWaves` waves that wait at the same time, which kernels can access as long as
  /// this object lives.
  Hostcalls(MemoryTable &memory, uint64_t numWaves);
  ~Hostcalls();
  Hostcalls(const Hostcalls &) = delete;
  Hostcalls &operator=(const Hostcalls &) = delete;

  /// What the hidden argument points to; 0 when the host has no memory for it.
  uint64_t getAddress() const { return address; }

  /// Does what waves have asked for, in the order in which they did; false when none has. What
  /// cannot be done is a fault of `launch`.
  bool serve(LaunchContext &launch);

private:
  struct Buffer;
  struct Packet;

  MemoryTable &memory;
  uint64_t address = 0, size = 0, numPackets = 0;
  std::mutex mutex;
  /// The words of messages that have begun, by their number.
  std::map<uint64_t, std::vector<uint64_t>> messages;
  uint64_t lastMessage = 0;
  bool hasPrinted = false, hasRefusedMemory = false;

  void layOut();
  Buffer &getBuffer() const;
  Packet *getPacket(uint64_t index) const;
  uint64_t *getSlots(uint64_t index) const;
  void serve(LaunchContext &launch, uint32_t service, uint64_t *slot);
  void addToMessage(LaunchContext &launch, uint64_t *slot);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_HOSTCALLS_H
