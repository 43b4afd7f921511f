//===- MinimumMaximum.cpp - Floating-point minima, maxima and medians -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Those of `minimum` and `maximum` keep a NaN of any source, the others only where all are one.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

template <typename T>
static constexpr VectorRow minimumRow(const char *name) {
  return ieeeRow<minimum<T, false>, minimum<T, true>>(name);
}

template <typename T>
static constexpr VectorRow maximumRow(const char *name) {
  return ieeeRow<maximum<T, false>, maximum<T, true>>(name);
}

template <typename T, bool ieee>
static T minimum3(T a, T b, T c) {
  return minimum<T, ieee>(minimum<T, ieee>(a, b), c);
}

template <typename T, bool ieee>
static T maximum3(T a, T b, T c) {
  return maximum<T, ieee>(maximum<T, ieee>(a, b), c);
}

/// With a NaN, the minimum. Written without branches for the sake of vectorization.
template <typename T, bool ieee>
static T median3(T a, T b, T c) {
  const T low = minimum<T, ieee>(a, b), high = maximum<T, ieee>(a, b);
  const T least = minimum<T, ieee>(low, c);
  const T middle = maximum<T, ieee>(low, minimum<T, ieee>(high, c));
  return isNan(a) || isNan(b) || isNan(c) ? least : middle;
}

template <typename T, bool ieee>
static T minMax(T a, T b, T c) {
  return maximum<T, ieee>(minimum<T, ieee>(a, b), c);
}

template <typename T, bool ieee>
static T maxMin(T a, T b, T c) {
  return minimum<T, ieee>(maximum<T, ieee>(a, b), c);
}

template <typename T>
static T minimum3Nan(T a, T b, T c) {
  return minimumNan(minimumNan(a, b), c);
}

template <typename T>
static T maximum3Nan(T a, T b, T c) {
  return maximumNan(maximumNan(a, b), c);
}

template <typename T>
static T minimumMaximumNan(T a, T b, T c) {
  return maximumNan(minimumNan(a, b), c);
}

template <typename T>
static T maximumMinimumNan(T a, T b, T c) {
  return minimumNan(maximumNan(a, b), c);
}

static constexpr VectorRow rows[] = {
    minimumRow<float>("v_min_f32"),
    maximumRow<float>("v_max_f32"),
    minimumRow<double>("v_min_f64"),
    maximumRow<double>("v_max_f64"),
    minimumRow<half>("v_min_f16"),
    maximumRow<half>("v_max_f16"),
    ieeeRow<minimum3<float, false>, minimum3<float, true>>("v_min3_f32", NoFlags),
    ieeeRow<maximum3<float, false>, maximum3<float, true>>("v_max3_f32", NoFlags),
    ieeeRow<median3<float, false>, median3<float, true>>("v_med3_f32", NoFlags),
    ieeeRow<minimum3<half, false>, minimum3<half, true>>("v_min3_f16", PartialDst),
    ieeeRow<maximum3<half, false>, maximum3<half, true>>("v_max3_f16", PartialDst),
    ieeeRow<median3<half, false>, median3<half, true>>("v_med3_f16", PartialDst),
};

static constexpr VectorRow rdnaRows[] = {
    ieeeRow<minMax<float, false>, minMax<float, true>>("v_minmax_f32"),
    ieeeRow<maxMin<float, false>, maxMin<float, true>>("v_maxmin_f32"),
    ieeeRow<minMax<half, false>, minMax<half, true>>("v_minmax_f16"),
    ieeeRow<maxMin<half, false>, maxMin<half, true>>("v_maxmin_f16"),
};

static constexpr VectorRow nanRows[] = {
    vectorRow<minimum3Nan<float>>("v_minimum3_f32"),
    vectorRow<maximum3Nan<float>>("v_maximum3_f32"),
};

static constexpr VectorRow gfx12Rows[] = {
    vectorRow<minimumNan<float>>("v_minimum_f32"),
    vectorRow<maximumNan<float>>("v_maximum_f32"),
    vectorRow<minimumNan<half>>("v_minimum_f16"),
    vectorRow<maximumNan<half>>("v_maximum_f16"),
    vectorRow<minimumNan<double>>("v_minimum_f64"),
    vectorRow<maximumNan<double>>("v_maximum_f64"),
    vectorRow<minimum3Nan<half>>("v_minimum3_f16"),
    vectorRow<maximum3Nan<half>>("v_maximum3_f16"),
    vectorRow<minimumMaximumNan<float>>("v_minimummaximum_f32"),
    vectorRow<maximumMinimumNan<float>>("v_maximumminimum_f32"),
    vectorRow<minimumMaximumNan<half>>("v_minimummaximum_f16"),
    vectorRow<maximumMinimumNan<half>>("v_maximumminimum_f16"),
};

void ckemu::registerVectorMinimumMaximum(InstructionTable &table) {
  addVectorRows(table, rows);
  if (!isCdna(table.getIsa()))
    addVectorRows(table, rdnaRows);
  if (table.getIsa() == Isa::Gfx950 || table.getIsa() == Isa::Gfx12)
    addVectorRows(table, nanRows);
  if (table.getIsa() == Isa::Gfx12)
    addVectorRows(table, gfx12Rows);
}
