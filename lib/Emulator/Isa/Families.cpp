//===- Families.cpp - The instruction families -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that lists every family.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Families.h"

void mlir::ck::emulator::registerAllFamilies(InstructionTable &table) {
  registerSopp(table);
  registerSop1(table);
  registerSop2(table);
  registerSopc(table);
  registerSopk(table);
  if (table.getIsa() == Isa::Gfx12)
    registerSopFloat(table);
  registerSmem(table);
  registerVop1(table);
  registerVop2(table);
  registerVop3(table);
  registerVop1Float(table);
  registerVop2Float(table);
  registerVop3Float(table);
  registerVopConvert(table);
  registerVopc(table);
  registerVop3p(table);
  registerVop3Mix(table);
  registerVopDot(table);
  registerVopRdna(table);
  registerMfma(table);
  if (table.getIsa() == Isa::Gfx950)
    registerMfmaScaled(table);
  if (table.getIsa() == Isa::Gfx942 || table.getIsa() == Isa::Gfx950)
    registerSmfmac(table);
  registerWmma(table);
  registerCrossLane(table);
  registerLds(table);
  registerLdsThread(table);
  registerVmem(table);
  registerVmemAtomic(table);
  if (!isCdna(table.getIsa()))
    registerVmemLane(table);
  registerBuffer(table);
  registerBufferFormat(table);
  registerVopCdna(table);
  if (isCdna(table.getIsa()))
    registerLdsMatrix(table);
  else
    registerRdnaNames(table);
  registerRdnaVectorNames(table);
  if (!isCdna(table.getIsa())) {
    registerVopRdnaMisc(table);
    registerPermlane(table);
    registerVopd(table);
  }
}
