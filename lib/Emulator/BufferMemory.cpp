//===- BufferMemory.cpp - Buffer descriptors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range rule of gfx9 for raw buffers: what is out of range reads 0 and is not written, dword by
// dword. What is in range must still lie in an allocation.
//
//===----------------------------------------------------------------------===//

#include "LaneCopy.h"
#include "ck-mlir/Emulator/LaneMemory.h"
#include "ck-mlir/Emulator/LaunchContext.h"

using namespace mlir::ck::emulator;

namespace {
/// The fields of a 128-bit buffer descriptor (gfx9).
struct Descriptor {
  uint64_t base;
  uint32_t stride;
  uint32_t numRecords;
  bool swizzled;
};
} // namespace

static Descriptor readDescriptor(const Wave &wave, const Operand &resource) {
  const uint32_t *words = &wave.sgpr[resource.index];
  Descriptor result;
  result.base = uint64_t(words[1] & 0xffff) << 32 | words[0];
  result.stride = words[1] >> 16 & 0x3fff;
  result.swizzled = words[1] >> 31;
  result.numRecords = words[2];
  return result;
}

/// Lanes of `lanes` whose offset is below `limit`.
static LaneMask findBelow(const Lanes &offsets, uint32_t limit, LaneMask lanes) {
  LaneMask result = 0;
#if defined(__AVX512F__)
  for (unsigned i = 0; i < kLanes; i += 16)
    result |= LaneMask(_mm512_mask_cmplt_epu32_mask(__mmask16(lanes >> i),
                                                    _mm512_load_si512(&offsets.lane[i]),
                                                    _mm512_set1_epi32(int(limit))))
              << i;
#else
  for (unsigned i = 0; i < kLanes; ++i)
    result |= LaneMask(offsets[i] < limit) << i & lanes;
#endif
  return result;
}

bool mlir::ck::emulator::resolveBuffer(Wave &wave, const Instruction *inst, const Operand &resource,
                                       const Lanes *voffset, uint32_t soffset, uint32_t instOffset,
                                       unsigned numDwords, BufferAccess &access) {
  if (!resource.isScalar() || resource.count != 4) {
    wave.fault(inst, "expected a buffer descriptor in 4 SGPRs");
    return false;
  }
  Descriptor descriptor = readDescriptor(wave, resource);
  if (descriptor.stride != 0 || descriptor.swizzled) {
    wave.fault(inst, "structured and swizzled buffer descriptors are not implemented (stride " +
                         llvm::Twine(descriptor.stride) + ")");
    return false;
  }
  static const Lanes zero = {};
  const Lanes &offsets = voffset ? *voffset : zero;
  uint64_t base = descriptor.base + soffset + instOffset;
  for (unsigned i = 0; i < kLanes; ++i)
    access.addresses[i] = base + offsets[i];
  // offset + instOffset + 4 k < num_records - soffset, without overflow.
  uint64_t excluded = uint64_t(soffset) + instOffset;
  for (unsigned k = 0; k < numDwords; ++k, excluded += 4)
    access.inRange[k] =
        descriptor.numRecords > excluded
            ? findBelow(offsets, uint32_t(descriptor.numRecords - excluded), wave.exec())
            : 0;
  return true;
}

bool mlir::ck::emulator::loadBuffer(Wave &wave, const Instruction *inst, const BufferAccess &access,
                                    unsigned size, Lanes *out) {
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
      addresses[i] = access.addresses[i] + 4 * k;
    Wave::commitMasked(out[k], zero, wave.exec() & ~access.inRange[k]);
    if (!loadGlobal(wave, inst, addresses, access.inRange[k], 4, &out[k]))
      return false;
  }
  return true;
}

bool mlir::ck::emulator::storeBuffer(Wave &wave, const Instruction *inst,
                                     const BufferAccess &access, unsigned size,
                                     const Lanes *const *data) {
  unsigned dwords = (size + 3) / 4;
  LaneMask whole = access.inRange[dwords - 1];
  if (access.inRange[0] == whole)
    return storeGlobal(wave, inst, access.addresses, whole, size, data);
  for (unsigned k = 0; k < dwords; ++k) {
    Lanes64 addresses;
    for (unsigned i = 0; i < kLanes; ++i)
      addresses[i] = access.addresses[i] + 4 * k;
    if (!storeGlobal(wave, inst, addresses, access.inRange[k], 4, &data[k]))
      return false;
  }
  return true;
}
