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
//   l2Holds, scatterShare, aheadLatency, asyncLatency.
static constexpr TimeModelConstants kGfx90a = {
    198,     29.7, 0.556, 0.173, 0.29, 0.911, 27.4, 9.15, 45.2,  5.46e+03, 9.36,  7.19e+03, 2.89,
    1.5e+03, 23.5, 0.846, 1.29,  1.05, 0.439, 1.51, 4.26, 0.429, 0.486,    0.148, 1.57};
static constexpr TimeModelConstants kGfx942 = {
    300, 42.2, 2,     0.00861, 0.786, 0.707, 2.25,  12.1, 4.09,  3880,  4.81,  11700, 86.3,
    212, 5.82, 0.408, 1.1,     0.896, 1.17,  0.193, 1.41, 0.269, 0.939, 0.549, 10};
static constexpr TimeModelConstants kGfx950 = {
    318, 1.16, 0.238, 0.887, 2.65,  1.47, 12.6,  15.2, 211,   3340,   1.51,  12800, 179,
    407, 7.5,  0.933, 0.77,  0.855, 3.95, 0.311, 2.95, 0.407, 0.0143, 0.991, 1.9};
static constexpr TimeModelConstants kGfx1100 = {
    219,  0.694, 0.609, 0.229, 2.79, 0.354, 0.278, 10,   11.9, 2900,    0.743,  4290, 430,
    2270, 154,   3.89,  0.18,  1.02, 12.2,  0.14,  6.93, 1,    0.00609, 0.0221, 412};
static constexpr TimeModelConstants kGfx1201 = {
    273,  42.7, 0.752, 0.00323, 0.0555, 1.43, 0.143, 7.07, 1.23,  2590,  0.723, 1190, 532,
    1930, 13.6, 0.948, 0.285,   0.936,  2.27, 0.153, 3.46, 0.472, 0.416, 0.227, 2730};

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
