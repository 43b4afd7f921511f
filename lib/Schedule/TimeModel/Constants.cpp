//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for `uniformGaps` that are 0, which were not
// fitted. docs/Selection.md says for which problems they were fitted, and how good the choices are
// for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, l2Returns, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps,
//   l1Addresses.
static constexpr TimeModelConstants kGfx90a = {
    306,  105,      0.836, 0.695,    0.102, 1.9,   3.9,   10.4,    31.5,  3.25e+03,
    4.07, 5.48e+03, 132,   1.75e+03, 281,   0.844, 0.949, 1.77,    0.936, 0.297,
    0.89, 0.38,     0.406, 0.349,    0.102, 173,   0.343, 0.00184, 0.616};
static constexpr TimeModelConstants kGfx942 = {
    127,  120,     2,    0.00918, 1.03,  0.759, 1.46,  28.4,   4.34, 3.41e+03,
    3.53, 1.2e+04, 93.1, 373,     6.9,   0.798, 0.908, 0.809,  2.68, 0.513,
    1.35, 0.49,    1.03, 0.753,   0.564, 532,   0,     0.0217, 0.644};
static constexpr TimeModelConstants kGfx950 = {
    158,  1.15,     0.248, 1.05,     3.23,  1.19,  4.49,  19.7,  305,  3.37e+03,
    1.96, 1.33e+04, 170,   1.22e+03, 7.08,  0.928, 0.996, 1.16,  3.2,  0.43,
    1.57, 0.625,    0.513, 0.381,    0.669, 171,   0,     0.118, 0.735};
static constexpr TimeModelConstants kGfx1100 = {
    211,   0.509, 0.164,    0.7,      0.643,  0.585, 0.117, 29.7,  15.7, 2e+03,
    1.03,  156,   1.04e+03, 4.97e+03, 96.6,   0.866, 0.773, 1.43,  2.67, 1.29,
    0.912, 0.422, 0.615,    0.403,    0.0219, 410,   0.704, 0.382, 0.417};
static constexpr TimeModelConstants kGfx1201 = {
    182,   0.585, 0.159,    0.129,    0.284,  0.354, 0.107, 37.5,  14.4, 2.19e+03,
    0.611, 220,   1.51e+03, 7.26e+03, 110,    0.809, 1.26,  1.05,  3.62, 0.185,
    0.792, 0.443, 0.743,    0.352,    0.0218, 387,   0.659, 0.492, 0.383};

/// Chips without numbers of their own have those of the chip that is most like them.
const TimeModelConstants &mlir::ck::getTimeModelConstants(const ChipInfo &chip) {
  if (chip.name == "gfx942")
    return kGfx942;
  if (chip.name == "gfx950")
    return kGfx950;
  if (chip.hasMfma)
    return kGfx90a;
  return chip.name.starts_with("gfx12") ? kGfx1201 : kGfx1100;
}
