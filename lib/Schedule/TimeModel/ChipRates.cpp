//===- ChipRates.cpp - How fast the units of a chip are -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clocks and rates of matrix instructions: the products' data sheets. Caches: AMD's table of GPU
// specifications and the white papers.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/ChipRates.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck;
using namespace mlir::ck::detail;

static constexpr double kKibi = 1024, kMebi = kKibi * kKibi;

static constexpr ChipRates kRates[] = {
    // Chip, clock, rates by size of elements, slowdowns, VALU, waves, units, LDS, L1, L2, MALL,
    // memory, latencies of that and of the last cache, dispatch.
    {"gfx90a", 1700,       128, 128, 32, 0,         0,    0, 1, 4,    8,   1,   64 * kKibi,
     128,      16 * kKibi, 64,  64,  64, 8 * kMebi, 4096, 0, 0, 1638, 583, 245, 1.5},
    {"gfx942",  2100, 256,         512,        32,   0.94,       0.85, 0.58, 1,
     4,         8,    1,           64 * kKibi, 128,  32 * kKibi, 128,  64,   64,
     4 * kMebi, 2048, 256 * kMebi, 7300,       5300, 901,        454,  3},
    {"gfx950",  2400, 512,         1024,        32,   0.5,        0.43, 0,  1.7,
     4,         8,    1,           160 * kKibi, 256,  32 * kKibi, 128,  64, 64,
     4 * kMebi, 2048, 256 * kMebi, 8500,        8000, 1168,       489,  3},
    {"gfx1100", 2500, 128,        128,         32,  0,          0,   0,   1,
     1,         16,   2,          128 * kKibi, 256, 64 * kKibi, 128, 128, 128,
     6 * kMebi, 3072, 96 * kMebi, 4240,        960, 625,        375, 5},
    {"gfx1201", 2970, 256,        512,         32,  0,          0,   0,   1,
     1,         16,   2,          128 * kKibi, 256, 64 * kKibi, 128, 128, 128,
     8 * kMebi, 2048, 64 * kMebi, 2940,        644, 701,        404, 5},
};

const ChipRates &detail::getChipRates(const ChipInfo &chip) {
  const auto *found =
      llvm::find_if(kRates, [&](const ChipRates &rates) { return rates.chip == chip.name; });
  if (found != std::end(kRates))
    return *found;
  // Others have the rates of the next generation that is known.
  if (chip.hasMfma)
    return kRates[0];
  return chip.name.starts_with("gfx12") ? kRates[4] : kRates[3];
}
