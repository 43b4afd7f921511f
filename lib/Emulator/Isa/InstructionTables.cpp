//===- InstructionTables.cpp - The instructions of each chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that lists every family. Tables are built once per process and never changed
// afterwards, so that decoders of several host threads may read them without locks.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Isa/Matrix/Families.h"
#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

/// Executes what could not be decoded: the error is the one found at decode.
static const Instruction *executeUndecoded(Wave &wave, const Instruction *inst) {
  return wave.fault(inst, wave.launch->getCode().getDecodeError(inst));
}

static void registerAllFamilies(InstructionTable &table) {
  registerScalarControl(table);
  registerScalarBits(table);
  registerScalarExecMask(table);
  registerScalarArithmetic(table);
  registerScalarCompare(table);
  registerScalarHardwareRegisters(table);
  registerScalarImmediate(table);
  registerScalarRelativeRegisters(table);
  if (table.getIsa() == Isa::Gfx12)
    registerScalarFloat(table);
  registerMemoryScalarLoad(table);
  registerMemoryScalarStore(table);
  registerMemoryScalarAtomic(table);
  registerVectorMove(table);
  registerVectorInteger(table);
  registerVectorBits(table);
  registerVectorDifferences(table);
  registerVectorFloatFunctions(table);
  registerVectorFloatArithmetic(table);
  registerVectorFloatDivision(table);
  registerVectorConvert(table);
  registerVectorCompare(table);
  registerVectorPacked(table);
  registerVectorMixed(table);
  registerVectorDot(table);
  registerVectorMinimumMaximum(table);
  registerMatrixMfma(table);
  if (table.getIsa() == Isa::Gfx950)
    registerMatrixMfmaScaled(table);
  if (table.getIsa() == Isa::Gfx942 || table.getIsa() == Isa::Gfx950)
    registerMatrixSmfmac(table);
  registerMatrixWmma(table);
  registerVectorLaneExchange(table);
  registerVectorLanePermutation(table);
  registerMemoryLds(table);
  registerMemoryLdsThread(table);
  registerMemoryFlat(table);
  registerMemoryAtomic(table);
  if (!isCdna(table.getIsa()))
    registerMemoryFlatThread(table);
  registerMemoryBuffer(table);
  registerMemoryBufferFormat(table);
  registerVectorCubeMap(table);
  if (table.getIsa() == Isa::Gfx950)
    registerVectorConvertScaled(table);
  if (isCdna(table.getIsa()))
    registerMemoryLdsTranspose(table);
  else
    registerMemoryAliases(table);
  registerVectorAliases(table);
  if (!isCdna(table.getIsa()))
    registerVectorDual(table);
}

const InstructionTable &ckemu::getInstructionTable(Isa isa) {
  static const std::vector<InstructionTable> tables = [] {
    std::vector<InstructionTable> result;
    for (Isa each : kIsas) {
      result.emplace_back(each, executeUndecoded, selectPairHandler);
      registerAllFamilies(result.back());
    }
    return result;
  }();
  return tables[unsigned(isa)];
}
