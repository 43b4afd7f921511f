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
    318,  84,       0.86,  0.633,    0.197, 0.934, 3.73,   18.5,    26.1, 2.99e+03,
    2.2,  5.87e+03, 127,   1.55e+03, 286,   0.857, 0.983,  1.65,    0.8,  0.249,
    1.48, 0.29,     0.467, 0.384,    0.102, 130,   0.0988, 0.00187, 0.795};
static constexpr TimeModelConstants kGfx942 = {
    198,  72.6,     2.13,  0.248, 0.568, 0.562, 0.88, 34.6,   4.54, 3.48e+03,
    3.08, 1.28e+04, 119,   317,   16.1,  0.871, 1.03, 1.19,   3.57, 1.06,
    1.53, 0.384,    0.793, 1.16,  0.601, 799,   0,    0.0237, 0.442};
static constexpr TimeModelConstants kGfx950 = {
    122,  1.27,     0.236, 0.429,    0.794, 1.01,  1.91,  39.2,  96.9, 3.96e+03,
    1.99, 1.31e+04, 207,   1.06e+03, 6.46,  0.916, 0.974, 1.07,  1.47, 0.369,
    1.61, 0.52,     0.564, 0.292,    0.903, 61.6,  0,     0.279, 0.522};
static constexpr TimeModelConstants kGfx1100 = {
    172,   0.649, 0.174,    0.782,    0.576,  0.444, 0.107, 39.1,  23.7, 2.1e+03,
    0.848, 154,   1.44e+03, 6.39e+03, 97.1,   0.891, 0.933, 1.33,  2.75, 1.52,
    0.509, 0.343, 0.599,    0.295,    0.0211, 390,   0.422, 0.501, 0.495};
static constexpr TimeModelConstants kGfx1201 = {
    228,   0.585, 0.16,    0.128, 0.227,  0.28,  0.108, 32.2,  13.4, 2.46e+03,
    0.634, 286,   1.4e+03, 7e+03, 108,    0.877, 0.942, 1.05,  4.56, 0.186,
    0.716, 0.443, 0.793,   0.258, 0.0208, 348,   0.522, 0.628, 0.539};

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
