//===- Hostcalls.cpp - What kernels ask the host to do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Hostcalls.h. What the kernel wrote is data: indices are checked, and no pointer is followed.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/Hostcalls.h"
#include "Emulator/Launch/PrintfText.h"
#include "Emulator/Load/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstdio>
#include <sys/mman.h>

using namespace ckemu;

/// Words of a message at most.
static constexpr size_t kMessageWords = 1 << 17;
/// Words of a lane in a packet, and lanes.
static constexpr uint64_t kSlotWords = 8, kPacketLanes = 64;
static constexpr uint64_t kSignalBytes = 64;

/// The services of the device library.
enum : uint32_t { kFunctionCall = 1, kPrintf = 2, kDeviceMemory = 3 };

/// Pointers into the stacks have the index of a packet in the bits of `indexMask`, and a tag above
/// that changes with each use; 0 is the end of a stack.
struct Hostcalls::Buffer {
  uint64_t packets, slots, doorbell;
  std::atomic<uint64_t> freeStack, readyStack;
  uint64_t indexMask, device;
};

struct Hostcalls::Packet {
  uint64_t next, activeLanes;
  uint32_t service;
  std::atomic<uint32_t> control; ///< bit 0: waits for the host
};

bool Hostcalls::areUsedBy(const Kernel &kernel) {
  return llvm::any_of(kernel.metadata.arguments, [](const KernelArgument &argument) {
    return argument.kind == "hidden_hostcall_buffer";
  });
}

Hostcalls::Hostcalls(MemoryTable &memory, uint64_t numWaves)
    : memory(memory), numPackets(std::max<uint64_t>(numWaves, 2)) {
  static_assert(sizeof(Buffer) == 56 && sizeof(Packet) == 24);
  size = sizeof(Buffer) + kSignalBytes +
         numPackets * (sizeof(Packet) + kPacketLanes * kSlotWords * sizeof(uint64_t));
  void *map = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return;
  address = reinterpret_cast<uint64_t>(map);
  layOut();
  memory.addExternal(address, size, kBufferName, /*writable=*/true);
}

/// Buffer, doorbell, packets, slots; all packets are free. The doorbell is a signal whose value the
/// kernel changes; nobody waits for it.
void Hostcalls::layOut() {
  Buffer &buffer = getBuffer();
  buffer.doorbell = address + sizeof(Buffer);
  buffer.packets = buffer.doorbell + kSignalBytes;
  buffer.slots = buffer.packets + numPackets * sizeof(Packet);
  buffer.indexMask = llvm::PowerOf2Ceil(numPackets) - 1;
  // Index 0 has a tag, as 0 is the end.
  uint64_t next = buffer.indexMask + 1;
  for (uint64_t i = 1; i < numPackets; ++i) {
    getPacket(i)->next = next;
    next = i;
  }
  buffer.freeStack = next;
}

Hostcalls::~Hostcalls() {
  if (address == 0)
    return;
  memory.removeExternal(address);
  munmap(reinterpret_cast<void *>(address), size);
  if (hasPrinted)
    std::fflush(stdout);
}

Hostcalls::Buffer &Hostcalls::getBuffer() const { return *reinterpret_cast<Buffer *>(address); }

Hostcalls::Packet *Hostcalls::getPacket(uint64_t index) const {
  return reinterpret_cast<Packet *>(address + sizeof(Buffer) + kSignalBytes) + index;
}

uint64_t *Hostcalls::getSlots(uint64_t index) const {
  return reinterpret_cast<uint64_t *>(getPacket(numPackets)) + index * kPacketLanes * kSlotWords;
}

bool Hostcalls::serve(LaunchContext &launch) {
  if (address == 0)
    return false;
  Buffer &buffer = getBuffer();
  if (buffer.readyStack.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t mask = llvm::PowerOf2Ceil(numPackets) - 1;
  std::vector<uint64_t> ready;
  for (uint64_t next = buffer.readyStack.exchange(0); next != 0;) {
    const uint64_t index = next & mask;
    if (index >= numPackets || ready.size() == numPackets) {
      launch.reportFault(FaultKind::Execution,
                         llvm::formatv("the hostcall buffer is damaged: packet {0} of {1}, in "
                                       "kernel '{2}'",
                                       index, numPackets,
                                       shortenKernelName(launch.kernel.metadata.name)));
      return false;
    }
    ready.push_back(index);
    next = getPacket(index)->next;
  }
  for (uint64_t index : llvm::reverse(ready)) {
    Packet &packet = *getPacket(index);
    for (uint64_t lane = 0; lane < kPacketLanes; ++lane)
      if (packet.activeLanes >> lane & 1)
        serve(launch, packet.service, getSlots(index) + lane * kSlotWords);
    packet.control.fetch_and(~1u);
  }
  return !ready.empty();
}

void Hostcalls::serve(LaunchContext &launch, uint32_t service, uint64_t *slot) {
  if (service == kPrintf)
    return addToMessage(launch, slot);
  if (service == kDeviceMemory) {
    // malloc in a kernel: null, as where there is no memory left.
    if (slot[0] == 0 && !std::exchange(hasRefusedMemory, true))
      std::fprintf(stderr,
                   "ck-mlir emulator: kernel '%s' asks for memory: malloc in kernels is not "
                   "implemented and returns null\n",
                   shortenKernelName(launch.kernel.metadata.name).c_str());
    slot[0] = 0;
    return;
  }
  launch.reportFault(FaultKind::Execution,
                     llvm::formatv("hostcall service {0} is not implemented: expected 2 (printf) "
                                   "or 3 (memory), in kernel '{1}'",
                                   service, shortenKernelName(launch.kernel.metadata.name)));
}

/// The first word says where in a message the others belong: bit 0: it begins; bit 1: it ends;
/// bits 5 to 7: how many words follow; bits 8 to 63: its number, which the host gives. The first
/// word of a message says where it is printed, the format and its arguments follow.
void Hostcalls::addToMessage(LaunchContext &launch, uint64_t *slot) {
  const uint64_t descriptor = slot[0];
  uint64_t number = descriptor >> 8;
  if (descriptor & 1) {
    number = ++lastMessage;
    messages[number];
    slot[0] = (descriptor & 0xfe) | number << 8;
  }
  auto it = messages.find(number);
  const uint64_t count = descriptor >> 5 & 7;
  if (it == messages.end() || it->second.size() + count > kMessageWords) {
    launch.reportFault(
        FaultKind::Execution,
        llvm::formatv("a hostcall continues message {0}, {1}, in kernel '{2}'", number,
                      it == messages.end() ? "which has not begun" : "which is longer than 1 MiB",
                      shortenKernelName(launch.kernel.metadata.name)));
    return;
  }
  std::vector<uint64_t> &words = it->second;
  words.insert(words.end(), slot + 1, slot + 1 + count);
  if ((descriptor & 2) == 0)
    return;
  slot[0] = UINT64_MAX;
  if (!words.empty() && words[0] <= 1) {
    const std::string text = formatPrintf(llvm::ArrayRef(words).drop_front());
    std::fwrite(text.data(), 1, text.size(), words[0] == 0 ? stdout : stderr);
    hasPrinted = true;
    slot[0] = text.size();
  }
  messages.erase(it);
}
