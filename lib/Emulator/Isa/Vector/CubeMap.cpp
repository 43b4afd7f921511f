//===- CubeMap.cpp - Coordinates of cube maps -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The face of a direction, and the coordinates on it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

namespace {
enum class CubeAxis { X, Y, Z };
} // namespace

static CubeAxis findCubeAxis(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  return az >= ax && az >= ay ? CubeAxis::Z : ay >= ax ? CubeAxis::Y : CubeAxis::X;
}

static float cubeFace(float x, float y, float z) {
  const CubeAxis axis = findCubeAxis(x, y, z);
  const float major = axis == CubeAxis::Z ? z : axis == CubeAxis::Y ? y : x;
  return float(2 * int(axis) + (major < 0 ? 1 : 0));
}

static float cubeS(float x, float y, float z) {
  switch (findCubeAxis(x, y, z)) {
  case CubeAxis::Z:
    return z < 0 ? negate(x) : x;
  case CubeAxis::Y:
    return x;
  case CubeAxis::X:
    return x < 0 ? z : negate(z);
  }
  return x;
}

static float cubeT(float x, float y, float z) {
  return findCubeAxis(x, y, z) == CubeAxis::Y ? (y < 0 ? negate(z) : z) : negate(y);
}

static float cubeMajor(float x, float y, float z) {
  const CubeAxis axis = findCubeAxis(x, y, z);
  return 2 * (axis == CubeAxis::Z ? z : axis == CubeAxis::Y ? y : x);
}

static constexpr VectorRow rows[] = {
    vectorRow<cubeFace>("v_cubeid_f32", OwnNans),
    vectorRow<cubeS>("v_cubesc_f32", OwnNans),
    vectorRow<cubeT>("v_cubetc_f32", OwnNans),
    vectorRow<cubeMajor>("v_cubema_f32", OwnNans),
};

void ckemu::registerVectorCubeMap(InstructionTable &table) { addVectorRows(table, rows); }
