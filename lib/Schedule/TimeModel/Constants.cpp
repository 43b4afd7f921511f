//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for those of `uniformGaps`, `barrierGaps` and
// `copyGaps` that are 0, and `codeCycles` of gfx1100 and gfx1201, which were not fitted.
// docs/Selection.md says for which problems they were fitted, and how good the choices are for
// others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, l2Returns, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps,
//   barrierGaps, codeCycles, l1Addresses, memoryLatency, missShare, copyGaps,
//   storeTail.
static constexpr TimeModelConstants kGfx90a = {
    243,      75.9, 0.85,  0.453,   0.137, 0.77, 5.66,  27,    26.9,  2.55e+03, 0.944, 1.01e+04,
    1.92e+03, 682,  264,   0.864,   0.9,   0.75, 0.586, 0.238, 0.988, 0.18,     0.692, 0.419,
    0.0939,   307,  0.202, 0.00192, 0,     1.19, 1.41,  0.187, 0.738, 0,        0.92};
static constexpr TimeModelConstants kGfx942 = {
    152,      73.3, 1.59, 0.341,  0.354, 0.743, 0.636, 40,    3.49, 2.59e+03, 0.736, 1.16e+04,
    2.88e+03, 358,  4.91, 0.938,  1.08,  0.947, 2.09,  0.964, 1.64, 0.344,    1.65,  0.413,
    0.516,    447,  0,    0.0241, 0,     0.339, 1.33,  0.458, 2.74, 0,        0.777};
static constexpr TimeModelConstants kGfx950 = {
    221,      1.21, 0.224, 0.207, 0.493,  0.942, 1.69, 34.4,  110,   2.83e+03, 1.24,  2.66e+04,
    3.12e+03, 135,  13.6,  0.847, 1.38,   0.924, 1.15, 0.382, 3.06,  0.288,    0.747, 0.351,
    0.217,    34.2, 0,     0.401, 0.0853, 0.621, 0.27, 0.687, 0.978, 0,        0.709};
static constexpr TimeModelConstants kGfx1100 = {
    185,   16.6,     20.1,  1.95,  0.55,  0.649, 0.116, 34.3,  22.5,  2.49e+03, 1.28, 154,
    522,   5.57e+03, 101,   1.02,  0.953, 1.47,  2.81,  1.42,  0.509, 0.451,    0.46, 0.292,
    0.021, 423,      0.477, 0.411, 0,     0,     0.633, 0.413, 0.575, 0.115,    2.5};
static constexpr TimeModelConstants kGfx1201 = {
    74.7,   39,       36,    0.343, 0.161, 0.37, 0.101, 31.5,  12.7,  3.43e+03, 1.47,  467,
    760,    6.34e+03, 113,   0.862, 0.945, 1.24, 4.77,  0.168, 0.675, 0.181,    0.727, 0.187,
    0.0205, 396,      0.435, 0.329, 0,     0,    0.899, 0.823, 1.02,  0.154,    1.91};

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
