//===- LdsPhases.h - How the LDS of the chips serves accesses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measured: loads of 8 and 16 bytes and the 32 banks of gfx942
// (tingqli/pyhip archive/bank-conflict); loads of 8, 12 and 16 and stores of 8 bytes of gfx950
// (HazyResearch/HipKittens, analysis/paper_experiments/phases). Documented: stores of 16 bytes of
// CDNA go by 8 lanes in order (Composable Kernel, LDS bank conflicts); the halves of a WGP have 32
// banks each, which serve 32 lanes in a cycle (RDNA white paper). Assumed: gfx90a is as gfx942;
// loads of 12 bytes go as those of 16 on gfx942; loads of 4 bytes of gfx950 go by 32 lanes, over 64
// banks as its other loads; transposing reads go as loads of as many bytes, by which Triton's
// layouts for them are made, too (composePaddedLayoutForAsyncCopyCDNA4, written by AMD); stores of
// 12 bytes go as those of 16; wider accesses of RDNA go by as many lanes in order as 32 banks
// serve.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHIP_LDSPHASES_H
#define CK_MLIR_LIB_EMULATOR_CHIP_LDSPHASES_H

#include <algorithm>
#include <cstdint>

namespace ckemu {

/// How an access goes: `lanes` lanes in each phase. Four lanes that follow one another always share
/// a phase; `quads` is the order of the eight fours of 32 lanes, the same in both halves of a wave.
struct LdsPhases {
  unsigned banks, lanes;
  uint8_t quads[8];
};

inline constexpr LdsPhases kInOrder32 = {32, 32, {0, 1, 2, 3, 4, 5, 6, 7}};
inline constexpr LdsPhases kInOrder16 = {32, 16, {0, 1, 2, 3, 4, 5, 6, 7}};
inline constexpr LdsPhases kInOrder8 = {32, 8, {0, 1, 2, 3, 4, 5, 6, 7}};
/// {0-3, 20-23}, {4-7, 16-19}, {8-11, 28-31}, {12-15, 24-27}.
inline constexpr LdsPhases kCrossed8 = {32, 8, {0, 5, 1, 4, 2, 7, 3, 6}};
inline constexpr LdsPhases kDoubled32 = {64, 32, {0, 1, 2, 3, 4, 5, 6, 7}};
/// {0-3, 12-15, 20-27}, {4-11, 16-19, 28-31}.
inline constexpr LdsPhases kDoubled16 = {64, 16, {0, 3, 5, 6, 1, 2, 4, 7}};

/// The phases of accesses of one to four dwords by each lane.
struct LdsAccesses {
  const LdsPhases *loads[4];
  const LdsPhases *others[4]; ///< stores and atomics

  const LdsPhases &get(bool isLoad, unsigned dwords) const {
    const unsigned place = std::min(dwords, 4u) - 1;
    return *(isLoad ? loads : others)[place];
  }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHIP_LDSPHASES_H
