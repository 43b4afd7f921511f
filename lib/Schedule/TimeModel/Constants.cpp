//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for `mathGaps` of gfx942, which keeps products
// of 4096 rows and more, and for `uniformGaps` that are 0, which were not fitted. docs/Selection.md
// says for which problems they were fitted, and how good the choices are for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps.
static constexpr TimeModelConstants kGfx90a = {
    329,      69.1, 0.738,    0.816, 0.108,    1.56,   12.1, 5.34,  68,
    3.27e+03, 5.6,  5.75e+03, 163,   1.72e+03, 287,    2.87, 2.78,  4.43,
    0.795,    1.36, 1.53,     0.569, 1.01,     0.0949, 1.58, 0.296, 0.00192};
static constexpr TimeModelConstants kGfx942 = {
    165,  111,   2,    0.00861, 1.17, 0.718, 2.09, 14.9,  4.09,  3.5e+03, 4.89, 1.17e+04, 86.3, 253,
    4.91, 0.382, 1.05, 1.03,    1.82, 0.183, 1.41, 0.269, 0.939, 0.549,   9.83, 0,        0.02};
static constexpr TimeModelConstants kGfx950 = {
    164,  1.12,  0.243, 1,     2.78, 1.56,  8.47, 16.1,  204,    3.34e+03, 3.09, 1.26e+04, 157, 609,
    7.12, 0.926, 0.886, 0.872, 3.94, 0.305, 2.95, 0.405, 0.0156, 1.03,     1.92, 0,        0.2};
static constexpr TimeModelConstants kGfx1100 = {
    130,      0.531,  0.183, 0.495, 1.11,     0.644,  0.119, 13.7,  12,
    1.81e+03, 2.48,   163,   390,   2.82e+03, 95.5,   6.7,   0.431, 0.993,
    16,       0.0818, 17.9,  0.452, 0.00647,  0.0222, 412,   0.694, 0.563};
static constexpr TimeModelConstants kGfx1201 = {
    271,     0.51,   0.167, 0.37,  0.781,    0.746,  0.121, 8.29, 15.2,
    2.1e+03, 2.06,   209,   538,   2.94e+03, 96.7,   0.821, 0.52, 1.04,
    16,      0.0833, 18.7,  0.458, 0.00622,  0.0222, 412,   1.02, 0.502};

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
