//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for those of `uniformGaps`, `barrierGaps` and
// `codeCycles` that are 0, which were not fitted. docs/Selection.md says for which problems they
// were fitted, and how good the choices are for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, l2Returns, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps,
//   barrierGaps, codeCycles, l1Addresses, memoryLatency, missShare.
static constexpr TimeModelConstants kGfx90a = {
    315,      63.9,     0.852,    0.554, 0.196,  1.3,     3.5,  19.5,  24.4,  2.87e+03, 1.39,
    9.14e+03, 2.37e+03, 1.09e+03, 276,   0.857,  1.01,    1.24, 0.822, 0.249, 1.47,     0.269,
    0.468,    0.468,    0.108,    197,   0.0988, 0.00195, 0,    0.916, 0.831, 0.938,    1};
static constexpr TimeModelConstants kGfx942 = {
    121,      84.5,     1.76,  0.271, 0.521, 0.569,  0.697, 33.9,  3.92,  3.23e+03, 1.07,
    1.28e+04, 3.22e+03, 251,   5.5,   0.669, 1.21,   1.39,  2.04,  0.911, 1.43,     0.256,
    0.728,    0.561,    0.497, 899,   0,     0.0286, 0,     0.484, 0.526, 0.695,    2.64};
static constexpr TimeModelConstants kGfx950 = {
    122,     1.26,     0.235,    0.351, 0.609, 1.02,  1.78,  38.8, 71.7,  3.7e+03, 0.772,
    1.5e+04, 4.39e+03, 1.67e+03, 13.8,  0.97,  0.881, 1.46,  1.55, 0.371, 1.54,    0.474,
    0.55,    0.318,    0.56,     35.5,  0,     0.282, 0.112, 1.48, 0.509, 0.677,   0.969};
static constexpr TimeModelConstants kGfx1100 = {
    179,   0.649,    0.174,    0.744, 0.407, 0.427, 0.104, 39.1, 26,   1.91e+03, 1.42,
    155,   2.38e+03, 9.62e+03, 101,   0.905, 1.39,  1.32,  2.86, 1.52, 0.511,    0.386,
    0.599, 0.282,    0.0199,   402,   0.449, 0.547, 0,     0,    0.45, 1,        1};
static constexpr TimeModelConstants kGfx1201 = {
    228,   0.59,     0.16,   0.118, 0.161, 0.286, 0.106, 35.7, 13.1,  2.43e+03, 0.633,
    435,   2.19e+03, 7e+03,  106,   0.822, 0.942, 1.05,  4.77, 0.177, 0.884,    0.443,
    0.927, 0.217,    0.0208, 354,   0.484, 0.647, 0,     0,    0.535, 1,        1};

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
