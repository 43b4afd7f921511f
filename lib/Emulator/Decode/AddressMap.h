//===- AddressMap.h - Addresses that do not name device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the hardware shows LDS and private memory: constants that instructions name
// (src_shared_base), that kernels are started with and that accesses are recognized by.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_ADDRESSMAP_H
#define CK_MLIR_LIB_EMULATOR_DECODE_ADDRESSMAP_H

#include <cstdint>

namespace ckemu {

/// Flat addresses whose high dword is that of an aperture name LDS or private memory.
inline constexpr uint64_t kSharedApertureBase = 0x0001000000000000ull;
inline constexpr uint64_t kPrivateApertureBase = 0x0002000000000000ull;

/// The buffer descriptor and FLAT_SCRATCH through which gfx90a reaches private memory. Nothing lies
/// at their base: the accesses are recognized by it. It belongs to lane-interleaved memory:
/// swizzled in elements of 4 bytes with an index stride of 64 and the lane added to the index.
inline constexpr uint64_t kPrivateBufferBase = 0x0000700000000000ull;
inline constexpr uint64_t kPrivateBufferWord1 = 1u << 31;
inline constexpr uint64_t kPrivateBufferWord3 = 1u << 23 | 3u << 21 | 1u << 19;

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_ADDRESSMAP_H
