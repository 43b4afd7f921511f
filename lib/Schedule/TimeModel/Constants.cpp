//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers. docs/Selection.md says for which problems they were
// fitted, and how good the choices are for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, scatterShare, aheadLatency, asyncLatency, mathGaps.
static constexpr TimeModelConstants kGfx90a = {
    173,     17.1, 0.761,    0.564, 0.0961,   1.79,   17.4, 6.27,   27.6,
    3.5e+03, 6.14, 5.96e+03, 5.45,  1.56e+03, 268,    1.25, 2.84,   4.38,
    0.564,   1.37, 4.27,     0.579, 1.09,     0.0925, 1.54, 0.00187};
static constexpr TimeModelConstants kGfx942 = {
    300, 42.2, 2,     0.00861, 0.786, 0.707, 2.25,  12.1, 4.09,  3880,  4.81,  11700, 86.3,
    212, 5.82, 0.408, 1.1,     0.896, 1.17,  0.193, 1.41, 0.269, 0.939, 0.549, 10,    0.2};
static constexpr TimeModelConstants kGfx950 = {
    205, 1.12, 0.238, 0.786, 2.98,  1.25, 11.9,  14.8, 230,   3.34e+03, 2.25, 1.23e+04, 158,
    493, 7.12, 0.926, 0.82,  0.696, 3.84, 0.305, 2.95, 0.405, 0.0151,   1.03, 1.91,     0.2};
static constexpr TimeModelConstants kGfx1100 = {
    122,      0.552, 0.18, 0.586, 1.36,  0.918, 0.13,   13.7, 11.8,  2.19e+03, 2.94,   156, 332,
    2.82e+03, 95.5,  6.23, 0.418, 0.918, 16,    0.0847, 18.1, 0.452, 0.00604,  0.0219, 412, 0.403};
static constexpr TimeModelConstants kGfx1201 = {
    273,  42.7, 0.752, 0.00323, 0.0555, 1.43, 0.143, 7.07, 1.23,  2590,  0.723, 1190, 532,
    1930, 13.6, 0.948, 0.285,   0.936,  2.27, 0.153, 3.46, 0.472, 0.416, 0.227, 2730, 0.2};

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
