//===- ChipJson.cpp - The chip table as JSON -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ChipJson.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Chip/ChipJson.h"

using namespace mlir::ck;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

static StringRef getName(MatrixUnit unit) {
  switch (unit) {
  case MatrixUnit::Mfma:
    return "mfma";
  case MatrixUnit::Wmma:
    return "wmma";
  case MatrixUnit::Fma:
    return "fma";
  }
  return "";
}

static Object describe(const MatrixInstruction &inst) {
  return Object{{"kind", getName(inst.unit)},
                {"m", inst.m},
                {"n", inst.n},
                {"k", inst.k},
                {"type", getName(inst.aType)},
                {"held_type", getName(inst.heldType)},
                {"acc_type", getName(inst.accType)}};
}

StringRef mlir::ck::getName(Fp8Kind kind) {
  switch (kind) {
  case Fp8Kind::None:
    return "none";
  case Fp8Kind::Fnuz:
    return "fnuz";
  case Fp8Kind::Ocp:
    return "ocp";
  }
  return "";
}

Object mlir::ck::toJson(const ChipInfo &chip) {
  Array instructions;
  for (const MatrixInstruction &inst : chip.matrixInstructions)
    instructions.push_back(describe(inst));
  return Object{{"name", chip.name},
                {"marketing_name", chip.marketingName},
                {"wave_size", chip.waveSize},
                {"lds_bytes", chip.ldsBytes},
                {"lds_banks", chip.ldsBanks},
                {"async_copy_bytes", chip.asyncCopyBytes},
                {"has_transposing_reads", chip.hasTransposingReads},
                {"max_threads", chip.maxThreads},
                {"vgprs", chip.vgprs},
                {"simd_vgprs", chip.simdVgprs},
                {"cus", chip.numCus},
                {"xcds", chip.numXcds},
                {"simds_per_cu", chip.simdsPerCu},
                {"fp8", getName(chip.fp8)},
                {"matrix_instructions", std::move(instructions)}};
}
