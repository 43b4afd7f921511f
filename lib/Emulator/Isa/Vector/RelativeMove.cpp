//===- RelativeMove.cpp - Scalar and relative forms of vector instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of gfx11 and gfx12 that are no function of lanes: gfx12's transcendental functions
// of scalar registers, moves between registers that M0 chooses, and the exchange of halves.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace mlir::ck::emulator;

/// The vector instruction of the row, of one scalar: EXEC does not matter. The upper half of the
/// register gets 0 when the result is a half.
static const Instruction *executeScalarFunction(Wave &wave, const Instruction *inst) {
  const VectorRow &row = *static_cast<const VectorRow *>(inst->extra.pointer);
  LaneOperands ops;
  Lanes source[kMaxWords], result[kMaxWords];
  broadcast(wave.scalar32(inst->op(1)), source[0]);
  applySourceModifiers(inst, row, 0, inst->op(1), source);
  flushDenormals(wave.mode, row.src[0], /*results=*/false, source);
  ops.src[0][0] = source[0].lane;
  ops.dst[0] = result[0].lane;
  ops.mode = wave.mode;
  {
    const FloatEnvironment environment(wave.mode, row.dst);
    row.run(ops);
    canonicalizeNans(row, ops);
    if (row.dst == LaneType::F16 && (wave.mode & kModeFp16Overflow))
      clampOverflownHalves(row, ops);
    applyOutputModifiers(inst, row.dst, wave.mode, result);
  }
  wave.setScalar32(inst->op(0), is16Bit(row.dst) ? result[0][0] & 0xffff : result[0][0]);
  return inst + 1;
}

static void registerScalarFunctions(InstructionTable &table) {
  constexpr ModifierSet accepted =
      modifiers(Modifier::Clamp, Modifier::Omod, Modifier::SourceNeg, Modifier::SourceAbs);
  for (const std::string name : {"exp", "log", "rcp", "rsq", "sqrt"})
    for (const std::string type : {"f16", "f32"}) {
      const OpcodeInfo &vector = *table.lookup("v_" + name + "_" + type);
      table.add("v_s_" + name + "_" + type, {executeScalarFunction, InstructionClass::Valu,
                                             accepted, vector.sourceType, 2, nullptr, vector.data});
    }
}

//===----------------------------------------------------------------------===//
// Registers relative to M0
//===----------------------------------------------------------------------===//

/// What M0 adds to the number of the source and of the destination.
template <bool movesSource, bool movesDestination, bool separately>
static const Instruction *executeRelativeMove(Wave &wave, const Instruction *inst) {
  constexpr uint32_t kMask = 0x3ff; // the offsets of v_movrelsd_2: bits 9 to 0 and 25 to 16
  const uint32_t m0 = wave.m0();
  Operand source = inst->op(1), destination = inst->op(0);
  if (movesSource)
    source.index += separately ? m0 & kMask : m0;
  if (movesDestination)
    destination.index += separately ? m0 >> 16 & kMask : m0;
  if ((movesSource && source.index >= wave.numVgprs) || destination.index >= wave.numVgprs)
    return wave.fault(inst, "M0 chooses a register past the " + llvm::Twine(wave.numVgprs) +
                                " vector registers of the wave");
  Lanes scratch;
  const Lanes value = wave.vectorSource(source, scratch);
  wave.commit(destination, value);
  return inst + 1;
}

static llvm::Error prepareSourceRegister(Instruction &inst) {
  return inst.op(1).isVector() ? llvm::Error::success()
                               : refuse("expected a vector register source");
}

//===----------------------------------------------------------------------===//
// Exchange of halves
//===----------------------------------------------------------------------===//

static unsigned shiftOf(const Operand &op) { return op.flags & kOperandHigh ? 16 : 0; }

/// Both are read before either is written; they may be halves of one register.
static const Instruction *executeSwapHalves(Wave &wave, const Instruction *inst) {
  const unsigned shifts[2] = {shiftOf(inst->op(0)), shiftOf(inst->op(1))};
  Lanes values[2];
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[i][lane] = wave.vectorRegister(inst->op(i))[lane] >> shifts[i] & 0xffff;
  for (unsigned i = 0; i < 2; ++i) {
    Lanes result = wave.vectorRegister(inst->op(i));
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = (result[lane] & ~(0xffffu << shifts[i])) | values[1 - i][lane] << shifts[i];
    wave.commit(inst->op(i), result);
  }
  return inst + 1;
}

void mlir::ck::emulator::registerVectorRelativeMove(InstructionTable &table) {
  if (table.getIsa() == Isa::Gfx12)
    registerScalarFunctions(table);
  auto add = [&](const char *name, Handler handler, ModifierSet accepted, Prepare prepare) {
    table.add(name, {handler, InstructionClass::Valu, accepted, SourceType::B32, 2, prepare});
  };
  add("v_movreld_b32", executeRelativeMove<false, true, false>, 0, nullptr);
  add("v_movrels_b32", executeRelativeMove<true, false, false>, 0, prepareSourceRegister);
  add("v_movrelsd_b32", executeRelativeMove<true, true, false>, 0, prepareSourceRegister);
  add("v_movrelsd_2_b32", executeRelativeMove<true, true, true>, 0, prepareSourceRegister);
  add("v_swap_b16", executeSwapHalves, modifiers(Modifier::Half), nullptr);
}
