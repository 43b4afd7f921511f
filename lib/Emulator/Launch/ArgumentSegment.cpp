//===- ArgumentSegment.cpp - Kernel arguments in memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hidden arguments by value_kind as in LLVM's AMDGPU usage document (code object version 4 to 6).
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/ArgumentSegment.h"
#include "Emulator/Decode/AddressMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace ckemu;

static constexpr uint64_t kPacketBytes = 64;
static constexpr uint64_t kQueueBytes = 256;

namespace {
/// hsa_kernel_dispatch_packet_t.
struct DispatchPacket {
  uint16_t header, setup;
  uint16_t groupSize[3], reserved0;
  uint32_t gridSize[3];
  uint32_t privateBytes, groupBytes;
  uint64_t kernelObject, kernargAddress, reserved2, completionSignal;
};
} // namespace
static_assert(sizeof(DispatchPacket) == kPacketBytes);

static unsigned countDimensions(const LaunchShape &shape) {
  for (unsigned i = 3; i > 1; --i)
    if (shape.groups[i - 1] * shape.groupSize[i - 1] > 1)
      return i;
  return 1;
}

ArgumentSegment::ArgumentSegment(const Kernel &kernel, const LaunchShape &shape,
                                 llvm::ArrayRef<uint8_t> arguments, uint64_t hostcalls)
    : hostcalls(hostcalls) {
  uint64_t kernargBytes = std::max(kernel.descriptor.kernargSize, kernel.metadata.kernargSize);
  kernargBytes = std::max<uint64_t>(kernargBytes, arguments.size());
  packetOffset = llvm::alignTo(kernargBytes, 64);
  queueOffset = packetOffset + kPacketBytes;
  storage.resize(llvm::divideCeil(queueOffset + kQueueBytes, sizeof(Lanes)), Lanes());
  write(0, arguments.data(), arguments.size());
  for (const KernelArgument &argument : kernel.metadata.arguments)
    if (argument.isHidden())
      writeHidden(argument, kernel, shape);
  writePacket(kernel, shape);
}

void ArgumentSegment::write(uint64_t offset, const void *bytes, size_t size) {
  if (size != 0 && offset + size <= getSize())
    std::memcpy(reinterpret_cast<uint8_t *>(storage.data()) + offset, bytes, size);
}

/// The value of a hidden argument; those that stand for other services of a host runtime
/// (heap, queues) are null.
static uint64_t getHiddenValue(llvm::StringRef kind, const Kernel &kernel,
                               const LaunchShape &shape) {
  for (unsigned i = 0; i < 3; ++i) {
    char axis = char('x' + i);
    if (kind == std::string("hidden_block_count_") + axis)
      return shape.groups[i];
    if (kind == std::string("hidden_group_size_") + axis)
      return shape.groupSize[i];
  }
  return llvm::StringSwitch<uint64_t>(kind)
      .Case("hidden_grid_dims", countDimensions(shape))
      .Case("hidden_private_base", kPrivateApertureBase >> 32)
      .Case("hidden_shared_base", kSharedApertureBase >> 32)
      .Case("hidden_dynamic_lds_size", shape.dynamicLds)
      .Default(0);
}

void ArgumentSegment::writeHidden(const KernelArgument &argument, const Kernel &kernel,
                                  const LaunchShape &shape) {
  uint64_t value = getHiddenValue(argument.kind, kernel, shape);
  if (argument.kind == "hidden_queue_ptr")
    value = getBegin() + queueOffset;
  if (argument.kind == "hidden_hostcall_buffer")
    value = hostcalls;
  write(argument.offset, &value, std::min<uint64_t>(argument.size, sizeof(value)));
}

void ArgumentSegment::writePacket(const Kernel &kernel, const LaunchShape &shape) {
  DispatchPacket packet = {};
  packet.setup = uint16_t(countDimensions(shape));
  for (unsigned i = 0; i < 3; ++i) {
    packet.groupSize[i] = uint16_t(shape.groupSize[i]);
    packet.gridSize[i] = shape.groups[i] * shape.groupSize[i];
  }
  packet.privateBytes = kernel.descriptor.privateBytes;
  packet.groupBytes = kernel.descriptor.ldsBytes + shape.dynamicLds;
  packet.kernargAddress = getBegin();
  write(packetOffset, &packet, sizeof(packet));
}

void ArgumentSegment::describe(LaunchContext &launch) const {
  launch.kernargAddress = getBegin();
  launch.dispatchAddress = getBegin() + packetOffset;
  launch.queueAddress = getBegin() + queueOffset;
}
