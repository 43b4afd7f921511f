//===- BufferMemory.cpp - Buffer descriptors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range rules of buffers: the offset of a lane, register and immediate, is a sum of 32 bits
// that wraps; each dword of an access must end in the range, or it reads 0 and is not written. What
// is in range must still lie in an allocation.
//
// Sources: section 9.1.5.1 of the CDNA3 and 9.4.1 of the RDNA4 instruction set reference (table
// 56); that offsets wrap, that the scalar offset counts and that a dword must end in the range on
// CDNA, too: ROCm/rocm-systems pull request 10928, which was compared with hardware.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Memory/LaneMemory.h"
#include <algorithm>

using namespace ckemu;

namespace {
/// What decides whether a dword is in range.
enum class RangeCheck : uint8_t {
  StructuredWithOffset, ///< index, and offset against the stride
  Structured,           ///< index
  NotEmpty,             ///< num_records is not 0
  Raw                   ///< bytes
};

/// The fields of a 128-bit buffer descriptor.
struct Descriptor {
  uint64_t base;
  uint32_t stride;
  uint32_t numRecords;
  uint32_t elementSize; ///< of swizzled buffers; 0 for linear ones
  uint32_t indexStride;
  bool addsLane; ///< ADD_TID_ENABLE
  bool isLinearRaw() const { return stride == 0 && elementSize == 0 && !addsLane; }
};
} // namespace

static Descriptor readDescriptor(const Wave &wave, const Operand &resource) {
  const uint32_t *words = &wave.sgpr[resource.index];
  Descriptor result;
  result.base = uint64_t(words[1] & 0xffff) << 32 | words[0];
  result.stride = words[1] >> 16 & 0x3fff;
  // gfx9 has one bit and the element size in word 3; gfx11 and gfx12 have both in these two bits.
  result.elementSize = words[1] >> 30;
  result.numRecords = words[2];
  result.indexStride = 8u << (words[3] >> 21 & 3);
  result.addsLane = words[3] >> 23 & 1;
  return result;
}

/// The bytes from the begin of an access of `size` bytes to the end of its dword `k`.
static uint32_t getEnd(unsigned size, unsigned k) { return std::min(size, 4 * k + 4); }

/// Raw buffers, which all of our kernels use.
static void resolveRaw(const Wave &wave, const Descriptor &descriptor, const BufferOffsets &given,
                       unsigned size, BufferAccess &access) {
  const uint64_t base = descriptor.base + given.scalar;
  Lanes offsets;
  for (unsigned i = 0; i < kLanes; ++i) {
    offsets[i] = (given.offset ? (*given.offset)[i] : 0) + given.immediate;
    access.addresses[i] = base + offsets[i];
  }
  // offset + end <= num_records - scalar, without overflow.
  for (unsigned k = 0; 4 * k < size; ++k) {
    const uint64_t excluded = uint64_t(given.scalar) + getEnd(size, k);
    access.inRange[k] =
        descriptor.numRecords >= excluded
            ? findUpTo(offsets, uint32_t(descriptor.numRecords - excluded)) & wave.exec()
            : 0;
  }
}

/// gfx90a's private memory: the descriptor that the kernel got, with the wave's offset added.
static bool resolvePrivate(Wave &wave, const Instruction *inst, const Descriptor &descriptor,
                           const BufferOffsets &given, BufferAccess &access) {
  constexpr uint32_t kDwordOfWave = 4 * kLanes;
  if (descriptor.base != kPrivateBufferBase + wave.getPrivateBufferOffset() || given.index ||
      given.scalar % kDwordOfWave != 0) {
    wave.fault(inst,
               "expected the wave's private segment buffer at 0x" +
                   llvm::Twine::utohexstr(kPrivateBufferBase + wave.getPrivateBufferOffset()) +
                   " with a scalar offset that is a multiple of 256, got 0x" +
                   llvm::Twine::utohexstr(descriptor.base) + " and " + llvm::Twine(given.scalar));
    return false;
  }
  const uint32_t base = given.immediate + given.scalar / kLanes;
  for (unsigned i = 0; i < kLanes; ++i)
    access.addresses[i] = (given.offset ? (*given.offset)[i] : 0) + base;
  for (LaneMask &mask : access.inRange)
    mask = wave.exec();
  access.isPrivate = true;
  return true;
}

/// Bytes from the base to element `index` and offset `offset`.
static uint64_t getPosition(const Descriptor &descriptor, uint64_t index, uint64_t offset) {
  if (descriptor.elementSize == 0)
    return index * descriptor.stride + offset;
  const uint64_t rows = descriptor.indexStride, element = descriptor.elementSize;
  return (index / rows * descriptor.stride + offset / element * element) * rows +
         index % rows * element + offset % element;
}

/// Whether bytes [offset, end) of element `index` are in range.
static bool isInRange(const Descriptor &descriptor, RangeCheck check, uint32_t scalar,
                      uint32_t index, uint64_t end) {
  switch (check) {
  case RangeCheck::StructuredWithOffset:
    return index < descriptor.numRecords && end <= descriptor.stride;
  case RangeCheck::Structured:
    return index < descriptor.numRecords;
  case RangeCheck::NotEmpty:
    return descriptor.numRecords != 0;
  case RangeCheck::Raw:
    break;
  }
  return end + scalar <= descriptor.numRecords;
}

static bool resolveStructured(Wave &wave, const Instruction *inst, const Descriptor &descriptor,
                              RangeCheck check, const BufferOffsets &given, unsigned size,
                              BufferAccess &access) {
  const bool hasRecords = given.index && descriptor.stride != 0;
  if (descriptor.addsLane ||
      (check == RangeCheck::Raw && (descriptor.elementSize != 0 || hasRecords))) {
    wave.fault(inst, "buffer descriptors that add the lane, and swizzled ones or ones of records "
                     "whose range is in bytes, are not implemented");
    return false;
  }
  for (LaneMask &mask : access.inRange)
    mask = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    const uint32_t index = given.index ? (*given.index)[i] : 0;
    const uint32_t offset = (given.offset ? (*given.offset)[i] : 0) + given.immediate;
    access.addresses[i] = descriptor.base + given.scalar + getPosition(descriptor, index, offset);
    for (unsigned k = 0; 4 * k < size; ++k)
      access.inRange[k] |= LaneMask(isInRange(descriptor, check, given.scalar, index,
                                              uint64_t(offset) + getEnd(size, k)))
                               << i &
                           wave.exec();
    // The dwords of an access follow one another unless a swizzle tears them apart.
    if (descriptor.elementSize != 0 && (wave.exec() >> i & 1) &&
        offset % descriptor.elementSize + size > std::max(4u, descriptor.elementSize)) {
      wave.fault(inst, "accesses across the elements of a swizzled buffer are not implemented");
      return false;
    }
  }
  return true;
}

bool ckemu::resolveBuffer(Wave &wave, const Instruction *inst, const Operand &resource,
                          const BufferOffsets &offsets, unsigned size, BufferAccess &access) {
  if (!resource.isScalar() || resource.count != 4) {
    wave.fault(inst, "expected a buffer descriptor in 4 SGPRs");
    return false;
  }
  Descriptor descriptor = readDescriptor(wave, resource);
  const uint32_t word3 = wave.sgpr[resource.index + 3];
  if (isCdna(wave.launch->object.getChip().isa)) {
    if (descriptor.isLinearRaw() && !offsets.index) {
      resolveRaw(wave, descriptor, offsets, size, access);
      return true;
    }
    descriptor.elementSize = descriptor.elementSize & 2 ? 2u << (word3 >> 19 & 3) : 0;
    if (descriptor.addsLane && descriptor.elementSize == 4 && descriptor.stride == 0)
      return resolvePrivate(wave, inst, descriptor, offsets, access);
    // Without an index, or where it counts elements of 0 bytes, the range is in bytes.
    const RangeCheck check =
        offsets.index && descriptor.stride != 0 ? RangeCheck::Structured : RangeCheck::Raw;
    return resolveStructured(wave, inst, descriptor, check, offsets, size, access);
  }
  const auto check = RangeCheck(word3 >> 28 & 3);
  if (descriptor.isLinearRaw() &&
      check == RangeCheck::Raw) { // the index counts elements of 0 bytes
    resolveRaw(wave, descriptor, offsets, size, access);
    return true;
  }
  descriptor.elementSize = descriptor.elementSize ? 2u << descriptor.elementSize : 0;
  return resolveStructured(wave, inst, descriptor, check, offsets, size, access);
}

/// The offsets of an access to private memory.
static void getPrivateOffsets(const BufferAccess &access, Lanes &offsets) {
  for (unsigned i = 0; i < kLanes; ++i)
    offsets[i] = uint32_t(access.addresses[i]);
}

bool ckemu::loadBuffer(Wave &wave, const Instruction *inst, const BufferAccess &access,
                       unsigned size, Lanes *out) {
  if (LLVM_UNLIKELY(access.isPrivate)) {
    Lanes offsets;
    getPrivateOffsets(access, offsets);
    return loadScratch(wave, inst, offsets, wave.exec(), size, out);
  }
  unsigned dwords = (size + 3) / 4;
  LaneMask whole = access.inRange[dwords - 1]; // offsets grow with k: the last is in range with all
  Lanes zero = {};
  if (access.inRange[0] == whole) {
    if (LaneMask outside = wave.exec() & ~whole)
      for (unsigned k = 0; k < dwords; ++k)
        Wave::commitMasked(out[k], zero, outside);
    return loadGlobal(wave, inst, access.addresses, whole, size, out);
  }
  for (unsigned k = 0; k < dwords; ++k) {
    Lanes64 addresses;
    for (unsigned i = 0; i < kLanes; ++i)
      addresses[i] = access.addresses[i] + uint64_t(4) * k;
    Wave::commitMasked(out[k], zero, wave.exec() & ~access.inRange[k]);
    if (!loadGlobal(wave, inst, addresses, access.inRange[k], 4, &out[k]))
      return false;
  }
  return true;
}

bool ckemu::storeBuffer(Wave &wave, const Instruction *inst, const BufferAccess &access,
                        unsigned size, const Lanes *const *data) {
  if (LLVM_UNLIKELY(access.isPrivate)) {
    Lanes offsets;
    getPrivateOffsets(access, offsets);
    return storeScratch(wave, inst, offsets, wave.exec(), size, data);
  }
  unsigned dwords = (size + 3) / 4;
  LaneMask whole = access.inRange[dwords - 1];
  if (access.inRange[0] == whole)
    return storeGlobal(wave, inst, access.addresses, whole, size, data);
  for (unsigned k = 0; k < dwords; ++k) {
    Lanes64 addresses;
    for (unsigned i = 0; i < kLanes; ++i)
      addresses[i] = access.addresses[i] + uint64_t(4) * k;
    if (!storeGlobal(wave, inst, addresses, access.inRange[k], 4, &data[k]))
      return false;
  }
  return true;
}
